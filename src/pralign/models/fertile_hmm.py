"""The HMM with fertilities: a word that explains enough words already is not the first choice for one more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Float, Int, Lattice, Long, Texts
from pralign.kernels.fertility_counts import state_words
from pralign.kernels.fertility_factor import MOST_WORDS, LikelyLinks, count_words, likely_links, weigh_links
from pralign.kernels.hmm import JumpWeights
from pralign.kernels.own_counts import OwnCounts, no_own_counts
from pralign.kernels.paths import Paths
from pralign.models.base import CorpusSummary, DirectionalModel, Inference, Statistics
from pralign.models.fertilities import Fertilities
from pralign.models.hmm import HMM
from pralign.models.null import AgreedNull
from pralign.models.part import Part
from pralign.schema.arrays import Schema

# Pairs that were not trained on have no expected links to begin with; so often the model makes some for itself.
ROUNDS = 2


class FertileContext(NamedTuple):
    """What the model keeps with a lattice.

    Weights for each pair, or one row for all; the words of the states; and the logarithm of the probability that none
    of a pair's states explains anything, which emissions leave out.
    """

    rows: JumpWeights
    words: Int
    nothing: Double

    def select(self, pairs: Long) -> FertileContext:
        """The context of some pairs of a block, to infer posteriors from but not counts."""
        single = self.rows.null.shape[0] == 1
        rows = self.rows if single else JumpWeights(*(part[pairs] for part in self.rows))
        return self._replace(rows=rows, nothing=self.nothing[pairs])


@dataclass(frozen=True)
class FertileHMM(HMM):
    r"""An HMM in which it matters how many other words a state explains.

    .. math:: p(x, z \mid y) \propto p_{HMM}(x, z \mid y) \prod_i p_n(n_i(z) \mid y_i)

    There is no sum over all alignments in closed form. Given how many words each state is expected to explain without
    word j, a link from it to j is worth the geometric mean of :math:`p_n(n + 1) / p_n(n)`, which multiplies its
    emission; with emissions like these the HMM infers as always. The expected numbers are those of the iteration
    before, and for text that was not trained on, of the model itself, in two rounds.

    Attributes:
        fertilities: How often each word explained how many words.

    Example:
        >>> from pralign import Aligner
        >>> pairs = [("the house", "la maison"), ("the cat", "le chat"), ("a cat", "un chat")]
        >>> isinstance(Aligner(model="fhmm", threads=1).fit(pairs).model_.forward, FertileHMM)
        True
    """

    name = "fhmm"
    null_part = AgreedNull
    counted_by_word = frozenset({"fertility"})

    fertilities: Fertilities = field(default_factory=Fertilities)

    @classmethod
    def initial(cls, summary: CorpusSummary, previous: DirectionalModel | None) -> Self:
        """Like the HMM, and fertilities do not matter yet; after an HMM, go on with its jumps."""
        fresh = super().initial(summary, previous)
        if isinstance(previous, HMM):
            jumps = replace(fresh.jumps, weights=previous.jumps.weights)
            fresh = replace(fresh, jumps=jumps, first=replace(fresh.first, weights=previous.first.weights))
        return replace(fresh, fertilities=Fertilities(np.zeros((summary.state_words + 1, MOST_WORDS + 1))))

    @property
    def parts(self) -> dict[str, Part]:
        """The parts of the HMM, and fertilities."""
        return {**super().parts, "fertilities": self.fertilities}

    def for_words(self, states: Long, observed: Long) -> Self:
        """The model with the fertilities of a shard's words."""
        return replace(self, fertilities=self.fertilities.for_words(states))

    def prepare(self, lattice: Lattice, texts: Texts, pairs: Long, own: OwnCounts | None = None) -> Lattice:
        """Multiply the emissions by what fertilities say of each link."""
        lattice = super().prepare(lattice, texts, pairs, own)
        words = state_words(texts, pairs, lattice.states)
        lattice = lattice._replace(context=FertileContext(self._rows(lattice), words, np.zeros(pairs.size)))
        if not self.fertilities.learned:
            return lattice
        own = no_own_counts(pairs.size) if own is None else own
        if np.all(np.diff(own.target_start)):  # what is to be expected of the links is known of all pairs
            return self._weighed(lattice, _likely_links(lattice, np.empty(0, np.float32), own), own)
        weighed = lattice
        for _ in range(ROUNDS):
            links = _likely_links(weighed, super().infer(weighed).posterior.link, own)
            weighed = self._weighed(lattice, links, own)
        return weighed

    def _weighed(self, lattice: Lattice, links: LikelyLinks, own: OwnCounts) -> Lattice:
        emission, nothing = lattice.emission.copy(), np.empty(lattice.states.size)
        plain, context = lattice._replace(context=()), lattice.context
        weigh_links(plain, context.words, links, own, self.fertilities.table, (emission, nothing))
        return lattice._replace(emission=emission, context=context._replace(nothing=nothing))

    def infer(self, lattice: Lattice, statistics: Statistics | None = None) -> Inference:
        """Posteriors by the forward–backward algorithm; how many words each state explains is counted from them."""
        inference = super().infer(lattice, statistics)
        inference.posterior.log_likelihood[:] += lattice.context.nothing
        if statistics is not None:
            plain = lattice._replace(context=())
            count_words(plain, inference.posterior.link, lattice.context.words, statistics["fertility"])
        return inference

    def nbest(self, lattice: Lattice, n: int) -> Paths:
        """The best paths of the HMM with these emissions, which is what posteriors are of too."""
        return super().nbest(lattice, n)

    def sample(self, lattice: Lattice, n: int, draws: Double) -> Paths:
        """Paths drawn from the HMM with these emissions."""
        return super().sample(lattice, n, draws)

    @classmethod
    def pooled(cls, summary: CorpusSummary, models: Sequence[Self], words: Sequence[Long], smoothing: float) -> Self:
        """Each part of all texts; fertilities are those of all words."""
        size = summary.state_words
        renumbered = [
            replace(model, fertilities=model.fertilities.renumbered(numbers, size))
            for model, numbers in zip(models, words, strict=True)
        ]
        return super().pooled(summary, renumbered, words, smoothing)

    @property
    def likelihood_kind(self) -> str:
        """With fertilities, as soon as some were learned."""
        return "with fertilities" if self.fertilities.learned else ""

    @property
    def remark(self) -> str:
        """How likely null is, which depends on how much both directions agree."""
        return f"null has a probability of {self.null.probability[0]:.2f}, by how much both directions agree"

    def zero_statistics(self) -> Statistics:
        """Zero counts of all parts."""
        return {**super().zero_statistics(), **self.fertilities.zero_by_word()}

    @classmethod
    def schema(cls) -> Schema | None:
        """What the arrays of all parts must be like."""
        return {**(super().schema() or {}), **Fertilities.schema()}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Self:
        """The model with these parameters."""
        return replace(super().from_tensors(tensors), fertilities=Fertilities.from_tensors(tensors))


def _likely_links(lattice: Lattice, link: Float, own: OwnCounts) -> LikelyLinks:
    found: LikelyLinks = likely_links(lattice._replace(context=()), link, own)
    return found
