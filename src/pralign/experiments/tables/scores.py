"""How good the links of systems are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pralign.evaluation import LinkCounts, Scores, compare, count_links
from pralign.experiments.tables.base import Percent, Row, Slice, register_table
from pralign.experiments.tables.choosing import ChosenLinks
from pralign.links.alignment import Alignment
from pralign.report.tables import Column
from pralign.schema.values import Bounds


@register_table("scores")
@dataclass(frozen=True, kw_only=True)
class ScoreTable(ChosenLinks):
    """Precision, recall, F and AER of each system.

    Attributes:
        against: The system that others are compared with, by a paired bootstrap of the pairs; fewer than 20 of them
            have no p value.
        sure_only: Whether precision, recall and F are of sure links alone, as if there were no others.
        samples: How many samples the bootstrap draws.
        seed: What it draws them with.
    """

    against: str | None = None
    sure_only: bool = False
    samples: Annotated[int, Bounds(1)] = 10_000
    seed: Annotated[int, Bounds(0)] = 0

    @property
    def mentioned(self) -> list[str]:
        """The system that others are compared with, too."""
        return [*super().mentioned, *([self.against] if self.against else [])]

    @property
    def columns(self) -> tuple[Column, ...]:
        """The scores."""
        by_threshold = self.like is not None or self.threshold not in ("own", "viterbi")
        columns = [Column("threshold", "threshold", "probability")] if by_threshold else []
        columns += [Column("links", "links", "count"), Percent("precision", "precision")]
        columns += [Percent("recall", "recall"), Percent("f1", "F"), Percent("aer", "AER")]
        if self.against:
            columns += [Column("difference", f"AER minus that of {self.against}", "points"), Column("p", "p", "number")]
        return tuple(columns)

    def rows(self, found: Slice) -> Iterator[Row]:
        """One row a system."""
        golds = found.judged.golds
        rival = counted(self.links(found, self.against), golds) if self.against else None
        for system in found.systems:
            links = self.links(found, system.name)
            counts = counted(links, golds)
            scores = Scores(sum(counts, LinkCounts()))
            shown = Scores(sum(counted(links, only_sure(golds)), LinkCounts())) if self.sure_only else scores
            row: Row = {
                "system": system.name,
                "threshold": self.threshold_for(found, system.name),
                "links": scores.counts.links,
                "precision": shown.precision,
                "recall": shown.recall,
                "f1": shown.f1,
                "aer": scores.aer,
            }
            if rival is not None and system.name != self.against:
                compared = compare(rival, counts, "aer", self.samples, self.seed)
                row |= {"difference": compared.difference, "p": compared.p_value if compared.is_telling else None}
            yield row


def counted(links: Sequence[Alignment], golds: Sequence[Alignment]) -> list[LinkCounts]:
    """The links of each pair that is labelled, compared with its gold."""
    return [count_links(found, gold) for found, gold in zip(links, golds, strict=True) if gold.is_labelled]


def only_sure(golds: Sequence[Alignment]) -> list[Alignment]:
    """Gold alignments without the links that are merely possible."""
    return [Alignment.of(gold.sure) if gold.is_labelled else gold for gold in golds]
