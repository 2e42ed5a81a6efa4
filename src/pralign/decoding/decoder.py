"""Choosing the links of each pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pralign.decoding.evidence import Cells, Evidence, Marks
from pralign.decoding.methods import METHODS, SOFT_UNION, Thresholds
from pralign.kernels.arrays import Long
from pralign.links.alignment import Alignment

__all__ = ["METHODS", "SOFT_UNION", "Decoder", "Links", "Thresholds", "joined_links", "marked_links"]

# So many pairs have their links as Python objects at a time, which take far more memory than arrays.
_AT_ONCE = 1024


@dataclass(frozen=True)
class Decoder:
    """Turns a model's evidence into alignments.

    Attributes:
        method: The name of a way to choose links, see :mod:`pralign.decoding.methods`.
        symmetrize: How the two directions are combined: the name of a symmetriser, or ``"soft-union"``, which
            looks at the mean of the two posteriors, as trees and matchings always do.
        thresholds: What is probable enough; Viterbi decoding does not use it.
    """

    method: str
    symmetrize: str
    thresholds: Thresholds

    def __post_init__(self) -> None:
        METHODS[self.method].check(self.symmetrize)

    def with_thresholds(self, thresholds: Thresholds) -> Decoder:
        """The same decoder with other thresholds."""
        return replace(self, thresholds=thresholds)

    @property
    def grows(self) -> bool:
        """Whether a lower threshold only adds links; heuristics and matchings may also take some away."""
        return self.symmetrize == SOFT_UNION and METHODS[self.method].grows

    def links(self, evidence: Evidence) -> Links:
        """The links of each pair of a block; scores are the posteriors that speak for them."""
        marks = METHODS[self.method].marks(evidence, self.symmetrize, self.thresholds)
        directions = {"forward": evidence.forward, "reverse": evidence.reverse}
        return marked_links(marks, evidence, directions.get(self.symmetrize, evidence.mean))

    def __call__(self, evidence: Evidence) -> Iterator[Alignment]:
        """Yield the alignment of each pair of a block."""
        return self.links(evidence).alignments()


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


class Links(NamedTuple):
    """The links of some pairs as arrays: those of pair ``k`` are from ``edges[k]`` to ``edges[k + 1]``."""

    edges: Long
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    scores: Cells | None

    def alignments(self) -> Iterator[Alignment]:
        """Yield the alignment of each pair."""
        for first in range(0, self.edges.size - 1, _AT_ONCE):
            edges = self.edges[first : first + _AT_ONCE + 1].tolist()
            here = slice(edges[0], edges[-1])
            links = list(zip(self.source[here].tolist(), self.target[here].tolist(), strict=True))
            values = None if self.scores is None else self.scores[here].tolist()
            for begin, end in pairwise(edge - edges[0] for edge in edges):
                yield Alignment(tuple(links[begin:end]), None if values is None else tuple(values[begin:end]))


def marked_links(marks: Marks, layout: Layout, scores: Cells | None = None) -> Links:
    """The marked cells of each pair as links, with their scores."""
    cells = np.flatnonzero(marks)
    pair = np.searchsorted(layout.cell_start, cells, side="right") - 1
    rows, columns = np.divmod(cells - layout.cell_start[pair], layout.target_lengths[pair])
    edges = np.searchsorted(pair, np.arange(layout.source_lengths.size + 1))
    return Links(edges, rows.astype(np.int32), columns.astype(np.int32), None if scores is None else scores[cells])


def joined_links(parts: Sequence[Links]) -> Links:
    """The links of several blocks."""
    sizes = [np.zeros(1, np.int64), *(np.diff(part.edges) for part in parts)]
    scores = [part.scores for part in parts if part.scores is not None]
    none = np.empty(0, np.int32)
    return Links(
        np.cumsum(np.concatenate(sizes)),
        np.concatenate([none, *(part.source for part in parts)]),
        np.concatenate([none, *(part.target for part in parts)]),
        np.concatenate(scores) if scores else None,
    )
