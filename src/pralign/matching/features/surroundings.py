"""What a generative model says of the cells around: links come side by side, and words have few."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pralign.errors import UsageError
from pralign.matching.cells import Cells, Column, Context
from pralign.matching.features.base import Feature, register_feature
from pralign.matching.features.frequency import log_rank

# Steps in the source and in the target sentence.
_AROUND = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)] + [(-2, 0), (0, -2), (2, 0), (0, 2)]
# Words further from the likeliest partner are all alike.
_FAR = 4


@register_feature
class Surroundings(Feature):
    """The mean posterior of the twelve cells around, and what is to be said of the other links of each word.

    That is: what they add up to, null, and of the best partner how likely it is, how far away, and how common.
    """

    name = "surroundings"
    needs_posteriors = True
    nonlinear = True

    def columns(self, context: Context) -> list[str]:
        """Twenty-two numbers."""
        around = [f"posterior {i:+d} {j:+d}" for i, j in _AROUND]
        others = [
            f"{what}, {side} word"
            for side in ("source", "target")
            for what in ("other links", "null", "best posterior", "words from the best", "rank of the best")
        ]
        return [*around, *others]

    def values(self, cells: Cells) -> Iterator[Column]:
        """Yield the numbers."""
        if cells.posteriors is None:
            raise UsageError("the feature surroundings needs a generative model")
        forward, reverse = cells.posteriors
        mean = (forward + reverse) * np.float32(0.5)
        for step in _AROUND:
            yield _shifted(cells, mean, *step)
        for side in (0, 1):
            yield from _of_word(cells, mean, (reverse, forward)[side], side)


def _shifted(cells: Cells, values: NDArray[np.float32], rows: int, columns: int) -> NDArray[np.float32]:
    """The values of the cells so many words on in each sentence; 0 beyond its edge."""
    row, column = cells.row + rows, cells.column + columns
    inside = (row >= 0) & (row < cells.rows) & (column >= 0) & (column < cells.columns)
    places = np.arange(cells.size) + rows * cells.columns + columns
    return np.where(inside, values[np.where(inside, places, 0)], np.float32(0))


def _of_word(
    cells: Cells, mean: NDArray[np.float32], explained: NDArray[np.float32], side: int
) -> Iterator[NDArray[np.float32]]:
    """What is to be said of the source words (side 0) or of the target words of the cells."""
    places, partners = (cells.row, cells.column) if side == 0 else (cells.column, cells.row)
    starts = (cells.shapes.source_start, cells.shapes.target_start)[side]
    word = starts[cells.pair] + places
    known = cells.context.association
    ranks = log_rank(cells.target, len(known.target)) if side == 0 else log_rank(cells.source, len(known.source))
    totals = np.zeros((2, int(starts[-1])))
    np.add.at(totals[0], word, mean)
    np.add.at(totals[1], word, explained)
    order = np.lexsort((-np.arange(cells.size), mean, word))
    best = np.empty(int(starts[-1]), np.int64)
    best[word[order]] = order  # the last one of a word is the likeliest
    found = best[word]
    yield (totals[0][word] - mean).astype(np.float32)
    yield (1 - totals[1][word]).astype(np.float32)
    yield mean[found]
    yield np.clip(partners - partners[found], -_FAR, _FAR).astype(np.float32)
    yield ranks[found]
