"""The best set of links of a sentence pair: exact, with words that stay alone and words that take several partners."""

import numpy as np

from pralign.kernels.compile import kernel
from pralign.kernels.stopping import stop_if_asked

# Gains below this share of the highest score are rounding errors.
_LEAST_GAIN = 1e-11


@kernel
def assign_pairs(scores, shapes, terms, first, last, chosen):
    """Mark the best links of the pairs ``first`` to ``last``.

    Links add their scores; every link of a source word beyond its first costs ``terms.source_cost``, of a target word
    ``terms.target_cost`` (neither below zero), and no word has more than ``terms.capacity``.
    """
    for k in range(first, last):
        begin, end = shapes.cell_start[k], shapes.cell_start[k + 1]
        rows = shapes.source_start[k + 1] - shapes.source_start[k]
        if end > begin:
            columns = (end - begin) // rows
            grid = scores[begin:end].reshape((rows, columns))
            assign(grid, terms, chosen[begin:end].reshape((rows, columns)))


@kernel
def assign(scores, terms, chosen):
    """Mark the best links of one pair, a grid of source words × target words.

    Source words join one after the other. A new word is linked along the path that gains most: it takes a partner,
    whose own partner may have to look for another, and so on. If no path gains, nothing better can be done; the same
    holds for every further link of a word. Only links that score above zero are ever worth making.
    """
    rows, columns = scores.shape
    capacity = min(np.int64(terms.capacity), max(rows, columns))
    chosen[:, :] = False
    row_start, column_of = positive_cells(scores)
    highest = 0.0
    for i in range(rows):
        for c in range(row_start[i], row_start[i + 1]):
            highest = max(highest, scores[i, column_of[c]])
    least = _LEAST_GAIN * highest
    row_links = np.zeros(rows, np.int64)
    column_links = np.zeros(columns, np.int64)
    partners = np.empty((columns, capacity), np.int64)
    row_gain = np.empty(rows)
    column_gain = np.empty(columns)
    row_from = np.empty(rows, np.int64)
    column_from = np.empty(columns, np.int64)
    queue = np.empty(rows + 1, np.int64)
    queued = np.zeros(rows, np.bool_)
    for row in range(rows):
        if row_start[row] == row_start[row + 1]:
            continue
        for link in range(capacity):
            row_gain[:] = -np.inf
            column_gain[:] = -np.inf
            row_gain[row] = -terms.source_cost if link else 0.0
            row_from[row] = -1
            best, end, ends_in_row = least, -1, False
            head, tail = 0, 1
            queue[0] = row
            queued[row] = True
            while head != tail:
                stop_if_asked()
                i = queue[head]
                head = (head + 1) % queue.size
                queued[i] = False
                for c in range(row_start[i], row_start[i + 1]):
                    j = column_of[c]
                    gain = row_gain[i] + scores[i, j]
                    if chosen[i, j] or gain <= column_gain[j] + least:
                        continue
                    column_gain[j] = gain
                    column_from[j] = i
                    if column_links[j] < capacity:
                        total = gain - (terms.target_cost if column_links[j] else 0.0)
                        if total > best:
                            best, end, ends_in_row = total, j, False
                    for p in range(column_links[j]):
                        other = partners[j, p]
                        gain_there = gain - scores[other, j]
                        if gain_there <= row_gain[other] + least:
                            continue
                        row_gain[other] = gain_there
                        row_from[other] = j
                        total = gain_there + (terms.source_cost if row_links[other] > 1 else 0.0)
                        if total > best:
                            best, end, ends_in_row = total, other, True
                        if not queued[other]:
                            queued[other] = True
                            queue[tail] = other
                            tail = (tail + 1) % queue.size
            if end < 0:
                break
            row_links[row] += 1
            if ends_in_row:
                row_links[end] -= 1
                _part(partners, column_links, chosen, end, row_from[end])
                end = row_from[end]
            _relink(partners, column_links, chosen, row_from, column_from, row, end)


@kernel
def _relink(partners, column_links, chosen, row_from, column_from, row, j):
    """Make and undo links along the path that was found, from its last target word back to the word it began with."""
    while True:
        i = column_from[j]
        chosen[i, j] = True
        partners[j, column_links[j]] = i
        column_links[j] += 1
        if i == row:
            return
        j = row_from[i]
        _part(partners, column_links, chosen, i, j)


@kernel
def _part(partners, column_links, chosen, i, j):
    """Undo the link of a source and a target word."""
    chosen[i, j] = False
    column_links[j] -= 1
    for p in range(column_links[j]):
        if partners[j, p] == i:
            partners[j, p] = partners[j, column_links[j]]


@kernel
def positive_cells(grid):
    """The cells above zero, row by row: where each row begins, and their columns."""
    rows, columns = grid.shape
    row_start = np.zeros(rows + 1, np.int64)
    column_of = np.empty(grid.size, np.int64)
    size = 0
    for i in range(rows):
        for j in range(columns):
            if grid[i, j] > 0:
                column_of[size] = j
                size += 1
        row_start[i + 1] = size
    return row_start, column_of[:size]
