"""Lines of links, such as ``0-0 1-2:0.75``, as arrays, and whether links join words that exist."""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Double, Int, Long
from pralign.kernels.compile import exact_kernel, kernel

_SPACE, _LINE_END, _DASH, _DOT, _COLON, _ZERO, _NINE = 32, 10, 45, 46, 58, 48, 57
_MOST_DIGITS = 9  # so that an index fits 32 bits
_MOST_DECIMALS = 15  # so that a score has the digits of a double
_MOST_UNSORTED = 4096  # links of a line that are sorted here, in a time that grows with the square of their number


class LinkArrays(NamedTuple):
    """The links of some alignments, one after the other.

    Attributes:
        start: Where the links of each alignment begin, and where the last ends.
        source: The source position of each link.
        target: Its target position.
        score: Its score; empty where there are none.
    """

    start: Long
    source: Int
    target: Int
    score: Double


@exact_kernel
def parse_links(text, base, scored, links):
    """Read lines of links into arrays with room for one link in four bytes; returns how many were read.

    Links of a line are sorted by source and then by target position, and repeated ones count once, with their last
    score. Returns -1 where a line is not just links of this kind, or has very many in another order, so that somebody
    more patient has to read it.
    """
    start, source, target, score = links.start, links.source, links.target, links.score
    at, count, line = 0, 0, 0
    start[0] = 0
    while at < text.size:
        symbol = text[at]
        if symbol == _LINE_END:
            if count - start[line] > _MOST_UNSORTED and not _is_sorted(links, start[line], count):
                return -1
            count = _sorted_distinct(links, start[line], count)
            line += 1
            start[line] = count
            at += 1
            continue
        if symbol == _SPACE:
            at += 1
            continue
        i, at = _number(text, at)
        if i < base or at == text.size or text[at] != _DASH:
            return -1
        j, at = _number(text, at + 1)
        if j < base:
            return -1
        if at < text.size and text[at] == _COLON:
            value, at = _decimal(text, at + 1)
            if not scored or value < 0.0:
                return -1
            score[count] = value
        elif scored:
            return -1
        if at < text.size and text[at] != _SPACE and text[at] != _LINE_END:
            return -1
        source[count], target[count] = i - base, j - base
        count += 1
    return count


@exact_kernel
def _number(text, at):
    """The whole number at a place and where it ends; -1 if there is none, or one too long."""
    value, begin = 0, at
    while at < text.size and _ZERO <= text[at] <= _NINE:
        value = 10 * value + (text[at] - _ZERO)
        at += 1
        if at - begin > _MOST_DIGITS:
            return -1, at
    return (value if at > begin else -1), at


@exact_kernel
def _decimal(text, at):
    """The decimal number at a place, without an exponent, and where it ends; -1 if there is none."""
    value, scale, digits, after = 0, 1.0, 0, False
    while at < text.size:
        symbol = text[at]
        if symbol == _DOT and not after:
            after = True
        elif _ZERO <= symbol <= _NINE and digits < _MOST_DECIMALS:
            value = 10 * value + (symbol - _ZERO)
            digits += 1
            if after:
                scale *= 10.0
        else:
            break
        at += 1
    return (value / scale if digits else -1.0), at


@exact_kernel
def _is_sorted(links, begin, end):
    """Whether the links of a line are in order."""
    for k in range(begin + 1, end):
        before, here = links.source[k - 1], links.source[k]
        if before > here or (before == here and links.target[k - 1] > links.target[k]):
            return False
    return True


@exact_kernel
def _sorted_distinct(links, begin, end):
    """Sort the links of a line, which rarely needs a step, and drop repeated ones; returns where they end."""
    source, target, score = links.source, links.target, links.score
    for k in range(begin + 1, end):
        i, j = source[k], target[k]
        value = score[k] if score.size else 0.0
        place = k
        while place > begin and (source[place - 1] > i or (source[place - 1] == i and target[place - 1] > j)):
            source[place], target[place] = source[place - 1], target[place - 1]
            if score.size:
                score[place] = score[place - 1]
            place -= 1
        source[place], target[place] = i, j
        if score.size:
            score[place] = value
    last = begin
    for k in range(begin, end):
        if last == begin or source[k] != source[last - 1] or target[k] != target[last - 1]:
            last += 1
        source[last - 1], target[last - 1] = source[k], target[k]
        if score.size:
            score[last - 1] = score[k]
    return last


@kernel
def first_outside(links, pairs, source_start, target_start):
    """The first link of a word that its pair does not have, or -1; ``pairs`` are those that alignments belong to."""
    for k in range(pairs.size):
        pair = pairs[k]
        rows = source_start[pair + 1] - source_start[pair]
        columns = target_start[pair + 1] - target_start[pair]
        for link in range(links.start[k], links.start[k + 1]):
            if not (0 <= links.source[link] < rows and 0 <= links.target[link] < columns):
                return link
    return -1


def no_links(lines: int, most: int, scored: bool) -> LinkArrays:
    """Room for the links of so many lines."""
    return LinkArrays(
        np.empty(lines + 1, np.int64),
        np.empty(most, np.int32),
        np.empty(most, np.int32),
        np.empty(most if scored else 0, np.float64),
    )
