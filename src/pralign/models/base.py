"""What an alignment model is: a lexicon, shared by all, and one of these for each direction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pralign.errors import UsageError
from pralign.kernels.arrays import Double, Float, Int, Lattice, Long, Posterior, Texts
from pralign.kernels.own_counts import OwnCounts
from pralign.kernels.paths import Paths
from pralign.models.prior import PositionPrior
from pralign.schema.arrays import Array, Schema, between
from pralign.schema.limits import LONGEST

#: Expected counts by name, as whole numbers of units (see :mod:`pralign.kernels.units`).
Statistics = dict[str, NDArray[np.int64]]


class Inference(NamedTuple):
    """What a model says of a block: posteriors and, if counts were asked for, what its parts count for each pair."""

    posterior: Posterior
    rows: Float


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """What models need to know of the training text, seen from one direction.

    Attributes:
        longest_observed: For each number of states, the most observed words that a pair with so many states has.
        state_words: How many different words states may be.
        observed_words: How many different words are observed.
        state_classes: The word classes of the states, if a model asks for them.
        observed_classes: The same for the observed words.
        pegging: Whether models that search for alignments should search more widely.
    """

    longest_observed: Long
    state_words: int = 0
    observed_words: int = 0
    state_classes: Int = field(default_factory=lambda: np.empty(0, np.int32))
    observed_classes: Int = field(default_factory=lambda: np.empty(0, np.int32))
    pegging: bool = False

    @property
    def most_states(self) -> int:
        """The largest number of states of a pair."""
        return self.longest_observed.size - 1

    @property
    def most_observed(self) -> int:
        """The largest number of observed words of a pair."""
        return int(self.longest_observed.max(initial=0))


class DirectionalModel(ABC):
    """A model in one direction: which states are likely to explain which observed words, apart from the lexicon.

    The lexicon reaches a model as a :class:`~pralign.kernels.arrays.Lattice`: a block of pairs with the probability
    of each observed word given each state. The model weighs that against its own parameters. Instances are
    immutable: training makes new ones.

    A subclass sets ``name`` and writes the abstract methods; the rest of the program (training, decoding, saving,
    the command line) then works with it.

    Example:
        >>> from pralign.models import MODELS
        >>> [name for name, model in MODELS.items() if issubclass(model, DirectionalModel) and model.needs_classes]
        ['ibm4']
    """

    name: ClassVar[str]
    #: Whether its first parameters come from the best paths of the model trained before it.
    initialised_from_viterbi: ClassVar[bool] = False
    #: Whether it looks at word classes.
    needs_classes: ClassVar[bool] = False
    #: How many steps along the gradient a projection takes, where constraints may be impossible to satisfy; 0 for as
    #: many as it takes to satisfy them.
    gradient_steps: ClassVar[int] = 0
    #: The statistics that have a row for each word of the state side.
    counted_by_word: ClassVar[frozenset[str]] = frozenset()
    #: Whether it keeps the counts behind its parameters, so that models of several texts can be added up.
    additive: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def initial(cls, summary: CorpusSummary, previous: DirectionalModel | None) -> Self:
        """The model before training; ``previous`` is the simpler model trained before."""

    def for_words(self, states: Long, observed: Long) -> Self:
        """The model as a shard sees it, with the parameters of the shard's words only, in their order.

        Numbers past the vocabulary are unknown words.
        """
        return self

    def prepare(self, lattice: Lattice, texts: Texts, pairs: Long, own: OwnCounts | None = None) -> Lattice:
        """Look at a block before it is inferred from, and keep what was found as the lattice's context.

        Most models need nothing but the lattice. ``texts`` has the words of the states as its source side, those that
        are observed as its target side; ``pairs`` are the numbers of the block's pairs. ``own`` is what the pairs
        have added to the counts behind the model's parameters, if it is to be left out of them.
        """
        return lattice

    def search_again(self, lattice: Lattice) -> Lattice:
        """Look again at a block whose emissions have changed since :meth:`prepare`."""
        return lattice

    def count_paths(self, lattice: Lattice, texts: Texts, pairs: Long, states: Int, statistics: Statistics) -> None:
        """Add to ``statistics`` what is counted if these states are the alignments of a block.

        For models that are :attr:`initialised_from_viterbi`.
        """
        raise NotImplementedError

    @abstractmethod
    def infer(self, lattice: Lattice, statistics: Statistics | None = None) -> Inference:
        """Posteriors of a block; expected counts are added to ``statistics``, if given, in place.

        What a pair adds to the counts is multiplied by its weight in the lattice.
        """

    def precise(self) -> Self:
        """The same model, with posteriors that are exact enough to climb by."""
        return self

    @abstractmethod
    def viterbi(self, lattice: Lattice) -> Int:
        """The state of each observed word in the likeliest alignment of each pair, -1 for null."""

    def nbest(self, lattice: Lattice, n: int) -> Paths:
        """The ``n`` likeliest alignments of each pair, all different, best first, or as many as are possible.

        Their probabilities are those that :meth:`infer` is about, in double precision: over all alignments of a pair,
        or all that the model looks at, they sum to one. A model that changes :meth:`infer` or :meth:`viterbi` has to
        say anew what its best alignments are.

        Raises:
            UsageError: The model does not say.
        """
        raise lacking(self, "nbest")

    def sample(self, lattice: Lattice, n: int, draws: Double) -> Paths:
        """``n`` alignments of each pair, drawn at random by their probabilities, with these; see :meth:`nbest`.

        ``draws`` are evenly distributed numbers from 0 up to 1, one for each word of each alignment, laid out like
        :attr:`Paths.state <pralign.kernels.paths.Paths>`; nothing else may be random.

        Raises:
            UsageError: The model does not say.
        """
        raise lacking(self, "sample")

    @abstractmethod
    def zero_statistics(self) -> Statistics:
        """Zero counts."""

    def with_prior(self, statistics: Statistics, known: Sequence[PositionPrior]) -> Statistics:
        """The counts with what is known before training, as far as the model can use it."""
        return statistics

    @abstractmethod
    def maximise(self, statistics: Statistics, smoothing: float) -> Self:
        """The M-step: the model that makes the counts likeliest, each raised by ``smoothing``."""

    @classmethod
    def pooled(cls, summary: CorpusSummary, models: Sequence[Self], words: Sequence[Long], smoothing: float) -> Self:
        """The model of several texts, from those of each; for models that are :attr:`additive`.

        Args:
            summary: What else the model has to have room for; its words are those of all texts.
            models: The models of the single texts.
            words: For each model, the numbers of its state words among those of all texts.
            smoothing: What each of them was raised by, and the result is.
        """
        raise NotImplementedError

    @property
    def likelihood_kind(self) -> str:
        """What its log-likelihood is of, where that is something else than the sum over all alignments of words."""
        return ""

    @property
    def remark(self) -> str | None:
        """What it has chosen by itself that users may want to know."""
        return None

    @abstractmethod
    def tensors(self) -> dict[str, NDArray[Any]]:
        """The parameters, to be saved."""

    @classmethod
    def schema(cls) -> Schema | None:
        """What the arrays of :meth:`tensors` must be like, see :mod:`pralign.schema.arrays`.

        Sizes that are known by name are ``"state words"`` and ``"observed words"``. Of a model that does not say,
        arrays are only known to hold finite numbers when they reach :meth:`from_tensors`.
        """
        return None

    @classmethod
    @abstractmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Self:
        """The model with these saved parameters, which are as :meth:`schema` says."""


def single_length() -> Array:
    """An array that holds nothing but a number of words of a sentence."""
    return Array("int64", (1,), (between(0, LONGEST),))


def no_rows(lattice: Lattice) -> Float:
    """The rows of a model whose parts count nothing for single pairs."""
    return np.empty((lattice.states.size, 0), np.float32)


def empty_posterior(lattice: Lattice) -> Posterior:
    """Room for the posteriors of a block."""
    return Posterior(
        np.empty_like(lattice.emission), np.empty_like(lattice.null_emission), np.empty(lattice.states.size)
    )


def no_states(lattice: Lattice) -> Int:
    """Room for one state a word."""
    return np.empty(lattice.null_emission.size, np.int32)


def no_paths(lattice: Lattice, n: int) -> Paths:
    """Room for ``n`` alignments of each pair."""
    pairs = lattice.states.size
    return Paths(np.zeros(pairs, np.int64), np.empty(n * lattice.null_emission.size, np.int32), np.empty((pairs, n)))


def check_own(kind: type[DirectionalModel], method: str) -> None:
    """Complain of a kind of model that has no ``method``, or has it from one that infers in another way.

    Raises:
        UsageError: What the method says would be about another model.
    """
    for each in kind.__mro__:
        if each is DirectionalModel or (method not in vars(each) and not {"infer", "viterbi"}.isdisjoint(vars(each))):
            raise lacking(kind, method)
        if method in vars(each):
            return


def lacking(model: DirectionalModel | type[DirectionalModel], method: str) -> UsageError:
    """The error for a model that has no ``method`` of its own, to be raised by the caller."""
    return UsageError(
        f"the model {model.name} infers in a way of its own, but has no method {method} to go with it; write one, or "
        "choose another model"
    )
