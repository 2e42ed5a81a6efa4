"""Rules as strings of numbers, made as those of phrase pairs are.

Nonterminals are symbols among the words, joined by links of their own. Two rules with the same symbols differ if one of
them has the nonterminals in the same order on both sides and the other has not: a target side with exchanged
nonterminals ends with a separator of its own.
"""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Int
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


class RuleSymbols(NamedTuple):
    """Where the words of one rule stand in it, by their places in the initial phrase pair.

    Attributes:
        rows: The symbol on the source side that each source word is, or is part of.
        columns: The same for the target side.
    """

    rows: Int
    columns: Int


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
    first_link = np.empty(0, np.int64)
    longest = 0
    for k in range(spans.owner.size):
        longest = max(longest, spans.source_end[k] - spans.source_begin[k], spans.target_end[k] - spans.target_begin[k])
    places = RuleSymbols(np.empty(longest, np.int32), np.empty(longest, np.int32))
    before = np.int64(-1)
    for k in range(rules.span.size):
        span, first, second = rules.span[k], rules.first[k], rules.second[k]
        owner = spans.owner[span]
        if owner != before:
            stop_if_asked()
            pair, before = alignments.pair[owner], owner
            first_link = _first_links(alignments.links, owner, texts.source_start[pair + 1] - texts.source_start[pair])
        if owners:
            data[at] = owner + 1
            at += 1
        words = texts.source[texts.source_start[pair] : texts.source_start[pair + 1]]
        sides = (spans.source_begin, spans.source_end)
        end = _write_side(data, at, words, sides, rules, k, numbers.source, nonterminals.source, places.rows)
        rows = end - at
        data[end] = separators.source
        at = end + 1
        words = texts.target[texts.target_start[pair] : texts.target_start[pair + 1]]
        sides = (spans.target_begin, spans.target_end)
        end = _write_side(data, at, words, sides, rules, k, numbers.target, nonterminals.target, places.columns)
        columns = end - at
        swapped = second != NONE and spans.source_begin[second] < spans.source_begin[first]
        data[end] = separators.swapped if swapped else separators.target
        at = end + 1
        for number in range(at, at + link_numbers(rows, columns)):
            data[number] = 1
        _add_words(data, at, alignments.links, first_link, spans, span, first, second, places, rows)
        _add_hole(data, at, spans, span, first, places, rows)
        _add_hole(data, at, spans, span, second, places, rows)
        at += link_numbers(rows, columns)
        start[k + 1] = at
    return Strings(data, start, units)


@kernel
def _room(spans, rules, owners):
    size = 0
    for k in range(rules.span.size):
        rows = _symbols(spans.source_begin, spans.source_end, rules, k)
        columns = _symbols(spans.target_begin, spans.target_end, rules, k)
        size += rows + columns + 2 + link_numbers(rows, columns) + np.int64(owners)
    return np.empty(size, np.uint32), np.empty(rules.span.size + 1, np.int64)


@kernel
def _symbols(begin, end, rules, k):
    """How many symbols one side of a rule has."""
    span, first, second = rules.span[k], rules.first[k], rules.second[k]
    size = np.int64(end[span] - begin[span])
    if first != NONE:
        size -= end[first] - begin[first] - 1
    if second != NONE:
        size -= end[second] - begin[second] - 1
    return size


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
def _write_side(data, at, words, sides, rules, k, numbers, nonterminal, places):
    """Write one side of a rule, and where each of its words stands; returns where it ends."""
    begin, end = sides
    span, first, second = rules.span[k], rules.first[k], rules.second[k]
    place, symbol = begin[span], 0
    while place < end[span]:
        after = place + 1
        if first != NONE and place == begin[first]:
            after = end[first]
        if second != NONE and place == begin[second]:
            after = end[second]
        is_word = not ((first != NONE and place == begin[first]) or (second != NONE and place == begin[second]))
        data[at] = numbers[words[place]] if is_word else nonterminal
        while place < after:
            places[place - begin[span]] = symbol
            place += 1
        symbol += 1
        at += 1
    return at


@kernel
def _add_words(data, at, links, first_link, spans, span, first, second, places, rows):
    """Add the links of words that are not under a nonterminal."""
    low, left = spans.source_begin[span], spans.target_begin[span]
    for i in range(low, spans.source_end[span]):
        if _is_inside(spans, first, i) or _is_inside(spans, second, i):
            continue
        for link in range(first_link[i], first_link[i + 1]):
            _add_link(data, at, rows, places.rows[i - low], places.columns[links.target[link] - left])


@kernel
def _is_inside(spans, hole, i):
    return hole != NONE and spans.source_begin[hole] <= i < spans.source_end[hole]


@kernel
def _add_hole(data, at, spans, span, hole, places, rows):
    """Add the link of a nonterminal."""
    if hole != NONE:
        i = spans.source_begin[hole] - spans.source_begin[span]
        _add_link(data, at, rows, places.rows[i], places.columns[spans.target_begin[hole] - spans.target_begin[span]])


@kernel
def _add_link(data, at, rows, i, j):
    bit = j * rows + i
    data[at + bit // BITS] += np.uint32(1) << np.uint32(bit % BITS)
