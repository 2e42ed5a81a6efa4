"""One figure of every system, side by side for all corpora."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from pralign.errors import InputError
from pralign.experiments.tables.base import Percent, Results, Row, Slice, register_table
from pralign.experiments.tables.scores import ScoreTable
from pralign.report.charts import Chart
from pralign.report.tables import Column, Table


@register_table("across")
@dataclass(frozen=True, kw_only=True)
class AcrossTable(ScoreTable):
    """One score of each system, a column for each text and part, and the mean of these.

    Attributes:
        figure: The score.
    """

    figure: Literal["aer", "f1", "precision", "recall"] = "aer"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("against", "published", "chart"):
            if getattr(self, name):
                raise InputError(f"a table across corpora has no {name}; a table of scores has")

    @property
    def columns(self) -> tuple[Column, ...]:
        """The mean; the other columns follow from the texts."""
        return (Percent("mean", "mean"),)

    def rows(self, found: Slice) -> Iterator[Row]:
        """The score of each system in a slice."""
        for row in super().rows(found):
            yield {"system": row["system"], "figure": row[self.figure]}

    def make(self, results: Results, key: str) -> Table:
        """The table, with a mean for systems that have aligned everything."""
        columns: list[Percent] = []
        figures: dict[str, dict[str, float]] = {}
        for found in self.slices(results):
            columns.append(self._column(found, results))
            for row in self.rows(found):
                figures.setdefault(row["system"], {})[columns[-1].key] = row["figure"]
        titles = self._titles(results)["system"]
        rows = [
            [titles.get(system, system), *(of.get(each.key) for each in columns), _mean(of, len(columns))]
            for system, of in figures.items()
        ]
        shown = (Column("system", "system"), *columns, *self.columns)
        return Table(key, self.title or self.figure, self.note.strip(), shown, rows)

    def charts(self, results: Results, key: str) -> Iterator[Chart]:
        """None: there is nothing to draw by the size of the text."""
        return iter(())

    @staticmethod
    def _column(found: Slice, results: Results) -> Percent:
        """The column of a slice, named by what tells it from the others."""
        text, part = found.text, found.judged
        sizes = {each.size for each in results.texts if each.corpus == text.corpus}
        parts = [name for name, each in text.parts.items() if each.golds]
        words = [text.title, f"{text.size:,}" if len(sizes) > 1 and text.size else "", part.name if parts[1:] else ""]
        return Percent(f"{text.name}-{part.name}", ", ".join(filter(None, words)))


def _mean(figures: dict[str, float], wanted: int) -> float | None:
    return fmean(figures.values()) if len(figures) == wanted else None
