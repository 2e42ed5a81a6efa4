"""Rare and common words, and long and short sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pralign.errors import InputError
from pralign.evaluation import evaluate, evaluate_by_frequency, evaluate_by_length
from pralign.experiments.answers import UNION, at_least
from pralign.experiments.tables.base import Percent, ResultTable, Row, Slice, register_table
from pralign.experiments.tables.choosing import ChosenLinks, ViewName, curve_of
from pralign.experiments.tables.curves import reference_links
from pralign.experiments.tables.scores import only_sure
from pralign.links.alignment import Alignment
from pralign.report.tables import Column
from pralign.schema.values import Bounds

_SIDES: tuple[Literal["source", "target"], ...] = ("source", "target")
_LENGTHS = (10, 20, 30)


@register_table("rare-words")
@dataclass(frozen=True, kw_only=True)
class RareWordTable(ResultTable):
    """Precision and recall of links at rare and at common words, where the recall is closest to that of a reference.

    Attributes:
        reference: The system whose recall others are brought to by their threshold.
        below: Words that occur less often in the text are rare.
        views: Directions, or both together.
        side: The side whose words are looked at; by default the side that collects garbage: the source words of the
            forward direction, the target words of the reverse one, and both.
    """

    identities = (*ResultTable.identities, "view", "words")

    reference: str
    below: Annotated[int, Bounds(2)] = 5
    views: Sequence[ViewName] = ("forward", "reverse")
    side: Literal["source", "target"] | None = None

    @property
    def mentioned(self) -> list[str]:
        """The reference."""
        return [self.reference]

    @property
    def columns(self) -> tuple[Column, ...]:
        """Precision and recall, and how many links they are of."""
        counts = Column("links", "links", "count"), Column("sure", "sure links of the gold", "count")
        return Percent("precision", "precision"), Percent("recall", "recall"), *counts

    def rows(self, found: Slice) -> Iterator[Row]:
        """Four rows at most for a system and view."""
        part = found.judged
        for view in self.views:
            wanted = part.cut(reference_links(found, self.reference, view))
            recall = evaluate(wanted, part.golds).recall
            for system in found.systems:
                links = wanted
                if system.name != self.reference:
                    curve = curve_of(found.of(system.name), view, part)
                    if curve is None or not curve.points:
                        continue
                    near = min(curve.points, key=lambda point: abs(point.scores.recall - recall))
                    links = at_least(part.cut(found.of(system.name).view(view)), near.threshold)
                yield from self._rows_of(found, system.name, view, links)

    def _rows_of(self, found: Slice, system: str, view: ViewName, links: Sequence[Alignment]) -> Iterator[Row]:
        part = found.judged
        chosen = _SIDES if view == UNION else (_SIDES[0],) if view == "forward" else (_SIDES[1],)
        for side in (self.side,) if self.side else chosen:
            frequencies = found.text.frequencies[_SIDES.index(side)]
            classes = evaluate_by_frequency(part.judged, links, part.golds, frequencies, side, (self.below - 1,))
            for kind, (_, scores) in zip(("rare", "common"), classes, strict=True):
                row: Row = {"system": system, "view": view, "words": f"{kind} {side} words"}
                row |= {"precision": scores.precision, "recall": scores.recall}
                yield row | {"links": scores.counts.links, "sure": scores.counts.sure}


@register_table("lengths")
@dataclass(frozen=True, kw_only=True)
class LengthTable(ChosenLinks):
    """Scores by the length of sentences.

    Attributes:
        side: The side whose words are counted.
        edges: The longest sentence of each class; one more class is of all that are longer.
        sure_only: Whether precision, recall and F are of sure links alone.
    """

    identities = (*ResultTable.identities, "words")

    side: Literal["source", "target"] = "source"
    edges: Sequence[Annotated[int, Bounds(1)]] = _LENGTHS
    sure_only: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if list(self.edges) != sorted(set(self.edges)):
            raise InputError("edges are numbers of words, each larger than the one before")

    @property
    def columns(self) -> tuple[Column, ...]:
        """The scores of each class."""
        counts = (Column("sentences", "sentences", "count"),)
        scores = ("precision", "precision"), ("recall", "recall"), ("f1", "F"), ("aer", "AER")
        return *counts, *(Percent(key, title) for key, title in scores)

    def rows(self, found: Slice) -> Iterator[Row]:
        """One row a class and system."""
        part = found.judged
        lengths = [len(pair[_SIDES.index(self.side)]) for pair in part.judged]
        by_system = {}
        for system in found.systems:
            links = self.links(found, system.name)
            full = evaluate_by_length(links, part.golds, lengths, self.edges)
            sure = evaluate_by_length(links, only_sure(part.golds), lengths, self.edges) if self.sure_only else full
            by_system[system.name] = list(zip(sure, full, strict=True))
        for classes in zip(*by_system.values(), strict=True):
            for name, ((label, shown), (_, scores)) in zip(by_system, classes, strict=True):
                if scores.counts.pairs:
                    row: Row = {"system": name, "words": label, "sentences": scores.counts.pairs}
                    row |= {"precision": shown.precision, "recall": shown.recall, "f1": shown.f1}
                    yield row | {"aer": scores.aer}
