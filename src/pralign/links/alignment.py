"""The alignment of one sentence pair."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Link = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Which source word goes with which target word, in one sentence pair.

    A link ``(i, j)`` joins source position ``i`` and target position ``j``, both counted from zero.
    Links are sorted and distinct; use :meth:`of` to build an alignment from links in any order.

    Attributes:
        links: The links, sorted by source and then by target position.
        scores: One number a link, usually its posterior probability, or ``None`` where nothing is known.
        possible: The links among ``links`` that an annotator called possible only. All others are sure.

    Example:
        >>> alignment = Alignment.of([(1, 2), (0, 0)])
        >>> alignment.links
        ((0, 0), (1, 2))
        >>> alignment.transposed().links
        ((0, 0), (2, 1))
    """

    links: tuple[Link, ...] = ()
    scores: tuple[float, ...] | None = None
    possible: frozenset[Link] = frozenset()

    @classmethod
    def of(
        cls,
        links: Iterable[Link],
        scores: Iterable[float] | None = None,
        possible: Iterable[Link] = (),
    ) -> Alignment:
        """Build an alignment from links in any order; a repeated link counts once, its last score wins."""
        possible = frozenset(possible)
        if scores is None:
            return cls(tuple(sorted({*links, *possible})), None, possible)
        scored = dict(zip(links, scores, strict=True))
        ordered = sorted(scored)
        return cls(tuple(ordered), tuple(scored[link] for link in ordered), possible)

    @property
    def sure(self) -> frozenset[Link]:
        """The links that are not merely possible."""
        return frozenset(self.links) - self.possible

    def __len__(self) -> int:
        return len(self.links)

    def transposed(self) -> Alignment:
        """The same alignment seen from the target side: source and target change places."""
        flipped = [(j, i) for i, j in self.links]
        return Alignment.of(flipped, self.scores, [(j, i) for i, j in self.possible])

    def at_least(self, threshold: float) -> Alignment:
        """Only the links whose score reaches ``threshold``."""
        if self.scores is None:
            raise ValueError("this alignment has no scores to compare with a threshold")
        kept = [k for k, score in enumerate(self.scores) if score >= threshold]
        links = tuple(self.links[k] for k in kept)
        return Alignment(links, tuple(self.scores[k] for k in kept), self.possible & frozenset(links))
