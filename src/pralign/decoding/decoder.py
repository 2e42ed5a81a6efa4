"""Choosing the links of each pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from pralign.decoding.evidence import Cells, Evidence, Marks
from pralign.errors import UsageError
from pralign.links.alignment import Alignment
from pralign.links.symmetrization import SYMMETRIZERS, get_symmetrizer

Method = Literal["posterior", "viterbi", "itg", "matching"]

METHODS: tuple[Method, ...] = get_args(Method)
# What each way to decode asks of a link where nothing else is said.
DEFAULT_THRESHOLDS = {"posterior": 0.5, "viterbi": 0.5, "itg": 0.0, "matching": 0.5}

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


@dataclass(frozen=True)
class Decoder:
    """Turns a model's evidence into alignments.

    Attributes:
        method: ``"posterior"`` links what is probable enough; ``"viterbi"`` takes each direction's best path;
            ``"itg"`` the best tree of a bracketing ITG over the mean of the two posteriors; ``"matching"`` the best
            one-to-one alignment by that mean.
        symmetrize: How the two directions are combined: the name of a symmetriser, or ``"soft-union"``, which
            looks at the mean of the two posteriors, as trees and matchings always do.
        thresholds: What is probable enough; Viterbi decoding does not use it.
    """

    method: Method
    symmetrize: str
    thresholds: Thresholds

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            known = ", ".join(METHODS)
            raise UsageError(f"there is no way to decode called {self.method!r}; there are {known}")
        if self.symmetrize != SOFT_UNION and self.symmetrize not in SYMMETRIZERS:
            known = ", ".join([SOFT_UNION, *SYMMETRIZERS])
            raise UsageError(f"there is no way to symmetrize called {self.symmetrize!r}; there are {known}")
        if self.symmetrize == SOFT_UNION and self.method == "viterbi":
            raise UsageError(f"{SOFT_UNION} needs posteriors; with Viterbi decoding choose another way to symmetrize")
        if self.symmetrize != SOFT_UNION and self.method in ("itg", "matching"):
            raise UsageError(f"{self.method} decoding looks at both directions at once: {SOFT_UNION} is all it can do")

    def with_thresholds(self, thresholds: Thresholds) -> Decoder:
        """The same decoder with other thresholds."""
        return replace(self, thresholds=thresholds)

    def __call__(self, evidence: Evidence) -> Iterator[Alignment]:
        """Yield the alignment of each pair of a block; scores are the posteriors that speak for the links."""
        return alignments(self._marks(evidence), evidence, self._scores(evidence))

    def _marks(self, evidence: Evidence) -> Marks:
        if self.method == "itg":
            return evidence.tree & (evidence.mean >= np.float64(self.thresholds.mean))
        if self.method == "matching":
            return self._matchings(evidence)
        if self.symmetrize == SOFT_UNION:
            return evidence.mean >= np.float64(self.thresholds.mean)
        if self.method == "viterbi":
            forward, reverse = evidence.viterbi
        else:
            forward = evidence.forward >= np.float64(self.thresholds.forward)
            reverse = evidence.reverse >= np.float64(self.thresholds.reverse)
        symmetrizer = get_symmetrizer(self.symmetrize)
        marks = np.empty_like(forward)
        for begin, end, shape in _pairs(evidence):
            grids = forward[begin:end].reshape(shape), reverse[begin:end].reshape(shape)
            marks[begin:end] = symmetrizer(*grids).ravel()
        return marks

    def _matchings(self, evidence: Evidence) -> Marks:
        from pralign.decoding.matching import best_matching  # scipy takes a moment to import

        marks = np.empty(evidence.mean.size, np.bool_)
        for begin, end, shape in _pairs(evidence):
            marks[begin:end] = best_matching(evidence.mean[begin:end].reshape(shape), self.thresholds.mean).ravel()
        return marks

    def _scores(self, evidence: Evidence) -> Cells:
        directions = {"forward": evidence.forward, "reverse": evidence.reverse}
        return directions.get(self.symmetrize, evidence.mean)


class Layout(Protocol):
    """Sentence pairs whose cells lie one after the other, source word by source word."""

    @property
    def cell_start(self) -> NDArray[np.int64]:
        """Where the cells of each pair begin."""

    @property
    def source_lengths(self) -> NDArray[Any]:
        """The number of source words of each pair."""

    @property
    def target_lengths(self) -> NDArray[Any]:
        """The number of target words of each pair."""


def alignments(marks: Marks, layout: Layout, scores: Cells | None = None) -> Iterator[Alignment]:
    """Yield each pair's marked cells as links, with their scores."""
    cells = np.flatnonzero(marks)
    pair = np.searchsorted(layout.cell_start, cells, side="right") - 1
    rows, columns = np.divmod(cells - layout.cell_start[pair], layout.target_lengths[pair])
    links = list(zip(rows.tolist(), columns.tolist(), strict=True))
    values = None if scores is None else scores[cells].tolist()
    edges = np.searchsorted(pair, np.arange(layout.source_lengths.size + 1)).tolist()
    for begin, end in pairwise(edges):
        yield Alignment(tuple(links[begin:end]), None if values is None else tuple(values[begin:end]))


def _pairs(evidence: Evidence) -> Iterator[tuple[int, int, tuple[int, int]]]:
    shapes = zip(evidence.source_lengths.tolist(), evidence.target_lengths.tolist(), strict=True)
    for (begin, end), shape in zip(pairwise(evidence.cell_start.tolist()), shapes, strict=True):
        yield begin, end, shape
