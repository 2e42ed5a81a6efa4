"""The ways to choose links from what a model says."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np

from pralign.decoding.evidence import Evidence, Marks
from pralign.errors import UsageError
from pralign.links.symmetrization import SYMMETRIZERS, get_symmetrizer
from pralign.registry import Registry

SOFT_UNION = "soft-union"


class Thresholds(NamedTuple):
    """The posterior a link needs: under the forward model, the reverse model, and in the mean of both."""

    forward: float
    reverse: float
    mean: float

    @classmethod
    def all(cls, value: float) -> Thresholds:
        """The same threshold for all three."""
        return cls(value, value, value)


class DecodingMethod(ABC):
    """A way to choose links. A subclass sets its name and what it needs, and marks the cells that it links."""

    name: ClassVar[str]
    #: What it asks of a link where nothing else is said.
    default_threshold: ClassVar[float] = 0.5
    #: How it makes one alignment of two directions where nothing else is said.
    default_symmetrizer: ClassVar[str] = SOFT_UNION
    #: Whether it asks how probable links are.
    has_threshold: ClassVar[bool] = True
    #: Whether a lower threshold only adds links.
    grows: ClassVar[bool] = True

    def check(self, symmetrize: str) -> None:
        """Complain of a way to symmetrise that does not go with this one."""
        if symmetrize != SOFT_UNION and symmetrize not in SYMMETRIZERS:
            known = ", ".join([SOFT_UNION, *SYMMETRIZERS])
            raise UsageError(f"there is no way to symmetrize called {symmetrize!r}; there are {known}")

    @abstractmethod
    def marks(self, evidence: Evidence, symmetrize: str, thresholds: Thresholds) -> Marks:
        """Which cells of a block are links."""


class Posterior(DecodingMethod):
    """Links what is probable enough, in the mean of both directions or in each of them."""

    name = "posterior"

    def marks(self, evidence: Evidence, symmetrize: str, thresholds: Thresholds) -> Marks:
        """Compare posteriors with thresholds."""
        if symmetrize == SOFT_UNION:
            return np.asarray(evidence.mean >= np.float64(thresholds.mean))
        forward = evidence.forward >= np.float64(thresholds.forward)
        reverse = evidence.reverse >= np.float64(thresholds.reverse)
        return _symmetrized(evidence, forward, reverse, symmetrize)


class Viterbi(DecodingMethod):
    """Takes the best path of each direction."""

    name = "viterbi"
    default_symmetrizer = "grow-diag-final-and"
    has_threshold = False

    def check(self, symmetrize: str) -> None:
        """Paths have no mean."""
        super().check(symmetrize)
        if symmetrize == SOFT_UNION:
            raise UsageError(f"{SOFT_UNION} needs posteriors; with Viterbi decoding choose another way to symmetrize")

    def marks(self, evidence: Evidence, symmetrize: str, thresholds: Thresholds) -> Marks:
        """Combine the two paths."""
        return _symmetrized(evidence, *evidence.viterbi, symmetrize)


class _OfTheMean(DecodingMethod):
    """A way that looks at the mean of the two posteriors."""

    def check(self, symmetrize: str) -> None:
        """There is nothing to choose."""
        super().check(symmetrize)
        if symmetrize != SOFT_UNION:
            raise UsageError(f"{self.name} decoding looks at both directions at once: {SOFT_UNION} is all it can do")


class Tree(_OfTheMean):
    """Takes the best tree of a bracketing ITG."""

    name = "itg"
    default_threshold = 0.0

    def marks(self, evidence: Evidence, symmetrize: str, thresholds: Thresholds) -> Marks:
        """Links of the tree that are probable enough."""
        return evidence.tree & (evidence.mean >= np.float64(thresholds.mean))


class Matching(_OfTheMean):
    """Takes the best one-to-one alignment."""

    name = "matching"
    grows = False

    def marks(self, evidence: Evidence, symmetrize: str, thresholds: Thresholds) -> Marks:
        """The matching of each pair."""
        from pralign.decoding.matching import best_matching  # scipy takes a moment to import

        marks = np.empty(evidence.mean.size, np.bool_)
        for begin, end, shape in _pairs(evidence):
            marks[begin:end] = best_matching(evidence.mean[begin:end].reshape(shape), thresholds.mean).ravel()
        return marks


METHODS: Registry[DecodingMethod] = Registry("way to decode", "there is no {noun} called {name!r}; there are {names}")
for _method in (Posterior(), Viterbi(), Tree(), Matching()):
    METHODS.register(_method.name, _method)


def _symmetrized(evidence: Evidence, forward: Marks, reverse: Marks, symmetrize: str) -> Marks:
    symmetrizer = get_symmetrizer(symmetrize)
    marks = np.empty_like(forward)
    for begin, end, shape in _pairs(evidence):
        grids = forward[begin:end].reshape(shape), reverse[begin:end].reshape(shape)
        marks[begin:end] = symmetrizer(*grids).ravel()
    return marks


def _pairs(evidence: Evidence) -> Iterator[tuple[int, int, tuple[int, int]]]:
    shapes = zip(evidence.source_lengths.tolist(), evidence.target_lengths.tolist(), strict=True)
    for (begin, end), shape in zip(pairwise(evidence.cell_start.tolist()), shapes, strict=True):
        yield begin, end, shape
