"""Problem, solver and outcome of a projection; one solver serves every constraint and every model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.constraints.features import Direction
from pralign.kernels.arrays import Lattice
from pralign.kernels.features import Features
from pralign.kernels.projection import MEMORY, Batch, Climb, Goal, advance, follow_gradient, give_up, select, tilt
from pralign.models.base import DirectionalModel
from pralign.models.bidirectional import BidirectionalModel
from pralign.models.lexicon import Lattices

MOST_CALLS = 200


@dataclass(frozen=True)
class Problem:
    """The projection of each pair of a block.

    Attributes:
        features: What is bounded.
        directions: The direction that is projected, or both, if they are projected together.
        goal: How the directions go together, the slack, and when to stop.
    """

    features: Features
    directions: tuple[Direction, ...]
    goal: Goal


@dataclass(frozen=True)
class Outcome:
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

    def beside(self, other: Outcome) -> Outcome:
        """The outcome of two problems that share the pairs, one for each direction."""
        return Outcome(
            self.dual + other.dual,
            self.divergence + other.divergence,
            np.hypot(self.residual, other.residual),
            (self.calls + other.calls) / 2,
            self.converged & other.converged,
        )


class Effort(NamedTuple):
    """Sums over pairs of what projections cost; counts one inference more, which collects the expected counts."""

    pairs: int = 0
    divergence: float = 0.0
    calls: float = 0.0
    unconverged: int = 0

    def plus(self, outcome: Outcome) -> Effort:
        """With the pairs of one more block."""
        return Effort(
            self.pairs + outcome.calls.size,
            self.divergence + float(outcome.divergence.sum()),
            self.calls + float(outcome.calls.sum()) + outcome.calls.size,
            self.unconverged + int(np.sum(~outcome.converged)),
        )


def solve(problem: Problem, model: BidirectionalModel, lattices: Lattices) -> tuple[Lattices, Outcome]:
    """Project a block: lattices from which ``model`` infers the projected posteriors, and how it went."""
    sides = [_side(direction, model, lattices) for direction in problem.directions]
    whole = [lattice for _, lattice in sides]
    everything = pairs = np.arange(whole[0].states.size)
    climb = _start(problem.features, pairs.size)
    tilted = whole
    log_p = np.empty((len(sides), 0))
    steps = problem.goal.steps or model.forward.gradient_steps
    for call in range(steps + 1 if steps else MOST_CALLS):
        if call > 0:
            tilted = _tilted(problem.features, climb, pairs, whole)
        posteriors = [kind.infer(part, False).posterior for (kind, _), part in zip(sides, tilted, strict=True)]
        log_z = np.array([posterior.log_likelihood for posterior in posteriors])
        log_p = log_z if call == 0 else log_p
        links = posteriors[0].link, posteriors[-1].link
        batch = Batch(pairs, tilted[0].cell_start, *links, whole[0].cell_start, log_z, log_p)
        if steps:
            follow_gradient(problem.features, problem.goal, climb, batch, call < steps)
            continue
        pairs = pairs[advance(problem.features, problem.goal, climb, batch)]
        if pairs.size == 0:
            break
    if not steps:
        give_up(problem.features, climb, pairs)
    final = _tilted(problem.features, climb, everything, whole)
    weights = np.array([2 * climb.share, 2 - 2 * climb.share]) if problem.goal.mixture else np.ones(log_p.shape)
    changed = [lattice._replace(weight=weight) for lattice, weight in zip(final, weights, strict=True)]
    outcome = Outcome(climb.dual, climb.divergence, climb.residual, climb.calls.astype(float), climb.converged)
    return _replaced(lattices, problem.directions, changed, log_p), outcome


def _side(direction: Direction, model: BidirectionalModel, lattices: Lattices) -> tuple[DirectionalModel, Lattice]:
    if direction == "forward":
        return model.forward, lattices.forward
    return model.reverse, lattices.reverse


def _start(features: Features, pairs: int) -> Climb:
    size = features.bound.size
    return Climb(
        multiplier=np.zeros(size),
        accepted=np.zeros(size),
        step=np.zeros(size, np.float32),
        positive=np.zeros(size, np.float32),
        negative=np.zeros(size, np.float32),
        certain=np.zeros(size, np.float32),
        between=np.zeros(size, np.float32),
        moved=np.empty((MEMORY, size), np.float32),
        turned=np.empty((MEMORY, size), np.float32),
        gram=np.zeros((pairs, MEMORY, MEMORY)),
        dual=np.zeros(pairs),
        divergence=np.zeros(pairs),
        residual=np.zeros(pairs),
        share=np.zeros(pairs),
        stride=np.ones(pairs),
        calls=np.zeros(pairs, np.int64),
        remembered=np.zeros(pairs, np.int64),
        plain=np.zeros(pairs, np.bool_),
        converged=np.zeros(pairs, np.bool_),
    )


def _tilted(features: Features, climb: Climb, pairs: NDArray[np.int64], whole: Sequence[Lattice]) -> list[Lattice]:
    """The lattices of some pairs with the emissions that their multipliers make."""
    chosen = [_selected(lattice, pairs) for lattice in whole]
    emissions = whole[0].emission, whole[-1].emission
    tilted = chosen[0].emission, chosen[-1].emission, chosen[0].cell_start
    tilt(features, climb.multiplier, pairs, whole[0].cell_start, emissions, tilted)
    return chosen


def _selected(lattice: Lattice, pairs: NDArray[np.int64]) -> Lattice:
    chosen: Lattice = select(lattice._replace(context=()), pairs)
    return chosen._replace(context=lattice.context.select(pairs)) if lattice.context else chosen


def _replaced(
    lattices: Lattices,
    directions: Sequence[Direction],
    changed: Sequence[Lattice],
    log_p: NDArray[np.float64],
) -> Lattices:
    """The lattices with those of some directions replaced, and what the model said before."""
    forward, reverse = lattices.log_likelihood or (np.empty(0), np.empty(0))
    for direction, lattice, likelihood in zip(directions, changed, log_p, strict=True):
        if direction == "forward":
            lattices, forward = lattices._replace(forward=lattice), likelihood
        else:
            lattices, reverse = lattices._replace(reverse=lattice), likelihood
    return lattices._replace(log_likelihood=(forward, reverse))
