"""What a model says about a block of pairs, laid out source-major for decoding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pralign.constraints.base import Constraint
from pralign.constraints.itg import best_trees
from pralign.constraints.projection import ShardWords, project
from pralign.kernels.arrays import Lattice, Long
from pralign.kernels.grids import mark_states, transpose_pairs
from pralign.kernels.own_counts import OwnCounts, choose
from pralign.models.bidirectional import BidirectionalModel, Lattices
from pralign.text.shard import Block, Shard

Value = TypeVar("Value", np.float32, np.bool_)
Cells = NDArray[np.float32]
Marks = NDArray[np.bool_]


@dataclass(frozen=True)
class Evidence:
    """Posteriors and best paths of a block. Cells of a pair lie source word by source word.

    Nothing is computed before it is asked for.
    """

    model: BidirectionalModel
    lattices: Lattices

    @property
    def cell_start(self) -> NDArray[np.int64]:
        """Where the cells of each pair begin."""
        return self.lattices.forward.cell_start

    @property
    def source_lengths(self) -> NDArray[np.int32]:
        """The number of source words of each pair."""
        return self.lattices.forward.states

    @property
    def target_lengths(self) -> NDArray[np.int32]:
        """The number of target words of each pair."""
        return self.lattices.reverse.states

    @cached_property
    def _posteriors(self) -> tuple[Cells, Cells, NDArray[np.float64]]:
        forward, reverse = (inference.posterior for inference in self.model.infer(self.lattices))
        transposed = _source_major(forward.link, self.lattices.forward)
        scores = _per_word(forward.log_likelihood, self.target_lengths)
        scores += _per_word(reverse.log_likelihood, self.source_lengths)
        return transposed, reverse.link, scores / 2

    @property
    def forward(self) -> Cells:
        """p(link) under the forward model, for each cell."""
        return self._posteriors[0]

    @property
    def reverse(self) -> Cells:
        """p(link) under the reverse model, for each cell."""
        return self._posteriors[1]

    @cached_property
    def mean(self) -> Cells:
        """The mean of the two directions' posteriors."""
        return (self.forward + self.reverse) * np.float32(0.5)

    @property
    def scores(self) -> NDArray[np.float64]:
        """The log-probability a word of each pair, averaged over the two directions."""
        return self._posteriors[2]

    @cached_property
    def tree(self) -> Marks:
        """The links of the best tree of a bracketing ITG over the mean of the two directions' posteriors."""
        return best_trees(self.mean, self.lattices)

    @cached_property
    def viterbi(self) -> tuple[Marks, Marks]:
        """The links of the forward and of the reverse Viterbi alignments."""
        forward, reverse = self.model.viterbi(self.lattices)
        return (
            _source_major(_marked(forward, self.lattices.forward), self.lattices.forward),
            _marked(reverse, self.lattices.reverse),
        )


@dataclass(frozen=True)
class AlignableShard:
    """A shard with everything that aligning it needs.

    Attributes:
        shard: The text.
        model: The model, with the parameters of the shard's words.
        own: What each included pair has added to the counts behind the parameters, if it is to be left out.
        words: The words of the shard, for constraints that look at them.
    """

    shard: Shard
    model: BidirectionalModel
    own: OwnCounts | None = None
    words: ShardWords | None = None

    def evidence(self, constraint: Constraint | None = None, pairs: Long | None = None) -> Iterator[Evidence]:
        """What the model says of the included pairs, or of some of them, in blocks; see :meth:`evidence_of`."""
        return (self.evidence_of(block, constraint) for block in self.shard.blocks(pairs))

    def evidence_of(self, block: Block, constraint: Constraint | None = None) -> Evidence:
        """What the model says of a block of included pairs, projected if there is a constraint."""
        own = None if self.own is None else choose(self.own, np.searchsorted(self.shard.pairs, block.pairs))
        lattices = self.model.lattices(block, own)
        if constraint is not None:
            lattices, _ = project(constraint, self.model, block, lattices, self.words)
        return Evidence(self.model, lattices)


def _marked(states: NDArray[np.int32], lattice: Lattice) -> Marks:
    marks = np.zeros(lattice.emission.size, np.bool_)
    mark_states(states, lattice.states, lattice.observed_start, lattice.cell_start, marks)
    return marks


def _source_major(values: NDArray[Value], lattice: Lattice) -> NDArray[Value]:
    transposed = np.empty_like(values)
    transpose_pairs(values, lattice.states, lattice.cell_start, transposed)
    return transposed


def _per_word(log_likelihood: NDArray[np.float64], words: NDArray[np.int32]) -> NDArray[np.float64]:
    return log_likelihood / np.maximum(words, 1)
