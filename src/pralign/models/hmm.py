"""The hidden Markov alignment model: words that stand together translate to words that stand together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Int, Lattice
from pralign.kernels.hmm import (
    BAND,
    INITIAL,
    REACH,
    JumpCounts,
    JumpWeights,
    forward_backward,
    viterbi,
)
from pralign.models.base import Arrays, DirectionalModel, Inference, Shape, empty_posterior, no_states
from pralign.models.weights import fit_weights

INITIAL_NULL = 0.2

# Where nothing is counted, nothing needs room.
_NOTHING = JumpCounts(np.empty(0), np.empty((0, 0, 0)), np.empty(0), np.empty(0), np.empty(0))


@dataclass(frozen=True)
class HMM(DirectionalModel):
    r"""Each observed word's state depends on the state of the word before it.

    .. math:: p(x, z \mid y) = \prod_j p_d(z_j \mid z_{j-1}) \, p_t(x_j \mid y_{z_j})

    The distortion :math:`p_d` depends only on the distance between the two states. Jumps of at most five have a
    weight each, all longer ones share one, and the weights are normalised over the states a sentence has. The first
    state has a distribution of its own. A word explained by null keeps the position of the word before it.

    Attributes:
        weights: The jump weights, the weights of first positions, and the probability of null.
        longest: The number of states of the longest training sentence, which sizes the counts.
    """

    name = "hmm"

    weights: JumpWeights
    longest: int

    @classmethod
    def initial(cls, shape: Shape, previous: DirectionalModel | None) -> Self:
        """All jumps equally likely: the first E-step leans on the lexicon alone."""
        weights = JumpWeights(np.ones(BAND + 1), np.ones(INITIAL), np.array([INITIAL_NULL]))
        return cls(weights, int(shape.states.max(initial=0)))

    def infer(self, lattice: Lattice, counting: bool) -> Inference:
        """Posteriors by the forward–backward algorithm."""
        if counting and lattice.states.max(initial=0) > self.longest:
            raise ValueError(f"a model for at most {self.longest} states cannot count jumps among more")
        posterior = empty_posterior(lattice)
        counts = self.no_counts() if counting else _NOTHING
        forward_backward(lattice, self.weights, posterior, counts, counting)
        return Inference(posterior, counts)

    def viterbi(self, lattice: Lattice) -> Int:
        """The best path of each pair."""
        states = no_states(lattice)
        viterbi(lattice, self.weights, states)
        return states

    def no_counts(self) -> JumpCounts:
        """Zero jumps, departures, starts and nulls."""
        return JumpCounts(
            np.zeros(BAND),
            np.zeros((REACH + 1, REACH + 1, self.longest + 1)),
            np.zeros(INITIAL),
            np.zeros(self.longest + 1),
            np.zeros(2),
        )

    def maximise(self, counts: Arrays, smoothing: float) -> Self:
        """Weights that make the expected jumps likelier than the present ones, and the share of null."""
        counted = JumpCounts(*counts)
        jumps = np.append(counted.jump, max(counted.departure.sum() - counted.jump.sum(), 0.0))
        positions = np.arange(self.longest + 1)
        beyond = np.maximum(positions - (INITIAL - 1), 0)
        present = positions[:, None] > np.arange(INITIAL - 1)
        weights = JumpWeights(
            fit_weights(self.weights.jump, jumps, *_jump_choices(counted.departure), smoothing),
            fit_weights(
                self.weights.initial,
                counted.initial,
                np.column_stack([present, beyond]),
                counted.start,
                smoothing,
            ),
            np.clip(counted.null[:1] / max(counted.null[1], 1.0), _LEAST_NULL, 1 - _LEAST_NULL),
        )
        return type(self)(weights, self.longest)

    def tensors(self) -> dict[str, NDArray[Any]]:
        """The weights, and the longest sentence."""
        return {**self.weights._asdict(), "longest": np.array([self.longest])}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Self:
        """The model with these weights."""
        weights = JumpWeights(tensors["jump"], tensors["initial"], tensors["null"])
        return cls(weights, int(tensors["longest"][0]))


_LEAST_NULL = 1e-6


def _jump_choices(departure: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For each kind of state that is left: how many states each weight leads to, and how often it was left."""
    left, right, beyond = np.nonzero(departure)
    distance = np.arange(BAND) - REACH
    within = (distance >= -left[:, None]) & (distance <= right[:, None])
    return np.column_stack([within, beyond]).astype(np.int64), departure[left, right, beyond]
