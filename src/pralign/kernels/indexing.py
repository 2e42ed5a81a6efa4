"""The pair index: every distinct co-occurring word pair gets a slot, every cell knows its slot.

Words are visited by target word. A source word's first meeting with the current target word opens a slot, and a
stamp per source word recognises later meetings, so the work is linear in the number of cells and nothing is sorted
or hashed. Target words come in ascending order, hence each source word's slots are sorted by target word.
"""

import numpy as np

from pralign.kernels.compile import kernel


@kernel
def group_by_word(tokens, start, words):
    """List the positions of each word: ``(first, position, sentence)``, position and sentence in word order."""
    first = np.zeros(words + 1, np.int64)
    for token in tokens:
        first[token + 1] += 1
    for word in range(words):
        first[word + 1] += first[word]
    fill = first[:-1].copy()
    position = np.empty(tokens.size, np.int32)
    sentence = np.empty(tokens.size, np.int32)
    for n in range(start.size - 1):
        for p in range(start[n], start[n + 1]):
            k = fill[tokens[p]]
            fill[tokens[p]] += 1
            position[k] = p - start[n]
            sentence[k] = n
    return first, position, sentence


@kernel
def count_slots(texts, cell_start, occurrences, words, low, high):
    """Count, for each source word, its distinct partners among the target words ``low`` to ``high``."""
    first, _, sentence = occurrences
    stamp = np.full(words, -1, np.int32)
    count = np.zeros(words, np.int32)
    for t in range(low, high):
        for k in range(first[t], first[t + 1]):
            n = sentence[k]
            if cell_start[n] == cell_start[n + 1]:
                continue
            for p in range(texts.source_start[n], texts.source_start[n + 1]):
                s = texts.source[p]
                if stamp[s] != t:
                    stamp[s] = t
                    count[s] += 1
    return count


@kernel
def fill_slots(texts, cells, occurrences, next_slot, slot_target, low, high):
    """Open the slots of the target words ``low`` to ``high`` and write each cell's slot.

    ``next_slot[s]`` is the first free slot of source word ``s``; it is advanced in place.
    """
    first, position, sentence = occurrences
    current = np.full(next_slot.size, -1, np.int64)
    for t in range(low, high):
        for k in range(first[t], first[t + 1]):
            n = sentence[k]
            if cells.start[n] == cells.start[n + 1]:
                continue
            begin = texts.source_start[n]
            length = texts.source_start[n + 1] - begin
            out = cells.start[n] + np.int64(position[k]) * length
            for i in range(length):
                s = texts.source[begin + i]
                slot = current[s]
                if slot < 0 or slot_target[slot] != t:
                    slot = next_slot[s]
                    next_slot[s] = slot + 1
                    slot_target[slot] = t
                    current[s] = slot
                cells.slot[out + i] = slot
