"""Tables: what the page shows as rows and columns, and programs read as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

Kind = Literal[
    "text", "word", "count", "mean", "percent", "points", "number", "probability", "truth", "interval", "lines"
]


@dataclass(frozen=True)
class Column:
    """A column: its key in JSON, its title for people, and what its values are.

    Kinds of values: ``text``; ``word``, a word of the corpus; ``count``; ``mean``, of counts; ``percent``, a fraction
    that people read as a percentage; ``points``, a difference of two such; ``number``; ``probability``; ``truth``;
    ``interval``, two fractions; ``lines``, numbers of pairs from zero, which JSON and people count from one.
    """

    key: str
    title: str
    kind: Kind = "text"

    @property
    def is_numeric(self) -> bool:
        """Whether values are lined up at the right."""
        return self.kind not in ("text", "word", "truth", "lines")

    def show(self, value: Any) -> str:
        """A value as people read it; a dash where there is none.

        Example:
            >>> Column("aer", "AER", "percent").show(0.0512), Column("n", "links", "count").show(12345)
            ('5.1 %', '12,345')
        """
        if value is None or value == "":
            return "\N{EN DASH}"
        return _SHOWN[self.kind](value)


@dataclass(frozen=True)
class Table:
    """Rows under columns, with a title and a word on how to read them.

    Attributes:
        key: The name in JSON.
        title: The title for people.
        note: What the table says, for somebody who has never seen one like it.
        columns: What is in each column.
        rows: The values.
        grouped: Whether rows with the same first value belong together.
    """

    key: str
    title: str
    note: str
    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Any]]
    grouped: bool = False

    @property
    def spans(self) -> list[int]:
        """How many rows the first value of each row stands for; none where the row before has said it."""
        firsts = [row[0] if self.grouped else number for number, row in enumerate(self.rows)]
        runs = [len(list(run)) for _, run in groupby(firsts)]
        return [length if at == 0 else 0 for length in runs for at in range(length)]

    def as_dict(self) -> dict[str, Any]:
        """The title, the note, and one object a row, ready for JSON."""
        rows = [
            {
                column.key: [line + 1 for line in value] if column.kind == "lines" else value
                for column, value in zip(self.columns, row, strict=True)
            }
            for row in self.rows
        ]
        return {"title": self.title, "note": self.note, "rows": rows}


def percent(value: float, digits: int = 1) -> str:
    """A fraction as a percentage."""
    return f"{100 * value:.{digits}f} %"


def readable_class(label: str) -> str:
    """A class of numbers as people say it.

    Example:
        >>> readable_class("6-50"), readable_class("501-")
        ('6 to 50', '501 and more')
    """
    if label.endswith("-"):
        return f"{label[:-1]} and more"
    return label.replace("-", " to ")


_SHOWN: dict[Kind, Callable[[Any], str]] = {
    "text": str,
    "word": str,
    "count": lambda value: f"{value:,}",
    "mean": lambda value: f"{value:.1f}",
    "percent": percent,
    "points": lambda value: f"{100 * value:+.2f}",
    "number": lambda value: f"{value:.4g}",
    "probability": lambda value: f"{value:.3f}",
    "truth": lambda value: "yes" if value else "no",
    "interval": lambda value: f"{100 * value[0]:.1f} to {100 * value[1]:.1f}",
    "lines": lambda value: ", ".join(str(line + 1) for line in value),
}
