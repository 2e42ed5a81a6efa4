"""What a learner sees: labelled pairs as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pralign.evaluation.counts import LinkCounts
from pralign.kernels.arrays import LinkTerms, Point, Shapes
from pralign.kernels.assignment import assign_pairs
from pralign.kernels.margin import FORBIDDEN, Examples, count_further_links
from pralign.links.alignment import Alignment
from pralign.matching.extraction import Extractor, TextCells
from pralign.matching.marks import cells_of, count_marks
from pralign.matching.scaling import Scaling

Weights = NDArray[np.float64]
Pairs = NDArray[np.int64]

# How much closeness and association count when only some of a word's sure links can be kept.
_TIE = 0.1


@dataclass(frozen=True)
class LearningProblem:
    """Labelled pairs, ready to be learned from.

    Weights come in the order of the extractor's columns, and after them the costs of further links of a source word and
    of a target word.

    Attributes:
        examples: Features, losses and links.
        sure: The cells that annotators linked for sure.
        possible: The cells that they linked, for sure or possibly.
        size: How many weights there are to learn.
        capacity: How many links a word may have.
        bias: The place of the weight that works as a threshold, if there is one.
    """

    examples: Examples
    sure: NDArray[np.bool_]
    possible: NDArray[np.bool_]
    size: int
    capacity: int
    bias: int | None

    @classmethod
    def build(
        cls,
        extractor: Extractor,
        text: TextCells,
        golds: Sequence[Alignment],
        scaling: Scaling,
        capacity: int,
        miss_cost: float,
    ) -> LearningProblem:
        """Take in labelled pairs; those with an empty side are left out.

        A wrong link costs 1, a sure link that is missing ``miss_cost``, possible links nothing either way. Where a word
        has more sure links than ``capacity``, those that it cannot have cost nothing either.
        """
        shapes = text.shapes
        numbers, kinds, likely = _features(extractor, text)
        scaling.apply(numbers)
        chosen = [golds[pair] for pair in text.usable.tolist()]
        possible = text.marks(text.usable, chosen)
        sure = text.marks(text.usable, [Alignment(tuple(gold.sure)) for gold in chosen])
        kept = _within_capacity(sure, likely, shapes, capacity)
        loss = np.where(kept, -miss_cost, np.where(possible, FORBIDDEN, 1.0))
        further = np.zeros(shapes.source_start[-1]), np.zeros(shapes.target_start[-1])
        count_further_links(kept, shapes, *further)
        scales = np.array([group.scale for group in extractor.kinds])
        examples = Examples(numbers, kinds, scales, loss, shapes, Point(kept.astype(np.float64), *further))
        return cls(examples, sure, possible, len(extractor.columns) + 2, capacity, extractor.bias)

    def count(self, marks: NDArray[np.bool_], pairs: Pairs) -> LinkCounts:
        """How the marked cells of some pairs compare with the labels."""
        cells = cells_of(pairs, self.examples.shapes.cell_start)
        return count_marks(marks, self.sure, self.possible, cells, pairs.size)


def _features(
    extractor: Extractor, text: TextCells
) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.float32]]:
    """The numbers and the kinds of each cell, and how likely a link is at first sight."""
    starts = extractor.kind_starts
    cells_in_all = int(text.shapes.cell_start[-1])
    numbers = np.empty((cells_in_all, extractor.number_count), np.float32)
    kinds = np.empty((cells_in_all, len(starts)), np.int32)
    likely = np.empty(cells_in_all, np.float32)
    filled = 0
    for part in text.blocks():
        cells = text.cells(part)
        here = slice(filled, filled + cells.size)
        for number, column in enumerate(extractor.values(cells)):
            numbers[here, number] = column
        for number, (group, start) in enumerate(zip(extractor.kinds, starts, strict=True)):
            kind = group.kinds(cells)
            kinds[here, number] = np.where(kind >= 0, kind + start, -1)
        likely[here] = cells.dice - cells.distance
        filled += cells.size
    return numbers, kinds, likely


def _within_capacity(
    sure: NDArray[np.bool_], likely: NDArray[np.float32], shapes: Shapes, capacity: int
) -> NDArray[np.bool_]:
    """As many sure links as words can take; where there is a choice, of words that are close and go together."""
    kept = np.zeros_like(sure)
    worth = np.where(sure, 1 + _TIE * likely, 0).astype(np.float32)
    assign_pairs(worth, shapes, LinkTerms(capacity, 0.0, 0.0), 0, shapes.cell_start.size - 1, kept)
    return kept
