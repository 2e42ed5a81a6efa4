"""From sorted strings to phrase pairs: what belongs to the same words is put together.

Several strings have the words of one phrase pair if its links or its orientations differ. The links that were seen most
often stand for all; of those seen equally often, the ones that Moses takes, which may be others when both sides are
exchanged.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Long
from pralign.kernels.compile import kernel
from pralign.kernels.phrase_strings import has_link, link_numbers
from pralign.kernels.spans import ORIENTATIONS
from pralign.kernels.stopping import stop_if_asked
from pralign.kernels.strings import Strings


class PairGroups(NamedTuple):
    """The phrase pairs of sorted strings.

    Attributes:
        string: A string with the likeliest links of each.
        reverse: The same, seen from the other side.
        units: How often each was seen, in units.
        source: The number of its source phrase.
        orientation: How often it was monotone, swapped or neither, towards the word before and the word after; has no
            rows if nobody has looked.
    """

    string: Long
    reverse: Long
    units: Long
    source: Long
    orientation: Long


class Parts(NamedTuple):
    """Where the parts of a string are: the target words, the links, and what follows them; sizes of both sides."""

    target: int
    links: int
    end: int
    rows: int
    columns: int


@kernel
def parts_of(data, begin, separators):
    """Where the parts of a string that begins at a place are."""
    at = begin
    while data[at] != separators.source:
        at += 1
    rows, target = at - begin, at + 1
    at = target
    while data[at] != separators.target and data[at] != separators.swapped:
        at += 1
    columns = at - target
    return Parts(target, at + 1, at + 1 + link_numbers(rows, columns), rows, columns)


@kernel
def group_pairs(strings, separators, oriented):
    """The phrase pairs of sorted strings."""
    data, start, units = strings
    size = start.size - 1
    groups = PairGroups(
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.zeros(size, np.int64),
        np.empty(size, np.int64),
        np.zeros((size if oriented else 0, 2 * ORIENTATIONS), np.int64),
    )
    pair, source, k = -1, -1, 0
    before = parts_of(data, 0, separators) if size else Parts(0, 0, 0, 0, 0)
    best, best_reverse = 0, 0
    while k < size:
        if k & 1023 == 0:
            stop_if_asked()
        parts = parts_of(data, start[k], separators)
        if k == 0 or not _same(data, start[k - 1], start[k], before.target - start[k - 1], parts.target - start[k]):
            source += 1
        if k == 0 or not _same(data, start[k - 1], start[k], before.links - start[k - 1], parts.links - start[k]):
            pair += 1
            best = best_reverse = -1
            groups.source[pair] = source
        seen, first = np.int64(0), k
        while k < size and _same(data, start[first], start[k], parts.end - start[first], parts.end - start[first]):
            seen += units[k]
            if oriented:
                value = np.int64(data[parts.end - start[first] + start[k]]) - 1
                groups.orientation[pair, value // ORIENTATIONS] += units[k]
                groups.orientation[pair, ORIENTATIONS + value % ORIENTATIONS] += units[k]
            k += 1
        groups.units[pair] += seen
        if seen > best or (seen == best and _is_above(data, start, first, groups.string[pair], parts, False)):
            groups.string[pair], best = first, seen
        if seen > best_reverse or (
            seen == best_reverse and _is_above(data, start, first, groups.reverse[pair], parts, True)
        ):
            groups.reverse[pair], best_reverse = first, seen
        before = parts_of(data, start[k - 1], separators)
    return PairGroups(
        groups.string[: pair + 1],
        groups.reverse[: pair + 1],
        groups.units[: pair + 1],
        groups.source[: pair + 1],
        groups.orientation[: pair + 1],
    )


@kernel
def _same(data, left, right, length, other):
    """Whether two strings begin with the same so many numbers."""
    if length != other:
        return False
    k = 0
    while k < length and data[left + k] == data[right + k]:
        k += 1
    return k == length


@kernel
def _is_above(data, start, string, other, parts, reverse):
    """Whether the links of a string come after those of another with the same words, as Moses compares them.

    Words of one side are compared in order: by the partners of each, in order, and one with fewer comes first.
    """
    shift = parts.links - start[string]
    left, right = start[string] + shift, start[other] + shift
    outer, inner = (parts.rows, parts.columns) if reverse else (parts.columns, parts.rows)
    for a in range(outer):
        for b in range(inner):
            i, j = (a, b) if reverse else (b, a)
            here, there = has_link(data, left, parts.rows, i, j), has_link(data, right, parts.rows, i, j)
            if here != there:
                lacking = right if here else left
                goes_on = False
                for c in range(b + 1, inner):
                    i, j = (a, c) if reverse else (c, a)
                    goes_on = goes_on or has_link(data, lacking, parts.rows, i, j)
                return here != goes_on
    return False


@kernel
def chosen_strings(strings, chosen, units, separators):
    """Some strings, without what follows their links, and with other counts."""
    data, start, _ = strings
    size = 0
    for k in range(chosen.size):
        size += parts_of(data, start[chosen[k]], separators).end - start[chosen[k]]
    found, place = np.empty(size, np.uint32), np.empty(chosen.size + 1, np.int64)
    place[0] = at = 0
    for k in range(chosen.size):
        begin = start[chosen[k]]
        for p in range(begin, parts_of(data, begin, separators).end):
            found[at] = data[p]
            at += 1
        place[k + 1] = at
    return Strings(found, place, units)


@kernel
def target_fingerprints(strings, separators):
    """Two numbers that tell the target phrase of each string: chance makes none equal that are not."""
    data, start, _ = strings
    found = np.empty((start.size - 1, 2), np.uint64)
    for k in range(start.size - 1):
        parts = parts_of(data, start[k], separators)
        first, second = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
        for p in range(parts.target, parts.links - 1):
            first = (first ^ np.uint64(data[p])) * np.uint64(0xFF51AFD7ED558CCD)
            first ^= first >> np.uint64(32)
            second = (second ^ np.uint64(data[p])) * np.uint64(0xC4CEB9FE1A85EC53)
            second ^= second >> np.uint64(29)
        found[k, 0], found[k, 1] = first, second
    return found


@kernel
def lexical_weights(strings, reverse, separators, lexicon):
    """How well the words of each phrase pair translate each other: the target given the source, and the other way.

    Each word counts as the mean over its links, or as explained by null. ``strings`` have the links for the first,
    ``reverse`` those for the second.
    """
    found = np.empty((strings.start.size - 1, 2))
    for k in range(strings.start.size - 1):
        data, begin = strings.data, strings.start[k]
        parts = parts_of(data, begin, separators)
        found[k, 0] = 1.0
        for j in range(parts.columns):
            total, partners = 0.0, 0
            for i in range(parts.rows):
                if has_link(data, parts.links, parts.rows, i, j):
                    total += word_probability(lexicon, data[begin + i], data[parts.target + j], 0)
                    partners += 1
            found[k, 0] *= total / partners if partners else lexicon.null_to_target[data[parts.target + j]]
        links = reverse.start[k] + parts.links - begin
        found[k, 1] = 1.0
        for i in range(parts.rows):
            total, partners = 0.0, 0
            for j in range(parts.columns):
                if has_link(reverse.data, links, parts.rows, i, j):
                    total += word_probability(lexicon, data[begin + i], data[parts.target + j], 1)
                    partners += 1
            found[k, 1] *= total / partners if partners else lexicon.null_to_source[data[begin + i]]
    return found


class WordProbabilities(NamedTuple):
    """How likely words are to be translations of each other.

    Attributes:
        row_start: Where the word pairs of each source word begin.
        target: The target word of each pair, in order.
        probability: That of the target word given the source word, and the other way round.
        null_to_target: That of each target word given null.
        null_to_source: That of each source word given null.
    """

    row_start: Long
    target: Long
    probability: NDArray[np.float64]
    null_to_target: NDArray[np.float64]
    null_to_source: NDArray[np.float64]


@kernel
def word_probability(lexicon, source, target, side):
    """How likely two words are to be translations: the target word given the source word, or the other way round."""
    low, high = lexicon.row_start[source], lexicon.row_start[source + 1]
    end = high
    while low < high:
        middle = (low + high) >> 1
        if lexicon.target[middle] < target:
            low = middle + 1
        else:
            high = middle
    return lexicon.probability[low, side] if low < end and lexicon.target[low] == target else 0.0
