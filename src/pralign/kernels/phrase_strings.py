"""Phrase pairs as strings of numbers, in whose order they stand in a table.

A string is the source words, a separator, the target words, a separator, the links inside and, if wanted, how the
phrase stands to its neighbours. Words have numbers in the order of their bytes, and the separator has one among them,
so that strings are in the order that a table sorted as text has.
"""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Int
from pralign.kernels.compile import kernel
from pralign.kernels.strings import Strings

#: So many links, or places for one, are in one number; one is added to it, so that none is zero.
BITS = 31


class Separators(NamedTuple):
    """The numbers that end the parts of a string.

    Attributes:
        source: Stands behind the source words.
        target: Stands behind the target words.
        swapped: Stands there if the target words hold nonterminals in another order than the source words.
    """

    source: int
    target: int
    swapped: int


class NumberedWords(NamedTuple):
    """The numbers of the words of both sides, in the order of their bytes, above zero."""

    source: Int
    target: Int


@kernel
def phrase_strings(texts, alignments, spans, units, orientations, numbers, separators):
    """The strings of phrase pairs; ``orientations`` may be empty."""
    size = 0
    for k in range(spans.owner.size):
        size += _string_length(spans, k) + np.int64(orientations.size > 0)
    data, start = np.empty(size, np.uint32), np.empty(spans.owner.size + 1, np.int64)
    start[0] = at = 0
    for k in range(spans.owner.size):
        pair = alignments.pair[spans.owner[k]]
        first = texts.source_start[pair]
        for i in range(first + spans.source_begin[k], first + spans.source_end[k]):
            data[at] = numbers.source[texts.source[i]]
            at += 1
        data[at] = separators.source
        at += 1
        first = texts.target_start[pair]
        for j in range(first + spans.target_begin[k], first + spans.target_end[k]):
            data[at] = numbers.target[texts.target[j]]
            at += 1
        data[at] = separators.target
        at = _write_links(data, at + 1, alignments.links, spans, k)
        if orientations.size:
            data[at] = orientations[k] + 1
            at += 1
        start[k + 1] = at
    return Strings(data, start, units)


@kernel
def _string_length(spans, k):
    rows = spans.source_end[k] - spans.source_begin[k]
    columns = spans.target_end[k] - spans.target_begin[k]
    return rows + columns + 2 + link_numbers(rows, columns)


@kernel
def link_numbers(rows, columns):
    """How many numbers hold the links of a phrase pair."""
    return (rows * columns + BITS - 1) // BITS


@kernel
def _write_links(data, at, links, spans, k):
    """Write the links inside a phrase pair, one bit a place, target word by target word; returns where they end."""
    low, high = spans.source_begin[k], spans.source_end[k]
    begin, end = spans.target_begin[k], spans.target_end[k]
    rows = high - low
    last = at + link_numbers(rows, end - begin)
    for place in range(at, last):
        data[place] = 1
    owner = spans.owner[k]
    for link in range(links.start[owner], links.start[owner + 1]):
        i, j = links.source[link], links.target[link]
        if low <= i < high and begin <= j < end:
            bit = (j - begin) * rows + i - low
            data[at + bit // BITS] += np.uint32(1) << np.uint32(bit % BITS)
    return last


@kernel
def has_link(data, at, rows, i, j):
    """Whether the links that begin at a place join source word ``i`` of ``rows`` and target word ``j``."""
    bit = j * rows + i
    return ((data[at + bit // BITS] - np.uint32(1)) >> np.uint32(bit % BITS)) & np.uint32(1) != 0
