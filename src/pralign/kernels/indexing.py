"""Which words occur together: tables of distinct word pairs, and the slot of each cell in such a table.

Nothing is hashed. Words of one side are visited in order; the first meeting of a word with the current one opens a
slot, and a stamp recognises later meetings, so the work is linear in the number of cells.
"""

import numpy as np

from pralign.kernels.arrays import PairTable
from pralign.kernels.compile import kernel
from pralign.kernels.stopping import stop_if_asked


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
def pair_table(texts, included, source_words, target_words):
    """The distinct word pairs of the sentence pairs that are ``included``."""
    first, _, sentence = group_by_word(texts.source, texts.source_start, source_words)
    stamp = np.full(target_words, -1, np.int32)
    row_start = np.zeros(target_words + 1, np.int64)
    for s in range(source_words):
        stop_if_asked()
        for k in range(first[s], first[s + 1]):
            n = sentence[k]
            if included[n]:
                for p in range(texts.target_start[n], texts.target_start[n + 1]):
                    t = texts.target[p]
                    if stamp[t] != s:
                        stamp[t] = s
                        row_start[t + 1] += 1
    for t in range(target_words):
        row_start[t + 1] += row_start[t]
    source = np.empty(row_start[-1], np.int32)
    free = row_start[:-1].copy()
    stamp[:] = -1
    for s in range(source_words):
        stop_if_asked()
        for k in range(first[s], first[s + 1]):
            n = sentence[k]
            if included[n]:
                for p in range(texts.target_start[n], texts.target_start[n + 1]):
                    t = texts.target[p]
                    if stamp[t] != s:
                        stamp[t] = s
                        source[free[t]] = s
                        free[t] += 1
    return PairTable(row_start, source)


@kernel
def cell_slots(texts, pairs, table, source_words):
    """The slot of each cell of some sentence pairs (target-major), all of whose word pairs are in the table."""
    target_words = table.row_start.size - 1
    begin = np.zeros(pairs.size + 1, np.int64)
    first = np.zeros(target_words + 1, np.int64)
    for k in range(pairs.size):
        n = pairs[k]
        states = texts.source_start[n + 1] - texts.source_start[n]
        begin[k + 1] = begin[k] + states * (texts.target_start[n + 1] - texts.target_start[n])
        for p in range(texts.target_start[n], texts.target_start[n + 1]):
            first[texts.target[p] + 1] += 1
    for t in range(target_words):
        first[t + 1] += first[t]
    free = first[:-1].copy()
    place = np.empty((first[-1], 2), np.int32)
    for k in range(pairs.size):
        n = pairs[k]
        for p in range(texts.target_start[n], texts.target_start[n + 1]):
            t = texts.target[p]
            place[free[t], 0] = k
            place[free[t], 1] = p - texts.target_start[n]
            free[t] += 1
    slots = np.empty(begin[-1], np.int32)
    current = np.empty(source_words, np.int32)
    for t in range(target_words):
        stop_if_asked()
        if first[t] < first[t + 1]:
            for slot in range(table.row_start[t], table.row_start[t + 1]):
                current[table.source[slot]] = slot
            for o in range(first[t], first[t + 1]):
                k = place[o, 0]
                n = pairs[k]
                words = texts.source[texts.source_start[n] : texts.source_start[n + 1]]
                out = begin[k] + np.int64(place[o, 1]) * words.size
                for i in range(words.size):
                    slots[out + i] = current[np.uint32(words[i])]
    return slots


@kernel
def order_by(words, size, order):
    """Fill ``order`` with the places of ``words``, those of smaller words first."""
    first = np.zeros(size + 1, np.int64)
    for e in range(words.size):
        first[words[e] + 1] += 1
    for word in range(size):
        first[word + 1] += first[word]
    for e in range(words.size):
        order[first[words[e]]] = e
        first[words[e]] += 1


@kernel
def union_rows(target, source, target_words, source_words):
    """Put word pairs from several tables into one: the table, and the slot of each of the pairs given."""
    begin = np.zeros(target_words + 1, np.int64)
    for e in range(target.size):
        begin[target[e] + 1] += 1
    for t in range(target_words):
        begin[t + 1] += begin[t]
    slots = np.empty(target.size, np.int32)
    order_by(source, source_words, slots)  # room that is filled below
    free = begin[:-1].copy()
    order = np.empty(target.size, np.int32)
    for o in range(target.size):
        e = slots[o]
        order[free[target[e]]] = e
        free[target[e]] += 1
    row_start = np.zeros(target_words + 1, np.int64)
    found = np.empty(target.size, np.int32)
    size = 0
    for t in range(target_words):
        stop_if_asked()
        for o in range(begin[t], begin[t + 1]):
            s = source[order[o]]
            if size == row_start[t] or found[size - 1] != s:
                found[size] = s
                size += 1
            slots[order[o]] = size - 1
        row_start[t + 1] = size
    return PairTable(row_start, found[:size].copy()), slots


@kernel
def find_slot(table, s, t):
    """The slot of the word pair ``(s, t)``, or -1 where the table has no such pair."""
    low = table.row_start[t]
    high = table.row_start[t + 1]
    while low < high:
        middle = (low + high) // 2
        if table.source[middle] < s:
            low = middle + 1
        else:
            high = middle
    if low < table.row_start[t + 1] and table.source[low] == s:
        return low
    return -1


@kernel
def find_slots(table, source, target):
    """The slots of many word pairs, -1 for those the table does not have; numbers may be past its words."""
    slots = np.full(source.size, -1, np.int64)
    for n in range(source.size):
        if target[n] < table.row_start.size - 1:
            slots[n] = find_slot(table, source[n], target[n])
    return slots
