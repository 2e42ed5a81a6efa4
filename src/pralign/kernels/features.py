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

    What is summed over the features of a pair depends on their order in the last bit. It is therefore an order that
    stays the same when the sides of the text are exchanged, see :mod:`pralign.constraints.orientation`.
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
def cell_features(states, cell_start, by_source, features):
    """One feature a cell, on which two directions are to agree: the cell forward minus the same cell in reverse.

    The cells of pair ``k`` are listed source word by source word if ``by_source[k]``, else by target words.
    """
    for k in range(states.size):
        begin = cell_start[k]
        cells = cell_start[k + 1] - begin
        height = np.int64(states[k])
        width = cells // max(height, 1)
        features.first[k + 1] = cell_start[k + 1]
        for f in range(begin, begin + cells):
            i, j = place(f - begin, height, width, by_source[k])
            features.start[f + 1] = 2 * f + 2
            features.cell[2 * f] = begin + j * height + i
            features.value[2 * f] = 1.0
            features.cell[2 * f + 1] = features.cells + begin + i * width + j
            features.value[2 * f + 1] = -1.0


@kernel
def place(number, height, width, by_source):
    """The source and the target word of a cell, by its place in the list of its pair."""
    if by_source:
        return number // width, number % width
    return number % height, number // height


@kernel
def tree_features(states, cell_start, by_source, known, features):
    """As :func:`cell_features`, but for a cell of the tree: its less sure direction expects what the surer one does.

    ``known`` holds the posteriors, forward and reverse, and whether a cell is of the tree, all source word by source
    word. Returns the number of entries.
    """
    forward, reverse, tree = known
    e = 0
    for k in range(states.size):
        begin = cell_start[k]
        height = np.int64(states[k])
        width = (cell_start[k + 1] - begin) // max(height, 1)
        features.first[k + 1] = cell_start[k + 1]
        for f in range(begin, cell_start[k + 1]):
            i, j = place(f - begin, height, width, by_source[k])
            c = begin + i * width + j
            kept = tree[c] and forward[c] != reverse[c]
            if not kept or forward[c] < reverse[c]:
                features.cell[e] = begin + j * height + i
                features.value[e] = 1.0
                e += 1
            if not kept or forward[c] > reverse[c]:
                features.cell[e] = features.cells + c
                features.value[e] = 1.0 if kept else -1.0
                e += 1
            if kept:
                # Each direction is half of a mixture.
                features.bound[f] = 0.5 * max(forward[c], reverse[c])
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
