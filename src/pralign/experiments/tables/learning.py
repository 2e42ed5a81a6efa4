"""How training went, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from pralign.experiments.answers import Answers
from pralign.experiments.tables.base import Percent, Results, ResultTable, Row, Slice, register_table
from pralign.report.charts import Chart, Series
from pralign.report.tables import Column


@register_table("iterations")
@dataclass(frozen=True, kw_only=True)
class IterationTable(ResultTable):
    """What each iteration of training has found.

    Likelihoods are means over pairs of sentences. The objective is the log-likelihood of both directions less the
    divergence of the projections, which constrained training raises. A call infers a pair in both directions; without a
    constraint there is one for each pair.
    """

    identities = ("corpus", "pairs", "system", "iteration")
    by_part = False

    @property
    def columns(self) -> tuple[Column, ...]:
        """What is known of an iteration."""
        return (
            Column("log_likelihood", "log-likelihood a pair", "mean"),
            Column("divergence", "KL a pair", "mean"),
            Column("objective", "objective a pair", "mean"),
            Column("calls", "forward-backward calls a pair", "mean"),
            Percent("unconverged", "not converged"),
            Percent("dev_area", "area, dev"),
            Column("kept", "kept", "truth"),
        )

    def rows(self, found: Slice) -> Iterator[Row]:
        """One row an iteration of the last model of each system."""
        for system in found.systems:
            for each in last_iterations(found.of(system.name)):
                likelihood = sum(each["log_likelihood"]) / (each.get("pairs") or found.text.pairs)
                divergence = (each["divergence"] or 0.0) * each["weight"]
                row: Row = {"system": system.name, "iteration": each["iteration"], "log_likelihood": likelihood}
                row |= {key: each[key] for key in ("divergence", "calls", "unconverged", "dev_area", "kept")}
                yield row | {"objective": likelihood - divergence}

    def charts(self, results: Results, key: str) -> Iterator[Chart]:
        """The area under the curve of the development pairs, iteration by iteration."""
        for found in self.slices(results):
            series = []
            for system in found.systems:
                rows = last_iterations(found.of(system.name))
                points = [(each["iteration"], each["dev_area"]) for each in rows if each["dev_area"] is not None]
                if len(points) > 1:
                    series.append(Series(system.shown, points))
            if series:
                title = f"Area on the development pairs: {found.text.title}, {found.text.pairs:,} pairs"
                name = f"{key}-{found.text.name}"
                yield Chart(name, title, "", "iteration", "area", series, percent=True, whole=True)


@register_table("cost")
@dataclass(frozen=True, kw_only=True)
class CostTable(ResultTable):
    """What projections cost: means over the iterations of the last model."""

    identities = ("corpus", "pairs", "system")
    by_part = False

    @property
    def columns(self) -> tuple[Column, ...]:
        """The means."""
        return (
            Column("iterations", "iterations", "count"),
            Column("calls", "forward-backward calls a pair", "mean"),
            Percent("unconverged", "not converged"),
            Column("divergence", "KL a pair", "number"),
        )

    def rows(self, found: Slice) -> Iterator[Row]:
        """One row a system."""
        for system in found.systems:
            rows = last_iterations(found.of(system.name))
            if rows:
                means = {key: _mean([each[key] for each in rows]) for key in ("calls", "unconverged", "divergence")}
                yield {"system": system.name, "iterations": sum(each["kept"] for each in rows), **means}


def last_iterations(answers: Answers) -> list[dict[str, Any]]:
    """What is known of the iterations of the last model that was trained."""
    found: list[dict[str, Any]] = list(answers.record.get("iterations", ()))
    return [each for each in found if each["model"] == found[-1]["model"]]


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known and len(known) == len(values) else None
