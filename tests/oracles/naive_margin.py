"""The hinge loss of weights, with every set of links of every pair written down, and its smallest value."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from pralign.kernels.margin import FORBIDDEN
from pralign.matching.problem import LearningProblem


class Sets(NamedTuple):
    """For each set of links that a pair may have, what it has of each feature and what it loses, less that of gold."""

    features: NDArray[np.float64]
    loss: NDArray[np.float64]


def all_sets(problem: LearningProblem) -> list[Sets]:
    """Every pair's sets of links in which no word has too many and no link is merely possible."""
    examples, found = problem.examples, []
    cell_start, source_start, target_start = examples.shapes
    for k in range(cell_start.size - 1):
        rows, columns = int(np.diff(source_start)[k]), int(np.diff(target_start)[k])
        cells = range(int(cell_start[k]), int(cell_start[k + 1]))
        features, losses = [], []
        gold = np.reshape(examples.gold.cell[cells.start : cells.stop], (rows, columns))
        for chosen in [gold, *(np.reshape(bits, (rows, columns)) for bits in product((0, 1), repeat=rows * columns))]:
            links = [cell for cell, bit in zip(cells, chosen.ravel(), strict=True) if bit]
            if max(chosen.sum(axis=0).max(), chosen.sum(axis=1).max()) > problem.capacity:
                continue
            if any(examples.loss[cell] == FORBIDDEN for cell in links):
                continue
            total = np.zeros(problem.size)
            for cell in links:
                total[: examples.numbers.shape[1]] += examples.numbers[cell]
                for scale, kind in zip(examples.scales, examples.kinds[cell], strict=True):
                    if kind >= 0:
                        total[kind] += scale
            total[-2] = -sum(max(count - 1, 0) for count in chosen.sum(axis=1))
            total[-1] = -sum(max(count - 1, 0) for count in chosen.sum(axis=0))
            features.append(total)
            losses.append(sum(examples.loss[cell] for cell in links))
        found.append(Sets(np.array(features) - features[0], np.array(losses) - losses[0]))
    return found


def naive_hinge(sets: list[Sets], weights: NDArray[np.float64]) -> float:
    return float(sum(np.max(part.features @ weights + part.loss) for part in sets))


def smallest_hinge(sets: list[Sets], size: int, radius: float) -> float:
    """The smallest loss of any weights in the ball with costs not below zero, by sequential quadratic programming."""
    matrix = np.concatenate(
        [np.hstack([-s.features, np.tile(np.eye(len(sets))[k], (len(s.loss), 1))]) for k, s in enumerate(sets)]
    )
    bound = np.concatenate([s.loss for s in sets])
    start = np.concatenate([np.zeros(size), [s.loss.max() for s in sets]])
    slope = np.concatenate([np.zeros(size), np.ones(len(sets))])

    def inside(x: NDArray[np.float64]) -> float:
        return float(radius**2 - x[:size] @ x[:size])

    found = minimize(
        lambda x: float(slope @ x),
        start,
        jac=lambda x: slope,
        method="SLSQP",
        bounds=[(None, None)] * (size - 2) + [(0, None)] * 2 + [(0, None)] * len(sets),
        constraints=[
            {"type": "ineq", "fun": lambda x: matrix @ x - bound, "jac": lambda x: matrix},
            {"type": "ineq", "fun": inside, "jac": lambda x: np.concatenate([-2 * x[:size], np.zeros(len(sets))])},
        ],
        options={"maxiter": 500, "ftol": 1e-10},
    )
    assert found.success, found.message
    return float(found.fun)
