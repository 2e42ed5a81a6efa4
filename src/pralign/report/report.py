"""All that a report has to say, worked out: tables, curves, pairs, and a summary in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pralign.evaluation.intervals import SAMPLES
from pralign.links.labelling import WORDS
from pralign.report.behaviour import behaviour_tables
from pralign.report.charts import Chart
from pralign.report.contest import PREFIX, Contest
from pralign.report.curves import charts
from pralign.report.dictionary import Dictionary
from pralign.report.inputs import ReportInput
from pralign.report.quality import quality_tables
from pralign.report.records import LARGEST, embeddable, pair_records
from pralign.report.summary import corpus_table, findings, system_table
from pralign.report.tables import Column, Table
from pralign.signature import Signature


@dataclass(frozen=True)
class Report:
    """A report before it is a page.

    Attributes:
        inputs: What it is about.
        samples: How many bootstrap samples confidence intervals and significance rest on.
        seed: What they are drawn with.
        largest: How many bytes of sentence pairs and word pairs the page may hold; words get an eighth at most.
        prefix: What the files with the pairs to label begin with, if there are such.
        drawn: How many pairs these are.
    """

    inputs: ReportInput
    samples: int = SAMPLES
    seed: int = 0
    largest: int = LARGEST
    prefix: str | None = None
    drawn: int = 0

    @cached_property
    def overview(self) -> list[Table]:
        """The tables of the summary: the corpus, the systems, the settings of the model."""
        tables = [corpus_table(self.inputs), system_table(self.inputs.judged)]
        posteriors = self.inputs.posteriors
        if posteriors is not None and posteriors.settings:
            named = (Column("setting", "setting"), Column("value", "value"))
            tables.append(Table("settings", f"The model {posteriors.name}", "", named, posteriors.settings))
        if posteriors is not None and posteriors.learned:
            columns = (Column("group", "group"), Column("feature", "feature"), Column("weight", "weight", "number"))
            note = "Features that make a link likelier (above zero) or less so, the weightiest first."
            tables.append(Table("weights", "What labelled pairs have taught", note, columns, posteriors.learned))
        return tables

    @cached_property
    def quality(self) -> list[Table]:
        """The tables that need a gold; the first one holds the scores."""
        return list(quality_tables(self.inputs.judged, self.samples, self.seed))

    @cached_property
    def behaviour(self) -> list[Table]:
        """The tables that need none."""
        return list(behaviour_tables(self.inputs.judged))

    @cached_property
    def charts(self) -> list[Chart]:
        """The curves."""
        return charts(self.inputs.judged)

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """The pairs that the page shows."""
        return pair_records(self.inputs, self.largest - len(embeddable(self.dictionary.data()).encode()))

    @cached_property
    def dictionary(self) -> Dictionary:
        """The word pairs that systems link."""
        return Dictionary.of(self.inputs, self.largest // 8)

    @cached_property
    def contest(self) -> Contest | None:
        """What can be done to find out which of two systems is better, if they differ and there is no gold."""
        contest = Contest.of(self.inputs)
        return contest if contest and contest.differing else None

    @property
    def doubt(self) -> str:
        """Why the pairs to label are too few to tell which system is better, if they are."""
        if self.contest is None:
            return ""
        return self.contest.doubt(self.contest.advised if self.prefix is None else self.drawn)

    @property
    def findings(self) -> list[str]:
        """What matters most, in words."""
        return findings(self.inputs, self.tables)

    @property
    def tables(self) -> Sequence[Table]:
        """All tables, in the order of the page."""
        return [*self.overview, *self.quality, *self.behaviour]

    @property
    def signature(self) -> Signature:
        """What the numbers were computed from."""
        inputs = self.inputs
        return Signature.of(
            report="alignment",
            systems=len(inputs.systems),
            gold=inputs.golds is not None,
            pairs=len(inputs.judged.pairs),
            drawn_from=(inputs.gold_pairs or inputs.text.pairs) if inputs.is_sampled else None,
            sample_seed=inputs.seed if inputs.is_sampled else None,
            bootstrap=None if inputs.golds is None else self.samples,
            seed=None if inputs.golds is None else self.seed,
        )

    def as_dict(self) -> dict[str, Any]:
        """Every table and every curve, ready for JSON."""
        return {
            "findings": self.findings,
            "tables": {table.key: table.as_dict() for table in self.tables},
            "curves": {chart.key: chart.as_dict() for chart in self.charts},
            "dictionary": self.dictionary.as_dict([system.name for system in self.inputs.systems]),
            "to_label": None if self.contest is None else self.contest.as_dict(self.prefix or PREFIX),
            "history": list(self.inputs.posteriors.history) if self.inputs.posteriors else [],
            "pairs": [_pair_entry(self.inputs, k) for k in range(len(self.inputs.pairs))],
            "signature": str(self.signature),
        }


def _pair_entry(inputs: ReportInput, k: int) -> dict[str, Any]:
    source, target = inputs.lengths[k]
    entry: dict[str, Any] = {"pair": inputs.lines[k] + 1, "source_words": source, "target_words": target}
    judged = inputs.golds is not None and inputs.golds[k].is_labelled
    if inputs.golds is not None and not judged:
        entry["gold"] = WORDS[inputs.golds[k].state]
    entry["systems"] = {
        system.name: {"links": len(system.alignments[k])}
        | (
            {"sure": counts.sure, "right": counts.links_possible, "sure_found": counts.links_sure}
            if (counts := inputs.counts[system.name][k] if judged else None)
            else {}
        )
        for system in inputs.systems
    }
    return entry
