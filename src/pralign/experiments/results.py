"""What an experiment has come to, as files: tables, curves, alignments and pages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pralign import __version__
from pralign.errors import OutputError
from pralign.experiments.answers import Answers
from pralign.experiments.markdown import chart_lines, table_lines
from pralign.experiments.page import index_page
from pralign.experiments.run import ExperimentRun
from pralign.experiments.texts import Part, PreparedText
from pralign.links.formats import read_alignments, write_alignments
from pralign.outputs import open_output, together
from pralign.report.charts import Chart
from pralign.report.html import render
from pralign.report.inputs import ReportInput, System, Text
from pralign.report.report import Report
from pralign.report.tables import Table
from pralign.text.files import reason

_FIGURES = "figures"
_ALIGNMENTS = "alignments"
_PAGES = "pairs-*.html"


@dataclass
class ExperimentResults:
    """The tables and curves of a run that is done.

    Attributes:
        run: The run.
    """

    run: ExperimentRun

    @cached_property
    def tables(self) -> list[Table]:
        """The tables, in the order of the experiment."""
        return [table.make(self.run, f"table-{k}") for k, table in enumerate(self.run.experiment.tables, start=1)]

    @cached_property
    def charts(self) -> list[list[Chart]]:
        """The curves that go with each table."""
        tables = enumerate(self.run.experiment.tables, start=1)
        return [list(table.charts(self.run, f"table-{number}")) for number, table in tables]

    def _all_charts(self) -> Iterator[Chart]:
        return (chart for charts in self.charts for chart in charts)

    def markdown(self, figures: str = f"{_FIGURES}/") -> Iterator[str]:
        """All of it as lines of Markdown; ``figures`` is what the names of pictures begin with."""
        experiment = self.run.experiment
        yield from (f"## {experiment.title}", "")
        if experiment.about.strip():
            yield from (*experiment.about.strip().splitlines(), "")
        for table, charts in zip(self.tables, self.charts, strict=True):
            yield from table_lines(table)
            yield from chart_lines(charts, figures)
        yield from self._texts()

    def _texts(self) -> Iterator[str]:
        """The texts that figures are of, and the version that has made them."""
        yield from (f"Texts, pralign {__version__}:", "")
        for text in self.run.texts:
            parts = [f"{part.name} {len(part.pairs):,}{_with_gold(part)}" for part in text.parts.values()]
            yield f"- {text.title}: {text.pairs:,} pairs" + (f", of these {', '.join(parts)}" if parts else "")
        yield ""

    def as_dict(self) -> dict[str, Any]:
        """Every table and curve, and what is known of each training, ready for JSON."""
        experiment = self.run.experiment
        return {
            "title": experiment.title,
            "version": __version__,
            "texts": [{"name": text.name, "pairs": text.pairs, "digest": text.digest} for text in self.run.texts],
            "tables": [table.as_dict() for table in self.tables],
            "curves": [chart.as_dict() for chart in self._all_charts()],
            "signatures": {
                f"{text.name}, {name}": answers.record.get("signature")
                for text in self.run.texts
                for name, answers in self.run.answers(text).items()
            },
        }

    def write(self, folder: Path) -> None:
        """Write all files, together or none, and remove those of the same kinds that are of no use any more.

        Raises:
            OutputError: They cannot be written.
        """
        pages = dict(self._pages())
        files = {
            "tables.md": "\n".join(self.markdown()) + "\n",
            "results.json": json.dumps(self.as_dict(), indent=1, ensure_ascii=False) + "\n",
            "times.json": json.dumps(self._times(), indent=1) + "\n",
            "report.html": index_page(self.run.experiment, self.tables, self.charts, pages),
            **{name: page for name, (_, page) in pages.items()},
            **{
                f"{_FIGURES}/{chart.key}.svg": chart.svg(alone=True) + "\n"
                for charts in self.charts
                for chart in charts
            },
        }
        with together():
            for name, content in files.items():
                with open_output(_made(folder / name)) as stream:
                    stream.write(content)
            written = {folder / name for name in files} | set(self._write_alignments(folder / _ALIGNMENTS))
        for pattern in (_PAGES, f"{_FIGURES}/*.svg", f"{_ALIGNMENTS}/*.txt"):
            for old in set(folder.glob(pattern)) - written:
                old.unlink(missing_ok=True)

    def _times(self) -> dict[str, dict[str, Any]]:
        """The seconds that each training took, which are never the same twice."""
        return {
            text.name: {name: answers.record.get("seconds") for name, answers in self.run.answers(text).items()}
            for text in self.run.texts
        }

    def _write_alignments(self, folder: Path) -> Iterator[Path]:
        for text in self.run.texts if self.run.experiment.alignments != "none" else ():
            for name, answers in self.run.answers(text).items():
                whole = answers.text_links if self.run.experiment.alignments == "all" else None
                links = answers.links if whole is None else read_alignments(whole, "pharaoh")
                path = folder / f"{text.name}-{name}.txt"
                with open_output(_made(path)) as stream:
                    write_alignments(stream, links)
                yield path

    def _pages(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """For each text with a gold, the name, title and content of a page to look at its pairs."""
        for text in self.run.texts:
            answers = self.run.answers(text)
            if answers and any(part.golds for part in text.parts.values()):
                title = f"{text.title}, {text.pairs:,} pairs"
                languages = text.description.languages if all(text.description.languages) else None
                yield (
                    _PAGES.replace("*", text.name),
                    (title, render(_report(text, answers, self.run), title, languages)),
                )


def _report(text: PreparedText, answers: Any, run: ExperimentRun) -> Report:
    """What there is to look at of the pairs with a gold."""
    numbers = [part.start + k for part in text.parts.values() for k in range(len(part.golds))]
    golds = [gold for part in text.parts.values() for gold in part.golds]
    pairs = [text.looked_at[number] for number in numbers]
    systems = [_system(each.shown, answers[each.name], numbers) for each in run.systems(text)]
    frequencies = tuple(map(_folded, text.frequencies))
    about = Text((text.source.name, text.target.name), text.pairs, frequencies)  # type: ignore[arg-type]
    return Report(ReportInput(about, pairs, numbers, systems, golds, gold_pairs=len(golds)))


def _folded(counts: Mapping[str, int]) -> Counter[str]:
    """How often words occur, in whatever case."""
    folded = Counter[str]()
    for word, count in counts.items():
        folded[word.casefold()] += count
    return folded


def _system(name: str, answers: Answers, numbers: Sequence[int]) -> System:
    return System(name, [answers.links[number] for number in numbers])


def _with_gold(part: Part) -> str:
    if not part.golds:
        return ""
    return " with a gold" if len(part.golds) == len(part.pairs) else f" ({len(part.golds)} with a gold)"


def _made(path: Path) -> Path:
    """A path whose folder is there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path.parent}: cannot make this folder: {reason(error)}") from error
    return path
