"""Tables as text: columns with commas, semicolons or tabs between them."""

from __future__ import annotations

import csv
import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import ClassVar

from pralign.characters import listed, quoted
from pralign.errors import InputError, UsageError
from pralign.text.corpora.base import READERS, Choice, CorpusReader, Row, one_line
from pralign.text.files import read_lines
from pralign.text.raw import allow_more, display_name

#: What may stand between columns, first what is taken if nothing tells.
DELIMITERS = ",;\t"

_QUOTED = re.compile(r'"[^"]*"?')
_MOST_COLUMNS = 10_000
_LONGEST_NUMBER = 5  # digits of the number of a column
_LARGEST_FIELD = 2**31 - 1


class _Delimited(CorpusReader):
    """A table whose columns are known by name or, counted from one, by number."""

    has_header = True

    def rows(self, path: str | Path, choice: Choice, limit: int) -> Iterator[Row]:
        """Yield a pair a record; blank ones are pairs without words."""
        name = display_name(path)
        records = self._records(path, limit)
        header = _header(records) if has_header(choice) else None
        left, right = _places(choice, header, name)
        names = _names(header or ())
        for line, record in records:
            if not any(field.strip(" \t") for field in record):
                yield Row("", "")
                continue
            _check_columns(len(record), (left, right), f"{name}, line {line}")
            extras = {
                names[k] if k < len(names) else str(k + 1): value
                for k, value in enumerate(record)
                if k not in (left, right)
            }
            yield Row(one_line(record[left]), one_line(record[right]), extras)

    @abstractmethod
    def _records(self, path: str | Path, limit: int) -> Iterator[tuple[int, Sequence[str]]]:
        """The records of a file, with the lines that they begin in."""


def has_header(choice: Choice) -> bool:
    """Whether a table has a line of names: as was said, or if columns are chosen by name."""
    if choice.header is not None:
        return choice.header
    return choice.columns is not None and not all(name.isdecimal() for name in choice.columns)


def _header(records: Iterator[tuple[int, Sequence[str]]]) -> list[str]:
    """The names in the first record."""
    return [name.strip() for name in next(records, (1, []))[1][:_MOST_COLUMNS]]


def _names(header: Sequence[str]) -> list[str]:
    """What columns are called besides: those without a name by their number, and where one has it already, by both."""
    names: dict[str, None] = {}
    for number, name in enumerate(header, start=1):
        free = name or str(number)
        while free in names:
            free = f"{free}_{number}"
        names[free] = None
    return list(names)


def _check_columns(columns: int, places: tuple[int, int], where: str) -> None:
    if columns > _MOST_COLUMNS:
        raise InputError(f"{where}: {columns:,} columns; there may be {_MOST_COLUMNS:,}")
    if columns <= max(places):
        raise InputError(
            f"{where}: {columns} column{'' if columns == 1 else 's'}, but the sentences should be in columns "
            f"{places[0] + 1} and {places[1] + 1}"
        )


def _places(choice: Choice, header: Sequence[str] | None, name: str) -> tuple[int, int]:
    """Where the two columns are, counted from zero."""
    if choice.columns is None:
        return 0, 1
    left, right = (_place(column, header, name) for column in choice.columns)
    if left == right:
        raise UsageError(f"{name}: {' and '.join(choice.columns)} are the same column")
    return left, right


def _place(column: str, header: Sequence[str] | None, name: str) -> int:
    named = [] if header is None else [k for k, there in enumerate(header) if there == column]
    if len(named) > 1:
        raise UsageError(
            f"{name} has {len(named)} columns {quoted(column)}; say which by their numbers, such as --header "
            "--columns 1,2"
        )
    if named:
        return named[0]
    is_number = column.isdecimal() and column.isascii() and len(column) <= _LONGEST_NUMBER and int(column) > 0
    if is_number and (header is None or int(column) <= len(header)):
        return int(column) - 1
    if header is None:
        raise UsageError(f"{name} has no header, so that columns are numbers, such as 1,2, not {quoted(column)}")
    raise UsageError(f"{name} has no column {quoted(column)}; there are {listed(header)}")


class _Csv(_Delimited):
    """Columns with commas, semicolons or tabs between, in quotes where they hold some, or line ends."""

    name = "csv"
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)

    def _records(self, path: str | Path, limit: int) -> Iterator[tuple[int, Sequence[str]]]:
        lines = _Lines(read_lines(path, limit), display_name(path), limit)
        # The module has one limit for everybody, far below what a text may hold, and whoever set a higher one keeps it.
        csv.field_size_limit(max(csv.field_size_limit(), min(limit, _LARGEST_FIELD)))
        reader = csv.reader(lines, delimiter=lines.delimiter, strict=True)
        try:
            for record in reader:
                yield lines.first, record
                lines.begin()
        except csv.Error as error:
            raise InputError(
                f"{lines.name}, line {lines.first}: no comma-separated values ({error}); a quote inside quotes is "
                'written twice, such as "a ""cat"""'
            ) from error


class _Lines:
    """The lines of a file with their ends, of which a record may take several but not more than a line may hold."""

    def __init__(self, lines: Iterator[str], name: str, limit: int) -> None:
        self.name = name
        self.first = 1  # line of the record
        self._limit = limit
        self._number = self._size = 0
        head = next(lines, None)
        self.delimiter = DELIMITERS[0] if head is None else delimiter_of(head)
        self._rest = lines if head is None else chain([head], lines)

    def begin(self) -> None:
        """A record has ended, and another begins."""
        self.first, self._size = self._number + 1, 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._rest)
        self._number += 1
        self._size += len(line)
        if self._size > self._limit:
            raise InputError(
                f"{self.name}, line {self.first}: a record of more than {self._limit:,} characters, perhaps since a "
                f"quote is missing; {allow_more(self._limit)}"
            )
        return f"{line}\n"


def delimiter_of(line: str) -> str:
    """What stands between the columns of a line: whatever is most frequent outside of quotes.

    Example:
        >>> delimiter_of('"Hello, you, there";Bonjour'), delimiter_of("no column")
        (';', ',')
    """
    outside = _QUOTED.sub("", line)
    return max(DELIMITERS, key=outside.count)


class _Tsv(_Delimited):
    """Columns with tabs between, without quotes."""

    name = "tsv"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv",)

    def _records(self, path: str | Path, limit: int) -> Iterator[tuple[int, Sequence[str]]]:
        for number, line in enumerate(read_lines(path, limit), start=1):
            yield number, line.split("\t") if line.strip(" \t") else []


for _reader in (_Csv(), _Tsv()):
    READERS.register(_reader.name, _reader)
