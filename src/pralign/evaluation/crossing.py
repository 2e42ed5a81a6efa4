"""How far the words of two languages stand in the same order, as links have it."""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass
from itertools import groupby

from pralign.links.alignment import Alignment


@dataclass(frozen=True, slots=True)
class Crossings:
    """How many links cross each other. Counts add, and ``Crossings()`` is their zero.

    Attributes:
        crossing: Two links of a pair that join their words in opposite orders.
        comparable: All two links of a pair that differ in both words, so that they could cross.
        monotone: The sentence pairs in which no links cross.
        pairs: The sentence pairs with at least one link.
    """

    crossing: int = 0
    comparable: int = 0
    monotone: int = 0
    pairs: int = 0

    @property
    def share(self) -> float:
        """The crossing ones as a share of those that could; 0 where there are none.

        0 if both languages have the same order, 1 if one is the other turned round, and about a half if links are
        drawn at random.
        """
        return self.crossing / self.comparable if self.comparable else 0.0

    @property
    def monotone_share(self) -> float:
        """The sentence pairs without crossing links as a share of those with links, 0 where there are none."""
        return self.monotone / self.pairs if self.pairs else 0.0

    def __add__(self, other: Crossings) -> Crossings:
        return Crossings(
            self.crossing + other.crossing,
            self.comparable + other.comparable,
            self.monotone + other.monotone,
            self.pairs + other.pairs,
        )


def crossings(alignment: Alignment) -> Crossings:
    """Count the links of a sentence pair that cross each other.

    Links are gone through by source word, and the target words of those before are kept sorted, so that a long pair
    takes no time worth speaking of.

    Example:
        >>> crossings(Alignment.of([(0, 0), (1, 2), (2, 1)]))
        Crossings(crossing=1, comparable=3, monotone=0, pairs=1)
    """
    crossing = comparable = 0
    before: list[int] = []
    for _, group in groupby(sorted(alignment.links), key=lambda link: link[0]):
        targets = [j for _, j in group]
        for j in targets:
            beyond = len(before) - bisect_right(before, j)
            crossing += beyond
            comparable += beyond + bisect_right(before, j - 1)
        for j in targets:
            insort(before, j)
    linked = bool(alignment.links)
    return Crossings(crossing, comparable, int(linked and not crossing), int(linked))
