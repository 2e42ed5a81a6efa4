"""Projections onto constraints by listing all alignments and leaving the rest to general optimisers.

Cells are ``(i, j)``: source position, target position, in both directions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import LinearConstraint, minimize

from oracles.naive_alignments import Alignment

Array = NDArray[np.float64]
Cell = tuple[int, int]


class Bounded(Protocol):
    """A weighted sum of forward and reverse links, whose expectation is at most (or exactly) ``bound``."""

    @property
    def forward(self) -> Mapping[Cell, float]: ...
    @property
    def reverse(self) -> Mapping[Cell, float]: ...
    @property
    def bound(self) -> float: ...
    @property
    def equal(self) -> bool: ...


class Direction(NamedTuple):
    """All alignments of one direction: ``log_p[z]``, and ``link[z, i, j]``, which is one or zero."""

    log_p: Array
    link: Array


class Projected(NamedTuple):
    """``multiplier`` and ``dual`` solve the dual problem; all else is of the distribution that follows from them.

    ``links`` are posteriors of the directions, each by itself, and ``shares`` their weights in a mixture.
    """

    multiplier: Array
    dual: float
    divergence: float
    links: list[Array]
    shares: list[float]


def direction(alignments: Iterable[Alignment], states: int, transposed: bool) -> Direction:
    """Alignments as vectors. They are transposed if states are target words, as in the reverse direction."""
    joint: dict[tuple[int | None, ...], float] = {}
    for alignment in alignments:
        joint[alignment.choices] = joint.get(alignment.choices, 0.0) + alignment.probability
    link = np.zeros((len(joint), states, len(next(iter(joint)))))
    for z, choices in enumerate(joint):
        for j, choice in enumerate(choices):
            if choice is not None:
                link[z, choice, j] = 1.0
    log_p = np.log(list(joint.values()))
    return Direction(log_p - log_sum(log_p), link.transpose(0, 2, 1) if transposed else link)


class Projection:
    """The projection of one pair.

    It is over independent distributions, ``log_p`` and ``features`` of each listed one after the other. There is one
    for each direction (given as ``None`` where it is not projected), or a single one for the mixture of both.
    """

    def __init__(
        self,
        forward: Direction | None,
        reverse: Direction | None,
        bounded: Sequence[Bounded],
        slack: float,
        mixture: bool = False,
    ) -> None:
        self.directions = [side for side in (forward, reverse) if side is not None]
        self.slack, self.mixture = slack, mixture
        self.bound = np.array([feature.bound for feature in bounded], float)
        self.equal = np.array([feature.equal for feature in bounded], bool)
        self.log_p, self.features = [], []
        for side, name in ((forward, "forward"), (reverse, "reverse")):
            if side is not None:
                columns = [value_of(getattr(feature, name), side) for feature in bounded]
                self.log_p.append(side.log_p)
                self.features.append(np.stack(columns, axis=1) if columns else np.zeros((side.log_p.size, 0)))
        if mixture:
            self.log_p = [np.concatenate(self.log_p) + np.log(0.5)]
            self.features = [np.concatenate(self.features)]

    def dual(self, multiplier: Array) -> tuple[float, Array, list[Array]]:
        """The dual, its gradient (without slack at the origin, where there is none), and the distributions."""
        value = -self.bound @ multiplier
        gradient = -self.bound
        found = []
        for log_p, features in zip(self.log_p, self.features, strict=True):
            tilted = log_p - features @ multiplier
            log_z = log_sum(tilted)
            found.append(np.exp(tilted - log_z))
            value -= log_z
            gradient = gradient + found[-1] @ features
        length = float(np.linalg.norm(multiplier))
        if length > 0.0:
            value -= self.slack * length
            gradient = gradient - self.slack / length * multiplier
        return float(value), gradient, found

    def solve(self) -> Projected:
        """Maximise the dual. At the origin it has a kink; leaving it uphill, an optimiser never comes back to it."""
        origin = np.zeros(self.bound.size)
        _, gradient, found = self.dual(origin)
        uphill = np.where(self.equal, gradient, np.maximum(gradient, 0.0))
        length = np.linalg.norm(uphill)
        if length <= self.slack or length == 0.0:
            return self._described(origin, 0.0, found)
        start = uphill / length
        while self.dual(start)[0] <= 0.0:
            start = start / 2

        def loss(multiplier: Array) -> tuple[float, Array]:
            value, gradient, _ = self.dual(multiplier)
            return -value, -gradient

        limits = [(None, None) if equal else (0.0, None) for equal in self.equal]
        options = {"ftol": 1e-14, "gtol": 1e-7, "maxfun": 100_000}
        best = self._polished(minimize(loss, start, jac=True, bounds=limits, method="TNC", options=options).x)
        value, gradient, found = self.dual(best)
        left = np.linalg.norm(np.where((best > 0.0) | self.equal, gradient, np.maximum(gradient, 0.0)))
        assert left < 1e-8, "the optimiser has not found the maximum"
        return self._described(best, value, found)

    def _polished(self, multiplier: Array) -> Array:
        """The last digits, by Newton's method on the multipliers that are not held by their limit."""
        free = self.equal | (multiplier > 1e-9)
        multiplier = np.where(free, multiplier, 0.0)
        for _ in range(5):
            _, gradient, found = self.dual(multiplier)
            length = np.linalg.norm(multiplier)
            along = multiplier / length
            curvature = self.slack / length * (np.eye(free.size) - np.outer(along, along))
            for q, features in zip(found, self.features, strict=True):
                centred = features - q @ features
                curvature += (centred.T * q) @ centred
            step = np.zeros(free.size)
            step[free] = np.linalg.lstsq(curvature[np.ix_(free, free)], gradient[free], rcond=1e-12)[0]
            moved = np.where(self.equal, multiplier + step, np.maximum(multiplier + step, 0.0))
            if np.linalg.norm(self.dual(moved)[1][free]) >= np.linalg.norm(gradient[free]):
                break
            multiplier = moved
        return multiplier

    def _described(self, multiplier: Array, value: float, found: list[Array]) -> Projected:
        links, shares = [], []
        pieces = np.split(found[0], [self.directions[0].log_p.size]) if self.mixture else found
        for side, piece in zip(self.directions, pieces, strict=True):
            shares.append(float(piece.sum()))
            links.append(np.tensordot(piece / piece.sum(), side.link, 1))
        return Projected(multiplier, value, self.divergence(found), links, shares)

    def divergence(self, found: Sequence[Array]) -> float:
        """KL(q ‖ p)."""
        return sum(float(q @ (np.log(q) - log_p)) for q, log_p in zip(found, self.log_p, strict=True))

    def excess(self, found: Sequence[Array]) -> float:
        """How far the expectations are from all that the bounds and the slack allow."""
        expected = sum(q @ features for q, features in zip(found, self.features, strict=True)) - self.bound
        beyond = np.where(self.equal, expected, np.maximum(expected, 0.0))
        return max(float(np.linalg.norm(beyond)) - self.slack, 0.0)

    def distributions(self, multiplier: Array) -> list[Array]:
        """The distributions that multipliers make."""
        return self.dual(multiplier)[2]

    def primal(self) -> float:
        """The divergence by searching among distributions themselves, with one slack a feature; for tiny pairs only."""
        sizes = np.cumsum([log_p.size for log_p in self.log_p])
        count = self.bound.size

        def loss(point: Array) -> tuple[float, Array]:
            parts = np.split(point, sizes)[:-1]
            ratios = [np.log(q) - log_p for q, log_p in zip(parts, self.log_p, strict=True)]
            value = sum(q @ ratio for q, ratio in zip(parts, ratios, strict=True))
            return value, np.concatenate([*(ratio + 1.0 for ratio in ratios), np.zeros(count)])

        sums = np.zeros((len(sizes), sizes[-1] + count))
        for row, start, end in zip(sums, [0, *sizes[:-1]], sizes, strict=True):
            row[start:end] = 1.0
        violations = np.hstack([np.concatenate(self.features).T, -np.eye(count)])
        lowest = np.where(self.equal, self.bound, -np.inf)
        constraints = [
            LinearConstraint(sums, 1.0, 1.0),
            LinearConstraint(violations, lowest, self.bound),
            {"type": "ineq", "fun": lambda point: self.slack**2 - point[sizes[-1] :] @ point[sizes[-1] :]},
        ]
        limits = [(1e-12, 1.0)] * int(sizes[-1]) + [(-self.slack, self.slack)] * count
        start = np.concatenate([*(np.exp(log_p) for log_p in self.log_p), np.zeros(count)])
        options = {"maxiter": 2000, "ftol": 1e-14}
        return float(
            minimize(loss, start, jac=True, bounds=limits, constraints=constraints, method="SLSQP", options=options).fun
        )


def log_sum(values: Array) -> float:
    highest = values.max()
    return float(highest + np.log(np.exp(values - highest).sum()))


def value_of(cells: Mapping[Cell, float], side: Direction) -> Array:
    """The weighted sum of these cells in each alignment of a direction."""
    total = np.zeros(side.log_p.size)
    for (i, j), value in cells.items():
        total += value * side.link[:, i, j]
    return total
