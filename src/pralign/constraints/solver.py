"""Problem, solver and outcome of a projection; one solver serves every constraint and every model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.constraints.features import DIRECTIONS, Direction
from pralign.constraints.orientation import selected
from pralign.kernels.arrays import Lattice
from pralign.kernels.ascent import MEMORY, advance, follow_gradient, give_up
from pralign.kernels.features import Features
from pralign.kernels.projection import Batch, SolverSettings, SolverState, tilt
from pralign.kernels.units import LOG_UNIT, LOG_UNITS
from pralign.models.bidirectional import BidirectionalModel, Lattices

MOST_CALLS = 200
STEPS_BETWEEN_SEARCHES = 5


@dataclass(frozen=True)
class ProjectionProblem:
    """The projection of each pair of a block.

    Attributes:
        features: What is bounded.
        directions: The direction that is projected, or both, if they are projected together.
        settings: How the directions go together, the slack, and when to stop.
    """

    features: Features
    directions: tuple[Direction, ...]
    settings: SolverSettings


@dataclass(frozen=True)
class ProjectionOutcome:
    """How the projections of a block went, a number a pair.

    Attributes:
        dual: The value of the dual objective: what the projection costs, from below.
        divergence: KL(q ‖ p), what it costs in fact.
        residual: The norm of the dual's gradient: how far the constraints are from being satisfied.
        calls: How often the model was asked for posteriors, in both directions.
        converged: Whether the residual fell below the tolerance.
    """

    dual: NDArray[np.float64]
    divergence: NDArray[np.float64]
    residual: NDArray[np.float64]
    calls: NDArray[np.float64]
    converged: NDArray[np.bool_]

    def beside(self, other: ProjectionOutcome) -> ProjectionOutcome:
        """The outcome of two problems that share the pairs, one for each direction."""
        return ProjectionOutcome(
            self.dual + other.dual,
            self.divergence + other.divergence,
            np.hypot(self.residual, other.residual),
            (self.calls + other.calls) / 2,
            self.converged & other.converged,
        )


class ProjectionCost(NamedTuple):
    """Sums over pairs of what projections cost, in whole units, so that they do not depend on any order.

    Counts one inference more for each pair, which collects the expected counts.
    """

    pairs: int = 0
    divergence_units: int = 0
    half_calls: int = 0
    unconverged: int = 0

    @classmethod
    def of(cls, outcome: ProjectionOutcome) -> ProjectionCost:
        """What the projections of a block have cost."""
        return cls(
            outcome.calls.size,
            int(np.rint(outcome.divergence * LOG_UNITS).astype(np.int64).sum()),
            int(np.rint(2 * outcome.calls).astype(np.int64).sum()) + 2 * outcome.calls.size,
            int(np.sum(~outcome.converged)),
        )

    def plus(self, other: ProjectionCost) -> ProjectionCost:
        """The sum of both."""
        return ProjectionCost(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def divergence(self) -> float:
        """KL(q ‖ p), summed over the pairs."""
        return self.divergence_units * LOG_UNIT

    @property
    def calls(self) -> float:
        """How often the model was asked, summed over the pairs."""
        return self.half_calls / 2


def solve(
    problem: ProjectionProblem, model: BidirectionalModel, lattices: Lattices
) -> tuple[Lattices, ProjectionOutcome]:
    """Project a block: lattices from which ``model`` infers the projected posteriors, and how it went."""
    ascent = _DualAscent(problem, model, lattices)
    steps = problem.settings.steps or model.forward.gradient_steps
    if steps:
        ascent.take(steps)
    else:
        ascent.reach_the_top()
    return ascent.projected(lattices), ascent.outcome


class _DualAscent:
    """The multipliers of a block on their way up the dual objectives of its pairs."""

    def __init__(self, problem: ProjectionProblem, model: BidirectionalModel, lattices: Lattices) -> None:
        self._problem = problem
        self._models = [getattr(model, direction).precise() for direction in problem.directions]
        self._lattices = [getattr(lattices, direction) for direction in problem.directions]
        self._pairs = np.arange(self._lattices[0].states.size)
        self._state = _start(problem.features, self._pairs.size)
        self._log_p = np.empty((len(self._models), 0))

    def reach_the_top(self) -> None:
        """Go on until each pair has arrived."""
        pairs, tilted = self._pairs, self._lattices
        for _ in range(MOST_CALLS):
            batch = self._infer(pairs, tilted)
            pairs = pairs[advance(self._problem.features, self._problem.settings, self._state, batch)]
            if pairs.size == 0:
                return
            tilted = self._tilted(pairs)
        give_up(self._problem.features, self._state, pairs)

    def take(self, steps: int) -> None:
        """Take so many steps along the gradient.

        A model that expects by what it has found searches again now and then: few of the alignments that were near
        the likeliest at the start are so under the multipliers.
        """
        tilted = self._lattices
        for step in range(1, steps + 1):
            self._judge(tilted, moving=True)
            tilted = self._tilted(self._pairs)
            if step % STEPS_BETWEEN_SEARCHES == 0:
                tilted = [model.search_again(part) for model, part in zip(self._models, tilted, strict=True)]
                found = zip(self._lattices, tilted, strict=True)
                self._lattices = [lattice._replace(context=part.context) for lattice, part in found]
        self._judge(tilted, moving=False)

    def _judge(self, tilted: Sequence[Lattice], moving: bool) -> None:
        batch = self._infer(self._pairs, tilted)
        follow_gradient(self._problem.features, self._problem.settings, self._state, batch, moving)

    def projected(self, lattices: Lattices) -> Lattices:
        """The lattices with those of the directions in question replaced, and what the model said before."""
        directions = self._problem.directions
        weights = 2 * self._state.share.T if self._problem.settings.mixture else np.ones(self._log_p.shape)
        changed = zip(self._tilted(self._pairs), weights, strict=True)
        parts = [lattice._replace(weight=weight) for lattice, weight in changed]
        said = dict(zip(DIRECTIONS, lattices.log_likelihood or (np.empty(0), np.empty(0)), strict=True))
        said |= dict(zip(directions, self._log_p, strict=True))
        return lattices._replace(
            log_likelihood=(said["forward"], said["reverse"]), **dict(zip(directions, parts, strict=True))
        )

    @property
    def outcome(self) -> ProjectionOutcome:
        """How it went so far."""
        state = self._state
        return ProjectionOutcome(
            state.dual, state.divergence, state.residual, state.calls.astype(float), state.converged
        )

    def _infer(self, pairs: NDArray[np.int64], tilted: Sequence[Lattice]) -> Batch:
        """What the models say of some pairs; the first time it is asked, of all of them and without any tilt."""
        posteriors = [model.infer(part).posterior for model, part in zip(self._models, tilted, strict=True)]
        log_z = np.array([posterior.log_likelihood for posterior in posteriors])
        if self._log_p.size == 0:
            self._log_p = log_z
        links = posteriors[0].link, posteriors[-1].link
        return Batch(pairs, tilted[0].cell_start, *links, self._lattices[0].cell_start, log_z, self._log_p)

    def _tilted(self, pairs: NDArray[np.int64]) -> list[Lattice]:
        """The lattices of some pairs with the emissions that their multipliers make."""
        chosen = [selected(lattice, pairs) for lattice in self._lattices]
        origin, emissions = self._lattices[0].cell_start, (chosen[0].emission, chosen[-1].emission)
        tilt(self._problem.features, self._state.multiplier, pairs, origin, emissions, chosen[0].cell_start)
        return chosen


def _start(features: Features, pairs: int) -> SolverState:
    size = features.bound.size
    return SolverState(
        multiplier=np.zeros(size),
        accepted=np.zeros(size),
        step=np.zeros(size, np.float32),
        positive=np.zeros(size, np.float32),
        negative=np.zeros(size, np.float32),
        certain=np.zeros(size, np.float32),
        between=np.zeros(size, np.float32),
        moved=np.empty((MEMORY, size), np.float32),
        step_change=np.empty((MEMORY, size), np.float32),
        gram=np.zeros((pairs, MEMORY, MEMORY)),
        dual=np.zeros(pairs),
        divergence=np.zeros(pairs),
        residual=np.zeros(pairs),
        share=np.zeros((pairs, 2)),
        stride=np.ones(pairs),
        calls=np.zeros(pairs, np.int64),
        remembered=np.zeros(pairs, np.int64),
        plain=np.zeros(pairs, np.bool_),
        converged=np.zeros(pairs, np.bool_),
    )
