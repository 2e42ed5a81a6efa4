"""Rules as lines of text, written into arrays of bytes: for Moses and for cdec."""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Long
from pralign.kernels.compile import kernel
from pralign.kernels.numbers import LONGEST_NUMBER, write_number, write_units, write_whole
from pralign.kernels.phrase_lines import bars, space, spell, spelled_length
from pralign.kernels.phrase_pairs import parts_of
from pralign.kernels.phrase_strings import has_link
from pralign.kernels.stopping import stop_if_asked

_LINE_END, _DASH, _EQUALS, _COMMA, _ONE, _LEFT, _RIGHT, _X = 10, 45, 61, 44, 49, 91, 93, 88
_LONGEST_LINK = 22
_NONTERMINAL = 6  # bytes of [X,1] and the space behind it


class RuleTotals(NamedTuple):
    """How often the two sides of rules were seen, in units, one number for each rule and side."""

    source: Long
    target: Long


@kernel
def moses_lines(strings, scores, totals, symbols, spellings):
    """The lines of a rule table of Moses."""
    data, start, units = strings
    separators, _ = symbols
    text, at = np.empty(_size(strings, scores.shape[1] + 3, 0, separators, spellings), np.uint8), 0
    for k in range(start.size - 1):
        if k & 1023 == 0:
            stop_if_asked()
        parts = parts_of(data, start[k], separators)
        at = _write_symbols(text, at, data, start[k], parts.target, spellings.source)
        at = _write_symbols(text, at, data, parts.target, parts.links, spellings.target)
        for column in range(scores.shape[1]):
            at = space(text, write_number(text, at, scores[k, column]))
        at = bars(text, at)
        for i in range(parts.rows):
            for j in range(parts.columns):
                if has_link(data, parts.links, parts.rows, i, j):
                    at = _write_link(text, at, i, j)
        at = bars(text, at)
        at = space(text, write_units(text, at, totals.target[k]))
        at = space(text, write_units(text, at, totals.source[k]))
        at = space(text, write_units(text, at, units[k]))
        at = bars(text, bars(text, at))
        text[at - 1] = _LINE_END
    return text[:at]


@kernel
def cdec_lines(strings, features, names, symbols, spellings):
    """The lines of a grammar of cdec, with features by name; ``names`` are their bytes, each with = behind it."""
    data, start, _ = strings
    separators, nonterminals = symbols
    letters = names.start[names.start.size - 1]
    text = np.empty(_size(strings, features.shape[1], letters + 16, separators, spellings), np.uint8)
    at = 0
    for k in range(start.size - 1):
        if k & 1023 == 0:
            stop_if_asked()
        parts = parts_of(data, start[k], separators)
        at = bars(text, space(text, _write_label(text, at)))
        swapped = data[parts.links - 1] == separators.swapped and separators.swapped != separators.target
        end = parts.target - 1
        at = bars(text, _write_indexed(text, at, data, start[k], end, nonterminals.source, spellings.source, False))
        end = parts.links - 1
        at = bars(
            text, _write_indexed(text, at, data, parts.target, end, nonterminals.target, spellings.target, swapped)
        )
        for column in range(features.shape[1]):
            at = spell(text, at, names, column)
            at = space(text, write_number(text, at, features[k, column]))
        at = bars(text, at)
        for i in range(parts.rows):
            for j in range(parts.columns if data[start[k] + i] != nonterminals.source else 0):
                if has_link(data, parts.links, parts.rows, i, j):
                    at = _write_link(text, at, i, j)
        text[at - 1] = _LINE_END
    return text[:at]


@kernel
def extracted_rule_lines(strings, inverse, unit, symbols, spellings):
    """The lines that Moses extracts, of strings that begin with the number of an alignment.

    Args:
        strings: The rules, each with what it counts in its alignment.
        inverse: Whether the target side comes first.
        unit: What one unit counts.
        symbols: The numbers of separators and nonterminals.
        spellings: The bytes of words.
    """
    data, start, units = strings
    separators, nonterminals = symbols
    size = 0
    for k in range(start.size - 1):
        size += _rule_size(data, start[k] + 1, separators, spellings) + LONGEST_NUMBER + 20
    text, at = np.empty(size, np.uint8), 0
    for k in range(start.size - 1):
        begin = start[k] + 1
        parts = parts_of(data, begin, separators)
        if inverse:
            at = _write_symbols(text, at, data, parts.target, parts.links, spellings.target)
            at = _write_symbols(text, at, data, begin, parts.target, spellings.source)
        else:
            at = _write_symbols(text, at, data, begin, parts.target, spellings.source)
            at = _write_symbols(text, at, data, parts.target, parts.links, spellings.target)
        for is_nonterminal in (False, True):
            for j in range(parts.columns):
                if (data[parts.target + j] == nonterminals.target) != is_nonterminal:
                    continue
                for i in range(parts.rows):
                    if has_link(data, parts.links, parts.rows, i, j):
                        at = _write_link(text, at, j if inverse else i, i if inverse else j)
        at = space(text, write_number(text, bars(text, at), units[k] * unit))
        at = at if inverse else bars(text, at)
        if inverse:
            text[at - 1] = _LINE_END
        else:
            text[at] = _LINE_END
            at += 1
    return text[:at]


@kernel
def _size(strings, numbers, more, separators, spellings):
    """At most so many bytes are written for some rules with so many numbers and further bytes each."""
    data, start, _ = strings
    size = 0
    for k in range(start.size - 1):
        size += _rule_size(data, start[k], separators, spellings) + more
    return size + (start.size - 1) * (numbers * (LONGEST_NUMBER + 1) + 24)


@kernel
def _rule_size(data, begin, separators, spellings):
    """At most so many bytes hold the symbols and the links of a rule."""
    parts = parts_of(data, begin, separators)
    size = 0
    for p in range(begin, parts.target):
        size += max(spelled_length(spellings.source, data[p]), _NONTERMINAL)
    for p in range(parts.target, parts.links):
        size += max(spelled_length(spellings.target, data[p]), _NONTERMINAL)
    for i in range(parts.rows):
        for j in range(parts.columns):
            size += _LONGEST_LINK * has_link(data, parts.links, parts.rows, i, j)
    return size


@kernel
def _write_symbols(text, at, data, begin, end, spelling):
    for p in range(begin, end):
        at = spell(text, at, spelling, data[p])
    return at


@kernel
def _write_indexed(text, at, data, begin, end, nonterminal, spelling, swapped):
    """Write symbols with the numbers of nonterminals, such as ``[X,1]``."""
    index = 1 if swapped else 0
    for p in range(begin, end):
        if data[p] != nonterminal:
            at = spell(text, at, spelling, data[p])
            continue
        at = _write_label(text, at) - 1
        text[at], text[at + 1], text[at + 2] = _COMMA, _ONE + index, _RIGHT
        at = space(text, at + 3)
        index = 1 - index
    return at


@kernel
def _write_label(text, at):
    text[at], text[at + 1], text[at + 2] = _LEFT, _X, _RIGHT
    return at + 3


@kernel
def _write_link(text, at, left, right):
    at = write_whole(text, at, left)
    text[at] = _DASH
    return space(text, write_whole(text, at + 1, right))
