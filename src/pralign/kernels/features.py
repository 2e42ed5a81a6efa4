"""The features of built-in constraints, as arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Float, Int, Long
from pralign.kernels.compile import kernel


class Features(NamedTuple):
    """The features of a block of pairs: weighted sums of cells, and what their expectations are bounded by.

    The features of pair ``k`` are ``first[k]`` to ``first[k + 1]``; feature ``f`` has the entries ``start[f]`` to
    ``start[f + 1]``, each a cell and its value. Cells are numbered as in the lattice; where both directions are
    projected together, those of the second come after all ``cells`` of the first. ``scale`` is the largest value of
    each feature.
    """

    first: Long
    start: Long
    cell: Int
    value: Float
    bound: Double
    equal: NDArray[np.bool_]
    scale: Double
    cells: int


@kernel
def cell_features(states, cell_start, features):
    """One feature a cell, on which two directions are to agree: the cell forward minus the same cell in reverse."""
    for k in range(states.size):
        begin = cell_start[k]
        cells = cell_start[k + 1] - begin
        height = np.int64(states[k])
        width = cells // max(height, 1)
        features.first[k + 1] = cell_start[k + 1]
        for j in range(width):
            for i in range(height):
                f = begin + j * height + i
                features.start[f + 1] = 2 * f + 2
                features.cell[2 * f] = f
                features.value[2 * f] = 1.0
                features.cell[2 * f + 1] = features.cells + begin + i * width + j
                features.value[2 * f + 1] = -1.0


@kernel
def tree_features(states, cell_start, posteriors, tree, features):
    """As :func:`cell_features`, but for a cell of the tree: its less sure direction expects what the surer one does.

    ``posteriors`` (forward and reverse) and ``tree`` are given source word by source word. Returns the number of
    entries.
    """
    forward, reverse = posteriors
    e = 0
    for k in range(states.size):
        begin = cell_start[k]
        height = np.int64(states[k])
        width = (cell_start[k + 1] - begin) // max(height, 1)
        features.first[k + 1] = cell_start[k + 1]
        for j in range(width):
            for i in range(height):
                f = begin + j * height + i
                place = begin + i * width + j
                kept = tree[place] and forward[place] != reverse[place]
                if not kept or forward[place] < reverse[place]:
                    features.cell[e] = f
                    features.value[e] = 1.0
                    e += 1
                if not kept or forward[place] > reverse[place]:
                    features.cell[e] = features.cells + place
                    features.value[e] = 1.0 if kept else -1.0
                    e += 1
                if kept:
                    # Each direction is half of a mixture.
                    features.bound[f] = 0.5 * max(forward[place], reverse[place])
                features.start[f + 1] = e
    return e


@kernel
def state_features(states, cell_start, features):
    """One feature a state: how many observed words it explains."""
    f = 0
    e = 0
    for k in range(states.size):
        height = np.int64(states[k])
        for i in range(height):
            for c in range(cell_start[k] + i, cell_start[k + 1], height):
                features.cell[e] = c
                features.value[e] = 1.0
                e += 1
            f += 1
            features.start[f] = e
        features.first[k + 1] = f
