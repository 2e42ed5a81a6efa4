"""Words without links: which of them the hypothesis was right to leave alone, and which it was not."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from pralign.links.alignment import Alignment
from pralign.links.bounds import Lengths, check_bounds


@dataclass(frozen=True, slots=True)
class UnalignedSide:
    """Words of one language by what the hypothesis and the gold make of them.

    A word that the hypothesis leaves unlinked is of one of three kinds, by the best link that the gold has
    for it; the converse error is a word that the hypothesis links and the gold does not:

    ===================  ============  ======================  ==================
    hypothesis           gold: sure    gold: possible at most  gold: no link
    ===================  ============  ======================  ==================
    no link              ``missed``    ``optional``            ``rightly``
    linked               not counted   not counted             ``wrongly_linked``
    ===================  ============  ======================  ==================

    Counts add. An unknown ``rightly`` plus anything is unknown.

    Attributes:
        missed: Unlinked, but the gold has a sure link.
        optional: Unlinked; the gold has links, all of them merely possible.
        rightly: Unlinked, and in the gold too. Links alone do not tell of words that nobody links, so this is
            ``None`` where the lengths of the sentences are not known.
        wrongly_linked: Linked, though the gold has no link at all.

    Example:
        >>> from pralign.links.alignment import Alignment
        >>> count_unaligned(Alignment.of("0-0"), Alignment.of("0-0 1-1"), (3, 2)).source
        UnalignedSide(missed=1, optional=0, rightly=1, wrongly_linked=0)
    """

    missed: int = 0
    optional: int = 0
    rightly: int | None = 0
    wrongly_linked: int = 0

    @property
    def unaligned(self) -> int | None:
        """All words that the hypothesis leaves unlinked, ``None`` where the lengths are not known."""
        return None if self.rightly is None else self.missed + self.optional + self.rightly

    def __add__(self, other: UnalignedSide) -> UnalignedSide:
        unknown = self.rightly is None or other.rightly is None
        return UnalignedSide(
            self.missed + other.missed,
            self.optional + other.optional,
            None if unknown else (self.rightly or 0) + (other.rightly or 0),
            self.wrongly_linked + other.wrongly_linked,
        )


@dataclass(frozen=True, slots=True)
class Unaligned:
    """The words without links on both sides. Counts add, and ``Unaligned()`` is their zero.

    Example:
        >>> from pralign.links.alignment import Alignment
        >>> found = count_unaligned(Alignment.of("0-0"), Alignment.of("0-0 1-1"), (2, 2))
        >>> (found + Unaligned()).source
        UnalignedSide(missed=1, optional=0, rightly=0, wrongly_linked=0)
    """

    source: UnalignedSide = field(default_factory=UnalignedSide)
    target: UnalignedSide = field(default_factory=UnalignedSide)

    def __add__(self, other: Unaligned) -> Unaligned:
        return Unaligned(self.source + other.source, self.target + other.target)

    def as_dict(self) -> dict[str, dict[str, int | None]]:
        """The counts of each side, and their total ``unaligned``; unknown numbers are ``None``."""
        sides = {"source": self.source, "target": self.target}
        return {name: {**asdict(side), "unaligned": side.unaligned} for name, side in sides.items()}

    def __str__(self) -> str:
        head = f"{'unaligned words':<17}{'missed':>8}{'optional':>10}{'rightly':>9}{'wrongly linked':>17}"
        return "\n".join([head, _row("source", self.source), _row("target", self.target)])


def count_unaligned(hypothesis: Alignment, gold: Alignment, lengths: Lengths | None = None) -> Unaligned:
    """Sort the words of one sentence pair that the hypothesis or the gold leaves unlinked.

    Args:
        hypothesis: The alignment to judge; all its links count.
        gold: The alignment to judge by.
        lengths: The numbers of source and target words, if known.

    Raises:
        InputError: A link joins a word beyond ``lengths``.

    Example:
        >>> gold = Alignment.of([(0, 0)], possible=[(1, 1)])
        >>> count_unaligned(Alignment.of([(2, 0)]), gold, (4, 2)).source
        UnalignedSide(missed=1, optional=1, rightly=1, wrongly_linked=1)
    """
    if lengths is not None:
        check_bounds(hypothesis, lengths, "the hypothesis")
        check_bounds(gold, lengths, "the gold")
    source, target = (
        _count_side(
            linked={link[side] for link in hypothesis.links},
            sure={link[side] for link in gold.sure},
            possible={link[side] for link in gold.links},
            length=None if lengths is None else lengths[side],
        )
        for side in (0, 1)
    )
    return Unaligned(source, target)


def _count_side(linked: set[int], sure: set[int], possible: set[int], length: int | None) -> UnalignedSide:
    return UnalignedSide(
        missed=len(sure - linked),
        optional=len(possible - sure - linked),
        rightly=None if length is None else length - len(linked | possible),
        wrongly_linked=len(linked - possible),
    )


def _row(name: str, side: UnalignedSide) -> str:
    rightly = "unknown" if side.rightly is None else side.rightly
    return f"  {name:<15}{side.missed:>8}{side.optional:>10}{rightly:>9}{side.wrongly_linked:>17}"
