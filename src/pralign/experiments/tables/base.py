"""What all tables of results share: which texts and systems they are of, and what was published beside them."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, Protocol

from pralign.errors import InputError
from pralign.experiments.answers import Answers
from pralign.experiments.description import Size, SystemDescription
from pralign.experiments.texts import Part, PreparedText
from pralign.registry import Registry
from pralign.report.charts import Chart, Mark, Series
from pralign.report.tables import Column, Kind, Table

Row = dict[str, Any]

_IDENTITIES = {
    "corpus": Column("corpus", "corpus"),
    "pairs": Column("pairs", "training pairs"),
    "part": Column("part", "part"),
    "system": Column("system", "system"),
}
_PUBLISHED = "_published"


@dataclass(frozen=True)
class Percent(Column):
    """A column of fractions that are shown in percent, with two digits after the point, as papers print them.

    Example:
        >>> Percent("aer", "AER").show(0.0512)
        '5.12'
    """

    kind: Kind = "percent"

    def show(self, value: Any) -> str:
        """A value as people read it; a dash where there is none."""
        return super().show(value) if value is None or value == "" else f"{100 * value:.2f}"


@dataclass(frozen=True)
class Slice:
    """What a table looks at at a time: the answers of some systems to one text, or to one part of it.

    Attributes:
        text: The text.
        part: The part, for tables that go by parts.
        systems: The systems, in the order of the experiment.
        answers: What they say; of all systems that answered, since tables may compare with one they do not list.
        places: Folders: of the data (``data``), of the experiment's file (``here``), for what is kept (``work``).
    """

    text: PreparedText
    part: Part | None
    systems: Sequence[SystemDescription]
    answers: Mapping[str, Answers]
    places: Mapping[str, Path]

    @property
    def judged(self) -> Part:
        """The part, which has a gold."""
        assert self.part is not None
        return self.part

    @property
    def dev(self) -> Slice:
        """The same of the development pairs.

        Raises:
            InputError: There are none with a gold.
        """
        dev = self.text.parts.get("dev")
        if dev is None or not dev.golds:
            raise InputError(f"thresholds are tuned on development pairs, and {self.text.title} has none with a gold")
        return replace(self, part=dev)

    def of(self, system: str) -> Answers:
        """The answers of a system that a table compares with.

        Raises:
            InputError: It has not answered.
        """
        if system not in self.answers:
            raise InputError(f"{system} is not there for {self.text.name}, so nothing can be compared with it")
        return self.answers[system]


class Results(Protocol):
    """What an experiment has come to, as tables see it."""

    @property
    def texts(self) -> Sequence[PreparedText]:
        """All texts."""

    def answers(self, text: PreparedText) -> Mapping[str, Answers]:
        """The answers to a text, by system."""

    def systems(self, text: PreparedText) -> Sequence[SystemDescription]:
        """The systems that have answered, in the order of the experiment."""

    @property
    def places(self) -> Mapping[str, Path]:
        """Folders, as a slice has them."""


@dataclass(frozen=True, kw_only=True)
class ResultTable(ABC):
    """A table of an experiment: rows for texts, parts and systems, and columns of figures.

    To make one of your own, derive a dataclass that says its ``columns`` and yields the ``rows`` of a slice, and
    register it by :func:`register_table`. Its fields are what a file may set.

    Attributes:
        title: The title.
        note: How to read it.
        corpora: The corpora that it is of; all if none is named.
        pairs: The numbers of training pairs that it is of; all if none is named.
        parts: The parts that it is of; all with a gold if none is named.
        systems: The systems that it lists; all if none is named.
        published: Rows as they were published: what a row is of, and figures by the keys of columns, those in percent
            as percentages. Figures of rows that are not there stand in rows of their own.
        chart: The key of a column to draw by the number of training pairs.
    """

    #: What tells one row from another.
    identities: ClassVar[tuple[str, ...]] = ("corpus", "pairs", "part", "system")
    #: Whether it goes by parts that have a gold.
    by_part: ClassVar[bool] = True
    #: Whether it needs the links of all pairs of the texts.
    needs_text: ClassVar[bool] = False

    title: str = ""
    note: str = ""
    corpora: Sequence[str] = ()
    pairs: Sequence[Size] = ()
    parts: Sequence[str] = ()
    systems: Sequence[str] = ()
    published: tuple[Mapping[str, Any], ...] = ()
    chart: str | None = None

    @property
    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """The columns of figures, without those that tell what a row is of."""

    @abstractmethod
    def rows(self, found: Slice) -> Iterator[Row]:
        """The rows of a slice: ``system``, other things that tell rows apart, and figures by the keys of columns."""

    @property
    def mentioned(self) -> list[str]:
        """The systems that options name, besides those that are listed."""
        return []

    @property
    def needs_dev(self) -> bool:
        """Whether it needs the gold of development pairs."""
        return False

    @classmethod
    def summary(cls) -> str:
        """What kind of table it is: what the first sentence about it begins with."""
        return re.split("[.:]", cls.__doc__ or cls.__name__, maxsplit=1)[0]

    def is_of(self, text: PreparedText) -> bool:
        """Whether it looks at a text."""
        sizes = {None if size == "all" else size for size in self.pairs}
        is_size = not sizes or bool(sizes & (text.stands_for | {text.size}))
        return is_size and (not self.corpora or text.corpus in self.corpora)

    def slices(self, results: Results) -> Iterator[Slice]:
        """What it looks at, in the order of its rows; nothing where a system that options name is not installed."""
        for text in filter(self.is_of, results.texts):
            answers = results.answers(text)
            if not answers.keys() >= set(self.mentioned):
                continue
            systems = [each for each in results.systems(text) if not self.systems or each.name in self.systems]
            whole = Slice(text, None, systems, answers, results.places)
            if not self.by_part:
                yield whole
                continue
            for part in text.parts.values():
                if part.golds and (not self.parts or part.name in self.parts):
                    yield replace(whole, part=part)

    def make(self, results: Results, key: str) -> Table:
        """The table, with what was published beside it."""
        rows = [_identified(found, row) for found in self.slices(results) for row in self.rows(found)]
        return self._with_published(rows, key, results)

    def charts(self, results: Results, key: str) -> Iterator[Chart]:
        """The curves that go with it."""
        if self.chart is not None:
            yield from self._by_size(results, key, self.chart)

    def _with_published(self, rows: list[Row], key: str, results: Results) -> Table:
        kinds = {column.key: column.kind for column in self.columns}
        strangers = []
        for given in self.published:
            figures = {name: _fraction(value, kinds[name]) for name, value in given.items() if name in kinds}
            same = [row for row in rows if all(row.get(k) == v for k, v in given.items() if k not in kinds)]
            for row in same:
                row |= {name + _PUBLISHED: value for name, value in figures.items()}
            if not same:
                others = {name: value for name, value in given.items() if name not in kinds}
                strangers.append(others | {name + _PUBLISHED: value for name, value in figures.items()})
        titles = self._titles(results)
        shown = [column for name, column in self._identity_columns().items() if self._tells(name, [*rows, *strangers])]
        for column in self.columns:
            shown.append(column)
            if any(column.key + _PUBLISHED in row for row in (*rows, *strangers)):
                shown.append(replace(column, key=column.key + _PUBLISHED, title=f"{column.title}, published"))
        values = [
            [_named(row.get(column.key), titles.get(column.key, {})) for column in shown] for row in (*rows, *strangers)
        ]
        title = self.title or self.summary()
        return Table(key, title, self._whole_note(rows, titles), tuple(shown), values)

    def _identity_columns(self) -> dict[str, Column]:
        return {name: _IDENTITIES.get(name, Column(name, name)) for name in self.identities}

    @staticmethod
    def _tells(name: str, rows: Sequence[Row]) -> bool:
        """Whether rows differ in it, apart from rows that say nothing of it; systems are always named."""
        return name == "system" or len({str(row[name]) for row in rows if row.get(name) is not None}) > 1

    def _whole_note(self, rows: Sequence[Row], titles: Mapping[str, Mapping[Any, str]]) -> str:
        """The note, with what is the same in all rows."""
        columns = self._identity_columns()
        same = [
            f"{columns[name].title} {_named(rows[0].get(name), titles.get(name, {}))}"
            for name in self.identities
            if rows and not self._tells(name, rows) and rows[0].get(name) is not None
        ]
        return " ".join(filter(None, [self.note.strip(), f"All rows: {', '.join(same)}." if same else ""]))

    @staticmethod
    def _titles(results: Results) -> dict[str, dict[Any, str]]:
        """What people read in place of names."""
        texts = results.texts
        systems = {each.name: each.shown for text in texts for each in results.systems(text)}
        sizes = {text.size or "all": f"{text.size:,}" if text.size else "all" for text in texts}
        return {"corpus": {text.corpus: text.title for text in texts}, "system": systems, "pairs": dict(sizes)}

    def _by_size(self, results: Results, key: str, column: str) -> Iterator[Chart]:
        """One chart for each corpus and part: the figures of a column, by the number of training pairs."""
        [drawn] = [each for each in self.columns if each.key == column]
        titles = self._titles(results)

        def kind(found: Slice) -> tuple[str, str]:
            return found.text.corpus, found.part.name if found.part else ""

        for (corpus, part), slices in groupby(sorted(self.slices(results), key=kind), key=kind):
            series: dict[str, list[tuple[float, float]]] = {}
            for found in slices:
                for row in self.rows(found):
                    others = [str(row[name]) for name in self.identities if name not in _IDENTITIES and name in row]
                    name = ", ".join([str(titles["system"].get(row["system"], row["system"])), *others])
                    if row.get(column) is not None:
                        series.setdefault(name, []).append((math.log10(found.text.pairs), row[column]))
            several = [Series(name, sorted(points)) for name, points in series.items() if len(points) > 1]
            if several:
                title = " ".join(
                    filter(None, [self.title or drawn.title, "\N{EN DASH}", titles["corpus"][corpus], part])
                )
                name = "-".join(filter(None, [key, corpus, part]))
                percent = drawn.kind == "percent"
                yield Chart(name, title, "", "pairs in the text", drawn.title, several, percent=percent, x_powers=True)


def curve_series(name: str, points: Sequence[tuple[float, float]], number: int) -> Series:
    """A curve, or a single point that is marked; its ``number`` chooses its colour."""
    return Series(name, points, [Mark(*points[0], "links as they are")] if len(points) == 1 else [], number)


def _identified(found: Slice, row: Row) -> Row:
    """A row that says what it is of."""
    where = {"corpus": found.text.corpus, "pairs": found.text.size or "all"}
    return where | ({"part": found.part.name} if found.part else {}) | row


def _fraction(value: Any, kind: str) -> Any:
    return value / 100 if kind in ("percent", "points") else value


def _named(value: Any, titles: Mapping[Any, str]) -> Any:
    return titles.get(value, value) if isinstance(value, str | int) else value


TABLE_KINDS = Registry[type[ResultTable]]("kind of table")
"""The kinds of tables by name."""


def register_table(name: str) -> Callable[[type[ResultTable]], type[ResultTable]]:
    """Make a kind of table known to experiments: a decorator of a dataclass that derives from :class:`ResultTable`."""
    return TABLE_KINDS.register(name)
