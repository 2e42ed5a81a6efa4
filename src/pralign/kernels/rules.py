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
    rules = Rules(np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty(1024, np.int64))
    count = 0
    while begin < spans.owner.size and count < most:
        owner, end = spans.owner[begin], begin
        while end < spans.owner.size and spans.owner[end] == owner:
            end += 1
        linked = _linked_before(links, owner, target_lengths[owner])
        rows = _rows(spans.target_begin, begin, end, target_lengths[owner])
        inside = np.empty(end - begin, np.int64)
        for span in range(begin, end):
            stop_if_asked()
            holes = _holes(spans, span, rows, linked, limits.hole, inside)
            rules, count = _rules_of_span(spans, span, inside[:holes], linked, limits, rules, count)
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
def _holes(spans, span, rows, linked, fewest, inside):
    """Find the phrase pairs inside another that leave one of its linked words; returns how many there are."""
    count = 0
    first, last = spans.target_begin[span], spans.target_end[span]
    total = linked[last] - linked[first]
    for j in range(first, last):
        for hole in range(rows[j], rows[j + 1]):
            end = spans.target_end[hole]
            if end > last:
                break
            if (
                spans.source_begin[hole] >= spans.source_begin[span]
                and spans.source_end[hole] <= spans.source_end[span]
                and spans.source_end[hole] - spans.source_begin[hole] >= fewest
                and linked[end] - linked[j] < total
            ):
                inside[count] = hole
                count += 1
    return count


@kernel
def _rules_of_span(spans, span, inside, linked, limits, rules, count):
    """Add the rules of one initial phrase pair."""
    already = count
    words = spans.source_end[span] - spans.source_begin[span]
    total = linked[spans.target_end[span]] - linked[spans.target_begin[span]]
    if words <= limits.symbols:
        rules, count = _add(rules, count, span, NONE, NONE)
    for a in range(inside.size if limits.nonterminals else 0):
        hole = inside[a]
        left = words - (spans.source_end[hole] - spans.source_begin[hole])
        linked_left = total - (linked[spans.target_end[hole]] - linked[spans.target_begin[hole]])
        if left + 1 <= limits.symbols:
            rules, count = _add(rules, count, span, hole, NONE)
        for b in range(a + 1, inside.size if limits.nonterminals > 1 else 0):
            other = inside[b]
            if (
                spans.target_begin[other] >= spans.target_end[hole]
                and left - (spans.source_end[other] - spans.source_begin[other]) + 2 <= limits.symbols
                and _are_apart(spans, hole, other)
                and linked[spans.target_end[other]] - linked[spans.target_begin[other]] < linked_left
            ):
                rules, count = _add(rules, count, span, hole, other)
    for rule in range(already, count):
        rules.siblings[rule] = count - already
    return rules, count


@kernel
def _are_apart(spans, hole, other):
    """Whether there is a source word between two phrase pairs."""
    return (
        spans.source_begin[other] > spans.source_end[hole] or spans.source_begin[hole] > spans.source_end[other]
    )


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
