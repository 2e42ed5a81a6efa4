"""Phrase pairs of a chunk of text: where they stand, what they count, and the strings that they are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Long
from pralign.kernels.links import LinkArrays
from pralign.kernels.phrase_lines import extract_lines
from pralign.kernels.phrase_strings import phrase_strings
from pralign.kernels.spans import Spans, find_orientations, find_spans
from pralign.kernels.strings import Strings
from pralign.kernels.units import UNITS
from pralign.links.aligned import AlignedChunk, WeightedLinks
from pralign.phrases.expected import Expectation
from pralign.phrases.settings import PhraseSettings
from pralign.phrases.words import OrderedWords

#: So many alignments are looked at together, so that even those with hardly a link take little memory.
TOGETHER = 500
# Links at least as probable as this are those of a phrase that is counted by posteriors.
_PROBABLE = 0.5
_NOTHING = np.empty(0, np.uint8)


class FoundPhrases:
    """The phrase pairs of some alignments.

    Attributes:
        chunk: The text with these alignments only.
        spans: Where phrase pairs stand.
        units: What each counts, in units.
        orientations: How each stands to its neighbours; empty if nobody asks.
    """

    def __init__(self, chunk: AlignedChunk, settings: PhraseSettings, expectation: Expectation | None) -> None:
        lengths = lengths_of(chunk)
        links = chunk.alignments.links
        if expectation is None:
            self.spans = Spans(*find_spans(*lengths, links, settings.max_length))
            weight = np.ones(self.spans.owner.size)
        else:
            self.spans, weight = expectation(chunk, settings.max_length)
            chunk = AlignedChunk(chunk.texts, chunk.alignments._replace(links=_probable(links)))
        self.chunk = chunk
        weight = weight * chunk.alignments.weight[self.spans.owner]
        self.units: Long = np.rint(weight * UNITS).astype(np.int64)
        self.orientations: NDArray[np.uint8] = _NOTHING
        if settings.reordering:
            self.orientations = find_orientations(*lengths, chunk.alignments.links, self.spans)

    def strings(self, words: OrderedWords) -> Strings:
        """The phrase pairs as strings of numbers."""
        return Strings(
            *phrase_strings(*self.chunk, self.spans, self.units, self.orientations, words.numbers, words.separators)
        )

    def lines(self, words: OrderedWords) -> list[bytes]:
        """The phrase pairs as lines of Moses: source first, target first and, if wanted, with their orientations."""
        kinds = [(_NOTHING, False), (_NOTHING, True)]
        if self.orientations.size:
            kinds.append((self.orientations, False))
        return [
            extract_lines(*self.chunk, self.spans, orientations, inverse, words.numbers, words.spellings).tobytes()
            for orientations, inverse in kinds
        ]


def found_phrases(
    chunk: AlignedChunk,
    settings: PhraseSettings,
    expectation: Expectation | None = None,
    together: int = TOGETHER,
) -> Iterator[FoundPhrases]:
    """The phrase pairs of a chunk, those of some alignments at a time.

    Args:
        chunk: Text with alignments.
        settings: How long phrases may be, and what is to be known of them.
        expectation: How often phrase pairs are expected; without it, each counts whenever its links allow it.
        together: How many alignments are looked at together.
    """
    count = chunk.alignments.pair.size
    for first in range(0, max(count, 1), together):
        yield FoundPhrases(some_of(chunk, first, min(first + together, count)), settings, expectation)


def some_of(chunk: AlignedChunk, first: int, last: int) -> AlignedChunk:
    """The text of a chunk with some of its alignments."""
    pair, weight, links = chunk.alignments
    begin, end = links.start[first], links.start[last]
    score = links.score[begin:end]
    some = LinkArrays(links.start[first : last + 1] - begin, links.source[begin:end], links.target[begin:end], score)
    return AlignedChunk(chunk.texts, WeightedLinks(pair[first:last], weight[first:last], some))


def lengths_of(chunk: AlignedChunk) -> tuple[Long, Long]:
    """How many words each alignment has on both sides."""
    texts, pair = chunk.texts, chunk.alignments.pair
    return np.diff(texts.source_start)[pair], np.diff(texts.target_start)[pair]


def _probable(links: LinkArrays) -> LinkArrays:
    """The probable ones of links with scores; links without scores are all meant."""
    if links.score.size != links.source.size:
        return links
    kept: NDArray[np.bool_] = links.score >= _PROBABLE
    before = np.concatenate([[0], np.cumsum(kept)])
    score: Double = links.score[kept]
    return LinkArrays(before[links.start], links.source[kept], links.target[kept], score)
