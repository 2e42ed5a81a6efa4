"""A model in both directions, trained together over one lexicon."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import CellSlots, Contributions, Int, Lattice, Texts
from pralign.kernels.leaving_out import add_kept, keep, seen_forward, seen_reverse
from pralign.models.base import Arrays, DirectionalModel, Inference
from pralign.models.estimation import Estimation
from pralign.models.lexicon import Lattices, LexicalCounts, Lexicon, add_lexical_counts
from pralign.models.memory import Memory
from pralign.models.prior import Prior


@dataclass(frozen=True)
class Block:
    """Some pairs of a corpus: the unit of work.

    Attributes:
        texts: The corpus.
        cells: The slots of the cells of indexed pairs; empty for a corpus that was not trained on.
        pairs: The numbers of the pairs in this block.
    """

    texts: Texts
    cells: CellSlots
    pairs: NDArray[np.int64]

    @property
    def turned(self) -> Texts:
        """The corpus as the reverse direction sees it."""
        texts = self.texts
        return Texts(texts.target, texts.target_start, texts.source, texts.source_start)


@dataclass(frozen=True)
class Expectations:
    """The E-step's answer for a block; posteriors are multiplied by the weights of the pairs.

    ``kept`` are the expected counts in the form in which they can be left out later, if they are to be.
    """

    block: Block
    lattices: Lattices
    forward: Inference
    reverse: Inference
    kept: Contributions | None = None


@dataclass(frozen=True)
class Statistics:
    """Everything the M-step needs, summed over blocks.

    ``log_likelihood`` holds the forward and the reverse log-likelihood of the text.
    """

    lexical: LexicalCounts
    forward: Arrays
    reverse: Arrays
    log_likelihood: NDArray[np.float64]

    def __add__(self, other: Statistics) -> Statistics:
        return Statistics(
            LexicalCounts(*(a + b for a, b in zip(self.lexical, other.lexical, strict=True))),
            tuple(a + b for a, b in zip(self.forward, other.forward, strict=True)),
            tuple(a + b for a, b in zip(self.reverse, other.reverse, strict=True)),
            self.log_likelihood + other.log_likelihood,
        )


@dataclass(frozen=True)
class BidirectionalModel:
    """A lexicon and a directional model each way: ``forward`` explains target words by source words.

    Attributes:
        lexicon: The translation probabilities of both directions.
        forward: Everything else about explaining the target by the source.
        reverse: The same for explaining the source by the target.
        memory: What each pair trained on has added to the counts, to be left out when the pair is aligned.
    """

    lexicon: Lexicon
    forward: DirectionalModel
    reverse: DirectionalModel
    memory: Memory | None = None

    @property
    def name(self) -> str:
        """The name of the model, the same in both directions."""
        return self.forward.name

    def lattices(self, block: Block, own: Contributions | None = None) -> Lattices:
        """The block as the directional models see it, without what its pairs have added to the counts.

        That is ``own``, or what the model remembers.
        """
        if own is None and self.memory is not None:
            own = self.memory.recall(block.texts, block.pairs)
        built = self.lexicon.lattices(block.texts, block.cells, block.pairs, own)
        before = (None, None)
        if own is not None:
            before = (seen_forward(own), seen_reverse(own, built.forward.states, built.reverse.states))
        return Lattices(
            self.forward.prepare(built.forward, block.texts, block.pairs, before[0]),
            self.reverse.prepare(built.reverse, block.turned, block.pairs, before[1]),
        )

    def infer(self, lattices: Lattices, counting: bool = False) -> tuple[Inference, Inference]:
        """Forward and reverse posteriors of a block."""
        forward = self.forward.infer(lattices.forward, counting)
        reverse = self.reverse.infer(lattices.reverse, counting)
        if lattices.log_likelihood is None:
            return forward, reverse
        before_forward, before_reverse = lattices.log_likelihood
        return _with_likelihood(forward, before_forward), _with_likelihood(reverse, before_reverse)

    def viterbi(self, lattices: Lattices) -> tuple[Int, Int]:
        """Forward and reverse Viterbi alignments of a block, a state for each observed word."""
        return self.forward.viterbi(lattices.forward), self.reverse.viterbi(lattices.reverse)

    def e_step(self, block: Block, lattices: Lattices, keeping: bool = False) -> Expectations:
        """What the model expects of a block, seen through its lattices; ``keeping`` is for leaving it out later."""
        forward, reverse = self.infer(lattices, counting=True)
        forward, reverse = _weighted(forward, lattices.forward), _weighted(reverse, lattices.reverse)
        kept = self._kept(lattices, forward, reverse) if keeping else None
        return Expectations(block, lattices, forward, reverse, kept)

    def _kept(self, lattices: Lattices, forward: Inference, reverse: Inference) -> Contributions:
        pairs = lattices.forward.states.size
        kept: Contributions = keep(
            (lattices.forward._replace(context=()), lattices.reverse._replace(context=())),
            (forward.posterior.link, reverse.posterior.link),
            (forward.posterior.null, reverse.posterior.null),
            (self.forward.own_counts(forward, pairs), self.reverse.own_counts(reverse, pairs)),
        )
        return kept

    def no_statistics(self) -> Statistics:
        """Statistics of nothing, to add to."""
        return Statistics(self.lexicon.no_counts(), self.forward.no_counts(), self.reverse.no_counts(), np.zeros(2))

    def add(self, total: Statistics, part: Expectations) -> None:
        """Add a block's expectations to ``total`` in place. Blocks must come in the same order every time."""
        inferences, block = (part.forward, part.reverse), part.block
        if part.kept is None:
            add_lexical_counts(total.lexical, block.texts, block.cells, block.pairs, inferences)
        else:
            add_kept(block.texts, block.pairs, block.cells, part.kept, tuple(total.lexical))
        self.forward.add_counts(total.forward, part.lattices.forward, part.forward)
        self.reverse.add_counts(total.reverse, part.lattices.reverse, part.reverse)
        total.log_likelihood[:] += [inference.posterior.log_likelihood.sum() for inference in inferences]

    def m_step(self, statistics: Statistics, how: Estimation, prior: Prior | None = None) -> BidirectionalModel:
        """The model that makes the statistics, with what is known before, likeliest (or as ``how`` says)."""
        if prior is not None:
            self.forward.add_prior(statistics.forward, prior.forward)
            self.reverse.add_prior(statistics.reverse, prior.reverse)
        return BidirectionalModel(
            self.lexicon.maximise(statistics.lexical, how, None if prior is None else prior.lexical),
            self.forward.maximise(statistics.forward, how.positional),
            self.reverse.maximise(statistics.reverse, how.positional),
        )


def _with_likelihood(inference: Inference, log_likelihood: NDArray[np.float64]) -> Inference:
    return inference._replace(posterior=inference.posterior._replace(log_likelihood=log_likelihood))


def _weighted(inference: Inference, lattice: Lattice) -> Inference:
    if np.all(lattice.weight == 1.0):
        return inference
    weight = lattice.weight.astype(np.float32)
    link = inference.posterior.link * np.repeat(weight, np.diff(lattice.cell_start))
    null = inference.posterior.null * np.repeat(weight, np.diff(lattice.observed_start))
    return inference._replace(posterior=inference.posterior._replace(link=link, null=null))
