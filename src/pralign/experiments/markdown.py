"""Tables and figures as Markdown, for files and for the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pralign.characters import escaped
from pralign.report.charts import Chart
from pralign.report.tables import Table

_EMPTY = "\N{EN DASH}"
_NARROWEST = 3  # of the line below the header, which is no table without it


def table_lines(table: Table) -> Iterator[str]:
    """A table with its title and note; columns are as wide as their widest values."""
    yield from (f"### {_inline(table.title)}", "")
    if table.note:
        yield from (_inline(table.note), "")
    if not table.rows:
        yield from ("None of the systems has anything to say here.", "")
        return
    shown = [
        [_cell(column.show(value)) for column, value in zip(table.columns, row, strict=True)] for row in table.rows
    ]
    header = [_cell(column.title) for column in table.columns]
    widths = [max(_NARROWEST, *map(len, cells)) for cells in zip(header, *shown, strict=True)]
    yield _line(header, widths)
    rule = [f"{'-' * (w - 1)}{':' if c.is_numeric else '-'}" for w, c in zip(widths, table.columns, strict=True)]
    yield _line(rule, widths)
    yield from (_line(cells, widths) for cells in shown)
    yield ""


def chart_lines(charts: Iterable[Chart], place: str) -> Iterator[str]:
    """Pictures of charts, which are files whose names begin with ``place``, such as ``figures/``."""
    for chart in charts:
        yield from (f"![{_inline(chart.title)}]({place}{chart.key}.svg)", "")


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return f"| {' | '.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))} |"


def _cell(text: str) -> str:
    return _inline(text).replace("|", "\\|") or _EMPTY


def _inline(text: str) -> str:
    """Text on one line."""
    return escaped(" ".join(text.split()))
