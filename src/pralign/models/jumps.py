"""Where the next word's translation stands: the jumps of the HMM, and where a sentence begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Float
from pralign.kernels.hmm import BAND, INITIAL, REACH
from pralign.kernels.units import UNITS, as_counts, as_units
from pralign.models.base import Statistics
from pralign.models.part import LEAST_LEFT, Part, left_of, mixed_weights, weights_schema
from pralign.models.prior import PositionPrior
from pralign.models.weights import fit_weights
from pralign.schema.arrays import Schema


@dataclass(frozen=True)
class Jumps(Part):
    """How likely each distance between the states of two neighbouring words is.

    Distances of at most five have a weight each, all longer ones share one; weights are relative, since they are
    normalised over the states that a sentence has. Override :meth:`maximise` for another kind of jumps.

    Attributes:
        weights: The weights of the distances -5 to 5, and of any longer one.
        totals: The counts behind the weights; empty before there are any.
    """

    name = "jumps"

    weights: Double = field(default_factory=lambda: np.ones(BAND + 1))
    totals: Double = field(default_factory=lambda: np.empty(0))

    @classmethod
    def schema(cls) -> Schema:
        """What its arrays must be like."""
        return weights_schema(cls.name, BAND + 1)

    @classmethod
    def zero_statistics(cls, most_states: int) -> Statistics:
        """``jump`` has a count a distance; ``departure`` counts jumps out of states by what they can reach."""
        return {
            "jump": np.zeros(BAND, np.int64),
            "departure": np.zeros((REACH + 1, REACH + 1, most_states + 1), np.int64),
        }

    def with_prior(self, statistics: Statistics, known: Sequence[PositionPrior]) -> Statistics:
        """Add sentences in which each weight leads to one state and is used as often as it is heavy."""
        jump, departure = statistics["jump"].copy(), statistics["departure"].copy()
        for prior in known:
            if prior.weights is not None:
                share = prior.weights.jump[:BAND] / prior.weights.jump.sum()
                jump += as_units(prior.jumps * share)
                departure[REACH, REACH, min(1, departure.shape[2] - 1)] += round(prior.jumps * UNITS)
        return {**statistics, "jump": jump, "departure": departure}

    def maximise(self, statistics: Statistics, smoothing: float) -> Self:
        """Weights that make the expected jumps likelier than the present ones do."""
        jump, departure = statistics["jump"], statistics["departure"]
        counts = as_counts(np.append(jump, max(departure.sum() - jump.sum(), 0)))
        weights = fit_weights(self.weights, counts, *jump_choices(as_counts(departure)), smoothing)
        return type(self)(weights, counts + max(smoothing, LEAST_LEFT))

    @classmethod
    def pooled(cls, parts: Sequence[Self], smoothing: float) -> Self:
        """The weights of all, each as often as it was used."""
        weights, totals = mixed_weights([part.weights for part in parts], [part.totals for part in parts], smoothing)
        return replace(parts[0], weights=weights, totals=totals)

    def without(self, own: Float) -> Double:
        """The weights for each pair without what it has counted itself, a row a pair."""
        return self.weights * (left_of(self.totals, own) / self.totals)


@dataclass(frozen=True)
class FirstPositions(Part):
    """How likely each state is to explain the first word.

    Attributes:
        weights: The relative weights of the states 0 to 5, and of any later one.
        totals: The counts behind the weights; empty before there are any.
    """

    name = "first"

    weights: Double = field(default_factory=lambda: np.ones(INITIAL))
    totals: Double = field(default_factory=lambda: np.empty(0))

    @classmethod
    def schema(cls) -> Schema:
        """What its arrays must be like."""
        return weights_schema(cls.name, INITIAL)

    @classmethod
    def zero_statistics(cls, most_states: int) -> Statistics:
        """``initial`` has a count a position, ``start`` counts sentences by their number of states."""
        return {"initial": np.zeros(INITIAL, np.int64), "start": np.zeros(most_states + 1, np.int64)}

    def with_prior(self, statistics: Statistics, known: Sequence[PositionPrior]) -> Statistics:
        """Add sentences of as many states as there are weights."""
        initial, start = statistics["initial"].copy(), statistics["start"].copy()
        for prior in known:
            if prior.weights is not None and start.size > INITIAL:
                share = prior.weights.initial / prior.weights.initial.sum()
                initial += as_units(prior.sentences * share)
                start[INITIAL] += round(prior.sentences * UNITS)
        return {**statistics, "initial": initial, "start": start}

    def maximise(self, statistics: Statistics, smoothing: float) -> Self:
        """Weights that make the expected first positions likelier than the present ones do."""
        positions = np.arange(statistics["start"].size)
        beyond = np.maximum(positions - (INITIAL - 1), 0)
        choices = np.column_stack([positions[:, None] > np.arange(INITIAL - 1), beyond])
        counts = as_counts(statistics["initial"])
        weights = fit_weights(self.weights, counts, choices, as_counts(statistics["start"]), smoothing)
        return type(self)(weights, counts + max(smoothing, LEAST_LEFT))

    @classmethod
    def pooled(cls, parts: Sequence[Self], smoothing: float) -> Self:
        """The weights of all, each as often as it was used."""
        weights, totals = mixed_weights([part.weights for part in parts], [part.totals for part in parts], smoothing)
        return replace(parts[0], weights=weights, totals=totals)

    def without(self, own: Float) -> Double:
        """The weights for each pair without what it has counted itself, a row a pair."""
        return self.weights * (left_of(self.totals, own) / self.totals)


def jump_choices(departure: Double) -> tuple[NDArray[np.int64], Double]:
    """For each kind of state that is left: how many states each weight leads to, and how often it was left."""
    left, right, beyond = np.nonzero(departure)
    distance = np.arange(BAND) - REACH
    within = (distance >= -left[:, None]) & (distance <= right[:, None])
    return np.column_stack([within, beyond]).astype(np.int64), departure[left, right, beyond]
