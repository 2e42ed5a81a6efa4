"""The closest point of the matching polytope, by Euclidean distance.

A point of the polytope holds a number between 0 and 1 for every cell, and for every word how many links it has beyond
the first, between 0 and ``most_extra``; the cells of a word add up to at most one more than that. The closest point to
``(z, a, b)`` is ``clip(z - u - v)``, ``clip(a + u)``, ``clip(b + v)`` for prices ``u`` of source and ``v`` of target
words, none below zero, so a search over prices is all there is to do. With the prices of one side fixed, those of the
other are independent and found exactly; taking turns climbs the dual without end. Newton's method on the prices that
are not zero, which are few, ends it: the dual is made of pieces of parabolas.
"""

from __future__ import annotations

import numpy as np

from pralign.kernels.assignment import positive_cells
from pralign.kernels.cholesky import solve
from pralign.kernels.compile import kernel
from pralign.kernels.stopping import stop_if_asked

# How far a word may be above what it can have, and how far below with a price to pay.
_TOLERANCE = 1e-10
_MOST_ROUNDS = 1000
# Points with higher numbers are approached step by step, each so many times closer.
_MODERATE = 3.0
_FINER = 2.0
# Rounds of taking turns before and between Newton's steps.
_TURNS = 3
_DAMPING = (1e-8, 1e-6, 1e-4, 1e-2, 0.1, 0.5, 2.0)


@kernel
def project(grid, source, target, most_extra, new_grid, new_source, new_target):
    """Project one pair; the result is what remains to be desired, zero but for rounding."""
    rows, columns = grid.shape
    row_start, column_of = positive_cells(grid)
    column_start, row_of, cell_of = _by_column(row_start, column_of, columns)
    value = np.empty(column_of.size)
    for i in range(rows):
        for c in range(row_start[i], row_start[i + 1]):
            value[c] = grid[i, column_of[c]]
    u = np.zeros(rows)
    v = np.zeros(columns)
    highest = value.max() if value.size else 0.0
    scale = 1.0
    while highest > _MODERATE * scale:
        scale *= _FINER
    # Far outside, prices would have far to go. Those of a point closer by, on the same line, are about in proportion.
    error = np.inf
    while True:
        shrunk = value / scale
        by_row = (row_start, column_of, np.arange(column_of.size), shrunk)
        by_column = (column_start, row_of, cell_of, shrunk)
        error = _settle(by_row, by_column, source / scale, target / scale, u, v, most_extra)
        if scale == 1:
            break
        scale /= _FINER
        u *= _FINER
        v *= _FINER
    new_grid[:, :] = 0.0
    for i in range(rows):
        for c in range(row_start[i], row_start[i + 1]):
            j = column_of[c]
            new_grid[i, j] = _clip(value[c] - u[i] - v[j], 1.0)
        new_source[i] = _clip(source[i] + u[i], most_extra)
    for j in range(columns):
        new_target[j] = _clip(target[j] + v[j], most_extra)
    return error


@kernel
def _settle(by_row, by_column, source, target, u, v, most_extra):
    """Find the right prices, in place, starting from those given; the result is what remains to be desired."""
    error = np.inf
    for attempt in range(_MOST_ROUNDS):
        _take_turn(by_row, source, v, most_extra, u)
        _take_turn(by_column, target, u, most_extra, v)
        error = _largest_error(by_row, source, u, v, most_extra)
        if error <= _TOLERANCE:
            break
        if attempt % _TURNS == _TURNS - 1:
            _newton(by_row, by_column, source, target, u, v, most_extra)
    return error


@kernel
def _clip(value, most):
    return min(max(value, 0.0), most)


@kernel
def _by_column(row_start, column_of, columns):
    """The same cells column by column: where each column begins, their rows, and their numbers row by row."""
    start = np.zeros(columns + 1, np.int64)
    for j in column_of:
        start[j + 1] += 1
    for j in range(columns):
        start[j + 1] += start[j]
    free = start[:-1].copy()
    row_of = np.empty(column_of.size, np.int64)
    cell_of = np.empty(column_of.size, np.int64)
    for i in range(row_start.size - 1):
        for c in range(row_start[i], row_start[i + 1]):
            j = column_of[c]
            row_of[free[j]] = i
            cell_of[free[j]] = c
            free[j] += 1
    return start, row_of, cell_of


@kernel
def _excess(cells, extra, other_prices, most_extra, word, price):
    """How much a word has above what it may at a price, and how fast that falls as the price rises."""
    start, other, number, value = cells
    excess = -1.0 - _clip(extra[word] + price, most_extra)
    slope = 1.0 if 0 <= extra[word] + price < most_extra else 0.0
    for c in range(start[word], start[word + 1]):
        share = value[number[c]] - other_prices[other[c]] - price
        if share >= 1:
            excess += 1
        elif share > 0:
            excess += share
            slope += 1
    return excess, slope


@kernel
def _take_turn(cells, extra, other_prices, most_extra, prices):
    """Find the best price of every word of one side, those of the other side being fixed."""
    start, other, number, value = cells
    for word in range(prices.size):
        stop_if_asked()
        if start[word] == start[word + 1]:
            continue
        low = 0.0
        excess, slope = _excess(cells, extra, other_prices, most_extra, word, low)
        if excess <= 0:
            prices[word] = 0.0
            continue
        high = 0.0
        for c in range(start[word], start[word + 1]):
            high = max(high, value[number[c]] - other_prices[other[c]])
        price = min(prices[word], high)
        for _ in range(200):
            excess, slope = _excess(cells, extra, other_prices, most_extra, word, price)
            if abs(excess) <= 0.01 * _TOLERANCE:
                break
            if excess > 0:
                low = price
            else:
                high = price
            step = price + excess / slope if slope > 0 else high + 1
            price = step if low < step < high else 0.5 * (low + high)
            if high - low <= 1e-16 * high:
                break
        prices[word] = price


@kernel
def _largest_error(by_row, source, u, v, most_extra):
    """By how much source words are above what they may have, or below although they pay.

    Target words have had the last turn and are right.
    """
    worst = 0.0
    for i in range(u.size):
        excess, _ = _excess(by_row, source, v, most_extra, i, u[i])
        worst = max(worst, abs(excess) if u[i] > 0 else excess)
    return worst


@kernel
def _newton(by_row, by_column, source, target, u, v, most_extra):
    """Solve for all prices that are not zero at once, as if no number came to or left its bounds.

    Where that lowers the dual, only a part of the way is gone.
    """
    rows, columns = u.size, v.size
    place_u = np.full(rows, -1, np.int64)
    place_v = np.full(columns, -1, np.int64)
    size = 0
    for i in range(rows):
        if u[i] > 0:
            place_u[i] = size
            size += 1
    for j in range(columns):
        if v[j] > 0:
            place_v[j] = size
            size += 1
    matrix = np.zeros((1, size, size))
    right = np.zeros(size)
    row_start, column_of, _, value = by_row
    for i in range(rows):
        if place_u[i] < 0:
            continue
        right[place_u[i]], matrix[0, place_u[i], place_u[i]] = _excess(by_row, source, v, most_extra, i, u[i])
        for c in range(row_start[i], row_start[i + 1]):
            j = column_of[c]
            if place_v[j] >= 0 and 0 < value[c] - u[i] - v[j] < 1:
                matrix[0, place_u[i], place_v[j]] = matrix[0, place_v[j], place_u[i]] = 1.0
    for j in range(columns):
        if place_v[j] >= 0:
            right[place_v[j]], matrix[0, place_v[j], place_v[j]] = _excess(by_column, target, u, most_extra, j, v[j])
    best = _dual(by_row, source, target, u, v, most_extra)
    old_u, old_v = u.copy(), v.copy()
    best_u, best_v = old_u, old_v
    # What adds up to the same for all cells may be moved from one side's prices to the other's, so the matrix is
    # singular; a little on its diagonal helps, and more of it, which means shorter steps, where the step leads astray.
    for damping in _DAMPING:
        damped = matrix.copy()
        for place in range(size):
            damped[0, place, place] += damping
        step = right.copy()
        solve(damped, 0, step)
        for i in range(rows):
            if place_u[i] >= 0:
                u[i] = max(old_u[i] + step[place_u[i]], 0.0)
        for j in range(columns):
            if place_v[j] >= 0:
                v[j] = max(old_v[j] + step[place_v[j]], 0.0)
        value = _dual(by_row, source, target, u, v, most_extra)
        if value > best:
            best, best_u, best_v = value, u.copy(), v.copy()
            if damping == _DAMPING[0]:
                break
    u[:] = best_u
    v[:] = best_v


@kernel
def _dual(by_row, source, target, u, v, most_extra):
    """What prices promise about the distance: the higher, the closer they are to the right ones."""
    row_start, column_of, _, value = by_row
    total = 0.0
    for i in range(u.size):
        for c in range(row_start[i], row_start[i + 1]):
            price = u[i] + v[column_of[c]]
            share = _clip(value[c] - price, 1.0)
            total += 0.5 * (share - value[c]) ** 2 + price * share
        extra = _clip(source[i] + u[i], most_extra)
        total += 0.5 * (extra - source[i]) ** 2 - u[i] * (1 + extra)
    for j in range(v.size):
        extra = _clip(target[j] + v[j], most_extra)
        total += 0.5 * (extra - target[j]) ** 2 - v[j] * (1 + extra)
    return total
