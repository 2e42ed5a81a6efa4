"""How a cell compares with the other cells of its two words."""

from __future__ import annotations

import numpy as np

from pralign.kernels.compile import kernel


@kernel
def shares(values, shapes, of_source, of_target):
    """Write the share that each cell has in the sum of its source word's values, and of its target word's."""
    for k in range(shapes.cell_start.size - 1):
        rows = shapes.source_start[k + 1] - shapes.source_start[k]
        columns = shapes.target_start[k + 1] - shapes.target_start[k]
        begin = shapes.cell_start[k]
        totals = np.zeros(columns)
        for i in range(rows):
            total = 0.0
            for j in range(columns):
                value = values[begin + i * columns + j]
                total += value
                totals[j] += value
            for j in range(columns):
                cell = begin + i * columns + j
                of_source[cell] = values[cell] / total if total > 0 else 0.0
        for i in range(rows):
            for j in range(columns):
                cell = begin + i * columns + j
                of_target[cell] = values[cell] / totals[j] if totals[j] > 0 else 0.0


@kernel
def rivals(values, shapes, of_source, of_target):
    """Write the highest value of the other cells of each cell's source word, and of its target word."""
    for k in range(shapes.cell_start.size - 1):
        rows = shapes.source_start[k + 1] - shapes.source_start[k]
        columns = shapes.target_start[k + 1] - shapes.target_start[k]
        begin = shapes.cell_start[k]
        for i in range(rows):
            _best_others(values, begin + i * columns, columns, 1, of_source)
        for j in range(columns):
            _best_others(values, begin + j, rows, columns, of_target)


@kernel
def _best_others(values, first, count, step, out):
    """For each of ``count`` values, ``step`` apart, the highest of the others; nothing is above zero without others."""
    best, second, place = 0.0, 0.0, -1
    for n in range(count):
        value = values[first + n * step]
        if value > best:
            best, second, place = value, best, n
        elif value > second:
            second = value
    for n in range(count):
        out[first + n * step] = second if n == place else best
