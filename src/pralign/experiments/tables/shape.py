"""What links are like: one to one, the same in both directions, without wide gaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Literal

from pralign.errors import InputError
from pralign.evaluation import Overlap, is_gappy, overlap
from pralign.evaluation.gaps import PHRASE_LIMIT
from pralign.experiments.answers import TEXT_FLOOR, Answers, at_least
from pralign.experiments.tables.base import Percent, ResultTable, Row, Slice, register_table
from pralign.experiments.tables.choosing import ChosenLinks
from pralign.links.alignment import Alignment, Link
from pralign.links.formats import read_alignments
from pralign.report.tables import Column
from pralign.schema.values import Bounds

_SIDES = ("source", "target")


def single_shares(alignments: Iterable[Collection[Link]]) -> dict[str, float]:
    """The share of links whose words have no other link, and of linked words of each side with one link only.

    Example:
        >>> single_shares([[(0, 0), (1, 1), (1, 2)]])
        {'one_to_one': 0.3333333333333333, 'source': 0.5, 'target': 1.0}
    """
    single, total = Counter[str](), Counter[str]()
    for links in alignments:
        numbers = [Counter(link[side] for link in links) for side in range(2)]
        kinds = {"one_to_one": [numbers[0][i] == 1 == numbers[1][j] for i, j in links]}
        kinds |= {side: [number == 1 for number in words.values()] for side, words in zip(_SIDES, numbers, strict=True)}
        for kind, marks in kinds.items():
            single[kind] += sum(marks)
            total[kind] += len(marks)
    return {kind: single[kind] / total[kind] if total[kind] else 0.0 for kind in ("one_to_one", *_SIDES)}


@register_table("shares")
@dataclass(frozen=True, kw_only=True)
class ShareTable(ResultTable):
    """How far links are one to one, and alike in both directions.

    Attributes:
        threshold: A posterior, or ``"viterbi"`` for best paths.
        gold: Whether the gold is in the table too: the shares of its sure links.
    """

    threshold: float | Literal["viterbi"] = 0.5
    gold: bool = True

    @property
    def columns(self) -> tuple[Column, ...]:
        """The shares."""
        return (
            Percent("forward", "1-to-1 links, forward"),
            Percent("reverse", "1-to-1 links, reverse"),
            Percent("source", "source words with one link, forward"),
            Percent("target", "target words with one link, reverse"),
            Percent("symmetric", "links in both directions, of those in either"),
        )

    def rows(self, found: Slice) -> Iterator[Row]:
        """One row a system that has directions, and one of the gold."""
        part = found.judged
        if self.gold:
            shares = single_shares(gold.sure for gold in part.golds if gold.is_labelled)
            both = {"forward": shares["one_to_one"], "reverse": shares["one_to_one"]}
            yield {"system": "gold", **both, "source": shares["source"], "target": shares["target"]}
        for system in found.systems:
            directions = self._directions(found.of(system.name))
            if directions is None:
                continue
            ahead, back = (single_shares(each.links for each in part.cut(way)) for way in directions)
            pairs = zip(*(part.cut(way) for way in directions), strict=True)
            same = sum((overlap(one, other) for one, other in pairs), Overlap())
            row: Row = {"system": system.name, "forward": ahead["one_to_one"], "reverse": back["one_to_one"]}
            yield row | {"source": ahead["source"], "target": back["target"], "symmetric": same.share}

    def _directions(self, answers: Answers) -> tuple[list[Alignment], list[Alignment]] | None:
        if self.threshold == "viterbi" or not answers.scored:
            if "forward" not in answers.paths:
                return None
            return list(answers.paths["forward"]), list(answers.paths["reverse"])
        return at_least(answers.scored["forward"], self.threshold), at_least(answers.scored["reverse"], self.threshold)


@register_table("gaps")
@dataclass(frozen=True, kw_only=True)
class GapTable(ChosenLinks):
    """The share of pairs with a word whose links lie so far apart that no phrase can hold them.

    Attributes:
        limit: How many words a bridge between two links of a word may span.
        first: Look for such pairs among so many only, of those that come after the parts that are looked at.
    """

    by_part = False
    needs_text = True

    limit: Annotated[int, Bounds(1)] = PHRASE_LIMIT
    first: Annotated[int, Bounds(1)] | None = None

    @property
    def columns(self) -> tuple[Column, ...]:
        """The share, and of how many pairs."""
        shown = Column("threshold", "threshold", "probability"), Column("of", "pairs looked at", "count")
        return Percent("gappy", "pairs with a gap"), *shown

    def rows(self, found: Slice) -> Iterator[Row]:
        """One row a system."""
        for system in found.systems:
            threshold = self.threshold_for(found, system.name)
            links = self._text_links(found, system.name, threshold)
            wanted = islice(links, len(found.text.looked_at), self.first and len(found.text.looked_at) + self.first)
            kept = (each if threshold is None or not each.links else each.at_least(threshold) for each in wanted)
            counts = Counter(is_gappy(each, self.limit) for each in kept)
            share = counts[True] / counts.total() if counts else None
            yield {"system": system.name, "gappy": share, "threshold": threshold, "of": counts.total()}

    def _text_links(self, found: Slice, system: str, threshold: float | None) -> Iterator[Alignment]:
        answers = found.of(system)
        path = answers.text_links if threshold is None else answers.text_scored
        if path is None:
            raise InputError(f"{system} has no links of the whole text by which pairs with gaps could be found")
        if threshold is not None and threshold < TEXT_FLOOR:
            raise InputError(
                f"links of the whole text are kept from {TEXT_FLOOR} on; a threshold of {threshold} is less"
            )
        return read_alignments(path, "pharaoh" if threshold is None else "scored")
