"""The hidden Markov alignment model: words that stand together translate to words that stand together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Expected, Float, Int, Lattice, Long, Texts
from pralign.kernels.hmm import (
    BAND,
    FIRST,
    INITIAL,
    NULL,
    PAIR_COUNTS,
    REACH,
    JumpCounts,
    JumpWeights,
    forward_backward,
    viterbi,
)
from pralign.models.base import Arrays, DirectionalModel, Inference, Shape, empty_posterior, no_states
from pralign.models.prior import PositionPrior
from pralign.models.weights import fit_weights

INITIAL_NULL = 0.2

# Where nothing is counted, nothing needs room.
_NOTHING = JumpCounts(
    np.empty(0), np.empty((0, 0, 0)), np.empty(0), np.empty(0), np.empty(0), np.empty((0, 0), np.float32)
)


class JumpContext(NamedTuple):
    """What an HMM keeps with a lattice: weights of their own for each pair."""

    rows: JumpWeights

    def select(self, pairs: Long) -> JumpContext:
        """The context of some pairs of a block."""
        return self._replace(rows=JumpWeights(*(part[pairs] for part in self.rows)))


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
        totals: The counts behind the weights, laid out as in :class:`~pralign.kernels.hmm.JumpCounts`; empty before
            there are any.
    """

    name = "hmm"

    weights: JumpWeights
    longest: int
    totals: Double = field(default_factory=lambda: np.empty(0))

    @classmethod
    def initial(cls, shape: Shape, previous: DirectionalModel | None) -> Self:
        """All jumps equally likely: the first E-step leans on the lexicon alone."""
        weights = JumpWeights(np.ones(BAND + 1), np.ones(INITIAL), np.array([INITIAL_NULL]))
        return cls(weights, int(shape.states.max(initial=0)))

    def prepare(self, lattice: Lattice, texts: Texts, pairs: Long, before: Expected | None = None) -> Lattice:
        """Leave the jumps that a pair itself has counted out of the weights for it."""
        if before is None or before.own.shape[1] != PAIR_COUNTS or self.totals.size == 0:
            return lattice
        left = np.maximum(self.totals - before.own, _LEAST_LEFT)
        share = left / self.totals
        null = self._share_of_null(left[:, NULL:-1], left[:, NULL + 1 :])
        rows = JumpWeights(self.weights.jump * share[:, :FIRST], self.weights.initial * share[:, FIRST:NULL], null)
        return lattice._replace(context=JumpContext(rows))

    def _share_of_null(self, unlinked: Double, words: Double) -> Double:
        """The probability of null, given how many of so many words are not linked."""
        return np.asarray(np.clip(unlinked / np.maximum(words, 1e-30), _LEAST_NULL, 1 - _LEAST_NULL))

    def _rows(self, lattice: Lattice) -> JumpWeights:
        """The weights of each pair, or one row for all."""
        if lattice.context:
            rows: JumpWeights = lattice.context.rows
            return rows
        return JumpWeights(*(part[None] for part in self.weights))

    def infer(self, lattice: Lattice, counting: bool) -> Inference:
        """Posteriors by the forward–backward algorithm."""
        if counting and lattice.states.max(initial=0) > self.longest:
            raise ValueError(f"a model for at most {self.longest} states cannot count jumps among more")
        posterior = empty_posterior(lattice)
        counts = self._no_counts(lattice.states.size) if counting else _NOTHING
        forward_backward(lattice._replace(context=()), self._rows(lattice), posterior, counts, counting)
        return Inference(posterior, counts)

    def viterbi(self, lattice: Lattice) -> Int:
        """The best path of each pair."""
        states = no_states(lattice)
        viterbi(lattice._replace(context=()), self._rows(lattice), states)
        return states

    def no_counts(self) -> Arrays:
        """Zero jumps, departures, starts and nulls."""
        return self._no_counts(0)

    def _no_counts(self, pairs: int) -> JumpCounts:
        return JumpCounts(
            np.zeros(BAND),
            np.zeros((REACH + 1, REACH + 1, self.longest + 1)),
            np.zeros(INITIAL),
            np.zeros(self.longest + 1),
            np.zeros(2),
            np.zeros((pairs, PAIR_COUNTS), np.float32),
        )

    def own_counts(self, inference: Inference, pairs: int) -> Float:
        """The jumps, first positions and null words of each pair."""
        return JumpCounts(*inference.counts[: len(JumpCounts._fields)]).by_pair

    def add_parts(self, total: Arrays, counts: Arrays) -> None:
        """Add the sums of a block to ``total`` in place."""
        for whole, part in zip(total[: len(_NOTHING) - 1], counts, strict=False):
            whole += part

    def add_prior(self, total: Arrays, known: Sequence[PositionPrior]) -> None:
        """Add sentences in which each weight leads to one state and is used as often as it is heavy."""
        counted = JumpCounts(*total[: len(_NOTHING)])
        for prior in known:
            if prior.weights is None:
                continue
            counted.jump[:] += prior.jumps * prior.weights.jump[:BAND] / prior.weights.jump.sum()
            counted.departure[REACH, REACH, min(1, self.longest)] += prior.jumps
            if self.longest >= INITIAL:
                counted.initial[:] += prior.sentences * prior.weights.initial / prior.weights.initial.sum()
                counted.start[INITIAL] += prior.sentences

    def maximise(self, counts: Arrays, smoothing: float) -> Self:
        """Weights that make the expected jumps likelier than the present ones, and the share of null."""
        counted = JumpCounts(*counts[: len(JumpCounts._fields)])
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
            self._share_of_null(counted.null[:1], np.maximum(counted.null[1:], 1.0)),
        )
        totals = np.concatenate([jumps, counted.initial, counted.null]) + max(smoothing, _LEAST_LEFT)
        totals[-1] += max(smoothing, _LEAST_LEFT)  # words are linked or not
        return type(self)(weights, self.longest, totals)

    @property
    def sizes(self) -> tuple[float, float]:
        """How many jumps and how many first positions the weights were learned from."""
        return float(self.totals[:FIRST].sum()), float(self.totals[FIRST:NULL].sum())

    def tensors(self) -> dict[str, NDArray[Any]]:
        """The weights, the longest sentence, and the counts."""
        return {**self.weights._asdict(), "longest": np.array([self.longest]), "totals": self.totals}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Self:
        """The model with these weights."""
        weights = JumpWeights(tensors["jump"], tensors["initial"], tensors["null"])
        return cls(weights, int(tensors["longest"][0]), tensors["totals"])


_LEAST_NULL = 1e-6
# What is left of a count without a pair's own, at least: rounding must not take more than there is.
_LEAST_LEFT = 1e-9


def _jump_choices(departure: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For each kind of state that is left: how many states each weight leads to, and how often it was left."""
    left, right, beyond = np.nonzero(departure)
    distance = np.arange(BAND) - REACH
    within = (distance >= -left[:, None]) & (distance <= right[:, None])
    return np.column_stack([within, beyond]).astype(np.int64), departure[left, right, beyond]
