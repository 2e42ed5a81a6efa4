"""Rules with nonterminals: phrase pairs in which smaller phrase pairs have been replaced, after Chiang (2007).

A rule is an initial phrase pair, and up to two more that lie inside it and become nonterminals. They must not touch
each other on the source side, and must leave at least one pair of linked words. A phrase pair from which nothing is
taken is a rule as well.
"""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Long
from pralign.kernels.compile import kernel
from pralign.kernels.growing import longer
from pralign.kernels.stopping import stop_if_asked

#: Where a rule has no nonterminal.
NONE = -1


class RuleLimits(NamedTuple):
    """What rules may be like.

    Attributes:
        symbols: The most words and nonterminals on the source side.
        nonterminals: The most nonterminals, up to two.
        hole: The fewest source words that a nonterminal stands for.
    """

    symbols: int
    nonterminals: int
    hole: int


class Rules(NamedTuple):
    """Rules by the phrase pairs that they are made of, given by their numbers among some spans.

    Attributes:
        span: The initial phrase pair.
        first: What the nonterminal stands for that comes first on the target side, or ``NONE``.
        second: What the other one stands for, or ``NONE``.
        siblings: How many rules there are of the same initial phrase pair, this one included.
    """

    span: Long
    first: Long
    second: Long
    siblings: Long


class Holes(NamedTuple):
    """The phrase pairs inside another one, in the order of their target sides.

    Attributes:
        span: Their numbers among all phrase pairs.
        source_begin: The first source word.
        source_end: The source word after the last.
        target_end: The target word after the last.
        linked: How many of the target words have a link.
        row_start: Where those begin that start with each target word of the sentence, or a later one.
    """

    span: Long
    source_begin: Long
    source_end: Long
    target_end: Long
    linked: Long
    row_start: Long


@kernel
def find_rules(target_lengths, links, spans, begin, most, limits):
    """The rules of some initial phrase pairs, and the number of the first phrase pair that has not been looked at.

    Args:
        target_lengths: The number of target words of each alignment.
        links: The alignments.
        spans: The initial phrase pairs, in the order in which ``find_spans`` finds them.
        begin: Where among them to begin: at the first one of an alignment.
        most: Further alignments are left for later as soon as there are so many rules.
        limits: What rules may be like.
    """
    rules = Rules(
        np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty(1024, np.int64)
    )
    count = 0
    while begin < spans.owner.size and count < most:
        owner, end = spans.owner[begin], begin
        while end < spans.owner.size and spans.owner[end] == owner:
            end += 1
        linked = _linked_before(links, owner, target_lengths[owner])
        rows = _rows(spans.target_begin, begin, end, target_lengths[owner])
        room = np.empty(end - begin, np.int64)
        holes = Holes(room, room.copy(), room.copy(), room.copy(), room.copy(), rows.copy())
        for span in range(begin, end):
            stop_if_asked()
            size = _find_holes(spans, span, rows, linked, limits.hole, holes)
            rules, count = _rules_of_span(spans, span, holes, size, linked, limits, rules, count)
        begin = end
    return Rules(rules.span[:count], rules.first[:count], rules.second[:count], rules.siblings[:count]), begin


@kernel
def _linked_before(links, owner, columns):
    """How many target words before each place have a link."""
    before = np.zeros(columns + 1, np.int32)
    for link in range(links.start[owner], links.start[owner + 1]):
        before[links.target[link] + 1] = 1
    for j in range(columns):
        before[j + 1] += before[j]
    return before


@kernel
def _rows(target_begin, begin, end, columns):
    """Where the phrase pairs that begin with each target word are, of those from ``begin`` to ``end``."""
    rows = np.empty(columns + 1, np.int64)
    span = begin
    for j in range(columns + 1):
        while span < end and target_begin[span] < j:
            span += 1
        rows[j] = span
    return rows


@kernel
def _find_holes(spans, span, rows, linked, fewest, holes):
    """Find the phrase pairs inside another that leave one of its linked words; returns how many there are."""
    count = 0
    low, high = spans.source_begin[span], spans.source_end[span]
    first, last = spans.target_begin[span], spans.target_end[span]
    total = linked[last] - linked[first]
    for j in range(first, last):
        holes.row_start[j] = count
        for hole in range(rows[j], rows[j + 1]):
            end = spans.target_end[hole]
            if end > last:
                break
            begin, after = spans.source_begin[hole], spans.source_end[hole]
            if begin >= low and after <= high and after - begin >= fewest and linked[end] - linked[j] < total:
                holes.span[count], holes.linked[count] = hole, linked[end] - linked[j]
                holes.source_begin[count], holes.source_end[count] = begin, after
                holes.target_end[count] = end
                count += 1
    holes.row_start[last] = count
    return count


@kernel
def _rules_of_span(spans, span, holes, size, linked, limits, rules, count):
    """Add the rules of one initial phrase pair with so many phrase pairs inside."""
    already = count
    words = spans.source_end[span] - spans.source_begin[span]
    total = linked[spans.target_end[span]] - linked[spans.target_begin[span]]
    if words <= limits.symbols:
        rules, count = _add(rules, count, span, NONE, NONE)
    for a in range(size if limits.nonterminals else 0):
        begin, end = holes.source_begin[a], holes.source_end[a]
        left = words - (end - begin) + 1
        if left <= limits.symbols:
            rules, count = _add(rules, count, span, holes.span[a], NONE)
        for b in range(holes.row_start[holes.target_end[a]], size if limits.nonterminals > 1 else 0):
            other, other_end = holes.source_begin[b], holes.source_end[b]
            if (
                left - (other_end - other) < limits.symbols
                and (other > end or other_end < begin)
                and holes.linked[a] + holes.linked[b] < total
            ):
                rules, count = _add(rules, count, span, holes.span[a], holes.span[b])
    for rule in range(already, count):
        rules.siblings[rule] = count - already
    return rules, count


@kernel
def _add(rules, count, span, first, second):
    if count == rules.span.size:
        rules = Rules(
            longer(rules.span, count + 1),
            longer(rules.first, count + 1),
            longer(rules.second, count + 1),
            longer(rules.siblings, count + 1),
        )
    rules.span[count], rules.first[count], rules.second[count] = span, first, second
    return rules, count + 1
