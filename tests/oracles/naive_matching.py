"""Matchings by listing all link sets, the polytope by a solver for any problem, and the rest by the definitions.

A pair is a grid ``scores[i][j]`` of source words × target words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import LinearConstraint, linprog, minimize

Array = NDArray[np.float64]
Sentence = Sequence[int]


class Terms(NamedTuple):
    """How many links a word may have, and what each beyond the first costs a source word and a target word."""

    capacity: int
    source_cost: float
    target_cost: float


# Links


@cache
def all_link_sets(rows: int, columns: int) -> NDArray[np.bool_]:
    """Every subset of the cells of a grid."""
    return np.array(list(product([False, True], repeat=rows * columns))).reshape(-1, rows, columns)


def value_of_links(scores: Array, links: NDArray[np.bool_], terms: Terms) -> float:
    """What links score, less what those beyond the first of a word cost; nothing is worse than too many."""
    total = 0.0
    for i, j in np.argwhere(links):
        total += float(scores[i, j])
    for of_word, cost in ((links.sum(axis=1), terms.source_cost), (links.sum(axis=0), terms.target_cost)):
        for count in of_word:
            if count > terms.capacity:
                return -np.inf
            total -= cost * max(int(count) - 1, 0)
    return total


def best_value(scores: Array, terms: Terms) -> float:
    """The most that any links score."""
    return _best(scores, terms)[0]


def best_links(scores: Array, terms: Terms) -> NDArray[np.bool_]:
    """Links that score most."""
    return _best(scores, terms)[1]


def _best(scores: Array, terms: Terms) -> tuple[float, NDArray[np.bool_]]:
    sets = all_link_sets(*scores.shape)
    of_source, of_target = sets.sum(axis=2), sets.sum(axis=1)
    values = (sets * scores).sum(axis=(1, 2), dtype=float)
    values -= terms.source_cost * np.maximum(of_source - 1, 0).sum(axis=1)
    values -= terms.target_cost * np.maximum(of_target - 1, 0).sum(axis=1)
    values[(of_source > terms.capacity).any(axis=1) | (of_target > terms.capacity).any(axis=1)] = -np.inf
    place = int(values.argmax())
    return float(values[place]), sets[place]


def further_links(links: NDArray[np.bool_]) -> tuple[list[int], list[int]]:
    """How many links each source word and each target word has beyond its first."""
    source = [max(sum(bool(link) for link in row) - 1, 0) for row in links]
    target = [max(sum(bool(link) for link in column) - 1, 0) for column in links.T]
    return source, target


# The polytope


def word_sums(rows: int, columns: int) -> Array:
    """For each word, what takes a point (cells, source extras, target extras) to its links less its extra ones."""
    matrix = np.zeros((rows + columns, rows * columns + rows + columns))
    for i in range(rows):
        for j in range(columns):
            matrix[i, i * columns + j] = 1
            matrix[rows + j, i * columns + j] = 1
    for word in range(rows + columns):
        matrix[word, rows * columns + word] = -1
    return matrix


def nearest_point(grid: Array, source: Array, target: Array, most_extra: float) -> Array:
    """The closest point of the polytope, flat, by sequential quadratic programming.

    The solver stops short of it now and then, so it starts from several places, and the closest point counts.
    """
    wanted = np.concatenate((grid.ravel(), source, target))
    most = np.concatenate((np.ones(grid.size), np.full(source.size + target.size, most_extra)))
    sums = word_sums(*grid.shape)
    free = most > 0  # the solver does not like variables that cannot vary
    clipped = np.clip(wanted[free], 0, most[free])
    inside = clipped / max((*grid.shape, 1))
    tries = [
        minimize(
            lambda x: 0.5 * np.sum((x - wanted[free]) ** 2),
            start,
            jac=lambda x: x - wanted[free],
            bounds=[(0, limit) for limit in most[free]],
            constraints=LinearConstraint(sums[:, free], -np.inf, 1),
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 1000},
        )
        for start in (np.zeros(free.sum()), inside, 0.5 * inside, clipped)
    ]
    feasible = [found for found in tries if (sums[:, free] @ found.x).max(initial=0) <= 1 + 1e-9]
    point = np.zeros(wanted.size)
    point[free] = min(feasible, key=lambda found: found.fun).x
    return point


def most_in_polytope(grid: Array, source: Array, target: Array, most_extra: float) -> float:
    """The most that any point of the polytope is worth, each of its numbers being worth so much: a linear program."""
    worth = np.concatenate((grid.ravel(), source, target))
    bounds = [(0, 1)] * grid.size + [(0, most_extra)] * (source.size + target.size)
    sums = word_sums(*grid.shape)
    found = linprog(-worth, A_ub=sums, b_ub=np.ones(sums.shape[0]), bounds=bounds, method="highs")
    assert found.success, found.message
    return -float(found.fun)


# Words


def naive_dice(source: Sequence[Sentence], target: Sequence[Sentence]) -> dict[tuple[int, int], float]:
    """The coefficients of all (target word, source word) that occur together, in order."""
    source_count = Counter(word for sentence in source for word in sentence)
    target_count = Counter(word for sentence in target for word in sentence)
    coefficients = {}
    for t in sorted(target_count):
        for s in sorted(source_count):
            together = 0
            for first, second in zip(source, target, strict=True):
                together += min(list(first).count(s), list(second).count(t))
            if together:
                coefficients[t, s] = 2 * together / (source_count[s] + target_count[t])
    return coefficients


def naive_shares(grid: Array) -> tuple[Array, Array]:
    """Each cell as a share of its row, and of its column."""
    of_source, of_target = np.zeros(grid.shape), np.zeros(grid.shape)
    for i, j in np.ndindex(grid.shape):
        if grid[i, j] > 0:
            of_source[i, j] = grid[i, j] / sum(float(value) for value in grid[i])
            of_target[i, j] = grid[i, j] / sum(float(value) for value in grid[:, j])
    return of_source, of_target


def naive_rivals(grid: Array) -> tuple[Array, Array]:
    """The highest of the other cells of each cell's row, and of its column."""
    of_source, of_target = np.zeros(grid.shape), np.zeros(grid.shape)
    for i, j in np.ndindex(grid.shape):
        of_source[i, j] = max([0.0, *(grid[i, other] for other in range(grid.shape[1]) if other != j)])
        of_target[i, j] = max([0.0, *(grid[other, j] for other in range(grid.shape[0]) if other != i)])
    return of_source, of_target


# Learning


class LabelledPair(NamedTuple):
    """The features of each cell, one number a weight, what a link there loses, and what is right."""

    features: Array
    loss: Array
    free: NDArray[np.bool_]
    """Links that may be made or left."""
    gold: NDArray[np.bool_]

    def scores(self, weights: Array) -> Array:
        scores = np.zeros(self.loss.shape)
        for i, j in np.ndindex(scores.shape):
            scores[i, j] = sum(float(x) * w for x, w in zip(self.features[i, j], weights[:-2], strict=True))
        return scores

    def sum_of_features(self, cells: Array, source: Array, target: Array) -> Array:
        """What weights are multiplied with, for cells with a part in the links."""
        total = np.zeros(self.features.shape[2])
        for i, j in np.ndindex(cells.shape):
            total += cells[i, j] * self.features[i, j]
        return np.array([*total, -sum(source), -sum(target)])


def perceptron_pass(pairs: Sequence[LabelledPair], weights: Array, capacity: int) -> tuple[int, list[Array]]:
    """How many links were wrong, and the weights after each pair."""
    mistakes, after = 0, []
    for pair in pairs:
        found = best_links(pair.scores(weights), Terms(capacity, *weights[-2:])) & ~pair.free
        right = pair.gold & ~pair.free
        mistakes += int((found != right).sum())
        towards = pair.sum_of_features(right.astype(float), *further_links(right))
        away = pair.sum_of_features(found.astype(float), *further_links(found))
        weights = weights + towards - away
        weights[-2:] = np.maximum(weights[-2:], 0)
        after.append(weights)
    return mistakes, after
