"""The HMM with fertilities: a word that explains enough words already is not the first choice for one more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Expected, Int, Lattice, Long, Posterior, Texts
from pralign.kernels.crowding import MOST_WORDS, count_words, expected_links, weigh_links
from pralign.kernels.fertility_counts import add_by_word, state_words
from pralign.kernels.hmm import JumpWeights
from pralign.models.base import Arrays, DirectionalModel, Inference, Shape
from pralign.models.hmm import HMM
from pralign.models.prior import PositionPrior

# Fertility and null pull the same way, and likelihood alone would leave too many words to null.
NULL_PROBABILITY = 0.2
# Words with few counts are expected to do what all words do, as if that had been seen so often.
FERTILITY_PRIOR = 10.0
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
    before, and for text that was not trained on, of the model itself, in two rounds. The probability of null is fixed.

    Attributes:
        fertilities: How often each source word explained how many words; the last row is the prior, which is also
            for unknown words. Empty before there are any.
        state_words: How many different words states may be.
    """

    name = "fhmm"

    fertilities: Double = field(default_factory=lambda: np.empty((0, MOST_WORDS + 1)))
    state_words: int = 0

    @classmethod
    def initial(cls, shape: Shape, previous: DirectionalModel | None) -> Self:
        """Like the HMM, and fertilities do not matter yet; after an HMM, go on with its jumps."""
        fresh = super().initial(shape, previous)
        weights = previous.weights if isinstance(previous, HMM) else fresh.weights
        null = np.array([NULL_PROBABILITY])
        return replace(fresh, weights=weights._replace(null=null), state_words=shape.state_words)

    def prepare(self, lattice: Lattice, texts: Texts, pairs: Long, before: Expected | None = None) -> Lattice:
        """Multiply the emissions by what fertilities say of each link."""
        lattice = super().prepare(lattice, texts, pairs, before)
        words = state_words(texts, pairs, lattice.states)
        lattice = lattice._replace(context=FertileContext(self._rows(lattice), words, np.zeros(pairs.size)))
        if self.fertilities.size == 0:
            return lattice
        before = no_links(lattice.states.size) if before is None else before
        return self._weighed(lattice, before if before.known.all() else self._expected(lattice, before))

    def _share_of_null(self, unlinked: Double, words: Double) -> Double:
        """The same always."""
        return np.full(words.shape, NULL_PROBABILITY)

    def _expected(self, lattice: Lattice, before: Expected) -> Expected:
        """The links of a block as they were expected before or, where nothing was, as the model expects them."""
        weighed = lattice
        for _ in range(ROUNDS):
            expected = _links(weighed, super().infer(weighed, counting=False).posterior, before)
            weighed = self._weighed(lattice, expected)
        return expected

    def _weighed(self, lattice: Lattice, expected: Expected) -> Lattice:
        emission, nothing = lattice.emission.copy(), np.empty(lattice.states.size)
        plain, context = lattice._replace(context=()), lattice.context
        weigh_links(plain, context.words, expected, self.fertilities, emission, nothing)
        return lattice._replace(emission=emission, context=context._replace(nothing=nothing))

    def infer(self, lattice: Lattice, counting: bool) -> Inference:
        """Posteriors by the forward–backward algorithm; how many words each state explains is counted from them."""
        inference = super().infer(lattice, counting)
        inference.posterior.log_likelihood[:] += lattice.context.nothing
        if not counting:
            return inference
        words = lattice.context.words
        numbers = np.empty((words.size, MOST_WORDS + 1))
        count_words(_links(lattice, inference.posterior, no_links(lattice.states.size)), lattice.states, numbers)
        return inference._replace(counts=(*inference.counts, numbers, words))

    def no_counts(self) -> Arrays:
        """Zero of everything."""
        return (*super().no_counts(), np.zeros((self.state_words, MOST_WORDS + 1)))

    def add_parts(self, total: Arrays, counts: Arrays) -> None:
        """Add the sums of a block to ``total`` in place, and the fertilities of its states to those of their words."""
        *jumps, numbers, words = counts
        super().add_parts(total, tuple(jumps))
        add_by_word(words, numbers, total[-1])

    def add_prior(self, total: Arrays, known: Sequence[PositionPrior]) -> None:
        """Add jumps, and how many words words have explained elsewhere."""
        super().add_prior(total, known)
        for prior in known:
            if prior.fertilities.size:
                total[-1][:] += prior.fertilities

    def maximise(self, counts: Arrays, smoothing: float) -> Self:
        """Jump weights as in the HMM, and the fertilities as counted."""
        model = super().maximise(counts, smoothing)
        overall = counts[-1].sum(axis=0) + _LEAST_COUNT
        fertilities = np.vstack([counts[-1], FERTILITY_PRIOR * overall / overall.sum()])
        return replace(model, fertilities=fertilities, state_words=self.state_words)

    def tensors(self) -> dict[str, NDArray[Any]]:
        """What the HMM has, and the fertilities."""
        return {**super().tensors(), "fertilities": self.fertilities}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Self:
        """The model with these weights and fertilities."""
        fertilities = tensors["fertilities"]
        model = super().from_tensors(tensors)
        return replace(model, fertilities=fertilities, state_words=max(fertilities.shape[0] - 1, 0))


# Nothing is impossible.
_LEAST_COUNT = 0.01


def _links(lattice: Lattice, posterior: Posterior, before: Expected) -> Expected:
    found: Expected = expected_links(lattice._replace(context=()), posterior.link, before)
    return found


def no_links(pairs: int) -> Expected:
    """That nothing is known yet of a block of so many pairs."""
    start, none = np.zeros(pairs + 1, np.int64), np.empty(0, np.float32)
    known = np.zeros(pairs, np.bool_)
    return Expected(start, np.empty(0, np.int32), none, start, none, known, np.empty((pairs, 0), np.float32))
