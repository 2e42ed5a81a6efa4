"""Precision and recall by threshold, and precision where the recall is that of another system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pralign.evaluation import evaluate
from pralign.experiments.answers import UNION
from pralign.experiments.tables.base import Percent, Results, ResultTable, Row, Slice, curve_series, register_table
from pralign.experiments.tables.choosing import ViewName, curve_of
from pralign.links.alignment import Alignment
from pralign.report.charts import Chart
from pralign.report.tables import Column
from pralign.schema.values import Bounds

_RECALLS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@register_table("curves")
@dataclass(frozen=True, kw_only=True)
class CurveTable(ResultTable):
    """Precision by recall: the area under the curve, and precision where the recall is so high.

    Attributes:
        views: Directions, or both together.
        recalls: Where the curve is read off.
    """

    identities = (*ResultTable.identities, "view")

    views: Sequence[ViewName] = ("forward", "reverse", "soft-union")
    recalls: Sequence[Annotated[float, Bounds(0, 1)]] = _RECALLS

    @property
    def columns(self) -> tuple[Column, ...]:
        """The area, precision by recall, and where the curve ends."""
        read_off = [Percent(f"at_{100 * recall:g}", f"at {100 * recall:g} %") for recall in self.recalls]
        ends = Percent("max_recall", "highest recall"), Percent("aer", "least AER")
        return (Percent("area", "area"), *read_off, *ends)

    def rows(self, found: Slice) -> Iterator[Row]:
        """One row a system and view, for systems that say how sure they are."""
        for view in self.views:
            for system in found.systems:
                curve = curve_of(found.of(system.name), view, found.judged)
                if curve is not None:
                    read_off = {f"at_{100 * recall:g}": curve.precision_at(recall) for recall in self.recalls}
                    ends = {"max_recall": curve.max_recall, "aer": curve.best().scores.aer}
                    yield {"system": system.name, "view": view, "area": curve.area(), **read_off, **ends}

    def charts(self, results: Results, key: str) -> Iterator[Chart]:
        """The curves themselves, one chart for each text, part and view."""
        yield from super().charts(results, key)
        for found in self.slices(results):
            part, text = found.judged, found.text
            for view in self.views:
                series = []
                for number, system in enumerate(found.systems):
                    curve = curve_of(found.of(system.name), view, part)
                    points = [each.scores for each in curve.points if each.counts.links] if curve else []
                    places = [(point.recall, point.precision) for point in points]
                    if not places and view == UNION:
                        scores = evaluate(part.cut(found.of(system.name).links), part.golds)
                        places = [(scores.recall, scores.precision)]
                    if places:
                        series.append(curve_series(system.shown, places, number))
                if series:
                    name = f"{key}-{text.name}-{part.name}-{view}"
                    where = f"{text.title}, {text.pairs:,} pairs, {part.name}, {view}"
                    title = f"{self.title or 'Precision by recall'}: {where}"
                    yield Chart(name, title, "", "recall", "precision", series, percent=True, x_percent=True)


@register_table("at-recall")
@dataclass(frozen=True, kw_only=True)
class AtRecallTable(ResultTable):
    """Precision where the recall is that of a reference.

    Attributes:
        reference: The system whose recall others are brought to by their threshold. In a direction it is that of its
            best paths, in both together that of the links it chooses.
        views: Directions, or both together.
    """

    identities = (*ResultTable.identities, "view")

    reference: str
    views: Sequence[ViewName] = ("forward", "reverse", "soft-union")

    @property
    def mentioned(self) -> list[str]:
        """The reference."""
        return [self.reference]

    @property
    def columns(self) -> tuple[Column, ...]:
        """The recall and the precision."""
        return Percent("recall", "recall"), Percent("precision", "precision")

    def rows(self, found: Slice) -> Iterator[Row]:
        """One row a system and view."""
        part = found.judged
        for view in self.views:
            wanted = evaluate(part.cut(reference_links(found, self.reference, view)), part.golds)
            for system in found.systems:
                answers = found.of(system.name)
                if system.name == self.reference:
                    yield {"system": system.name, "view": view, "recall": wanted.recall, "precision": wanted.precision}
                elif (curve := curve_of(answers, view, part)) is not None:
                    precision = curve.precision_at(wanted.recall)
                    yield {"system": system.name, "view": view, "recall": wanted.recall, "precision": precision}


def reference_links(found: Slice, reference: str, view: str) -> Sequence[Alignment]:
    """The links of a system that others are brought to the recall of."""
    answers = found.of(reference)
    return answers.links if view == UNION else answers.paths.get(view, answers.links)
