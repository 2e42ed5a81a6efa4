"""Large-margin learning by the extragradient method.

The weights ``w`` and the links ``z`` of all labelled pairs, as numbers between 0 and 1, play against each other: the
objective is ``Σ w·F(z - y) + c·z``, ``F`` holding the features, ``y`` the right links and ``c`` what wrong ones lose.
The weights, in a ball, make it small; the links, in the matching polytope, make it large. Where neither can do better,
the weights are those whose hinge loss is smallest.

Each iteration takes a step of both from where they are, to see how each will answer the other, and then steps from the
same place again along the gradients found there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.engine import Engine
from pralign.kernels.arrays import Point
from pralign.kernels.margin import climb, difference, lost, worst_case
from pralign.matching.problem import LearningProblem, Pairs, Weights
from pralign.text.corpus import blocks

_FIRST_STEP = 0.01
_LONGER, _SHORTER = 1.3, 0.6
_BLOCK = 16_384
# To know the gap takes about as long as an iteration.
_GAP_EVERY = 10


class Gap(NamedTuple):
    """How far from solved a problem is.

    Attributes:
        primal: The hinge loss of the weights.
        dual: What the links promise that no weights undercut.
        error: The largest error of a projection on the way.
    """

    primal: float
    dual: float
    error: float = 0.0

    @property
    def size(self) -> float:
        """The difference, zero at the solution."""
        return self.primal - self.dual


@dataclass
class Extragradient:
    """Finds weights iteration by iteration.

    Attributes:
        radius: How long the weights may become, together.
        engine: Where the work is done.
        gaps: How far from the solution the last run was, by iteration.
    """

    radius: float
    engine: Engine
    gaps: dict[int, Gap] = field(default_factory=dict)

    def rounds(self, problem: LearningProblem, pairs: Pairs) -> Iterator[Weights]:
        """Yield, after each iteration, the mean weights of the last half of all or more, without end.

        The weights themselves circle around the solution for long, and alignments with them.
        """
        search = Search(problem, pairs, self.radius, self.engine)
        mean = RecentMean(problem.size)
        self.gaps = {0: search.gap()}
        for iteration in count(1):
            search.iterate()
            if iteration % _GAP_EVERY == 0:
                self.gaps[iteration] = search.gap()
            yield mean.add(search.weights)


class RecentMean:
    """The mean of the latest numbers of a sequence, half of them or more.

    What came before the last power of two but one is forgotten.

    Example:
        >>> mean = RecentMean(1)
        >>> [float(mean.add(np.array([number]))[0]) for number in (1.0, 2.0, 3.0, 4.0)]
        [1.0, 1.5, 2.0, 3.0]
    """

    def __init__(self, size: int) -> None:
        self._earlier, self._recent = np.zeros(size), np.zeros(size)
        self._earlier_count = self._recent_count = self._all = 0

    def add(self, numbers: Weights) -> Weights:
        """Take in the next numbers, and give the mean."""
        self._all += 1
        if self._all & (self._all - 1) == 0:  # a power of two
            self._earlier, self._earlier_count = self._recent, self._recent_count
            self._recent, self._recent_count = np.zeros_like(self._recent), 0
        self._recent += numbers
        self._recent_count += 1
        return np.asarray((self._earlier + self._recent) / (self._earlier_count + self._recent_count))


class Search:
    """One run of the method, from no weights and the right links on.

    Attributes:
        weights: The weights, and the costs of further links.
        links: The links of all pairs, as numbers between 0 and 1.
    """

    def __init__(self, problem: LearningProblem, pairs: Pairs, radius: float, engine: Engine) -> None:
        self._examples = problem.examples
        self._capacity = problem.capacity
        self._engine = engine
        self._radius = radius
        self._blocks = list(blocks(pairs, np.diff(problem.examples.shapes.cell_start), _BLOCK))
        self._step = _FIRST_STEP
        self._error = 0.0
        self.weights = np.zeros(problem.size)
        self.links = problem.examples.gold
        self._slope = np.zeros(problem.size)

    def iterate(self) -> None:
        """Take a step: prediction, and correction.

        It is shortened until what the gradients turn on the way is made up for by the way gone, which is what the proof
        of convergence needs, and becomes longer where there is room.
        """
        while True:
            step, w, z = self._step, self.weights, self.links
            ahead_w = self._in_ball(w - step * self._slope)
            ahead_z = self._climbed(z, w, step)
            ahead_change, ahead_way = self._difference(ahead_z, z)
            new_w = self._in_ball(w - step * (self._slope + ahead_change))
            new_z = self._climbed(z, ahead_w, step)
            new_change, new_way = self._difference(new_z, ahead_z)
            way = np.sum((ahead_w - w) ** 2) + ahead_way + np.sum((new_w - ahead_w) ** 2) + new_way
            turn = 2 * step * float(ahead_change @ (ahead_w - new_w) + new_change @ (ahead_w - w))
            if turn <= way * (1 + 1e-9) + 1e-12:
                break
            self._step *= _SHORTER
        if turn <= 0.5 * way:
            self._step *= _LONGER
        self.weights, self.links = new_w, new_z
        self._slope = self._slope + ahead_change + new_change

    def gap(self) -> Gap:
        """How far weights and links are from the solution."""
        examples, gold = self._examples, self._examples.gold
        of_gold = self._sum(lambda part: lost(examples, part, gold))
        worst = self._sum(lambda part: worst_case(examples, part, self.weights, self._capacity))
        nothing = Point(*(np.zeros_like(values) for values in gold))
        primal = worst - float(self.weights @ self._difference(gold, nothing)[0])
        useful = self._difference(self.links, gold)[0]
        useful[-2:] = np.minimum(useful[-2:], 0)  # costs below zero are not allowed
        dual = self._sum(lambda part: lost(examples, part, self.links)) - self._radius * float(np.linalg.norm(useful))
        return Gap(primal - of_gold, dual - of_gold, self._error)

    def _climbed(self, links: Point, weights: Weights, step: float) -> Point:
        end = Point(*(np.zeros_like(values) for values in links))
        further = float(self._capacity - 1)
        examples = self._examples
        errors = self._engine.map(lambda part: climb(examples, part, weights, step, further, links, end), self._blocks)
        self._error = max(self._error, *errors)
        return end

    def _difference(self, a: Point, b: Point) -> tuple[Weights, float]:
        examples, size = self._examples, self.weights.size
        parts = list(self._engine.map(lambda part: difference(examples, part, size, a, b), self._blocks))
        return np.sum([part[0] for part in parts], axis=0), float(sum(part[1] for part in parts))

    def _sum(self, function: Callable[[NDArray[np.int64]], float]) -> float:
        return float(sum(self._engine.map(function, self._blocks)))

    def _in_ball(self, weights: Weights) -> Weights:
        weights = weights.copy()
        weights[-2:] = np.maximum(weights[-2:], 0)
        return weights * (self._radius / max(self._radius, float(np.linalg.norm(weights))))
