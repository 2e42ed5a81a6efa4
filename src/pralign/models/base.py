"""What an alignment model is: a lexicon, shared by all, and one of these for each direction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Int, Lattice, Posterior

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
    """

    states: NDArray[np.int64]
    observed: NDArray[np.int64]


class DirectionalModel(ABC):
    """A model in one direction: which states are likely to explain which observed words, apart from the lexicon.

    The lexicon reaches a model as a :class:`~pralign.kernels.arrays.Lattice`: a block of pairs with the probability
    of each observed word given each state. The model weighs that against its own parameters. Instances are
    immutable: training makes new ones.

    A subclass sets ``name`` and writes the abstract methods; the rest of the program (training, decoding, saving,
    the command line) then works with it.
    """

    name: ClassVar[str]

    @classmethod
    @abstractmethod
    def initial(cls, shape: Shape, previous: DirectionalModel | None) -> Self:
        """The model before training, for a corpus of ``shape``; ``previous`` is the simpler model trained before."""

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
        for whole, part in zip(total, inference.counts, strict=True):
            whole += part

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
