"""Gappy alignments: words whose links lie so far apart that no phrase can hold them all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pralign.errors import UsageError
from pralign.links.alignment import Alignment

PHRASE_LIMIT = 7


@dataclass(frozen=True, slots=True)
class Gaps:
    """How many sentence pairs have a gappy alignment, as :func:`is_gappy` says.

    Attributes:
        sentences: The number of sentence pairs, those without links among them.
        gappy: How many of them are gappy.
        limit: The number of words that a bridge may span.

    Example:
        >>> gappy_share([Alignment.of("0-0 0-1"), Alignment.of("0-0 0-20")])
        Gaps(sentences=2, gappy=1, limit=7)
    """

    sentences: int
    gappy: int
    limit: int = PHRASE_LIMIT

    @property
    def share(self) -> float:
        """The gappy ones as a share of all, 0 where there are none at all."""
        return self.gappy / self.sentences if self.sentences else 0.0

    def as_dict(self) -> dict[str, Any]:
        """The counts, the limit and the share, ready for JSON."""
        return {"sentences": self.sentences, "gappy": self.gappy, "limit": self.limit, "share": self.share}

    def __str__(self) -> str:
        counts = f"{self.gappy} of {self.sentences} pairs have a bridge over more than {self.limit} words"
        return f"{100 * self.share:.2f} % gappy: {counts}"


def is_gappy(alignment: Alignment, limit: int = PHRASE_LIMIT) -> bool:
    """Whether a word of either side bridges more than ``limit`` words of the other side.

    A word that is linked to several words of the other side builds a bridge from the first of them to the last. The
    bridge is as long as the words it spans, both ends included: last - first + 1. How many of the words between are
    linked to the same word makes no difference, so neither the widest gap counts nor whether there is one at all.

    That is the length that matters to whom the limit is borrowed from. A phrase pair is extracted only if all links of
    its words stay within it, so a phrase with this word needs the whole bridge on the other side. Where the bridge is
    longer than phrases may be (seven words is usual), no phrase pair with this word can be extracted, wherever in the
    bridge the gaps are. Kamigaito et al. (2017, section 6.2) call this a gappy alignment.

    Args:
        alignment: The links of one sentence pair; sure or possible makes no difference.
        limit: The number of words that a bridge may span.

    Raises:
        UsageError: ``limit`` is less than one, the span of a single link.

    Example:
        >>> is_gappy(Alignment.of([(0, 2), (0, 8)])), is_gappy(Alignment.of([(0, 2), (0, 9)]))
        (False, True)
    """
    if limit < 1:
        raise UsageError(f"a single link spans one word, so the limit of a bridge cannot be {limit}")
    return _has_bridge(alignment.links, limit) or _has_bridge(((j, i) for i, j in alignment.links), limit)


def gappy_share(alignments: Iterable[Alignment], limit: int = PHRASE_LIMIT) -> Gaps:
    """Count the sentence pairs with a gappy alignment. The alignments are read once and not kept.

    Raises:
        UsageError: ``limit`` is less than one.

    Example:
        >>> gappy_share([Alignment.of([(0, 0), (9, 0)]), Alignment.of([(0, 0), (1, 0)])]).share
        0.5
    """
    sentences = gappy = 0
    for alignment in alignments:
        sentences += 1
        gappy += is_gappy(alignment, limit)
    return Gaps(sentences, gappy, limit)


def _has_bridge(links: Iterable[tuple[int, int]], limit: int) -> bool:
    """Whether the first of each pair, a word, is linked to words that span more than ``limit``."""
    # Links are sorted, so from either side a word meets its partners from the first to the last.
    first: dict[int, int] = {}
    return any(partner - first.setdefault(word, partner) >= limit for word, partner in links)
