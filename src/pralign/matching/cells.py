"""The possible links of some sentence pairs, as features see them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Shapes
from pralign.kernels.competition import shares
from pralign.matching.association import Association
from pralign.matching.spelling import WordShapes
from pralign.text.corpus import Corpus

Column = NDArray[np.float32] | NDArray[np.bool_]


class Context(NamedTuple):
    """What all pairs have in common.

    Attributes:
        association: What unlabelled text says of words.
        predictions: How many other aligners' links are given.
    """

    association: Association
    predictions: int = 0


class Posteriors(NamedTuple):
    """The probability of each link by a model of target words given source words, and by one of the reverse."""

    forward: NDArray[np.float32]
    reverse: NDArray[np.float32]


@dataclass(frozen=True)
class EncodedText:
    """Sentence pairs whose words have the numbers of an association."""

    association: Association
    corpus: Corpus

    @cached_property
    def forms(self) -> tuple[WordShapes, WordShapes]:
        """What the source words and the target words look like, the unknown ones last."""
        source, target, speller = self.association.forms
        unknown = speller.further().forms(self.corpus.unknown)
        return source + unknown, target + unknown


@dataclass(frozen=True)
class Cells:
    """Every pair of a source and a target word of some sentence pairs: a *cell*, which may become a link.

    Arrays have an entry a cell, sentence pair by sentence pair, source word by source word.

    Attributes:
        context: What is the same for all text.
        text: The text that these sentence pairs belong to.
        pairs: Their numbers in it.
        posteriors: What a generative model says of them, if one was asked.
        predictions: For each of the other aligners, which cells it links.
    """

    context: Context
    text: EncodedText
    pairs: NDArray[np.int64]
    posteriors: Posteriors | None = None
    predictions: tuple[NDArray[np.bool_], ...] = ()

    @property
    def corpus(self) -> Corpus:
        """The text as numbers."""
        return self.text.corpus

    @cached_property
    def shapes(self) -> Shapes:
        """Where the cells and the words of each sentence pair begin."""
        source, target = self.source_lengths, self.target_lengths
        return Shapes(*(np.concatenate([[0], np.cumsum(sizes)]) for sizes in (source * target, source, target)))

    @property
    def cell_start(self) -> NDArray[np.int64]:
        """Where the cells of each sentence pair begin."""
        return self.shapes.cell_start

    @property
    def source_lengths(self) -> NDArray[np.int64]:
        """The number of source words of each sentence pair."""
        return self.corpus.source_lengths[self.pairs]

    @property
    def target_lengths(self) -> NDArray[np.int64]:
        """The number of target words of each sentence pair."""
        return self.corpus.target_lengths[self.pairs]

    @property
    def size(self) -> int:
        """How many cells there are."""
        return int(self.shapes.cell_start[-1])

    @cached_property
    def pair(self) -> NDArray[np.int64]:
        """Which of these sentence pairs each cell belongs to, counted from zero."""
        return np.repeat(np.arange(self.pairs.size), np.diff(self.shapes.cell_start))

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """The number of target words."""
        return self.target_lengths[self.pair]

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The number of source words."""
        return self.source_lengths[self.pair]

    @cached_property
    def _places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        local = np.arange(self.size) - self.shapes.cell_start[self.pair]
        return np.divmod(local, self.columns)

    @property
    def row(self) -> NDArray[np.int64]:
        """The position of the source word."""
        return self._places[0]

    @property
    def column(self) -> NDArray[np.int64]:
        """The position of the target word."""
        return self._places[1]

    @cached_property
    def source(self) -> NDArray[np.int32]:
        """The number of the source word; unknown words have numbers past the end of the vocabulary."""
        texts = self.corpus.texts
        return np.asarray(texts.source[texts.source_start[self.pairs][self.pair] + self.row])

    @cached_property
    def target(self) -> NDArray[np.int32]:
        """The number of the target word."""
        texts = self.corpus.texts
        return np.asarray(texts.target[texts.target_start[self.pairs][self.pair] + self.column])

    @cached_property
    def dice(self) -> NDArray[np.float32]:
        """The Dice coefficient of the two words."""
        return self.context.association.dice(self.source, self.target)

    @cached_property
    def distance(self) -> NDArray[np.float32]:
        """How far the words are from the same relative position, between 0 and 1."""
        return np.abs((self.row + 0.5) / self.rows - (self.column + 0.5) / self.columns).astype(np.float32)

    @cached_property
    def nearby_shares(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The square of Dice coefficient × proximity, as a share of its source word's, and of its target word's."""
        nearby = (self.dice * (1 - self.distance)) ** 2
        return self.compared(shares, nearby)

    def compared(
        self, kernel: Callable[..., None], values: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The outcome of comparing each cell with others of its source word, and of its target word."""
        of_source, of_target = np.empty(self.size, np.float32), np.empty(self.size, np.float32)
        kernel(values, self.shapes, of_source, of_target)
        return of_source, of_target

    def diagonal(self, values: NDArray[np.float32], step: int) -> NDArray[np.float32]:
        """The values of the cells ``step`` words on in both sentences, or back if it is negative; 0 at the edge."""
        row, column = self.row + step, self.column + step
        inside = (row >= 0) & (row < self.rows) & (column >= 0) & (column < self.columns)
        places = np.arange(self.size) + step * (self.columns + 1)
        return np.where(inside, values[np.where(inside, places, 0)], np.float32(0))

    def of_words(self, function: Callable[[str, str], float]) -> NDArray[np.float32]:
        """A number for each pair of words: ``function`` is asked once for every two that occur."""
        known, unknown = self.context.association, self.corpus.unknown
        base = np.int64(len(known.target) + len(unknown))
        keys, place = np.unique(self.source * base + self.target, return_inverse=True)
        source, target = [*known.source.words, *unknown], [*known.target.words, *unknown]
        pairs = zip(*(part.tolist() for part in np.divmod(keys, base)), strict=True)
        return np.array([function(source[s], target[t]) for s, t in pairs], np.float32)[place]
