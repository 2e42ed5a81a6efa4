"""The likeliest tree of a bracketing inversion transduction grammar (ITG), and the word alignment in its leaves.

A tree grows from straight rules ``A -> [A A]`` and inverted rules ``A -> <A A>``, which put the target sides of two
subtrees in the same or in the opposite order. Its leaves are pairs of words, a source word with several adjacent target
words, and single words of either side. The probability of a pair of words is given, in practice the mean of the two
directions' posteriors. A leaf with several target words links those that are likelier linked than alone; its first
and last word are always linked.

The chart of :mod:`pralign.kernels.itg_chart` finds the tree. The best tree is often close to the bound on all trees of
:mod:`pralign.kernels.itg_gains`, and the closer it is, the fewer items can be part of it. So the chart is filled with
what trees close to the bound are made of, and if there is no such tree, with that of trees twice as far from it, and so
on. What is found is the same as without a bound.

Where trees are equally probable, one is chosen by rule. At the top, that whose links begin, or else end, first in the
target sentence, and no links at all rather than links that gain nothing. Further down, what leaves the last source word
alone, or else the first; or else the earliest split, straight rather than inverted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pralign.kernels.compile import kernel
from pralign.kernels.itg_chart import Candidates, Chart, HalfSpan, cell, fill, trim
from pralign.kernels.itg_gains import NONE, possible_gains
from pralign.kernels.stopping import stop_if_asked

# This bounds the memory a block takes, to about 130 MB with the usual beam, besides three numbers a cell of a pair.
MOST_ITEMS = 4_000_000
# And this the time a pair takes, which grows with the third power, to some seconds.
MOST_WORDS = 500
ABSENT = np.int64(-1)
# By how much the best tree usually misses the bound on all trees, and by how much more for each of the first 60 words.
USUAL_MISS = 2.0
USUAL_MISS_A_WORD = 0.25


class ItgLimits(NamedTuple):
    """The grammar, and how widely its trees are searched.

    Attributes:
        beam: How many target spans are kept for each source span. It falls for long sentences, where so many would
            not fit into memory.
        null: The probability of leaving a word alone.
        phrasal: The probability of each of the two rules, straight and inverted.
    """

    beam: int = 30
    null: float = 1e-5
    phrasal: float = 0.5


@kernel
def parse_block(probability, source_lengths, target_lengths, cell_start, limits, marks, scores):
    """Mark the links of the likeliest tree of each pair of a block, and note its log-probability.

    The cells of a pair, in ``probability`` and ``marks``, lie source word by source word; a probability of zero says
    that a link is impossible. Of very many words only those with the likeliest links are parsed (see
    :func:`word_limits`).
    """
    chart, candidates, halves = allocate(source_lengths, target_lengths, limits.beam)
    for k in range(source_lengths.size):
        stop_if_asked()
        shape = np.int64(source_lengths[k]), np.int64(target_lengths[k])
        begin, end = cell_start[k], cell_start[k] + shape[0] * shape[1]
        p = probability[begin:end].reshape(shape)
        words = likeliest(p)
        best = ABSENT
        if p.size > 0:
            beam = item_limit(words[0].size, words[1].size, limits.beam)
            gains = possible_gains(p, words, limits.null, limits.phrasal)
            best = search(gains, beam, chart, candidates, halves)
        marks[begin:end] = False
        scores[k] = read_tree(p, words, limits, chart, best, marks[begin:end].reshape(shape))


@kernel
def allocate(source_lengths, target_lengths, beam):
    """A chart, a table of candidates and two halves of a span that are large enough for every pair of a block."""
    cells = items = most = width = np.int64(1)
    for k in range(source_lengths.size):
        sources, targets = word_limits(np.int64(source_lengths[k]), np.int64(target_lengths[k]))
        limit = item_limit(sources, targets, beam)
        cells = max(cells, sources * (sources + 1) // 2)
        items = max(items, sources * (sources + 1) // 2 * limit)
        most = max(most, limit)
        width = max(width, targets + 1)
    shift = 0
    while cells * ((width >> shift) + 1) > 2 * MOST_ITEMS:
        shift += 1
    spans = Candidates(np.full(width * width, NONE), np.empty(min(2 * most * (most + 1), width * width) + 1, np.uint32))
    skip = np.empty((cells, (width >> shift) + 1), np.uint32)
    first = np.zeros(cells + 1, np.int64)
    chart = Chart(np.empty(items), np.empty(items, np.uint16), np.empty(items, np.uint16), first, skip, shift)
    return chart, spans, (new_half(most + 1), new_half(most + 1))


@kernel
def word_limits(sources, targets):
    """How many words of each side are parsed; others are left alone, except within rules.

    No tree links more source words than there are target words, so with few target words few source words do.
    """
    return min(sources, MOST_WORDS, 10 * targets + 100), min(targets, MOST_WORDS)


@kernel
def item_limit(sources, targets, beam):
    """How many items a cell may keep: the beam, or fewer where the chart would grow too large; at least one."""
    cells = max(sources * (sources + 1) // 2, 1)
    return max(min(beam, targets * (targets + 1) // 2, MOST_ITEMS // cells), 1)


@kernel
def new_half(size):
    """Room for the items of one half of a source span."""
    return HalfSpan(
        np.empty(size), np.empty(size), np.empty(size), np.empty(size, np.uint32), np.empty(size, np.uint32)
    )


@kernel
def likeliest(p):
    """The source words and the target words to parse: all, or where there are too many, those with likely links."""
    row_best = np.zeros(p.shape[0])
    column_best = np.zeros(p.shape[1])
    for i in range(p.shape[0]):
        for j in range(p.shape[1]):
            row_best[i] = max(row_best[i], np.float64(p[i, j]))
            column_best[j] = max(column_best[j], np.float64(p[i, j]))
    sources, targets = word_limits(*p.shape)
    return highest(row_best, sources), highest(column_best, targets)


@kernel
def highest(values, most):
    """The places of the highest values, in order; of equal ones, the first."""
    places = np.arange(values.size)
    trim(Candidates(values, places.astype(np.uint32)), values.size, most, NONE)
    size = 0
    for a in range(values.size):
        places[size] = a
        size += values[a] > NONE
    return places[:size]


@kernel
def search(gains, beam, chart, candidates, halves):
    """Fill the chart and return the item of the best tree, or -1 if it is best to leave all words alone."""
    sources, targets = gains.link.shape
    bound = gains.profit.sum()
    for j in range(targets):
        bound += max(gains.inner, gains.after[0, j])
    miss = USUAL_MISS + USUAL_MISS_A_WORD * min(sources, targets, 60)
    root = cell(0, sources)
    while True:
        floor = max(bound - miss, 0.0)
        fill(gains, beam, floor, chart, candidates, halves)
        best = ABSENT
        gain = 0.0
        for a in range(chart.first[root], chart.first[root + 1]):
            if chart.gain[a] > gain:
                best = a
                gain = chart.gain[a]
        if gain >= floor:
            return best
        miss *= 2.0


@kernel
def read_tree(p, words, limits, chart, root, marks):
    """Mark the links of the tree of an item and return the logarithm of its probability."""
    rows, columns = words
    stack = np.empty((rows.size + 1, 3), np.int64)
    size = push(stack, 0, 0, rows.size, root)
    alone = p.shape[0] + p.shape[1]
    leaves = p.shape[0] + p.shape[1]
    log_probability = 0.0
    while size > 0:
        size -= 1
        begin, end, item = stack[size, 0], stack[size, 1], stack[size, 2]
        if end - begin == 1:
            i, first, last = rows[begin], columns[chart.begin[item]], columns[chart.end[item] - 1]
            log_probability += mark_rule(p[i], first, last, limits.null, marks[i])
            alone -= last - first + 2
            leaves -= last - first + 1
        else:
            middle, left, right = origin(chart, begin, end, item)
            size = push(stack, size, begin, middle, left)
            size = push(stack, size, middle, end, right)
    return log_probability + alone * np.log(limits.null) + max(leaves - 1, 0) * np.log(limits.phrasal)


@kernel
def push(stack, size, begin, end, item):
    """Remember to visit an item, if there is one; return how many are waiting."""
    if item < 0:
        return size
    stack[size, 0] = begin
    stack[size, 1] = end
    stack[size, 2] = item
    return size + 1


@kernel
def mark_rule(p, first, last, null, marks):
    """Mark the links of a source word with a span of target words, and return the logarithm of their probability."""
    log_probability = 0.0
    for j in range(first, last + 1):
        marks[j] = first == last or np.float64(p[j]) >= null
        log_probability += np.log(np.float64(p[j]) if marks[j] else null)
    return log_probability


@kernel
def origin(chart, begin, end, item):
    """How an item came about: where its source span was split, and the items of both parts, -1 for a word alone."""
    gain, u, v = chart.gain[item], np.int64(chart.begin[item]), np.int64(chart.end[item])
    left = find(chart, cell(begin, end - 1), u, v, gain)
    if left >= 0:
        return end - 1, left, ABSENT
    right = find(chart, cell(begin + 1, end), u, v, gain)
    if right >= 0:
        return begin + 1, ABSENT, right
    for middle in range(begin + 1, end):
        left, right = find_pair(chart, cell(begin, middle), cell(middle, end), u, v, gain)
        if left < 0:
            right, left = find_pair(chart, cell(middle, end), cell(begin, middle), u, v, gain)
        if left >= 0:
            return middle, left, right
    return begin, ABSENT, ABSENT


@kernel
def find_pair(chart, front, back, u, v, gain):
    """An item of each of two cells that together span ``u`` to ``v`` with this gain; -1 if there are none."""
    a = first_from(chart, front, u)
    while a < chart.first[front + 1] and chart.begin[a] == u:
        b = first_from(chart, back, np.int64(chart.end[a]))
        while b < chart.first[back + 1]:
            if chart.end[b] == v and chart.gain[a] + chart.gain[b] == gain:
                return a, b
            b += 1
        a += 1
    return ABSENT, ABSENT


@kernel
def find(chart, c, u, v, gain):
    """The item of a cell with this span and gain; -1 if there is none."""
    a = first_from(chart, c, u)
    while a < chart.first[c + 1] and chart.begin[a] == u:
        if chart.end[a] == v and chart.gain[a] == gain:
            return a
        a += 1
    return ABSENT


@kernel
def first_from(chart, c, j):
    """The first item of a cell that begins at target word ``j`` or later."""
    a = chart.first[c] + np.int64(chart.skip[c, j >> chart.shift])
    while a < chart.first[c + 1] and chart.begin[a] < j:
        a += 1
    return a
