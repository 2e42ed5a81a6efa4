"""Phrase pairs as lines of text, written into arrays of bytes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Long
from pralign.kernels.compile import kernel
from pralign.kernels.numbers import LONGEST_NUMBER, write_number, write_units, write_whole
from pralign.kernels.phrase_pairs import parts_of
from pralign.kernels.phrase_strings import has_link
from pralign.kernels.spans import ORIENTATIONS
from pralign.kernels.stopping import stop_if_asked

_SPACE, _LINE_END, _BAR, _DASH, _ZERO, _DOT = 32, 10, 124, 45, 48, 46
_LONGEST_LINK = 22
_ORIENTED = 12  # the longest two names of orientations
_SMOOTHING = 0.5


class Spelling(NamedTuple):
    """The bytes of words by their numbers, each with a space behind."""

    text: NDArray[np.uint8]
    start: Long


class Spellings(NamedTuple):
    """The bytes of the words of both sides; their separators are three bars."""

    source: Spelling
    target: Spelling


@kernel
def table_lines(strings, scores, source_total, target_total, spellings, separators):
    """The lines of a phrase table of Moses."""
    data, start, units = strings
    size = 0
    for k in range(start.size - 1):
        size += _words_size(data, start[k], separators, spellings) + _links_size(data, start[k], separators)
        size += (scores.shape[1] + 3) * (LONGEST_NUMBER + 1) + 24
    text, at = np.empty(size, np.uint8), 0
    for k in range(start.size - 1):
        if k & 1023 == 0:
            stop_if_asked()
        at = _write_words(text, at, data, start[k], separators, spellings)
        for column in range(scores.shape[1]):
            at = space(text, write_number(text, at, scores[k, column]))
        at = bars(text, at)
        at = _write_links(text, at, data, start[k], separators)
        at = bars(text, at)
        at = space(text, write_units(text, at, target_total[k]))
        at = space(text, write_units(text, at, source_total[k]))
        at = space(text, write_units(text, at, units[k]))
        at = bars(text, bars(text, at)) - 1
        text[at] = _LINE_END
        at += 1
    return text[:at]


@kernel
def reordering_lines(strings, orientation, spellings, separators):
    """The lines of a table for lexicalised reordering: three probabilities of the word before, three of the one after.

    Half a count is added to each orientation, as Moses does.
    """
    data, start, _ = strings
    size = 0
    for k in range(start.size - 1):
        size += _words_size(data, start[k], separators, spellings) + 2 * ORIENTATIONS * 9 + 1
    text, at = np.empty(size, np.uint8), 0
    for k in range(start.size - 1):
        at = _write_words(text, at, data, start[k], separators, spellings)
        for column in range(2 * ORIENTATIONS):
            first = column - column % ORIENTATIONS
            total = orientation[k, first] + orientation[k, first + 1] + orientation[k, first + 2]
            share = (orientation[k, column] + _SMOOTHING) / (total + ORIENTATIONS * _SMOOTHING)
            at = space(text, _write_share(text, at, share))
        text[at] = _LINE_END
        at += 1
    return text[:at]


@kernel
def _write_share(text, at, share):
    """Write a number from zero to one with six digits behind the point."""
    millionths = np.int64(np.rint(share * 1e6))
    text[at], text[at + 1] = _ZERO + millionths // 1_000_000, _DOT
    for k in range(6):
        text[at + 7 - k] = _ZERO + millionths % 10
        millionths //= 10
    return at + 8


@kernel
def extract_lines(texts, alignments, spans, orientations, inverse, numbers, spellings):
    """The lines that Moses extracts: words of both sides, and links or, if there are any, orientations.

    Args:
        texts: The text, by numbers of words.
        alignments: Its alignments.
        spans: The phrase pairs.
        orientations: How each stands to its neighbours; empty if links are to be written.
        inverse: Whether target words come first.
        numbers: The numbers of words in ``spellings``.
        spellings: The bytes of words.
    """
    size = 0
    for k in range(spans.owner.size):
        pair = alignments.pair[spans.owner[k]]
        first, second = texts.source_start[pair], texts.target_start[pair]
        for i in range(first + spans.source_begin[k], first + spans.source_end[k]):
            size += spelled_length(spellings.source, numbers.source[texts.source[i]])
        for j in range(second + spans.target_begin[k], second + spans.target_end[k]):
            size += spelled_length(spellings.target, numbers.target[texts.target[j]])
        size += 10 + _ORIENTED
        if orientations.size == 0:
            size += _LONGEST_LINK * _links_inside(alignments.links, spans, k)
    text, at = np.empty(size, np.uint8), 0
    for k in range(spans.owner.size):
        if inverse:
            at = bars(text, _write_target(text, at, texts, alignments, spans, k, numbers, spellings))
            at = bars(text, _write_source(text, at, texts, alignments, spans, k, numbers, spellings))
        else:
            at = bars(text, _write_source(text, at, texts, alignments, spans, k, numbers, spellings))
            at = bars(text, _write_target(text, at, texts, alignments, spans, k, numbers, spellings))
        if orientations.size:
            at = space(text, _write_orientation(text, at, orientations[k] // ORIENTATIONS))
            at = space(text, _write_orientation(text, at, orientations[k] % ORIENTATIONS))
        else:
            at = _write_links_inside(text, at, alignments.links, spans, k, inverse)
        text[at - 1] = _LINE_END
    return text[:at]


@kernel
def _write_source(text, at, texts, alignments, spans, k, numbers, spellings):
    first = texts.source_start[alignments.pair[spans.owner[k]]]
    for i in range(first + spans.source_begin[k], first + spans.source_end[k]):
        at = spell(text, at, spellings.source, numbers.source[texts.source[i]])
    return at


@kernel
def _write_target(text, at, texts, alignments, spans, k, numbers, spellings):
    first = texts.target_start[alignments.pair[spans.owner[k]]]
    for j in range(first + spans.target_begin[k], first + spans.target_end[k]):
        at = spell(text, at, spellings.target, numbers.target[texts.target[j]])
    return at


@kernel
def _write_orientation(text, at, orientation):
    word = "mono" if orientation == 0 else ("swap" if orientation == 1 else "other")
    for letter in word:
        text[at] = ord(letter)
        at += 1
    return at


@kernel
def _links_inside(links, spans, k):
    count = 0
    for link in range(links.start[spans.owner[k]], links.start[spans.owner[k] + 1]):
        i, j = links.source[link], links.target[link]
        count += spans.source_begin[k] <= i < spans.source_end[k] and spans.target_begin[k] <= j < spans.target_end[k]
    return count


@kernel
def _write_links_inside(text, at, links, spans, k, inverse):
    """Write the links inside a phrase pair, by target and then by source word."""
    begin, end = links.start[spans.owner[k]], links.start[spans.owner[k] + 1]
    for j in range(spans.target_begin[k], spans.target_end[k]):
        for link in range(begin, end):
            i = links.source[link]
            if links.target[link] == j and spans.source_begin[k] <= i < spans.source_end[k]:
                left, right = i - spans.source_begin[k], j - spans.target_begin[k]
                at = write_whole(text, at, right if inverse else left)
                text[at] = _DASH
                at = space(text, write_whole(text, at + 1, left if inverse else right))
    return at


@kernel
def _write_words(text, at, data, begin, separators, spellings):
    """Write the words of both sides of a string, each followed by three bars."""
    parts = parts_of(data, begin, separators)
    for p in range(begin, begin + parts.rows):
        at = spell(text, at, spellings.source, data[p])
    at = bars(text, at)
    for p in range(parts.target, parts.target + parts.columns):
        at = spell(text, at, spellings.target, data[p])
    return bars(text, at)


@kernel
def _words_size(data, begin, separators, spellings):
    parts = parts_of(data, begin, separators)
    size = 8
    for p in range(begin, begin + parts.rows):
        size += spelled_length(spellings.source, data[p])
    for p in range(parts.target, parts.target + parts.columns):
        size += spelled_length(spellings.target, data[p])
    return size


@kernel
def _links_size(data, begin, separators):
    parts = parts_of(data, begin, separators)
    count = 0
    for j in range(parts.columns):
        for i in range(parts.rows):
            count += has_link(data, parts.links, parts.rows, i, j)
    return count * _LONGEST_LINK


@kernel
def _write_links(text, at, data, begin, separators):
    parts = parts_of(data, begin, separators)
    for j in range(parts.columns):
        for i in range(parts.rows):
            if has_link(data, parts.links, parts.rows, i, j):
                at = write_whole(text, at, i)
                text[at] = _DASH
                at = space(text, write_whole(text, at + 1, j))
    return at


@kernel
def spell(text, at, spelling, word):
    """Write a word and the space behind it; returns where it ends."""
    for p in range(spelling.start[word], spelling.start[word + 1]):
        text[at] = spelling.text[p]
        at += 1
    return at


@kernel
def spelled_length(spelling, word):
    """How many bytes a word takes, with the space behind it."""
    return spelling.start[word + 1] - spelling.start[word]


@kernel
def space(text, at):
    """Write a space; returns where it ends."""
    text[at] = _SPACE
    return at + 1


@kernel
def bars(text, at):
    """Write three bars and a space; returns where they end."""
    text[at] = text[at + 1] = text[at + 2] = _BAR
    text[at + 3] = _SPACE
    return at + 4
