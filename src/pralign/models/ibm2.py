"""IBM Model 2: where a word stands says where its translation stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Int, Lattice, Long, Texts
from pralign.kernels.mixture import count_positions, leave_positions_out, positional_best, positional_posteriors
from pralign.kernels.mixture_paths import best_mixtures, sample_mixtures
from pralign.kernels.own_counts import OwnCounts
from pralign.kernels.paths import Paths
from pralign.kernels.units import as_counts, as_units
from pralign.models.base import (
    CorpusSummary,
    DirectionalModel,
    Inference,
    Statistics,
    empty_posterior,
    no_paths,
    no_rows,
    no_states,
)
from pralign.schema.arrays import Array, Facts, Schema, between, starts
from pralign.schema.limits import LONGEST, MOST_COUNTS


@dataclass(frozen=True)
class IBM2(DirectionalModel):
    r"""Each observed position has its own distribution over the states, for each number of states.

    .. math:: p(x, z \mid y) = \prod_j p_d(z_j \mid j, I) \, p_t(x_j \mid y_{z_j})

    Null is one of the outcomes of :math:`p_d`. Positions and lengths beyond those trained on are uniform.

    Attributes:
        start: ``start[n]`` is where the distributions for ``n`` states begin in ``values``.
        values: One distribution after the other, null first, then the states in order.
        counts: The counts behind the values; empty before there are any.

    Example:
        >>> from pralign import Aligner
        >>> pairs = [("the house", "la maison"), ("the cat", "le chat"), ("a cat", "un chat")]
        >>> isinstance(Aligner(model="ibm2", threads=1).fit(pairs).model_.forward, IBM2)
        True
    """

    name = "ibm2"
    additive = True

    start: Long
    values: Double
    counts: Double = field(default_factory=lambda: np.empty(0))

    @classmethod
    def initial(cls, summary: CorpusSummary, previous: DirectionalModel | None) -> Self:
        """Uniform, with room for every observed position that occurs with each number of states."""
        longest = summary.longest_observed
        width = np.arange(longest.size) + 1
        start = np.zeros(longest.size + 1, np.int64)
        np.cumsum(longest * width, out=start[1:])
        return cls(start, np.repeat(1.0 / width, longest * width))

    def prepare(self, lattice: Lattice, texts: Texts, pairs: Long, own: OwnCounts | None = None) -> Lattice:
        """Leave the positions that a pair itself has counted out of the distributions for it."""
        if own is None or self.counts.size == 0:
            return lattice
        emission, null_emission = lattice.emission.copy(), lattice.null_emission.copy()
        leave_positions_out(lattice, (self.start, self.counts), own, emission, null_emission)
        return lattice._replace(emission=emission, null_emission=null_emission)

    def infer(self, lattice: Lattice, statistics: Statistics | None = None) -> Inference:
        """Posteriors in proportion to emission times position probability; they are the counts too."""
        posterior = empty_posterior(lattice)
        positional_posteriors(lattice, (self.start, self.values), posterior)
        if statistics is not None:
            count_positions(lattice, (self.start, self.values), posterior, statistics["positions"])
        return Inference(posterior, no_rows(lattice))

    def viterbi(self, lattice: Lattice) -> Int:
        """The best state of each word."""
        states = no_states(lattice)
        positional_best(lattice, (self.start, self.values), states)
        return states

    def nbest(self, lattice: Lattice, n: int) -> Paths:
        """The best choices of all words together."""
        paths = no_paths(lattice, n)
        best_mixtures(lattice, (self.start, self.values), paths)
        return paths

    def sample(self, lattice: Lattice, n: int, draws: Double) -> Paths:
        """Each word draws for itself."""
        paths = no_paths(lattice, n)
        sample_mixtures(lattice, (self.start, self.values), draws, paths)
        return paths

    def zero_statistics(self) -> Statistics:
        """One count for each number of :attr:`values`."""
        return {"positions": np.zeros(self.values.size, np.int64)}

    def maximise(self, statistics: Statistics, smoothing: float) -> Self:
        """Normalise each distribution; one that was never used stays as it is."""
        raised = as_counts(statistics["positions"]) + smoothing
        values = self.values.copy()
        for states in range(1, self.start.size - 1):
            block = slice(self.start[states], self.start[states + 1])
            rows = raised[block].reshape(-1, states + 1)
            total = rows.sum(axis=1, keepdims=True)
            old = self.values[block].reshape(rows.shape)
            values[block] = np.where(total > 0, rows / np.where(total > 0, total, 1), old).ravel()
        return type(self)(self.start, np.maximum(values, _SMALLEST), np.maximum(raised, _SMALLEST))

    @property
    def longest_observed(self) -> Long:
        """For each number of states, for how many observed words there is room."""
        return np.asarray(np.diff(self.start) // (np.arange(self.start.size - 1) + 1))

    @classmethod
    def pooled(cls, summary: CorpusSummary, models: Sequence[Self], words: Sequence[Long], smoothing: float) -> Self:
        """Add up the counts of each position."""
        rooms = [summary.longest_observed, *(model.longest_observed for model in models)]
        longest = np.zeros(max(room.size for room in rooms), np.int64)
        for room in rooms:
            longest[: room.size] = np.maximum(longest[: room.size], room)
        fresh = cls.initial(replace(summary, longest_observed=longest), None)
        units = np.zeros(fresh.values.size, np.int64)
        for model in models:
            counts = as_units(np.maximum(model.counts - smoothing, 0.0))
            for states in range(model.start.size - 1 if counts.size else 0):
                part = counts[model.start[states] : model.start[states + 1]]
                units[fresh.start[states] : fresh.start[states] + part.size] += part
        return fresh.maximise({"positions": units}, smoothing)

    def tensors(self) -> dict[str, NDArray[Any]]:
        """The table and where its parts begin."""
        return {"start": self.start, "values": self.values, "counts": self.counts}

    @classmethod
    def schema(cls) -> Schema | None:
        """What the table must be like."""
        return {
            "start": Array("int64", ("numbers of states + 1",), (starts("position values"), _has_whole_rows)),
            "values": Array("float64", ("position values",), (between(_SMALLEST, 1.0 + 1e-9),)),
            "counts": Array("float64", ("position values",), (between(_SMALLEST, MOST_COUNTS),), or_empty=True),
        }

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Self:
        """The model with this table."""
        return cls(tensors["start"], tensors["values"], tensors["counts"])


# No outcome becomes impossible: text seen later may need it. Too small to move a likelihood by a measurable amount.
_SMALLEST = 1e-30


def _has_whole_rows(start: Long, facts: Facts) -> str | None:
    """For each number of states, each observed position has a number a state and one for null."""
    sizes = np.diff(start)
    if start.size > LONGEST + 2 or np.any(sizes % (np.arange(sizes.size) + 1)) or sizes[:1].any():
        return "does not say where whole rows begin, of a number a state and one for null"
    return None
