"""Rules as strings of numbers, made as those of phrase pairs are.

Nonterminals are symbols among the words, joined by links of their own. Two rules with the same symbols differ if one of
them has the nonterminals in the same order on both sides and the other has not: a target side with exchanged
nonterminals ends with a separator of its own.
"""

from typing import NamedTuple

import numpy as np

from pralign.kernels.compile import kernel
from pralign.kernels.phrase_strings import BITS, Separators, link_numbers
from pralign.kernels.rules import NONE
from pralign.kernels.stopping import stop_if_asked
from pralign.kernels.strings import Strings


class Nonterminals(NamedTuple):
    """The numbers that nonterminals have on both sides."""

    source: int
    target: int


class RuleNumbers(NamedTuple):
    """The numbers of all symbols that are no words."""

    separators: Separators
    nonterminals: Nonterminals


class RuleSide(NamedTuple):
    """Where one side of a rule stands in its sentence: its ends, and those of what nonterminals stand for, in order.

    What is not there begins and ends behind the last word.
    """

    begin: int
    first_begin: int
    first_end: int
    second_begin: int
    second_end: int
    end: int


@kernel
def rule_strings(texts, alignments, spans, rules, units, numbers, symbols, owners):
    """The strings of rules.

    Args:
        texts: The text, by numbers of words.
        alignments: Its alignments.
        spans: The phrase pairs that rules are made of.
        rules: The rules.
        units: What each counts.
        numbers: The numbers of words.
        symbols: The numbers of separators and of nonterminals.
        owners: Whether each string begins with the number of its alignment, counted from one.
    """
    separators, nonterminals = symbols
    data, start = _room(spans, rules, owners)
    start[0] = at = 0
    first_link, before = np.empty(0, np.int64), -1
    for k in range(rules.span.size):
        owner = spans.owner[rules.span[k]]
        pair = alignments.pair[owner]
        if owner != before:
            stop_if_asked()
            first_link = _first_links(alignments.links, owner, texts.source_start[pair + 1] - texts.source_start[pair])
            before = owner
        if owners:
            data[at] = owner + 1
            at += 1
        source, swapped = _side(spans.source_begin, spans.source_end, rules, k)
        target, _ = _side(spans.target_begin, spans.target_end, rules, k)
        at = _write_side(data, at, texts.source, texts.source_start[pair], source, numbers.source, nonterminals.source)
        data[at] = separators.source
        at += 1
        at = _write_side(data, at, texts.target, texts.target_start[pair], target, numbers.target, nonterminals.target)
        data[at] = separators.swapped if swapped else separators.target
        at = _write_links(data, at + 1, alignments.links.target, first_link, source, target, swapped)
        start[k + 1] = at
    return Strings(data, start, units)


@kernel
def _room(spans, rules, owners):
    size = 0
    for k in range(rules.span.size):
        rows = _symbols(_side(spans.source_begin, spans.source_end, rules, k)[0])
        columns = _symbols(_side(spans.target_begin, spans.target_end, rules, k)[0])
        size += rows + columns + 2 + link_numbers(rows, columns) + np.int64(owners)
    return np.empty(size, np.uint32), np.empty(rules.span.size + 1, np.int64)


@kernel
def _side(begin, end, rules, k):
    """One side of a rule, and whether its nonterminals stand there in another order than on the target side."""
    span, first, second = rules.span[k], rules.first[k], rules.second[k]
    low, high = np.int64(begin[span]), np.int64(end[span])
    if first == NONE:
        return RuleSide(low, high, high, high, high, high), False
    a_begin, a_end = np.int64(begin[first]), np.int64(end[first])
    if second == NONE:
        return RuleSide(low, a_begin, a_end, high, high, high), False
    b_begin, b_end = np.int64(begin[second]), np.int64(end[second])
    if b_begin < a_begin:
        return RuleSide(low, b_begin, b_end, a_begin, a_end, high), True
    return RuleSide(low, a_begin, a_end, b_begin, b_end, high), False


@kernel
def _symbols(side):
    """How many symbols one side of a rule has."""
    first, second = side.first_end - side.first_begin, side.second_end - side.second_begin
    return side.end - side.begin - first - second + np.int64(first > 0) + np.int64(second > 0)


@kernel
def _first_links(links, owner, rows):
    """Where the links of each source word of an alignment begin."""
    found = np.empty(rows + 1, np.int64)
    link = links.start[owner]
    for i in range(rows + 1):
        while link < links.start[owner + 1] and links.source[link] < i:
            link += 1
        found[i] = link
    return found


@kernel
def _write_side(data, at, words, start, side, numbers, nonterminal):
    """Write one side of a rule; returns where it ends."""
    for place in range(side.begin, side.first_begin):
        data[at] = numbers[words[start + place]]
        at += 1
    if side.first_begin < side.first_end:
        data[at] = nonterminal
        at += 1
    for place in range(side.first_end, side.second_begin):
        data[at] = numbers[words[start + place]]
        at += 1
    if side.second_begin < side.second_end:
        data[at] = nonterminal
        at += 1
    for place in range(side.second_end, side.end):
        data[at] = numbers[words[start + place]]
        at += 1
    return at


@kernel
def _write_links(data, at, partners, first_link, source, target, swapped):
    """Write the links of words and nonterminals; returns where they end."""
    rows, last = _symbols(source), at + link_numbers(_symbols(source), _symbols(target))
    for place in range(at, last):
        data[place] = 1
    for i in range(source.begin, source.end):
        if source.first_begin <= i < source.first_end or source.second_begin <= i < source.second_end:
            continue
        for link in range(first_link[i], first_link[i + 1]):
            _add_link(data, at, rows, _symbol(source, i), _symbol(target, np.int64(partners[link])))
    if source.first_begin < source.first_end:
        j = target.second_begin if swapped else target.first_begin
        _add_link(data, at, rows, _symbol(source, source.first_begin), _symbol(target, j))
    if source.second_begin < source.second_end:
        j = target.first_begin if swapped else target.second_begin
        _add_link(data, at, rows, _symbol(source, source.second_begin), _symbol(target, j))
    return last


@kernel
def _symbol(side, place):
    """Which symbol of a side a word is, or the nonterminal that stands for words from a place on."""
    found = place - side.begin
    if place >= side.first_end:
        found -= side.first_end - side.first_begin - 1
    if place >= side.second_end:
        found -= side.second_end - side.second_begin - 1
    return found


@kernel
def _add_link(data, at, rows, i, j):
    bit = j * rows + i
    data[at + bit // BITS] += np.uint32(1) << np.uint32(bit % BITS)
