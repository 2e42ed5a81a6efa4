"""What an alignment model is: a lexicon, shared by all, and one of these for each direction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Expected, Float, Int, Lattice, Long, Posterior, Texts
from pralign.models.prior import PositionPrior

Arrays = tuple[NDArray[Any], ...]


class Inference(NamedTuple):
    """What a model says of a block: posteriors, and the expected counts its own parameters need."""

    posterior: Posterior
    counts: Arrays


@dataclass(frozen=True, slots=True)
class Shape:
    """How long the sentences of the training text are, seen from one direction.

    Attributes:
        states: The number of states of each pair.
        observed: The number of observed words of each pair.
        state_words: How many different words states may be.
        observed_words: How many different words are observed.
        classes: Finds the word classes of both, state words first.
        pegging: Whether models that search for alignments should search more widely.
    """

    states: NDArray[np.int64]
    observed: NDArray[np.int64]
    state_words: int = 0
    observed_words: int = 0
    classes: Callable[[], tuple[Int, Int]] = lambda: (np.empty(0, np.int32), np.empty(0, np.int32))
    pegging: bool = False


class DirectionalModel(ABC):
    """A model in one direction: which states are likely to explain which observed words, apart from the lexicon.

    The lexicon reaches a model as a :class:`~pralign.kernels.arrays.Lattice`: a block of pairs with the probability
    of each observed word given each state. The model weighs that against its own parameters. Instances are
    immutable: training makes new ones.

    A subclass sets ``name`` and writes the abstract methods; the rest of the program (training, decoding, saving,
    the command line) then works with it.
    """

    name: ClassVar[str]
    #: Whether its first parameters come from the best paths of the model trained before it.
    follows: ClassVar[bool] = False
    #: How many steps along the gradient a projection takes, where constraints may be impossible to satisfy; 0 for as
    #: many as it takes to satisfy them.
    gradient_steps: ClassVar[int] = 0

    @classmethod
    @abstractmethod
    def initial(cls, shape: Shape, previous: DirectionalModel | None) -> Self:
        """The model before training, for a corpus of ``shape``; ``previous`` is the simpler model trained before."""

    def prepare(self, lattice: Lattice, texts: Texts, pairs: Long, before: Expected | None = None) -> Lattice:
        """Look at a block before it is inferred from, and keep what was found as the lattice's context.

        Most models need nothing but the lattice. ``texts`` has the words of the states as its source side, those that
        are observed as its target side; ``pairs`` are the numbers of the block's pairs. ``before`` is what the pairs
        have added to the counts behind the model's parameters, if it is to be left out of them.
        """
        return lattice

    def own_counts(self, inference: Inference, pairs: int) -> Float:
        """What each pair adds to the counts beyond its links, as a row a pair that :meth:`prepare` will get again."""
        return np.empty((pairs, 0), np.float32)

    def search_again(self, lattice: Lattice) -> Lattice:
        """Look again at a block whose emissions have changed since :meth:`prepare`."""
        return lattice

    def counts_of_paths(self, lattice: Lattice, texts: Texts, pairs: Long, states: Int) -> Arrays:
        """What a model that :attr:`follows` counts if these states are the alignments of a block."""
        raise NotImplementedError

    @abstractmethod
    def infer(self, lattice: Lattice, counting: bool) -> Inference:
        """Posteriors of a block; with ``counting``, also expected counts (otherwise they may be empty).

        What a pair adds to the counts is multiplied by its weight in the lattice.
        """

    @abstractmethod
    def viterbi(self, lattice: Lattice) -> Int:
        """The state of each observed word in the likeliest alignment of each pair, -1 for null."""

    @abstractmethod
    def no_counts(self) -> Arrays:
        """Expected counts of nothing, to add to."""

    def add_counts(self, total: Arrays, lattice: Lattice, inference: Inference) -> None:
        """Add a block's counts to ``total`` in place; the posteriors of ``inference`` are multiplied by the weights."""
        self.add_parts(total, inference.counts)

    def add_parts(self, total: Arrays, counts: Arrays) -> None:
        """Add counts of a block's own to ``total`` in place."""
        for whole, part in zip(total, counts, strict=True):
            whole += part

    def add_prior(self, total: Arrays, known: Sequence[PositionPrior]) -> None:
        """Add what is known before training to the counts in ``total``, in place, as far as the model can use it."""
        return

    @abstractmethod
    def maximise(self, counts: Arrays, smoothing: float) -> Self:
        """The M-step: the model that makes ``counts`` likeliest, each count raised by ``smoothing``."""

    @abstractmethod
    def tensors(self) -> dict[str, NDArray[Any]]:
        """The parameters, to be saved."""

    @classmethod
    @abstractmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Self:
        """The model with these saved parameters."""


def empty_posterior(lattice: Lattice) -> Posterior:
    """Room for the posteriors of a block."""
    return Posterior(
        np.empty_like(lattice.emission), np.empty_like(lattice.null_emission), np.empty(lattice.states.size)
    )


def no_states(lattice: Lattice) -> Int:
    """Room for one state a word."""
    return np.empty(lattice.null_emission.size, np.int32)
