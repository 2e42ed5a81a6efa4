"""Tables as text: columns with commas, semicolons or tabs between them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from pralign.errors import InputError, UsageError
from pralign.text.corpora.base import READERS, Choice, CorpusReader, Row, one_line
from pralign.text.files import display_name, line_limit, read_lines


class _Delimited(CorpusReader):
    """A table whose columns are known by name or, counted from one, by number."""

    has_header = True

    def rows(self, path: str | Path, choice: Choice) -> Iterator[Row]:
        """Yield a pair a record; blank ones are pairs without words."""
        name = display_name(path)
        records = self._records(path)
        header: Sequence[str] | None = None
        places: tuple[int, int] | None = None
        for line, record in records:
            if places is None:
                if has_header(choice):
                    header = record
                    places = _places(choice, header, name)
                    continue
                places = _places(choice, None, name)
            if not any(record):
                yield Row("", "")
            elif len(record) <= max(places):
                raise InputError(
                    f"{name}, line {line}: {len(record)} column{'' if len(record) == 1 else 's'}, but the sentences "
                    f"should be in columns {places[0] + 1} and {places[1] + 1}"
                )
            else:
                names = header or [str(number) for number in range(1, len(record) + 1)]
                extras = {
                    key: value for k, (key, value) in enumerate(zip(names, record, strict=False)) if k not in places
                }
                yield Row(one_line(record[places[0]]), one_line(record[places[1]]), extras)

    def _records(self, path: str | Path) -> Iterator[tuple[int, Sequence[str]]]:
        """The records of a file, with the lines that they begin in or end in."""
        raise NotImplementedError


def has_header(choice: Choice) -> bool:
    """Whether a table has a line of names: as was said, or if columns are chosen by name."""
    if choice.header is not None:
        return choice.header
    return choice.columns is not None and not all(name.isdecimal() for name in choice.columns)


def _places(choice: Choice, header: Sequence[str] | None, name: str) -> tuple[int, int]:
    """Where the two columns are, counted from zero."""
    if choice.columns is None:
        return 0, 1
    places = []
    for column in choice.columns:
        if header is not None and column in header:
            places.append(header.index(column))
        elif column.isdecimal() and column.isascii() and 0 < int(column) <= (1000 if header is None else len(header)):
            places.append(int(column) - 1)
        elif header is None:
            raise UsageError(f"{name} has no header, so that columns are numbers, such as 1,2, not {column}")
        else:
            raise UsageError(f"{name} has no column {column!r}; there are {', '.join(header)}")
    return places[0], places[1]


class _Csv(_Delimited):
    """Columns with commas or semicolons between, in quotes where they hold some."""

    name = "csv"
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)

    def _records(self, path: str | Path) -> Iterator[tuple[int, Sequence[str]]]:
        name = display_name(path)
        lines = read_lines(path)
        csv.field_size_limit(max(csv.field_size_limit(), min(line_limit(), 2**31 - 1)))
        first = next(lines, None)
        if first is None:
            return
        delimiter = ";" if first.count(";") > first.count(",") else ","
        reader = csv.reader(_with_ends(first, lines), delimiter=delimiter, strict=True)
        try:
            for record in reader:
                yield reader.line_num, record
        except csv.Error as error:
            raise InputError(f"{name}, line {reader.line_num}: no comma-separated values ({error})") from error


def _with_ends(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield f"{first}\n"
    for line in lines:
        yield f"{line}\n"


class _Tsv(_Delimited):
    """Columns with tabs between, without quotes."""

    name = "tsv"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv",)

    def _records(self, path: str | Path) -> Iterator[tuple[int, Sequence[str]]]:
        for number, line in enumerate(read_lines(path), start=1):
            yield number, line.split("\t") if line.strip(" \t") else []


for _reader in (_Csv(), _Tsv()):
    READERS.register(_reader.name, _reader)
