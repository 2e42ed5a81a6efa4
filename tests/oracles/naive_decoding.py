"""Choosing links by comparing one posterior after the other with a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from oracles.naive_symmetrization import NAIVE, Links

Matrix = Sequence[Sequence[float]]
"""One number for each source word and target word."""


class Pair(NamedTuple):
    """What a model says of one pair: posteriors, and the links of the best paths."""

    forward: Matrix
    reverse: Matrix
    mean: Matrix
    best_forward: Links
    best_reverse: Links


def at_least(matrix: Matrix, threshold: float) -> Links:
    return frozenset((i, j) for i, row in enumerate(matrix) for j, value in enumerate(row) if value >= threshold)


def decode(pair: Pair, method: str, symmetrize: str, thresholds: tuple[float, float, float]) -> dict:
    """The links that are chosen, each with its score."""
    if symmetrize == "soft-union":
        links = at_least(pair.mean, thresholds[2])
    elif method == "viterbi":
        links = NAIVE[symmetrize](pair.best_forward, pair.best_reverse)
    else:
        links = NAIVE[symmetrize](at_least(pair.forward, thresholds[0]), at_least(pair.reverse, thresholds[1]))
    matrix = {"forward": pair.forward, "reverse": pair.reverse}.get(symmetrize, pair.mean)
    return {(i, j): matrix[i][j] for i, j in links}
