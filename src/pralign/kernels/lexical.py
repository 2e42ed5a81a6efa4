"""Between the translation table and the cells of a block: look probabilities up, add expected counts, normalise."""

import numpy as np

from pralign.kernels.compile import kernel

# What an unseen combination is worth. Only the ratios matter: a known word's unseen partner and an unknown word are
# left to the position model, two unknown words attract each other, and two unknown words that look alike do so more.
UNSEEN = np.float32(1e-9)
BOTH_UNKNOWN = np.float32(1e-7)
SAME_UNKNOWN = np.float32(1e-4)
# A prior says more of what was never seen; two unknown words that look alike count as seen together once in two times.
SAME_WITH_PRIOR = np.float32(0.5)


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
def find_slots(table, source, target):
    """The slots of many word pairs, -1 for those never seen together."""
    slots = np.empty(source.size, np.int64)
    for n in range(source.size):
        slots[n] = find_slot(table, source[n], target[n])
    return slots


@kernel
def confident_pairs(table, translations, masses, least):
    """The slots of the pairs that count at least ``least`` in either direction, and their source words."""
    size = 0
    slots = np.empty(table.target.size, np.int64)
    sources = np.empty(table.target.size, np.int64)
    for s in range(table.row_start.size - 1):
        for slot in range(table.row_start[s], table.row_start[s + 1]):
            forward = translations.probability[slot, 0] * masses.source[s]
            reverse = translations.probability[slot, 1] * masses.target[table.target[slot]]
            if forward >= least or reverse >= least:
                slots[size] = slot
                sources[size] = s
                size += 1
    return slots[:size].copy(), sources[:size].copy()


@kernel
def look_up(table, translations, masses, s, t):
    """``(p(t|s), p(s|t))`` of any two words. Numbers past the vocabularies are unknown words, equal if they look so.

    A prior counts what was never seen like everything else, and says what to expect of a word it knows nothing of.
    """
    known_s = s < translations.null_to_source.size
    known_t = t < translations.null_to_target.size
    if known_s and known_t:
        slot = find_slot(table, s, t)
        if slot >= 0:
            return translations.probability[slot, 0], translations.probability[slot, 1]
    elif not known_s and not known_t:
        if s - translations.null_to_source.size == t - translations.null_to_target.size:
            same = SAME_UNKNOWN if masses.added[0] == 0 else SAME_WITH_PRIOR
            return same, same
        if masses.added[0] == 0:
            return BOTH_UNKNOWN, BOTH_UNKNOWN
    of_source = masses.source[s] if known_s else masses.added[1]
    of_target = masses.target[t] if known_t else masses.added[1]
    return unseen(masses.added[0], of_source), unseen(masses.added[0], of_target)


@kernel
def unseen(added, mass):
    """What a prior that adds so much to every count says of a combination that was never seen."""
    return max(np.float32(added / mass), UNSEEN) if added > 0 and mass > 0 else UNSEEN


@kernel
def null_probability(null, word):
    """``p(word|null)``, at least what an unseen combination is worth."""
    if word < null.size:
        return max(null[word], UNSEEN)
    return UNSEEN


@kernel
def fill_lattices(texts, pairs, lexicon, cells, forward, reverse):
    """Write the emissions of a block of pairs into the lattices of both directions.

    ``lexicon`` is ``(table, translations, masses)``.
    """
    table, translations, masses = lexicon
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
                    to_target[j, i], to_source[i, j] = look_up(table, translations, masses, source[i], target[j])
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
def sum_by_word(table, counts, source_mass, target_mass):
    """Add forward counts to the masses of their source words, and reverse counts to those of their target words."""
    for s in range(table.row_start.size - 1):
        for slot in range(table.row_start[s], table.row_start[s + 1]):
            source_mass[s] += counts[slot, 0]
            target_mass[table.target[slot]] += counts[slot, 1]


@kernel
def divide_pairs(table, counts, added, masses, floor, probability):
    """Turn expected counts, each raised by ``added``, into ``(p(t|s), p(s|t))``."""
    for s in range(table.row_start.size - 1):
        for slot in range(table.row_start[s], table.row_start[s + 1]):
            of_source, of_target = masses.source[s], masses.target[table.target[slot]]
            to_target = (counts[slot, 0] + added) / of_source if of_source > 0 else 0.0
            to_source = (counts[slot, 1] + added) / of_target if of_target > 0 else 0.0
            probability[slot, 0] = max(to_target, floor)
            probability[slot, 1] = max(to_source, floor)


@kernel
def digamma(x):
    """The derivative of the logarithm of the gamma function, for ``x > 0``."""
    shift = 0.0
    while x < 8.0:
        shift -= 1.0 / x
        x += 1.0
    y = 1.0 / (x * x)
    series = y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y * (1.0 / 240.0 - y / 132.0))))
    return shift + np.log(x) - 0.5 / x - series


@kernel
def expected_logarithms(table, counts, added, masses, floor, probability):
    """Like :func:`divide_pairs`, but the exponential of the expected logarithm under the Dirichlet posterior."""
    of_target = np.empty(masses.target.size)
    for t in range(masses.target.size):
        of_target[t] = digamma(max(masses.target[t], floor))
    for s in range(table.row_start.size - 1):
        of_source = digamma(max(masses.source[s], floor))
        for slot in range(table.row_start[s], table.row_start[s + 1]):
            to_target = np.exp(digamma(counts[slot, 0] + added) - of_source)
            to_source = np.exp(digamma(counts[slot, 1] + added) - of_target[table.target[slot]])
            probability[slot, 0] = max(to_target, floor)
            probability[slot, 1] = max(to_source, floor)


@kernel
def shares_by_logarithm(counts, mass, share):
    """The same for the words that null explains; those without a count stay impossible."""
    of_all = digamma(mass)
    for w in range(counts.size):
        share[w] = np.exp(digamma(counts[w]) - of_all) if counts[w] > 0 else 0.0
