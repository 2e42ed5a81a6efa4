"""The hidden Markov alignment model: words that stand together translate to words that stand together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Int, Lattice, Long, Texts
from pralign.kernels.forward_backward import forward_backward
from pralign.kernels.hmm import FIRST, NULL, PAIR_COUNTS, JumpCounts, JumpWeights, viterbi
from pralign.kernels.hmm_boxes import hmm_boxes
from pralign.kernels.hmm_paths import best_chains, sample_chains
from pralign.kernels.own_counts import OwnCounts
from pralign.kernels.paths import Paths
from pralign.models.base import (
    CorpusSummary,
    DirectionalModel,
    Inference,
    Statistics,
    empty_posterior,
    no_paths,
    no_rows,
    no_states,
    single_length,
)
from pralign.models.jumps import FirstPositions, Jumps
from pralign.models.null import Null
from pralign.models.part import Part
from pralign.models.prior import PositionPrior
from pralign.schema import SchemaError
from pralign.schema.arrays import Schema

# Where nothing is counted, nothing needs room.
_NOTHING = JumpCounts(
    np.empty(0, np.int64),
    np.empty((0, 0, 0), np.int64),
    np.empty(0, np.int64),
    np.empty(0, np.int64),
    np.empty(0, np.int64),
)
_SINGLE, _DOUBLE = np.empty(0, np.float32), np.empty(0, np.float64)


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

    The distortion :math:`p_d` depends only on the distance between the two states and is normalised over the states a
    sentence has. The first state has a distribution of its own. A word explained by null keeps the position of the
    word before it. Each of these is a :class:`~pralign.models.part.Part`; a model with another kind of one is a
    subclass that names it.

    Attributes:
        jumps: The weights of the distances.
        first: The weights of first positions.
        null: The probability of null.
        most_states: The number of states of the longest training sentence, which sizes the counts.
        double: Whether sums over alignments are in double precision rather than in single.
    """

    name = "hmm"
    additive = True
    jumps_part: ClassVar[type[Jumps]] = Jumps
    first_part: ClassVar[type[FirstPositions]] = FirstPositions
    null_part: ClassVar[type[Null]] = Null

    jumps: Jumps
    first: FirstPositions
    null: Null
    most_states: int
    double: bool = field(default=False, repr=False, compare=False)

    @classmethod
    def initial(cls, summary: CorpusSummary, previous: DirectionalModel | None) -> Self:
        """All jumps equally likely: the first E-step leans on the lexicon alone."""
        return cls(cls.jumps_part(), cls.first_part(), cls.null_part(), summary.most_states)

    @property
    def parts(self) -> dict[str, Part]:
        """The parts by the names of their fields."""
        return {"jumps": self.jumps, "first": self.first, "null": self.null}

    @property
    def weights(self) -> JumpWeights:
        """The parameters of all parts as the kernels take them."""
        return JumpWeights(self.jumps.weights, self.first.weights, self.null.probability)

    def prepare(self, lattice: Lattice, texts: Texts, pairs: Long, own: OwnCounts | None = None) -> Lattice:
        """Leave the jumps that a pair itself has counted out of the weights for it."""
        if own is None or own.forward_rows.shape[1] != PAIR_COUNTS or self.jumps.totals.size == 0:
            return lattice
        rows = own.forward_rows
        weights = JumpWeights(
            self.jumps.without(rows[:, :FIRST]),
            self.first.without(rows[:, FIRST:NULL]),
            self.null.without(rows[:, NULL:]),
        )
        return lattice._replace(context=JumpContext(weights))

    def _rows(self, lattice: Lattice) -> JumpWeights:
        """The weights of each pair, or one row for all."""
        if lattice.context:
            rows: JumpWeights = lattice.context.rows
            return rows
        return JumpWeights(*(part[None] for part in self.weights))

    def infer(self, lattice: Lattice, statistics: Statistics | None = None) -> Inference:
        """Posteriors by the forward–backward algorithm."""
        if statistics is not None and lattice.states.max(initial=0) > self.most_states:
            raise ValueError(f"a model for at most {self.most_states} states cannot count jumps among more")
        posterior, counts, rows = empty_posterior(lattice), _NOTHING, no_rows(lattice)[:0]
        if statistics is not None:
            counts = JumpCounts(*(statistics[name] for name in JumpCounts._fields))
            rows = np.zeros((lattice.states.size, PAIR_COUNTS), np.float32)
        precision = _DOUBLE if self.double else _SINGLE
        forward_backward(lattice._replace(context=()), self._rows(lattice), posterior, counts, rows, precision)
        return Inference(posterior, rows)

    def precise(self) -> Self:
        """The same model in double precision."""
        return replace(self, double=True)

    def viterbi(self, lattice: Lattice) -> Int:
        """The best path of each pair."""
        states = no_states(lattice)
        viterbi(lattice._replace(context=()), self._rows(lattice), states)
        return states

    def box_probabilities(self, lattice: Lattice, owners: Long, boxes: Long) -> Double:
        """How probable it is that words of boxes are explained by their states or null, and others are not.

        Args:
            lattice: A block of pairs.
            owners: The pair that each box belongs to.
            boxes: A row for each box: its first state and the one after its last, and the same for its words. At least
                one of these has to be explained by a state.
        """
        order = np.lexsort((*boxes.T[::-1], owners))
        plain = lattice._replace(context=())
        likelihood = HMM.infer(self, lattice).posterior.log_likelihood
        ordered, found = np.empty(owners.size), np.empty(owners.size)
        hmm_boxes(plain, self._rows(lattice), likelihood, owners[order], boxes[order], ordered)
        found[order] = ordered
        return found

    def nbest(self, lattice: Lattice, n: int) -> Paths:
        """The best paths; those that differ only in where null words stand at the beginning are one."""
        paths = no_paths(lattice, n)
        best_chains(lattice._replace(context=()), self._rows(lattice), paths)
        return paths

    def sample(self, lattice: Lattice, n: int, draws: Double) -> Paths:
        """Sum over all paths from the first word to the last, then draw from the last to the first."""
        paths = no_paths(lattice, n)
        sample_chains(lattice._replace(context=()), self._rows(lattice), draws, paths)
        return paths

    def zero_statistics(self) -> Statistics:
        """Zero counts of all parts."""
        zero: Statistics = {}
        for part in self.parts.values():
            zero |= part.zero_statistics(self.most_states)
        return zero

    def with_prior(self, statistics: Statistics, known: Sequence[PositionPrior]) -> Statistics:
        """The counts with what each part knows to make of a prior."""
        for part in self.parts.values():
            statistics = part.with_prior(statistics, known)
        return statistics

    def maximise(self, statistics: Statistics, smoothing: float) -> Self:
        """The M-step of each part."""
        learned: dict[str, Any] = {name: part.maximise(statistics, smoothing) for name, part in self.parts.items()}
        return replace(self, **learned)

    @classmethod
    def pooled(cls, summary: CorpusSummary, models: Sequence[Self], words: Sequence[Long], smoothing: float) -> Self:
        """Each part of all texts."""
        parts: dict[str, Any] = {
            name: type(part).pooled([model.parts[name] for model in models], smoothing)
            for name, part in models[0].parts.items()
        }
        most = max(summary.most_states, *(model.most_states for model in models))
        return replace(models[0], most_states=most, **parts)

    @property
    def sizes(self) -> tuple[float, float]:
        """How many jumps and how many first positions the weights were learned from."""
        return float(self.jumps.totals.sum()), float(self.first.totals.sum())

    def tensors(self) -> dict[str, NDArray[Any]]:
        """The parameters of all parts, and the longest sentence."""
        saved: dict[str, NDArray[Any]] = {"most_states": np.array([self.most_states])}
        for part in self.parts.values():
            saved |= part.tensors()
        return saved

    @classmethod
    def schema(cls) -> Schema | None:
        """What the arrays of all parts must be like."""
        parts = cls.jumps_part.schema(), cls.first_part.schema(), cls.null_part.schema()
        return {"most_states": single_length(), **parts[0], **parts[1], **parts[2]}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Self:
        """The model with these parameters."""
        jumps, first = cls.jumps_part.from_tensors(tensors), cls.first_part.from_tensors(tensors)
        null = cls.null_part.from_tensors(tensors)
        if len({part.totals.size > 0 for part in (jumps, first, null)}) > 1:
            raise SchemaError("of jumps, first positions and null, some have the counts behind them and others do not")
        return cls(jumps, first, null, int(tensors["most_states"][0]))
