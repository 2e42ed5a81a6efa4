"""Marked cells of labelled pairs, counted against the labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pralign.evaluation.counts import LinkCounts

Marks = NDArray[np.bool_]


def cells_of(pairs: NDArray[np.int64], start: NDArray[np.int64]) -> Marks:
    """Which cells belong to some pairs, where ``start`` says at which cell each pair begins."""
    chosen = np.zeros(start.size - 1, np.bool_)
    chosen[pairs] = True
    return np.repeat(chosen, np.diff(start))


def count_marks(links: Marks, sure: Marks, possible: Marks, cells: Marks, pairs: int) -> LinkCounts:
    """How the links among some cells, those of so many pairs, compare with the labels."""
    links, sure, possible = links & cells, sure & cells, possible & cells

    def size(marked: Marks) -> int:
        return int(marked.sum())

    return LinkCounts(size(links), size(sure), size(possible), size(links & sure), size(links & possible), pairs)
