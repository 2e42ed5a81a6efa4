"""Features on the same scale."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pralign.matching.cells import Cells
from pralign.matching.extraction import Extractor
from pralign.schema.arrays import Array, Schema, between

# No feature is larger, or varies by less.
MOST_NUMBER = 1e30
LEAST_DEVIATION = 1e-30


@dataclass(frozen=True)
class Scaling:
    """What is subtracted from each number, and what it is then divided by.

    Numbers end up with mean 0 and deviation 1 over the cells of the labelled pairs. Without a bias nothing is
    subtracted, since that would be a bias.

    Attributes:
        mean: What is subtracted.
        deviation: What is divided by; 1 for what is always the same.
        varying: Which numbers are not always the same.
    """

    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    varying: NDArray[np.bool_]

    @classmethod
    def of(cls, extractor: Extractor, blocks: Iterable[Cells]) -> Scaling:
        """Look at all cells once."""
        cells_in_all = 0
        total = np.zeros(extractor.number_count)
        squares = np.zeros(extractor.number_count)
        for cells in blocks:
            cells_in_all += cells.size
            for number, column in enumerate(extractor.values(cells)):
                values = column.astype(np.float64)
                total[number] += values.sum()
                squares[number] += values @ values
        mean = total / max(cells_in_all, 1)
        variance = squares / max(cells_in_all, 1) - mean**2
        # Rounding leaves a little variance in what is always the same.
        deviation = np.where(variance > 1e-10 * mean**2, np.sqrt(np.maximum(variance, 0)), 0)
        varying = deviation > 0
        if extractor.bias is None:
            mean = np.zeros_like(mean)
        else:
            mean[extractor.bias] = 0
        return cls(mean, np.where(varying, deviation, 1), varying)

    @staticmethod
    def schema() -> Schema:
        """What its arrays must be like; there is a number for each feature that is no kind."""
        return {**standardising(), "varying": Array("bool", ("numbers",))}

    def apply(self, numbers: NDArray[np.float32]) -> None:
        """Bring numbers, a row a cell, to scale, in place."""
        numbers -= self.mean.astype(np.float32)
        numbers /= self.deviation.astype(np.float32)

    def undo(self, weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
        """Weights for numbers as they are, and the offset that makes up for what was subtracted."""
        plain = weights.copy()
        plain[: self.mean.size] /= self.deviation
        return plain, -float(plain[: self.mean.size] @ self.mean)


def standardising() -> Schema:
    """What is subtracted from numbers, and what they are then divided by."""
    return {
        "mean": Array("float64", ("numbers",), (between(-MOST_NUMBER, MOST_NUMBER),)),
        "deviation": Array("float64", ("numbers",), (between(LEAST_DEVIATION, MOST_NUMBER),)),
    }
