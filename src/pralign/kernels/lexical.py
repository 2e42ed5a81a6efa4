"""Between the translation table and the cells of a block: gather probabilities, add expected counts, normalise."""

import numpy as np

from pralign.kernels.compile import kernel
from pralign.kernels.stopping import stop_if_asked
from pralign.kernels.units import UNIT, UNITS, to_units

# What an unseen combination is worth. Only the ratios matter: a known word's unseen partner and an unknown word are
# left to the position model, two unknown words attract each other, and two unknown words that look alike do so more.
UNSEEN = np.float32(1e-9)
BOTH_UNKNOWN = np.float32(1e-7)
SAME_UNKNOWN = np.float32(1e-4)
# A prior says more of what was never seen; an unknown word that is on both sides counts as seen together with itself.
SAME_COUNT = 1.0
# Stands for the probability of a pair that the lexicon does not have.
MISSING = np.float32(-1.0)

_UNITS = np.float32(UNITS)  # a power of two, so that single precision loses nothing
_LOW = np.int64(0xFFFFFFFF)
_BITS = np.int64(32)
# How often a range that a count lies in is halved, until it is as narrow as numbers are exact.
_HALVINGS = 60


# Looking up


@kernel
def unseen_pairs(pairs, words, known, normalizers, expected, out):
    """What is expected of combinations that were never seen, into ``out``.

    ``pairs`` are two lists of places in ``words``, which are the numbers of the source and of the target words, and
    ``known`` how many of each the lexicon knows; of unknown words the one that is as far past the end on both sides is
    the same word. ``normalizers`` are those of the words. A prior counts what was never seen like everything else, says
    what to expect of a word it knows nothing of, and has ``expected`` to see some pairs so often.
    """
    sources, targets = words
    with_prior = normalizers.added[0] > 0
    for n in range(pairs[0].size):
        s, t = pairs[0][n], pairs[1][n]
        unknown_source, unknown_target = sources[s] - known[0], targets[t] - known[1]
        same = unknown_source >= 0 and unknown_source == unknown_target
        of_source, of_target = normalizers.source[s], normalizers.target[t]
        if unknown_source >= 0:
            of_source = normalizers.added[1] + expected.source_mass[s]
        if unknown_target >= 0:
            of_target = normalizers.added[1] + expected.target_mass[t]
        for direction in range(2):
            count = normalizers.added[0] + expected.counts[n, direction]
            if same and with_prior:
                count = max(count, SAME_COUNT)
            value = unseen(count, of_source if direction == 0 else of_target)
            if unknown_source >= 0 and unknown_target >= 0 and not with_prior:
                value = max(value, SAME_UNKNOWN if same else BOTH_UNKNOWN)
            out[n, direction] = value


@kernel
def unseen(count, normalizer):
    """The probability of what was never seen, but counts as seen so often: at most one in two."""
    return max(np.float32(count / max(normalizer, 2 * count)), UNSEEN) if count > 0 and normalizer > 0 else UNSEEN


@kernel
def choose_rows(probability, slots):
    """The probabilities of some slots; a slot of -1 is missing."""
    chosen = np.empty((slots.size, 2), np.float32)
    for n in range(slots.size):
        slot = slots[n]
        if slot >= 0:
            chosen[n, 0] = probability[slot, 0]
            chosen[n, 1] = probability[slot, 1]
        else:
            chosen[n, :] = MISSING
    return chosen


@kernel
def fill_lattices(texts, pairs, slots, translations, forward, reverse):
    """Write the emissions of a block of pairs into the lattices of both directions; each cell knows its slot."""
    for k in range(pairs.size):
        stop_if_asked()
        n = pairs[k]
        source = texts.source[texts.source_start[n] : texts.source_start[n + 1]]
        target = texts.target[texts.target_start[n] : texts.target_start[n + 1]]
        begin, end = forward.cell_start[k], forward.cell_start[k + 1]
        to_target = forward.emission[begin:end].reshape(target.size, source.size)
        to_source = reverse.emission[begin:end].reshape(source.size, target.size)
        gather(slots[begin:end].reshape(target.size, source.size), translations.probability, to_target, to_source)
        for j in range(target.size):
            null = max(translations.null_to_target[target[j]], UNSEEN)
            forward.null_emission[forward.observed_start[k] + j] = null
        for i in range(source.size):
            null = max(translations.null_to_source[source[i]], UNSEEN)
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
            count[s, 0] += np.int64(np.rint(to_target[j, i] * _UNITS))
            count[s, 1] += np.int64(np.rint(to_source[i, j] * _UNITS))


# Counting


@kernel
def add_counts(texts, pairs, slots, forward, reverse, counts):
    """Add a block's posteriors to the expected counts; ``counts`` is ``(pair, null_target, null_source)``, in units."""
    pair_count, target_count, source_count = counts
    begin = end = 0
    observed_target = 0
    observed_source = 0
    for n in pairs:
        source = texts.source[texts.source_start[n] : texts.source_start[n + 1]]
        target = texts.target[texts.target_start[n] : texts.target_start[n + 1]]
        end += source.size * target.size
        to_target = forward.link[begin:end].reshape(target.size, source.size)
        to_source = reverse.link[begin:end].reshape(source.size, target.size)
        scatter(slots[begin:end].reshape(target.size, source.size), to_target, to_source, pair_count)
        begin = end
        for j in range(target.size):
            target_count[target[j]] += to_units(forward.null[observed_target + j])
        for i in range(source.size):
            source_count[source[i]] += to_units(reverse.null[observed_source + i])
        observed_target += target.size
        observed_source += source.size


@kernel
def sum_by_word(table, counts, by_source, by_target):
    """Add forward counts to the sums of their source words, and reverse counts to those of their target words."""
    for t in range(table.row_start.size - 1):
        total = 0
        for slot in range(table.row_start[t], table.row_start[t + 1]):
            by_source[table.source[slot]] += counts[slot, 0]
            total += counts[slot, 1]
        by_target[t] += total


@kernel
def compress(counts):
    """Counts as the rows that are not zero, their low 32 bits, and the high bits of the few that have any.

    Where no row is zero, the rows need not be named.
    """
    size = large = 0
    for n in range(counts.shape[0]):
        size += (counts[n, 0] | counts[n, 1]) != 0
        large += ((counts[n, 0] | counts[n, 1]) >> _BITS) != 0
    named = size < counts.shape[0]
    row = np.empty(size if named else 0, np.int32)
    low = np.empty((size, 2), np.uint32)
    large_row = np.empty(large, np.int32)
    high = np.empty((large, 2), np.uint32)
    size = large = 0
    for n in range(counts.shape[0]):
        either = counts[n, 0] | counts[n, 1]
        if either != 0:
            if named:
                row[size] = n
            low[size, 0] = counts[n, 0] & _LOW
            low[size, 1] = counts[n, 1] & _LOW
            size += 1
            if either >> _BITS:
                large_row[large] = n
                high[large, 0] = counts[n, 0] >> _BITS
                high[large, 1] = counts[n, 1] >> _BITS
                large += 1
    return row, low, large_row, high


@kernel
def add_compressed(slots, parts, total):
    """Add compressed counts to ``total``; row ``n`` belongs to ``slots[n]``."""
    row, low, large_row, high = parts
    for n in range(low.shape[0]):
        slot = slots[row[n]] if row.size else slots[n]
        total[slot, 0] += np.int64(low[n, 0])
        total[slot, 1] += np.int64(low[n, 1])
    for n in range(large_row.size):
        slot = slots[large_row[n]]
        total[slot, 0] += np.int64(high[n, 0]) << _BITS
        total[slot, 1] += np.int64(high[n, 1]) << _BITS


# Normalising. Counts are in units, and those of a prior are among them.


@kernel
def divide_pairs(table, counts, added, normalizers, floor, probability):
    """Turn expected counts into ``(p(t|s), p(s|t))``.

    Each count is raised by ``added``, and by what ``probability`` holds before.
    """
    for t in range(table.row_start.size - 1):
        stop_if_asked()
        of_target = normalizers.target[t]
        for slot in range(table.row_start[t], table.row_start[t + 1]):
            of_source = normalizers.source[table.source[slot]]
            to_target = (counts[slot, 0] * UNIT + added + probability[slot, 0]) / of_source if of_source > 0 else 0.0
            to_source = (counts[slot, 1] * UNIT + added + probability[slot, 1]) / of_target if of_target > 0 else 0.0
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
def expected_logarithms(table, counts, added, normalizers, floor, probability):
    """Like :func:`divide_pairs`, but the exponential of the expected logarithm under the Dirichlet posterior."""
    of_sources = np.empty(normalizers.source.size)
    for s in range(normalizers.source.size):
        of_sources[s] = digamma(max(normalizers.source[s], floor))
    for t in range(table.row_start.size - 1):
        stop_if_asked()
        of_target = digamma(max(normalizers.target[t], floor))
        for slot in range(table.row_start[t], table.row_start[t + 1]):
            forward = counts[slot, 0] * UNIT + added + probability[slot, 0]
            reverse = counts[slot, 1] * UNIT + added + probability[slot, 1]
            to_target = np.exp(digamma(forward) - of_sources[table.source[slot]])
            to_source = np.exp(digamma(reverse) - of_target)
            probability[slot, 0] = max(to_target, floor)
            probability[slot, 1] = max(to_source, floor)


@kernel
def shares_by_logarithm(counts, normalizer, share):
    """The same for the words that null explains; those without a count stay impossible."""
    of_all = digamma(normalizer)
    for w in range(counts.size):
        share[w] = np.exp(digamma(counts[w]) - of_all) if counts[w] > 0 else 0.0


@kernel
def counts_by_logarithm(probability, normalizer, counts):
    """The counts that :func:`expected_logarithms` has made these probabilities of, each with its own normalizer."""
    for n in range(probability.size):
        stop_if_asked()
        wanted = np.log(probability[n]) + digamma(normalizer[n])
        low, high = 1e-6, max(normalizer[n], 1e-6) + 1.0
        for _ in range(_HALVINGS):  # of a range that is wide in logarithms
            middle = np.sqrt(low * high)
            if digamma(middle) < wanted:
                low = middle
            else:
                high = middle
        counts[n] = np.sqrt(low * high)


@kernel
def confident_pairs(table, translations, normalizers, least):
    """The slots of the pairs that count at least ``least`` in either direction, and their target words."""
    size = 0
    slots = np.empty(table.source.size, np.int64)
    targets = np.empty(table.source.size, np.int64)
    for t in range(table.row_start.size - 1):
        for slot in range(table.row_start[t], table.row_start[t + 1]):
            forward = translations.probability[slot, 0] * normalizers.source[table.source[slot]]
            reverse = translations.probability[slot, 1] * normalizers.target[t]
            if forward >= least or reverse >= least:
                slots[size] = slot
                targets[size] = t
                size += 1
    return slots[:size].copy(), targets[:size].copy()
