"""What each sentence pair has added to the counts: collected, left out again, added up, found again.

Collapsed estimation looks at a pair with the counts of all others. Probabilities are stored as ``count / normalizer``,
so the count of a word pair is the probability times the normalizer, and what is left of it without a sentence pair is
that less what the sentence pair has added. Counts are rounded before they are added, and what was added is kept.
"""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Float, Int, Long, Short
from pralign.kernels.compile import kernel
from pralign.kernels.growing import gathered, longer
from pralign.kernels.units import UNITS

# Own counts are whole multiples of this. The largest is 4; posteriors times weights stay below 2.
OWN_UNIT = np.float32(2.0**-14)
_OWN_BITS = np.int64(14)
_UNITS_IN_ONE = np.int64(UNITS * 2.0**-14)
# Posteriors below this are not worth keeping. Where a sentence pair has more than two a word above it, the limit is
# doubled, up to three times: posteriors of the first iterations are flat, and all of them would take gigabytes.
LEAST = np.float32(0.01)
MOST_A_WORD = np.int64(2)
DOUBLINGS = 3
# What is left of a count, at least; rounding must not make it negative.
_FLOOR = 1e-12


class OwnCounts(NamedTuple):
    """What each pair of a block or shard has added to the counts, so that it can be left out of them again.

    Pair ``k`` has the entries ``start[k]`` to ``start[k + 1]``: a cell (target-major) and the expected counts of its
    link in both directions, in units of :data:`OWN_UNIT`. ``null_target`` and ``null_source`` have a number a word,
    those of pair ``k`` from ``target_start[k]`` and ``source_start[k]`` on; a pair of which nothing is known has none.
    ``forward_rows`` and ``reverse_rows`` have a row a pair with what the parts of the directional models count.

    A directional model sees them as if it were the forward one, see :func:`transposed`.
    """

    start: Long
    cell: Int
    forward: Short
    reverse: Short
    target_start: Long
    null_target: Short
    source_start: Long
    null_source: Short
    forward_rows: Float
    reverse_rows: Float


def no_own_counts(pairs: int) -> OwnCounts:
    """The own counts of pairs of which nothing is known."""
    start, counts = np.zeros(pairs + 1, np.int64), np.empty(0, np.uint16)
    rows = np.empty((pairs, 0), np.float32)
    return OwnCounts(start, np.empty(0, np.int32), counts, counts, start, counts, start, counts, rows, rows)


@kernel
def known(own, k):
    """Whether anything is known of pair ``k``."""
    return own.target_start[k + 1] > own.target_start[k]


@kernel
def cells_within(cell, start, source_start, target_start):
    """Whether all cells are cells of their pairs."""
    for k in range(start.size - 1):
        size = (source_start[k + 1] - source_start[k]) * (target_start[k + 1] - target_start[k])
        for e in range(start[k], start[k + 1]):
            if cell[e] < 0 or cell[e] >= size:
                return False
    return True


# Leaving out


@kernel
def first_places(words, first):
    """Fill ``first[a]`` with the first place of a sentence at which the word ``words[a]`` stands."""
    for a in range(words.size):
        first[a] = a
        for b in range(a):
            if words[b] == words[a]:
                first[a] = b
                break


@kernel
def leave_out(texts, pairs, normalizers, own, lattices):
    """Change the emissions of a block to what they would be if its pairs had added nothing to the counts."""
    forward, reverse = lattices
    for k in range(pairs.size):
        if not known(own, k):
            continue
        n = pairs[k]
        source = texts.source[texts.source_start[n] : texts.source_start[n + 1]]
        target = texts.target[texts.target_start[n] : texts.target_start[n + 1]]
        places = np.empty(source.size, np.int64), np.empty(target.size, np.int64)
        first_places(source, places[0])
        first_places(target, places[1])
        begin, end = forward.cell_start[k], forward.cell_start[k + 1]
        to_target = forward.emission[begin:end].reshape(target.size, source.size)
        to_source = reverse.emission[begin:end].reshape(source.size, target.size)
        counts, by_source, by_target = link_counts(own, k, places)
        emissions_without(to_target, gathered(normalizers.source, source), by_source, places, counts[0])
        of_target = gathered(normalizers.target, target)
        emissions_without(to_source, of_target, by_target, (places[1], places[0]), counts[1].T)
        first, last = forward.observed_start[k], forward.observed_start[k + 1]
        null = own.null_target[own.target_start[k] : own.target_start[k + 1]]
        null_without(forward.null_emission[first:last], places[1], null, normalizers.null[0])
        first, last = reverse.observed_start[k], reverse.observed_start[k + 1]
        null = own.null_source[own.source_start[k] : own.source_start[k + 1]]
        null_without(reverse.null_emission[first:last], places[0], null, normalizers.null[1])


@kernel
def link_counts(own, k, places):
    """What a pair has added to its word pairs, and to its words: words that occur again share their first place."""
    of_source, of_target = places
    states = of_source.size
    counts = np.zeros((2, of_target.size, states), np.float32)
    by_source = np.zeros(states)
    by_target = np.zeros(of_target.size)
    for e in range(own.start[k], own.start[k + 1]):
        i = of_source[own.cell[e] % states]
        j = of_target[own.cell[e] // states]
        counts[0, j, i] += own.forward[e] * OWN_UNIT
        counts[1, j, i] += own.reverse[e] * OWN_UNIT
        by_source[i] += own.forward[e] * OWN_UNIT
        by_target[j] += own.reverse[e] * OWN_UNIT
    return counts, by_source, by_target


@kernel
def emissions_without(emission, totals, by_state, places, counts):
    """Leave a pair's own counts out of the emissions of one direction, observed word by observed word."""
    of_state, of_observed = places
    left = np.empty(totals.size)
    for i in range(totals.size):
        left[i] = 1.0 / max(totals[i] - by_state[of_state[i]], _FLOOR)
    for j in range(of_observed.size):
        row = counts[of_observed[j]]
        cells = emission[j]
        for i in range(totals.size):
            cells[i] = max(cells[i] * totals[i] - row[of_state[i]], _FLOOR) * left[i]


@kernel
def null_without(emission, places, own, total):
    """Leave what null has explained of one side of a pair out of its emissions."""
    counts = np.zeros(emission.size)
    added = 0.0
    for a in range(own.size):
        counts[places[a]] += own[a] * OWN_UNIT
        added += own[a] * OWN_UNIT
    left = 1.0 / max(total - added, _FLOOR)
    for a in range(emission.size):
        emission[a] = max(emission[a] * total - counts[places[a]], _FLOOR) * left


# Collecting


@kernel
def collect(lattices, links, nulls, rows):
    """The own counts of a block, from the posteriors of both directions times the weights of their pairs.

    ``rows`` are those of the two directional models. What is dropped is decided for each pair by itself.
    """
    forward, reverse = lattices
    pairs = forward.states.size
    largest = 0
    for k in range(pairs):
        largest = max(largest, forward.cell_start[k + 1] - forward.cell_start[k])
    room = np.empty(largest, np.int32), np.empty(largest, np.float32), np.empty(largest, np.float32)
    start = np.zeros(pairs + 1, np.int64)
    cell = np.empty(forward.null_emission.size * 2 + 64, np.int32)
    to_targets, to_sources = np.empty(cell.size, np.uint16), np.empty(cell.size, np.uint16)
    size = 0
    for k in range(pairs):
        found = likely_cells(forward, links, k, room)
        words = forward.states[k] + forward.observed_start[k + 1] - forward.observed_start[k]
        least = limit_of_pair(room, found, words)
        cell = longer(cell, size + found)
        to_targets, to_sources = longer(to_targets, size + found), longer(to_sources, size + found)
        for e in range(found):
            to_target, to_source = room[1][e], room[2][e]
            if to_target >= least or to_source >= least:
                cell[size] = room[0][e]
                to_targets[size] = rounded(to_target) if to_target >= least else 0
                to_sources[size] = rounded(to_source) if to_source >= least else 0
                size += 1
        start[k + 1] = size
    return OwnCounts(
        start,
        cell[:size].copy(),
        to_targets[:size].copy(),
        to_sources[:size].copy(),
        forward.observed_start,
        all_rounded(nulls[0]),
        reverse.observed_start,
        all_rounded(nulls[1]),
        rows[0],
        rows[1],
    )


@kernel
def likely_cells(forward, links, k, room):
    """Write the cells of a pair that are worth keeping into ``room``, with both posteriors; returns how many."""
    cell, to_targets, to_sources = room
    states = np.int64(forward.states[k])
    begin = forward.cell_start[k]
    observed = forward.observed_start[k + 1] - forward.observed_start[k]
    found = 0
    for j in range(observed):
        for i in range(states):
            to_target = links[0][begin + j * states + i]
            to_source = links[1][begin + i * observed + j]
            if max(to_target, to_source) >= LEAST:
                cell[found] = j * states + i
                to_targets[found] = to_target
                to_sources[found] = to_source
                found += 1
    return found


@kernel
def limit_of_pair(room, found, words):
    """The limit below which the posteriors of a pair are dropped."""
    limit = LEAST
    for _ in range(DOUBLINGS):
        size = 0
        for e in range(found):
            size += max(room[1][e], room[2][e]) >= limit
        if size <= MOST_A_WORD * words:
            return limit
        limit *= np.float32(2)
    return limit


@kernel
def rounded(count):
    """A count in units of own counts."""
    return np.uint16(min(count / OWN_UNIT + np.float32(0.5), np.float32(65535.0)))


@kernel
def all_rounded(counts):
    """Counts in units of own counts."""
    result = np.empty(counts.size, np.uint16)
    for a in range(counts.size):
        result[a] = rounded(counts[a])
    return result


# Adding up


@kernel
def add_own_counts(texts, pairs, slots, own, counts):
    """Add the counts of a block to the totals ``(pair, null_target, null_source)``, in units.

    ``slots`` has the slot of each cell of the block.
    """
    pair_count, target_count, source_count = counts
    begin = 0
    for k in range(pairs.size):
        n = pairs[k]
        for e in range(own.start[k], own.start[k + 1]):
            s = np.uint32(slots[begin + own.cell[e]])
            pair_count[s, 0] += own.forward[e] * _UNITS_IN_ONE
            pair_count[s, 1] += own.reverse[e] * _UNITS_IN_ONE
        sizes = texts.source_start[n + 1] - texts.source_start[n], texts.target_start[n + 1] - texts.target_start[n]
        begin += sizes[0] * sizes[1]
        first = own.target_start[k]
        for j in range(own.target_start[k + 1] - first):
            target_count[texts.target[texts.target_start[n] + j]] += own.null_target[first + j] * _UNITS_IN_ONE
        first = own.source_start[k]
        for i in range(own.source_start[k + 1] - first):
            source_count[texts.source[texts.source_start[n] + i]] += own.null_source[first + i] * _UNITS_IN_ONE


@kernel
def agreement(own):
    """The links that both directions make, once for each, and all links of both, in units of own counts."""
    both = links = np.int64(0)
    for e in range(own.cell.size):
        forward, reverse = np.int64(own.forward[e]), np.int64(own.reverse[e])
        both += (2 * forward * reverse) >> _OWN_BITS
        links += forward + reverse
    return both, links


# Looking from the other side, choosing, joining


def transposed(own: OwnCounts, states: Int, observed: Int) -> OwnCounts:
    """Own counts as the other direction sees them; ``states`` and ``observed`` are the lengths of the pairs here."""
    entries = np.diff(own.start)
    j, i = np.divmod(own.cell, np.repeat(states, entries))
    return OwnCounts(
        own.start,
        i * np.repeat(observed, entries) + j,
        own.reverse,
        own.forward,
        own.source_start,
        own.null_source,
        own.target_start,
        own.null_target,
        own.reverse_rows,
        own.forward_rows,
    )


def choose(own: OwnCounts, rows: Long) -> OwnCounts:
    """The own counts of some pairs; a row of -1 is a pair of which nothing is known."""
    start, entries = _entries(own.start, rows)
    target_start, targets = _entries(own.target_start, rows)
    source_start, sources = _entries(own.source_start, rows)
    return OwnCounts(
        start,
        own.cell[entries],
        own.forward[entries],
        own.reverse[entries],
        target_start,
        own.null_target[targets],
        source_start,
        own.null_source[sources],
        _rows(own.forward_rows, rows),
        _rows(own.reverse_rows, rows),
    )


def _entries(start: Long, rows: Long) -> tuple[Long, Long]:
    """Where the entries of some rows start when they are put one after the other, and where they are now."""
    first = start[rows]
    sizes = np.where(rows < 0, 0, start[rows + 1] - first)
    found = np.zeros(rows.size + 1, np.int64)
    np.cumsum(sizes, out=found[1:])
    return found, np.arange(found[-1]) + np.repeat(first - found[:-1], sizes)


def _rows(table: Float, rows: Long) -> Float:
    found = np.zeros((rows.size, table.shape[1]), table.dtype)
    found[rows >= 0] = table[rows[rows >= 0]]
    return found


def joined(parts: list[OwnCounts]) -> OwnCounts:
    """The own counts of several blocks or shards, one after the other."""
    fields = {}
    for name in OwnCounts._fields:
        arrays = [getattr(part, name) for part in parts]
        if name.endswith("start"):
            offsets = np.cumsum([0, *(array[-1] for array in arrays)])
            moved = (array[1:] + offset for array, offset in zip(arrays, offsets[:-1], strict=True))
            fields[name] = np.concatenate([np.zeros(1, np.int64), *moved])
        else:
            fields[name] = np.concatenate(arrays)
    return OwnCounts(**fields)


# Finding pairs again

_SEED = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_SHIFT = np.uint64(31)
_BOUNDARY = np.uint64(0xFFFFFFFF)


@kernel
def mixed(state, word):
    """A number in which every bit depends on every bit of ``state`` and ``word``."""
    value = (state ^ word) + _SEED
    value = (value ^ (value >> _SHIFT)) * _FIRST
    value = (value ^ (value >> _SHIFT)) * _SECOND
    return value ^ (value >> _SHIFT)


@kernel
def fingerprints(texts, pairs):
    """A number for each pair that depends on all of its words; other pairs hardly ever have the same."""
    prints = np.empty(pairs.size, np.uint64)
    for k in range(pairs.size):
        n = pairs[k]
        value = _SEED
        for o in range(texts.source_start[n], texts.source_start[n + 1]):
            value = mixed(value, np.uint64(texts.source[o]))
        value = mixed(value, _BOUNDARY)
        for o in range(texts.target_start[n], texts.target_start[n + 1]):
            value = mixed(value, np.uint64(texts.target[o]))
        prints[k] = value
    return prints


@kernel
def same_pair(texts, n, others, m):
    """Whether pair ``n`` of one text has the same words as pair ``m`` of another."""
    lengths = texts.source_start[n + 1] - texts.source_start[n], texts.target_start[n + 1] - texts.target_start[n]
    if others.source_start[m + 1] - others.source_start[m] != lengths[0]:
        return False
    if others.target_start[m + 1] - others.target_start[m] != lengths[1]:
        return False
    for i in range(lengths[0]):
        if texts.source[texts.source_start[n] + i] != others.source[others.source_start[m] + i]:
            return False
    for j in range(lengths[1]):
        if texts.target[texts.target_start[n] + j] != others.target[others.target_start[m] + j]:
            return False
    return True


@kernel
def find_pairs(texts, pairs, prints, places, others):
    """For each pair, where a pair of the same words is among ``others``, or -1.

    ``prints`` are the fingerprints of ``others`` in ascending order, ``places`` the pairs that have them. A fingerprint
    only says where to look: the words are compared.
    """
    rows = np.full(pairs.size, -1, np.int64)
    wanted = fingerprints(texts, pairs)
    for k in range(pairs.size):
        at = np.searchsorted(prints, wanted[k])
        while at < prints.size and prints[at] == wanted[k]:
            if same_pair(texts, pairs[k], others, places[at]):
                rows[k] = places[at]
                break
            at += 1
    return rows
