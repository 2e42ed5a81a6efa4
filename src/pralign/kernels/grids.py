"""Boolean grids of links (source word × target word) and the heuristics that grow them."""

import numpy as np

from pralign.kernels.compile import kernel
from pralign.kernels.stopping import stop_if_asked


@kernel
def transpose_pairs(values, states, cell_start, out):
    """Turn the cells of each pair of a block from observed-major to state-major."""
    for k in range(states.size):
        begin, end = cell_start[k], cell_start[k + 1]
        width = np.int64(states[k])
        height = (end - begin) // width if width > 0 else 0
        for j in range(height):
            for i in range(width):
                out[begin + i * height + j] = values[begin + j * width + i]


@kernel
def mark_states(state, states, observed_start, cell_start, grid):
    """Mark the cell (observed-major) of each observed word and its state."""
    for k in range(states.size):
        for j in range(observed_start[k + 1] - observed_start[k]):
            i = state[observed_start[k] + j]
            if i >= 0:
                grid[cell_start[k] + j * np.int64(states[k]) + i] = True


@kernel
def grow_diagonal(forward, reverse, grid):
    """Grow the intersection, in ``grid``, into the union: the *grow-diag* of Moses.

    A link of the union joins if one of its words is still free and one of its eight neighbours is linked. Links are
    tried by source and then target position, take effect at once, and are tried again until nothing changes.
    """
    rows, columns = grid.shape
    row_linked, column_linked = linked_words(grid)
    growing = True
    while growing:
        growing = False
        for i in range(rows):
            stop_if_asked()
            for j in range(columns):
                if grid[i, j] or not (forward[i, j] or reverse[i, j]) or (row_linked[i] and column_linked[j]):
                    continue
                if has_neighbour(grid, i, j):
                    grid[i, j] = row_linked[i] = column_linked[j] = True
                    growing = True


@kernel
def add_final(candidates, both_free, grid):
    """Add, in order, the links of one direction with a free word (``both_free``: with both words free) to ``grid``."""
    row_linked, column_linked = linked_words(grid)
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            if not candidates[i, j] or grid[i, j]:
                continue
            free = (not row_linked[i]) + (not column_linked[j])
            if free == 2 or (free == 1 and not both_free):
                grid[i, j] = row_linked[i] = column_linked[j] = True


@kernel
def linked_words(grid):
    """Which rows and which columns of a grid have a link."""
    rows = np.zeros(grid.shape[0], np.bool_)
    columns = np.zeros(grid.shape[1], np.bool_)
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            if grid[i, j]:
                rows[i] = columns[j] = True
    return rows, columns


@kernel
def has_neighbour(grid, i, j):
    """Whether one of the eight cells around a cell is linked."""
    for a in range(max(i - 1, 0), min(i + 2, grid.shape[0])):
        for b in range(max(j - 1, 0), min(j + 2, grid.shape[1])):
            if grid[a, b] and (a != i or b != j):
                return True
    return False
