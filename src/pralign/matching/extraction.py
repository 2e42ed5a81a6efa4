"""From sentence pairs to cells and their features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pralign.aligner import Aligner
from pralign.kernels.arrays import Shapes
from pralign.links.alignment import Alignment
from pralign.matching.cells import Cells, Column, Context, EncodedText, Posteriors
from pralign.matching.features import BIAS, Feature, Group, Kinds
from pralign.text.bitext import Pair
from pralign.text.corpus import Corpus, blocks, decodable

Predictions = Sequence[Sequence[Alignment]]


@dataclass(frozen=True)
class Extractor:
    """Knows which features there are and what they need.

    Attributes:
        features: The groups of features, in order.
        context: What is the same for all text.
        model: The generative model that is asked for posteriors, if any feature needs them.
    """

    features: tuple[Group, ...]
    context: Context
    model: Aligner | None = None

    @cached_property
    def numbers(self) -> list[Feature]:
        """The groups of numbers."""
        return [group for group in self.features if isinstance(group, Feature)]

    @cached_property
    def kinds(self) -> list[Kinds]:
        """The groups of kinds."""
        return [group for group in self.features if isinstance(group, Kinds)]

    @cached_property
    def columns(self) -> list[tuple[str, str]]:
        """The name of the group and of the feature, for each weight: numbers first, then kinds."""
        groups: list[Group] = [*self.numbers, *self.kinds]
        return [(group.name, name) for group in groups for name in group.columns(self.context)]

    @cached_property
    def number_count(self) -> int:
        """How many numbers there are."""
        return sum(len(group.columns(self.context)) for group in self.numbers)

    @cached_property
    def kind_starts(self) -> list[int]:
        """Where the weights of each group of kinds begin."""
        sizes = [len(group.columns(self.context)) for group in self.kinds]
        return [self.number_count + sum(sizes[:number]) for number in range(len(sizes))]

    @cached_property
    def bias(self) -> int | None:
        """The place of the number that is always one."""
        return next((place for place, (_, name) in enumerate(self.columns) if name == BIAS), None)

    def text(self, pairs: Sequence[Pair], predictions: Predictions = ()) -> TextCells:
        """The cells of ``pairs``; ``predictions`` has, for every other aligner, an alignment for each pair."""
        return TextCells(self, pairs, predictions)

    def values(self, cells: Cells) -> Iterator[Column]:
        """The numbers of each cell, one column after the other."""
        return (column for group in self.numbers for column in group.values(cells))

    def scores(self, cells: Cells, weights: NDArray[np.float64], offset: float) -> NDArray[np.float32]:
        """The sum of weighted features of each cell, and of an offset."""
        total = np.full(cells.size, offset, np.float32)
        for weight, column in zip(weights[: self.number_count].tolist(), self.values(cells), strict=True):
            if weight:
                total += np.float32(weight) * column
        for group, start in zip(self.kinds, self.kind_starts, strict=True):
            kinds = group.kinds(cells)
            some = np.flatnonzero(kinds >= 0)
            total[some] += (group.scale * weights[start:]).astype(np.float32)[kinds[some]]
        return total


class TextCells:
    """The cells of some text, in blocks of sentence pairs that can be worked on one by one."""

    def __init__(self, extractor: Extractor, pairs: Sequence[Pair], predictions: Predictions = ()) -> None:
        self._extractor = extractor
        self._text = EncodedText(extractor.context.association, extractor.context.association.encode(pairs))
        self.predictions = predictions
        self._ask = None if extractor.model is None else extractor.model.observer(pairs)
        self.source_lengths = self._text.corpus.source_lengths
        self.target_lengths = self._text.corpus.target_lengths
        self.is_usable = decodable(self._text.corpus.texts)
        self.usable = np.flatnonzero(self.is_usable)

    @cached_property
    def shapes(self) -> Shapes:
        """Where the cells and the words of each pair that can be aligned begin."""
        rows, columns = self.source_lengths[self.usable], self.target_lengths[self.usable]
        return Shapes(*(np.concatenate([[0], np.cumsum(sizes)]) for sizes in (rows * columns, rows, columns)))

    @property
    def corpus(self) -> Corpus:
        """The text as numbers."""
        return self._text.corpus

    def blocks(self) -> Iterator[NDArray[np.int64]]:
        """The numbers of the pairs that can be aligned, in blocks."""
        return blocks(self.usable, self.source_lengths * self.target_lengths)

    def cells(self, pairs: NDArray[np.int64]) -> Cells:
        """The cells of some pairs."""
        posteriors = None
        if self._ask is not None:
            evidence = self._ask(pairs)
            posteriors = Posteriors(evidence.forward, evidence.reverse)
        marks = tuple(self.marks(pairs, [alignments[pair] for pair in pairs]) for alignments in self.predictions)
        return Cells(self._extractor.context, self._text, pairs, posteriors, marks)

    def marks(self, pairs: NDArray[np.int64], alignments: Sequence[Alignment]) -> NDArray[np.bool_]:
        """Which cells of some pairs are links of their alignments."""
        columns = self.target_lengths[pairs]
        sizes = self.source_lengths[pairs] * columns
        start = np.cumsum(sizes) - sizes
        marks = np.zeros(sizes.sum(), np.bool_)
        places = [
            begin + i * width + j
            for begin, width, alignment in zip(start.tolist(), columns.tolist(), alignments, strict=True)
            for i, j in alignment.links
        ]
        marks[places] = True
        return marks
