"""Pairs of any shape, side by side in the flat arrays of the matching kernels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from pralign.kernels.arrays import Shapes

Size = tuple[int, int]
SEEDS = st.integers(0, 2**32 - 1)


def lists_of_sizes(most: int = 4, least: int = 1) -> st.SearchStrategy[list[Size]]:
    """The sizes of a few pairs, source words first."""
    return st.lists(st.tuples(st.integers(least, most), st.integers(least, most)), max_size=5)


def shapes_of(sizes: Sequence[Size]) -> Shapes:
    counts = [[rows * columns for rows, columns in sizes], *([size[side] for size in sizes] for side in (0, 1))]
    return Shapes(*(np.cumsum([0, *count]) for count in counts))


def cells_of(values: NDArray[Any], shapes: Shapes, k: int) -> NDArray[Any]:
    """The cells of a pair as a grid."""
    rows = shapes.source_start[k + 1] - shapes.source_start[k]
    columns = shapes.target_start[k + 1] - shapes.target_start[k]
    return values[shapes.cell_start[k] : shapes.cell_start[k + 1]].reshape(rows, columns)


def ranges(pairs: int, cuts: Sequence[int]) -> list[tuple[int, int]]:
    """Consecutive ranges of pairs, cut at some places; some may be empty."""
    edges = [0, *sorted(cut % (pairs + 1) for cut in cuts), pairs]
    return list(pairwise(edges))
