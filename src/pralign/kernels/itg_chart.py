"""The chart of an ITG parse: which target spans go with a source span, and what each is worth.

The cell of a source span holds *items*: a tight target span, whose first and last word are linked, and what the best
tree over the two gains. Null leaves can hang anywhere in a tree, so gains simply add up: two items whose target spans
do not overlap join into one over both, and words that are left alone, target words between the two or a source word
beside them, add nothing.

A cell keeps its most promising items. The *promise* of an item is its gain and the most that the words outside could
gain: every source word its profit, and every target word what it is worth to the keenest source word outside. No tree
gains more than its items promise, and promises never rise as items grow. So if some tree gains at least the ``floor``,
items that promise less are of no use, and which others are kept does not depend on them.

Since sums of gains are exact, ties are ties and bounds hold to the last bit. And a tree can be found again from the
gain at its top: items need not know what they were made of.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Long
from pralign.kernels.compile import kernel
from pralign.kernels.itg_gains import NONE
from pralign.kernels.stopping import stop_if_asked

# Numbers that serve as indices are unsigned, for which no code that tests for negative indices is compiled.
Place = NDArray[np.uint16]
Count = NDArray[np.uint32]


class Chart(NamedTuple):
    """The items of all cells: those of cell ``c`` are ``first[c]`` to ``first[c + 1]``, by begin and then end of span.

    ``skip[c, j >> shift]`` says how many items of cell ``c`` to skip when only those from target word ``j`` on matter.
    """

    gain: Double
    begin: Place
    end: Place
    first: Long
    skip: Count
    shift: int


class Candidates(NamedTuple):
    """The target spans that want to be in a cell, by number, and the promise of each number.

    What is common to the whole cell is left out of promises. A span that is no candidate has the promise ``NONE``.
    """

    promise: Double
    spans: Count


class HalfSpan(NamedTuple):
    """The items of one half of a source span, ready to meet those of the other half.

    The promise of a pair is the ``lift`` of the item that comes first in the target sentence plus the ``value`` of the
    other. ``reach[a]`` is the highest value from item ``a`` on.
    """

    lift: Double
    value: Double
    reach: Double
    begin: Count
    end: Count


@kernel
def cell(begin, end):
    """The number of the cell of a source span: by its end, then from short to long, the order of filling."""
    return end * (end - 1) // 2 + end - 1 - begin


@kernel
def fill(gains, beam, floor, chart, candidates, halves):
    """Fill the chart with at most ``beam`` items a cell, none of which promises less than ``floor`` in all."""
    sources, targets = gains.link.shape
    worth = np.zeros(targets + 1)
    total = gains.profit.sum()
    for end in range(1, sources + 1):
        inside = 0.0
        for begin in range(end - 1, -1, -1):
            stop_if_asked()
            inside += gains.profit[begin]
            sum_worth(gains.before[begin], gains.after[end], gains.inner, worth)
            threshold = floor - worth[targets] - total + inside
            if end - begin == 1:
                size = add_rules(gains, begin, worth, threshold, beam, candidates)
            else:
                size = add_shorter(begin, end, worth, threshold, chart, candidates)
                size = add_pairs(begin, end, worth, threshold, beam, chart, candidates, halves, size)
            keep(candidates, size, worth, chart, cell(begin, end))


@kernel
def sum_worth(before, after, inner, worth):
    """Running sums of what target words are worth to source words outside a span."""
    for j in range(before.size):
        worth[j + 1] = worth[j] + max(inner, max(before[j], after[j]))


@kernel
def add_rules(gains, i, worth, threshold, beam, candidates):
    """Propose the rules of source word ``i``, with one target word and with several; return how many are kept."""
    promises, spans = candidates
    targets = worth.size - 1
    link = gains.link[i]
    rise = np.zeros(worth.size)  # how much the rest of the sentence may still add to a promise
    for j in range(targets - 1, -1, -1):
        rise[j] = rise[j + 1] + max(0.0, max(link[j], gains.inner) - worth[j + 1] + worth[j])
    size = 0
    for u in range(targets):
        promise = -gains.alone
        for v in range(u, targets):
            promise += (link[u] if v == u else max(link[v], gains.inner)) - worth[v + 1] + worth[v]
            if promise >= threshold and (v == u or link[v] >= gains.inner):
                spans[size] = u * worth.size + v + 1
                promises[spans[size]] = promise
                size += 1
                if size == 2 * beam:
                    size, threshold = trim(candidates, size, beam, threshold)
            if link[u] < gains.inner or promise + rise[v + 1] < threshold:
                break
    return trim(candidates, size, beam, threshold)[0]


@kernel
def trim(candidates, size, beam, threshold):
    """Keep the ``beam`` best candidates; return how many there are, and what others have to promise from now on.

    Of equal promises, that of the span with the lower number, which begins earlier or else ends earlier, is better.
    """
    promises, spans = candidates
    low = 0
    high = size - 1
    while low < high and size > beam:
        pivot = spans[(low + high) // 2]
        promise = promises[pivot]
        a = low
        b = high
        while a <= b:
            while (promises[spans[a]] > promise) | ((promises[spans[a]] == promise) & (spans[a] < pivot)):
                a += 1
            while (promises[spans[b]] < promise) | ((promises[spans[b]] == promise) & (spans[b] > pivot)):
                b -= 1
            if a <= b:
                spans[a], spans[b] = spans[b], spans[a]
                a += 1
                b -= 1
        if beam - 1 <= b:
            high = b
        elif beam - 1 >= a:
            low = a
        else:
            low = high
    for a in range(beam, size):
        promises[spans[a]] = NONE
    return min(size, beam), promises[spans[beam - 1]] if size > beam else threshold


@kernel
def add_shorter(begin, end, worth, threshold, chart, candidates):
    """Propose the items of a source span without its last or its first word, which is left alone; return how many."""
    promises, spans = candidates
    size = 0
    for side in range(2):
        c = cell(begin, end - 1) if side == 0 else cell(begin + 1, end)
        for a in range(chart.first[c], chart.first[c + 1]):
            u, v = np.int64(chart.begin[a]), np.int64(chart.end[a])
            promise = chart.gain[a] - worth[v] + worth[u]
            span = u * worth.size + v
            if (promise >= threshold) & (promise > promises[span]):
                spans[size] = span
                size += promises[span] == NONE
                promises[span] = promise
    return size


@kernel
def add_pairs(begin, end, worth, threshold, beam, chart, candidates, halves, size):
    """Propose every pair of items of the two halves of a source span, for every split; return how many are kept."""
    left, right = halves
    size, threshold = trim(candidates, size, beam, threshold)
    for middle in range(begin + 1, end):
        before, after = cell(begin, middle), cell(middle, end)
        lefts = prepare(chart, before, worth, left)
        rights = prepare(chart, after, worth, right)
        size = meet(left, lefts, right, chart.skip[after], chart.shift, threshold, worth.size, candidates, size)
        size = meet(right, rights, left, chart.skip[before], chart.shift, threshold, worth.size, candidates, size)
        if size >= 2 * beam:
            size, threshold = trim(candidates, size, beam, threshold)
    return trim(candidates, size, beam, threshold)[0]


@kernel
def prepare(chart, c, worth, half):
    """Make the items of a cell ready to meet others; return how many there are."""
    lift, value, reach, begin, end = half
    first = chart.first[c]
    size = chart.first[c + 1] - first
    highest = NONE
    reach[size] = NONE
    begin[size] = worth.size
    for a in range(size - 1, -1, -1):
        u, v = np.int64(chart.begin[first + a]), np.int64(chart.end[first + a])
        lift[a] = chart.gain[first + a] + worth[u]
        value[a] = chart.gain[first + a] - worth[v]
        highest = max(highest, value[a])
        reach[a] = highest
        begin[a] = u
        end[a] = v
    return size


@kernel
def meet(front, fronts, back, skip, shift, threshold, width, candidates, size):
    """Propose the pairs of an item of ``front`` and one of ``back`` that comes later in the target sentence."""
    promises, spans = candidates
    for a in range(fronts):
        lift = front.lift[a]
        if lift + back.reach[0] >= threshold:
            end = np.int64(front.end[a])
            b = np.int64(skip[end >> shift])
            while back.begin[b] < end:
                b += 1
            row = np.int64(front.begin[a]) * width
            while lift + back.reach[b] >= threshold:
                promise = lift + back.value[b]
                span = row + np.int64(back.end[b])
                if (promise >= threshold) & (promise > promises[span]):
                    spans[size] = span
                    size += promises[span] == NONE
                    promises[span] = promise
                b += 1
    return size


@kernel
def keep(candidates, size, worth, chart, c):
    """Move the candidates into a cell of the chart."""
    promises, spans = candidates
    sort(spans, size)
    first = chart.first[c]
    chart.first[c + 1] = first + size
    skipped = 0
    for a in range(size):
        span = np.int64(spans[a])
        u = span // worth.size
        v = span - u * worth.size
        chart.gain[first + a] = promises[span] + worth[v] - worth[u]
        chart.begin[first + a] = u
        chart.end[first + a] = v
        promises[span] = NONE
        while skipped <= u >> chart.shift:
            chart.skip[c, skipped] = a
            skipped += 1
    chart.skip[c, skipped:] = size


@kernel
def sort(spans, size):
    """Sort the first numbers, by Shell's method."""
    step = size
    while step > 1:
        step = max(step * 5 // 11, 1)
        for a in range(step, size):
            span = spans[a]
            b = a
            while b >= step and spans[b - step] > span:
                spans[b] = spans[b - step]
                b -= step
            spans[b] = span
