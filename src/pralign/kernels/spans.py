"""Which stretches of both sentences are translations of each other: the phrase pairs of Och and Ney.

A phrase pair is consistent with an alignment if no word in it is linked to a word outside of it, and some are linked
to each other. Words without links may stand at its edges. The order is that of Moses: by the first and the last target
word, then source phrases that begin earlier and earlier, and end later and later.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Int, Long
from pralign.kernels.compile import kernel
from pralign.kernels.growing import longer
from pralign.kernels.stopping import stop_if_asked

MONOTONE, SWAP, OTHER = 0, 1, 2
ORIENTATIONS = 3


class Spans(NamedTuple):
    """Phrase pairs by where they stand.

    Attributes:
        owner: The alignment that each belongs to.
        source_begin: The first source word.
        source_end: The source word after the last.
        target_begin: The first target word.
        target_end: The target word after the last.
    """

    owner: Long
    source_begin: Int
    source_end: Int
    target_begin: Int
    target_end: Int


class LinkedWords(NamedTuple):
    """The links of one alignment by word: the nearest and the farthest partner of each, -1 for none."""

    source_first: Int
    source_last: Int
    target_first: Int
    target_last: Int


def chosen_spans(spans: Spans, chosen: NDArray[np.bool_]) -> Spans:
    """Some of the phrase pairs."""
    return Spans(
        spans.owner[chosen],
        spans.source_begin[chosen],
        spans.source_end[chosen],
        spans.target_begin[chosen],
        spans.target_end[chosen],
    )


def joined_spans(parts: Sequence[Spans]) -> Spans:
    """The phrase pairs of several parts, one after the other."""
    none = np.empty(0, np.int32)
    parts = [Spans(np.empty(0, np.int64), none, none, none, none), *parts]
    return Spans(
        np.concatenate([part.owner for part in parts]),
        np.concatenate([part.source_begin for part in parts]),
        np.concatenate([part.source_end for part in parts]),
        np.concatenate([part.target_begin for part in parts]),
        np.concatenate([part.target_end for part in parts]),
    )


@kernel
def find_spans(source_lengths, target_lengths, links, most_words):
    """The phrase pairs of some alignments, of at most ``most_words`` words a side."""
    spans = room()
    count = 0
    for k in range(source_lengths.size):
        stop_if_asked()
        linked = link_words(links, k, source_lengths[k], target_lengths[k])
        spans, count = _spans_of_pair(linked, most_words, spans, count, k)
    return first_spans(spans, count)


@kernel
def link_words(links, number, rows, columns):
    """The links of one alignment by word."""
    linked = LinkedWords(
        np.full(rows, -1, np.int32),
        np.full(rows, -1, np.int32),
        np.full(columns, -1, np.int32),
        np.full(columns, -1, np.int32),
    )
    for link in range(links.start[number], links.start[number + 1]):
        i, j = links.source[link], links.target[link]
        if linked.source_first[i] < 0 or j < linked.source_first[i]:
            linked.source_first[i] = j
        linked.source_last[i] = max(linked.source_last[i], j)
        if linked.target_first[j] < 0 or i < linked.target_first[j]:
            linked.target_first[j] = i
        linked.target_last[j] = max(linked.target_last[j], i)
    return linked


@kernel
def _spans_of_pair(linked, most_words, spans, count, owner):
    rows, columns = linked.source_first.size, linked.target_first.size
    for begin in range(columns):
        low, high = rows, -1
        for last in range(begin, min(columns, begin + most_words)):
            if linked.target_first[last] >= 0:
                low = min(low, linked.target_first[last])
                high = max(high, linked.target_last[last])
            if high < 0 or high - low >= most_words or not _is_closed(linked, low, high, begin, last):
                continue
            first = low
            while first >= 0 and first > high - most_words and (first == low or linked.source_first[first] < 0):
                end = high
                while end < rows and end < first + most_words and (end == high or linked.source_first[end] < 0):
                    spans, _ = room_for(spans, spans.owner, count + 1)
                    spans.owner[count] = owner
                    spans.source_begin[count], spans.source_end[count] = first, end + 1
                    spans.target_begin[count], spans.target_end[count] = begin, last + 1
                    count += 1
                    end += 1
                first -= 1
    return spans, count


@kernel
def room():
    """Room for some phrase pairs."""
    return Spans(
        np.empty(1024, np.int64),
        np.empty(1024, np.int32),
        np.empty(1024, np.int32),
        np.empty(1024, np.int32),
        np.empty(1024, np.int32),
    )


@kernel
def first_spans(spans, count):
    """The first of some phrase pairs."""
    return Spans(
        spans.owner[:count],
        spans.source_begin[:count],
        spans.source_end[:count],
        spans.target_begin[:count],
        spans.target_end[:count],
    )


@kernel
def room_for(spans, values, count):
    """Spans, and a value for each, with room for so many."""
    if count <= spans.owner.size:
        return spans, values
    longer_spans = Spans(
        longer(spans.owner, count),
        longer(spans.source_begin, count),
        longer(spans.source_end, count),
        longer(spans.target_begin, count),
        longer(spans.target_end, count),
    )
    return longer_spans, longer(values, count)


@kernel
def _is_closed(linked, low, high, begin, last):
    """Whether no source word from ``low`` to ``high`` has a partner before ``begin`` or after ``last``."""
    for i in range(low, high + 1):
        if linked.source_first[i] >= 0 and (linked.source_first[i] < begin or linked.source_last[i] > last):
            return False
    return True


@kernel
def find_orientations(source_lengths, target_lengths, links, spans):
    """How each phrase pair stands to the words before and after its target side: three times the one, plus the other.

    As Moses has it: monotone if the target word before is linked to the source word before and not to the one after,
    swapped if it is the other way round. Both sentences have a linked word before the first and after the last.
    """
    found = np.empty(spans.owner.size, np.uint8)
    for k in range(spans.owner.size):
        owner = spans.owner[k]
        rows, columns = source_lengths[owner], target_lengths[owner]
        before, after = spans.source_begin[k] - 1, spans.source_end[k]
        left, right = spans.target_begin[k] - 1, spans.target_end[k]
        begin, end = links.start[owner], links.start[owner + 1]
        at_left = _orientation(
            _is_linked(links, begin, end, before, left, rows, columns),
            _is_linked(links, begin, end, after, left, rows, columns),
        )
        at_right = _orientation(
            _is_linked(links, begin, end, after, right, rows, columns),
            _is_linked(links, begin, end, before, right, rows, columns),
        )
        found[k] = ORIENTATIONS * at_left + at_right
    return found


@kernel
def _orientation(monotone, swapped):
    if monotone and not swapped:
        return MONOTONE
    return SWAP if swapped and not monotone else OTHER


@kernel
def _is_linked(links, begin, end, i, j, rows, columns):
    if (i == -1 and j == -1) or (i == rows and j == columns):
        return True
    last = end
    while begin < end:  # links are sorted by source and then by target position
        middle = (begin + end) >> 1
        if links.source[middle] < i or (links.source[middle] == i and links.target[middle] < j):
            begin = middle + 1
        else:
            end = middle
    return begin < last and links.source[begin] == i and links.target[begin] == j
