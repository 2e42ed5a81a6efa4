"""Strings of numbers: phrase pairs and rules as they are counted. They are sorted, and equal ones become one.

A string is a stretch of an array of unsigned 32-bit numbers, all of them above zero. Sorting is by quicksort on two
numbers at a time, with these at hand, so that most comparisons need no trip to the strings themselves.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Long
from pralign.kernels.compile import kernel
from pralign.kernels.growing import longer
from pralign.kernels.stopping import stop_if_asked

_FEW = 12


class Strings(NamedTuple):
    """Some strings of numbers, one after the other, each with how often it counts.

    Attributes:
        data: The numbers of all strings.
        start: Where each begins, and where the last ends.
        units: What each counts, in units.
    """

    data: NDArray[np.uint32]
    start: Long
    units: Long


@kernel
def sorted_distinct(strings):
    """The distinct ones of some strings, in order, with the sums of their counts."""
    data, start, units = strings
    order = _sorted(data, start)
    length, kept = 0, 0
    first = np.empty(order.size, np.int64)
    total = np.empty(order.size, np.int64)
    for k in range(order.size):
        if k and not _differ(data, start, order[k], first[kept - 1]):
            total[kept - 1] += units[order[k]]
            continue
        first[kept], total[kept] = order[k], units[order[k]]
        length += start[order[k] + 1] - start[order[k]]
        kept += 1
    return _gathered(data, start, first, total, kept, length)


@kernel
def _gathered(data, start, first, total, kept, length):
    found = np.empty(length, np.uint32)
    place = np.empty(kept + 1, np.int64)
    counts = np.empty(kept, np.int64)
    place[0] = at = 0
    for k in range(kept):
        for p in range(start[first[k]], start[first[k] + 1]):
            found[at] = data[p]
            at += 1
        place[k + 1] = at
        counts[k] = total[k]
    return Strings(found, place, counts)


@kernel
def _sorted(data, start):
    """The order of strings, by quicksort on two numbers at a time."""
    size = start.size - 1
    order = np.empty(size, np.int64)
    head = np.empty(size, np.uint64)
    for k in range(size):
        order[k] = k
    stack = np.empty(96, np.int64)
    stack[0], stack[1], stack[2] = 0, size, 0
    top = 3
    _load(data, start, order, head, 0, size, 0)
    while top:
        top -= 3
        low, high, depth = stack[top], stack[top + 1], stack[top + 2]
        stop_if_asked()
        if high - low <= _FEW:
            _insert(data, start, order, head, low, high, depth)
            continue
        left, right = _partition(order, head, low, high)
        stack = longer(stack, top + 9)
        if head[left] & np.uint64(0xFFFFFFFF):  # the strings between go on
            _load(data, start, order, head, left, right, depth + 2)
            stack[top], stack[top + 1], stack[top + 2] = left, right, depth + 2
            top += 3
        stack[top], stack[top + 1], stack[top + 2] = low, left, depth
        stack[top + 3], stack[top + 4], stack[top + 5] = right, high, depth
        top += 6
    return order


@kernel
def _load(data, start, order, head, low, high, depth):
    """Have two numbers of some strings at hand, zero where a string has ended."""
    for k in range(low, high):
        at, end = start[order[k]] + depth, start[order[k] + 1]
        value = np.uint64(data[at]) << np.uint64(32) if at < end else np.uint64(0)
        if at + 1 < end:
            value |= np.uint64(data[at + 1])
        head[k] = value


@kernel
def _partition(order, head, low, high):
    """Put those below a middle one first and those above it last; returns where the equal ones are."""
    a, b, c = head[low], head[(low + high) >> 1], head[high - 1]
    pivot = max(min(a, b), min(max(a, b), c))
    left, at, right = low, low, high
    while at < right:
        if head[at] < pivot:
            head[at], head[left] = head[left], head[at]
            order[at], order[left] = order[left], order[at]
            left += 1
            at += 1
        elif head[at] > pivot:
            right -= 1
            head[at], head[right] = head[right], head[at]
            order[at], order[right] = order[right], order[at]
        else:
            at += 1
    return left, right


@kernel
def _insert(data, start, order, head, low, high, depth):
    """Sort a few strings that are alike up to ``depth``."""
    for k in range(low + 1, high):
        string, value, place = order[k], head[k], k
        while place > low and (
            head[place - 1] > value
            or (head[place - 1] == value and _compare(data, start, order[place - 1], string, depth + 2) > 0)
        ):
            head[place], order[place] = head[place - 1], order[place - 1]
            place -= 1
        head[place], order[place] = value, string


@kernel
def _compare(data, start, left, right, depth):
    """Below, at or above zero as one string comes before, is equal to or comes after another, from a depth on."""
    i, j = start[left] + depth, start[right] + depth
    while i < start[left + 1] and j < start[right + 1]:
        if data[i] != data[j]:
            return -1 if data[i] < data[j] else 1
        i += 1
        j += 1
    return np.int64(i < start[left + 1]) - np.int64(j < start[right + 1])


@kernel
def _differ(data, start, left, right):
    return _compare(data, start, left, right, 0) != 0


@kernel
def cut_places(strings, cuts):
    """Where sorted strings are to be cut: how many come before each of some other sorted strings."""
    data, start, _ = strings
    found = np.empty(cuts.start.size - 1, np.int64)
    for cut in range(found.size):
        low, high = 0, start.size - 1
        while low < high:
            middle = (low + high) >> 1
            if _before(data, start, middle, cuts.data, cuts.start, cut):
                low = middle + 1
            else:
                high = middle
        found[cut] = low
    return found


@kernel
def _before(data, start, string, other, other_start, number):
    """Whether a string comes before one of another array; one that is a beginning of the other does."""
    i, j = start[string], other_start[number]
    while i < start[string + 1] and j < other_start[number + 1]:
        if data[i] != other[j]:
            return data[i] < other[j]
        i += 1
        j += 1
    return i == start[string + 1] and j < other_start[number + 1]


def joined(parts: list[Strings]) -> Strings:
    """The strings of several arrays, one after the other."""
    sizes = np.concatenate([[0], *(np.diff(part.start) for part in parts)]).astype(np.int64)
    nothing = np.empty(0, np.uint32)
    data = np.concatenate([nothing, *(part.data for part in parts)])
    return Strings(data, np.cumsum(sizes), np.concatenate([np.empty(0, np.int64), *(part.units for part in parts)]))
