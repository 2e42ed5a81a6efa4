"""A model in both directions, as a shard sees it: the E-step of training, and what decoding asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Int, Lattice
from pralign.kernels.lexical import add_counts, fill_lattices
from pralign.kernels.own_counts import OwnCounts, add_own_counts, agreement, collect, leave_out, transposed
from pralign.kernels.paths import Paths
from pralign.kernels.units import LOG_UNITS
from pralign.models.base import DirectionalModel, Inference, Statistics, check_own
from pralign.models.lexicon import ShardLexicon
from pralign.text.shard import Block, Shard


class Lattices(NamedTuple):
    """A block of pairs in both directions; ``forward`` generates the target words, ``reverse`` the source words.

    Lattices that were changed after the lexicon made them keep in ``log_likelihood`` what the models said of the pairs
    before, forward and reverse.
    """

    forward: Lattice
    reverse: Lattice
    log_likelihood: tuple[Double, Double] | None = None


class LexicalCounts(NamedTuple):
    """Expected counts in units: of word pairs (both directions side by side), and of words explained by null."""

    pair: NDArray[np.int64]
    null_to_target: NDArray[np.int64]
    null_to_source: NDArray[np.int64]


class ShardStatistics(NamedTuple):
    """Expected counts of a shard, by its own words; ``log_likelihood`` is that of its pairs, forward and reverse."""

    lexical: LexicalCounts
    forward: Statistics
    reverse: Statistics
    log_likelihood: NDArray[np.int64]


@dataclass(frozen=True)
class BidirectionalModel:
    """A lexicon and a directional model each way: ``forward`` explains target words by source words.

    Attributes:
        lexicon: The translation probabilities of both directions, of the words of a shard.
        forward: Everything else about explaining the target by the source.
        reverse: The same for explaining the source by the target.
    """

    lexicon: ShardLexicon
    forward: DirectionalModel
    reverse: DirectionalModel

    @property
    def name(self) -> str:
        """The name of the model, the same in both directions."""
        return self.forward.name

    def lattices(self, block: Block, own: OwnCounts | None = None) -> Lattices:
        """The block as the directional models see it, without what its pairs have added to the counts, ``own``."""
        texts, pairs = block.texts, block.pairs
        source = texts.source_start[pairs + 1] - texts.source_start[pairs]
        target = texts.target_start[pairs + 1] - texts.target_start[pairs]
        cell_start = _starts(source * target)
        forward, reverse = _lattice(source, target, cell_start), _lattice(target, source, cell_start)
        fill_lattices(texts, pairs, block.slots, self.lexicon.translations, forward, reverse)
        seen_from_reverse = None
        if own is not None:
            leave_out(texts, pairs, self.lexicon.normalizers, own, (forward, reverse))
            seen_from_reverse = transposed(own, forward.states, reverse.states)
        return Lattices(
            self.forward.prepare(forward, texts, pairs, own),
            self.reverse.prepare(reverse, block.transposed_texts, pairs, seen_from_reverse),
        )

    def infer(
        self, lattices: Lattices, statistics: tuple[Statistics, Statistics] | None = None
    ) -> tuple[Inference, Inference]:
        """Forward and reverse posteriors of a block; expected counts are added to ``statistics``, if given."""
        counted = statistics or (None, None)
        forward = self.forward.infer(lattices.forward, counted[0])
        reverse = self.reverse.infer(lattices.reverse, counted[1])
        if lattices.log_likelihood is None:
            return forward, reverse
        before_forward, before_reverse = lattices.log_likelihood
        return _with_likelihood(forward, before_forward), _with_likelihood(reverse, before_reverse)

    def viterbi(self, lattices: Lattices) -> tuple[Int, Int]:
        """Forward and reverse Viterbi alignments of a block, a state for each observed word."""
        return self.forward.viterbi(lattices.forward), self.reverse.viterbi(lattices.reverse)

    def nbest(self, lattices: Lattices, n: int) -> tuple[Paths, Paths]:
        """The ``n`` likeliest alignments of each pair of a block in each direction, a state for each observed word."""
        for model in (self.forward, self.reverse):
            check_own(type(model), "nbest")
        return self.forward.nbest(lattices.forward, n), self.reverse.nbest(lattices.reverse, n)

    def sample(self, lattices: Lattices, n: int, draws: tuple[Double, Double]) -> tuple[Paths, Paths]:
        """``n`` alignments of each pair in each direction, drawn with numbers that are evenly distributed."""
        for model in (self.forward, self.reverse):
            check_own(type(model), "sample")
        forward = self.forward.sample(lattices.forward, n, draws[0])
        return forward, self.reverse.sample(lattices.reverse, n, draws[1])

    def zero_statistics(self, shard: Shard) -> ShardStatistics:
        """Zero counts of a shard."""
        lexical = LexicalCounts(
            np.zeros((shard.table.source.size, 2), np.int64),
            np.zeros(shard.target_words.size, np.int64),
            np.zeros(shard.source_words.size, np.int64),
        )
        likelihood = np.zeros(2, np.int64)
        return ShardStatistics(lexical, self.forward.zero_statistics(), self.reverse.zero_statistics(), likelihood)

    def count(
        self, block: Block, lattices: Lattices, statistics: ShardStatistics, leaving_out: bool = False
    ) -> OwnCounts | None:
        """Add what the model expects of a block, seen through its lattices, to ``statistics`` in place.

        If counts are to be left out later, returns those that each pair has added.
        """
        forward, reverse = self.infer(lattices, (statistics.forward, statistics.reverse))
        forward, reverse = _weighted(forward, lattices.forward), _weighted(reverse, lattices.reverse)
        for place, part in enumerate((forward, reverse)):
            units = np.rint(part.posterior.log_likelihood * LOG_UNITS).astype(np.int64)
            statistics.log_likelihood[place] += units.sum()
        counts, own = tuple(statistics.lexical), None
        if leaving_out or "agreement" in statistics.forward:
            own = _own_counts(lattices, forward, reverse)
            for counted in (statistics.forward, statistics.reverse):
                if "agreement" in counted:
                    counted["agreement"] += agreement(own)
        if leaving_out:
            add_own_counts(block.texts, block.pairs, block.slots, own, counts)
            return own
        add_counts(block.texts, block.pairs, block.slots, forward.posterior, reverse.posterior, counts)
        return None


def _own_counts(lattices: Lattices, forward: Inference, reverse: Inference) -> OwnCounts:
    own: OwnCounts = collect(
        (lattices.forward._replace(context=()), lattices.reverse._replace(context=())),
        (forward.posterior.link, reverse.posterior.link),
        (forward.posterior.null, reverse.posterior.null),
        (forward.rows, reverse.rows),
    )
    return own


def _starts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    starts = np.zeros(sizes.size + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def _lattice(states: NDArray[np.int64], observed: NDArray[np.int64], cell_start: NDArray[np.int64]) -> Lattice:
    observed_start = _starts(observed)
    return Lattice(
        np.empty(cell_start[-1], np.float32),
        np.empty(observed_start[-1], np.float32),
        states.astype(np.int32),
        observed_start,
        cell_start,
        np.ones(states.size),
    )


def _with_likelihood(inference: Inference, log_likelihood: Double) -> Inference:
    return inference._replace(posterior=inference.posterior._replace(log_likelihood=log_likelihood))


def _weighted(inference: Inference, lattice: Lattice) -> Inference:
    if np.all(lattice.weight == 1.0):
        return inference
    weight = lattice.weight.astype(np.float32)
    link = inference.posterior.link * np.repeat(weight, np.diff(lattice.cell_start))
    null = inference.posterior.null * np.repeat(weight, np.diff(lattice.observed_start))
    return inference._replace(posterior=inference.posterior._replace(link=link, null=null))
