"""Between the translation table and the cells of a block: look probabilities up, add expected counts, normalise."""

import numpy as np

from pralign.kernels.compile import kernel

# What an unseen combination is worth. Only the ratios matter: a known word's unseen partner and an unknown word are
# left to the position model, two unknown words attract each other, and two unknown words that look alike do so more.
UNSEEN = np.float32(1e-9)
BOTH_UNKNOWN = np.float32(1e-7)
SAME_UNKNOWN = np.float32(1e-4)


@kernel
def find_slot(table, s, t):
    """The slot of the word pair ``(s, t)``, or -1 where the pair was never seen together."""
    low = table.row_start[s]
    high = table.row_start[s + 1]
    while low < high:
        middle = (low + high) // 2
        if table.target[middle] < t:
            low = middle + 1
        else:
            high = middle
    if low < table.row_start[s + 1] and table.target[low] == t:
        return low
    return -1


@kernel
def look_up(table, translations, s, t):
    """``(p(t|s), p(s|t))`` of any two words. Numbers past the vocabularies are unknown words, equal if they look so."""
    known_s = s < translations.null_to_source.size
    known_t = t < translations.null_to_target.size
    if known_s and known_t:
        slot = find_slot(table, s, t)
        if slot < 0:
            return UNSEEN, UNSEEN
        return translations.probability[slot, 0], translations.probability[slot, 1]
    if known_s or known_t:
        return UNSEEN, UNSEEN
    if s - translations.null_to_source.size == t - translations.null_to_target.size:
        return SAME_UNKNOWN, SAME_UNKNOWN
    return BOTH_UNKNOWN, BOTH_UNKNOWN


@kernel
def null_probability(null, word):
    """``p(word|null)``, at least what an unseen combination is worth."""
    if word < null.size:
        return max(null[word], UNSEEN)
    return UNSEEN


@kernel
def fill_lattices(texts, pairs, table, cells, translations, forward, reverse):
    """Write the emissions of a block of pairs into the lattices of both directions."""
    for k in range(pairs.size):
        n = pairs[k]
        source = texts.source[texts.source_start[n] : texts.source_start[n + 1]]
        target = texts.target[texts.target_start[n] : texts.target_start[n + 1]]
        begin, end = forward.cell_start[k], forward.cell_start[k + 1]
        to_target = forward.emission[begin:end].reshape(target.size, source.size)
        to_source = reverse.emission[begin:end].reshape(source.size, target.size)
        if cells.start[n] < cells.start[n + 1]:
            slot = cells.slot[cells.start[n] : cells.start[n + 1]].reshape(target.size, source.size)
            gather(slot, translations.probability, to_target, to_source)
        else:
            for j in range(target.size):
                for i in range(source.size):
                    to_target[j, i], to_source[i, j] = look_up(table, translations, source[i], target[j])
        for j in range(target.size):
            null = null_probability(translations.null_to_target, target[j])
            forward.null_emission[forward.observed_start[k] + j] = null
        for i in range(source.size):
            null = null_probability(translations.null_to_source, source[i])
            reverse.null_emission[reverse.observed_start[k] + i] = null


# The next two run once a cell and iteration. Unsigned slots spare the test for negative indices.


@kernel
def gather(slot, probability, to_target, to_source):
    """Copy the probabilities of one pair's cells."""
    for j in range(slot.shape[0]):
        for i in range(slot.shape[1]):
            s = np.uint32(slot[j, i])
            to_target[j, i] = probability[s, 0]
            to_source[i, j] = probability[s, 1]


@kernel
def scatter(slot, to_target, to_source, count):
    """Add the posteriors of one pair's cells."""
    for j in range(slot.shape[0]):
        for i in range(slot.shape[1]):
            s = np.uint32(slot[j, i])
            count[s, 0] += to_target[j, i]
            count[s, 1] += to_source[i, j]


@kernel
def add_counts(texts, pairs, cells, forward, reverse, counts):
    """Add a block's posteriors to the expected counts of the word pairs; ``counts`` is ``(pair, target, source)``."""
    pair_count, target_count, source_count = counts
    begin = end = 0
    observed_target = 0
    observed_source = 0
    for n in pairs:
        source = texts.source[texts.source_start[n] : texts.source_start[n + 1]]
        target = texts.target[texts.target_start[n] : texts.target_start[n + 1]]
        end += source.size * target.size
        slot = cells.slot[cells.start[n] : cells.start[n + 1]].reshape(target.size, source.size)
        to_target = forward.link[begin:end].reshape(target.size, source.size)
        to_source = reverse.link[begin:end].reshape(source.size, target.size)
        scatter(slot, to_target, to_source, pair_count)
        begin = end
        for j in range(target.size):
            target_count[target[j]] += forward.null[observed_target + j]
        for i in range(source.size):
            source_count[source[i]] += reverse.null[observed_source + i]
        observed_target += target.size
        observed_source += source.size


@kernel
def normalise_pairs(table, counts, smoothing, floor, probability):
    """Turn expected counts into ``(p(t|s), p(s|t))``, adding ``smoothing`` to each count."""
    words = table.row_start.size - 1
    targets = 0
    for t in table.target:
        targets = max(targets, t + 1)
    target_total = np.zeros(targets)
    for slot in range(table.target.size):
        target_total[table.target[slot]] += counts[slot, 1] + smoothing
    for s in range(words):
        source_total = 0.0
        for slot in range(table.row_start[s], table.row_start[s + 1]):
            source_total += counts[slot, 0] + smoothing
        for slot in range(table.row_start[s], table.row_start[s + 1]):
            total = target_total[table.target[slot]]
            to_target = (counts[slot, 0] + smoothing) / source_total if source_total > 0 else 0.0
            to_source = (counts[slot, 1] + smoothing) / total if total > 0 else 0.0
            probability[slot, 0] = max(to_target, floor)
            probability[slot, 1] = max(to_source, floor)
