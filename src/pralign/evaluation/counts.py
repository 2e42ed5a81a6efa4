"""How many links a hypothesis shares with the gold: the five numbers behind every score."""

from __future__ import annotations

from dataclasses import dataclass

from pralign.links.alignment import Alignment
from pralign.schema.values import Count


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """Sizes of the sets of links that a comparison with the gold is made of.

    Write A for the links of the hypothesis, S for the sure links of the gold and P for all links of the
    gold. An annotator who is sure of a link also finds it possible, so S ⊆ P, and hence |A∩S| ≤ |A∩P|.

    Counts add: the counts of a corpus are the sum of the counts of its sentence pairs, which is all that a
    corpus score, a breakdown or a bootstrap needs. ``LinkCounts()`` is the zero of that sum.

    Attributes:
        links: |A|, every link of the hypothesis.
        sure: |S|, the sure links of the gold.
        possible: |P|, the sure and the possible links of the gold.
        links_sure: |A∩S|, links of the hypothesis that are sure in the gold.
        links_possible: |A∩P|, links of the hypothesis that are sure or possible in the gold.
        pairs: The number of sentence pairs.

    Example:
        >>> sum([LinkCounts(links=2, pairs=1), LinkCounts(links=3, pairs=1)], LinkCounts()).links
        5
    """

    links: Count = 0
    sure: Count = 0
    possible: Count = 0
    links_sure: Count = 0
    links_possible: Count = 0
    pairs: Count = 0

    @property
    def possible_to_have(self) -> bool:
        """Whether sets of links can have these sizes."""
        return (
            self.links_sure <= self.links_possible <= min(self.links, self.possible)
            and self.links_sure <= self.sure <= self.possible
        )

    def __add__(self, other: LinkCounts) -> LinkCounts:
        return LinkCounts(
            self.links + other.links,
            self.sure + other.sure,
            self.possible + other.possible,
            self.links_sure + other.links_sure,
            self.links_possible + other.links_possible,
            self.pairs + other.pairs,
        )


def count_links(hypothesis: Alignment, gold: Alignment) -> LinkCounts:
    """Compare the alignment of one sentence pair with the gold.

    Every link of the hypothesis counts, whether the hypothesis calls it sure or possible.

    Example:
        >>> gold = Alignment.of([(0, 0)], possible=[(1, 0)])
        >>> count_links(Alignment.of([(0, 0), (1, 0), (2, 1)]), gold)
        LinkCounts(links=3, sure=1, possible=2, links_sure=1, links_possible=2, pairs=1)
    """
    links = frozenset(hypothesis.links)
    possible = frozenset(gold.links)
    sure = gold.sure
    return LinkCounts(
        links=len(links),
        sure=len(sure),
        possible=len(possible),
        links_sure=len(links & sure),
        links_possible=len(links & possible),
        pairs=1,
    )
