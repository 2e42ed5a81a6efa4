"""What alignments look like, whether they are right or not: one-to-one links, bare words, gaps, agreement."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from pralign.evaluation.gaps import PHRASE_LIMIT, is_gappy
from pralign.links.alignment import Alignment
from pralign.links.bounds import Lengths, check_bounds


@dataclass(frozen=True, slots=True)
class LinkShape:
    """How the links of sentence pairs are spread over their words.

    Counts add, and ``LinkShape()`` is their zero. All shares are 0 where there is nothing to share.

    Attributes:
        links: The number of links; sure or possible makes no difference.
        one_to_one: The links whose two words have no other link.
        source_words: The number of source words.
        target_words: The number of target words.
        source_linked: The source words with at least one link.
        target_linked: The target words with at least one link.
        gappy: The pairs with a gappy alignment, as :func:`~pralign.evaluation.is_gappy` says.
        pairs: The number of sentence pairs.

    Example:
        >>> link_shape(Alignment.of("0-0 1-1 1-2"), (3, 3)).one_to_one
        1
        >>> sum((link_shape(Alignment.of("0-0"), (1, 1)) for _ in range(3)), LinkShape()).pairs
        3
    """

    links: int = 0
    one_to_one: int = 0
    source_words: int = 0
    target_words: int = 0
    source_linked: int = 0
    target_linked: int = 0
    gappy: int = 0
    pairs: int = 0

    @property
    def one_to_one_share(self) -> float:
        """The one-to-one links as a share of all links."""
        return _share(self.one_to_one, self.links)

    @property
    def unlinked_source_share(self) -> float:
        """The source words without a link as a share of all source words."""
        return _share(self.source_words - self.source_linked, self.source_words)

    @property
    def unlinked_target_share(self) -> float:
        """The target words without a link as a share of all target words."""
        return _share(self.target_words - self.target_linked, self.target_words)

    @property
    def gappy_share(self) -> float:
        """The gappy pairs as a share of all pairs, those without links among them."""
        return _share(self.gappy, self.pairs)

    def as_dict(self) -> dict[str, Any]:
        """All counts and all shares, ready for JSON."""
        return {
            **asdict(self),
            "one_to_one_share": self.one_to_one_share,
            "unlinked_source_share": self.unlinked_source_share,
            "unlinked_target_share": self.unlinked_target_share,
            "gappy_share": self.gappy_share,
        }

    def __add__(self, other: LinkShape) -> LinkShape:
        return LinkShape(
            self.links + other.links,
            self.one_to_one + other.one_to_one,
            self.source_words + other.source_words,
            self.target_words + other.target_words,
            self.source_linked + other.source_linked,
            self.target_linked + other.target_linked,
            self.gappy + other.gappy,
            self.pairs + other.pairs,
        )


def link_shape(alignment: Alignment, lengths: Lengths, limit: int = PHRASE_LIMIT) -> LinkShape:
    """Count what the links of one sentence pair look like.

    Args:
        alignment: The links; sure or possible makes no difference.
        lengths: The numbers of source and target words.
        limit: The number of words that a bridge may span before the alignment is gappy.

    Raises:
        InputError: A link joins a word beyond ``lengths``.
        UsageError: ``limit`` is less than one.

    Example:
        >>> shape = link_shape(Alignment.of([(0, 0), (1, 1), (1, 2)]), (2, 4))
        >>> shape.one_to_one, shape.links, shape.unlinked_source_share, shape.unlinked_target_share
        (1, 3, 0.0, 0.25)
    """
    check_bounds(alignment, lengths, "the alignment")
    source = Counter(i for i, _ in alignment.links)
    target = Counter(j for _, j in alignment.links)
    return LinkShape(
        links=len(alignment.links),
        one_to_one=sum(source[i] == target[j] == 1 for i, j in alignment.links),
        source_words=lengths[0],
        target_words=lengths[1],
        source_linked=len(source),
        target_linked=len(target),
        gappy=int(is_gappy(alignment, limit)),
        pairs=1,
    )


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many links two alignments have in common. Counts add, and ``Overlap()`` is their zero.

    Attributes:
        both: |A∩B|, the links of both.
        either: |A∪B|, the links of one or the other or both.

    Example:
        >>> overlap(Alignment.of("0-0 1-1"), Alignment.of("0-0 1-2"))
        Overlap(both=1, either=3)
        >>> (overlap(Alignment.of("0-0"), Alignment.of("0-0")) + Overlap(1, 3)).share
        0.5
    """

    both: int = 0
    either: int = 0

    @property
    def share(self) -> float:
        """|A∩B| / |A∪B|, from 0 (no link in common) to 1 (the same links).

        1 where neither has a link: two empty alignments are the same.
        """
        return self.both / self.either if self.either else 1.0

    def as_dict(self) -> dict[str, Any]:
        """Both counts and the share, ready for JSON."""
        return {"both": self.both, "either": self.either, "share": self.share}

    def __add__(self, other: Overlap) -> Overlap:
        return Overlap(self.both + other.both, self.either + other.either)


def overlap(first: Alignment, second: Alignment) -> Overlap:
    """Count the links that two alignments of the same sentence pair have in common.

    They may be those of two systems, or those of the two directions of a model, whose agreement shows how symmetric the
    model is; then both must name the source first. Sure or possible makes no difference.

    Example:
        >>> overlap(Alignment.of([(0, 0), (1, 1)]), Alignment.of([(1, 1), (2, 1)]))
        Overlap(both=1, either=3)
    """
    one, other = frozenset(first.links), frozenset(second.links)
    return Overlap(len(one & other), len(one | other))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
