"""Parquet: tables in columns, as data teams keep them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from pralign.characters import quoted
from pralign.errors import InputError, UsageError
from pralign.text.bitext import Pair, Sentence
from pralign.text.columns import chosen_columns, wrapping
from pralign.text.corpora.arrow_kinds import is_readable, plain_values, sample_of
from pralign.text.corpora.base import READERS, Choice, CorpusReader, Row, one_line
from pralign.text.extras import needed
from pralign.text.raw import STANDARD_STREAM, allow_more, display_name, reason

# So many rows are in memory at a time, and so many bytes of them, by what the file says of itself.
_MOST_ROWS, _MOST_BYTES = 2048, 1 << 26
_BUFFER = 1 << 16


class Places(NamedTuple):
    """Where the two sentences of a row are.

    Attributes:
        names: The names of their columns, or of the fields of the column that holds both.
        inside: That column, if there is one.
    """

    names: tuple[str, str]
    inside: str | None = None

    @property
    def columns(self) -> list[str]:
        """The columns that are needed."""
        return list(self.names) if self.inside is None else [self.inside]


class ParquetReader(CorpusReader):
    """Two columns of text, or of lists of words; or a column of structs that have two such fields.

    A sentence that is null is empty. Of the other columns, those that hold bytes are left out.
    """

    name = "parquet"
    suffixes: ClassVar[tuple[str, ...]] = (".parquet",)

    def rows(self, path: str | Path, choice: Choice, limit: int) -> Iterator[Row]:
        """Yield a pair a row, with what the other columns say."""
        with open_parquet(path) as file:
            schema = file.schema_arrow
        places = _places(schema, choice, display_name(path))
        others = [field.name for field in schema if is_readable(field.type) and field.name not in places.columns]
        for batch, pairs in _read(path, places, limit, others):
            extras = [(name, plain_values(batch.column(name))) for name in others if schema.names.count(name) == 1]
            for number, (source, target) in enumerate(pairs):
                yield Row(source, target, {name: values[number] for name, values in extras})

    def pairs(self, path: str | Path, choice: Choice, limit: int) -> Iterator[Pair]:
        """Yield the pairs alone, for which no other column is read."""
        with open_parquet(path) as file:
            places = _places(file.schema_arrow, choice, display_name(path))
        for _, pairs in _read(path, places, limit):
            yield from pairs


def _read(
    path: str | Path, places: Places, limit: int, others: Sequence[str] = ()
) -> Iterator[tuple[Any, Iterator[Pair]]]:
    """The rows of a file, some at a time, and their pairs."""
    first, name = 1, display_name(path)
    for batch in batches_of(path, [*places.columns, *others]):
        where = f"{name}, rows {first} to {first + batch.num_rows - 1}"
        left, right = (_values(batch, place, places.inside, where) for place in places.names)
        yield (
            batch,
            (
                (_sentence(source, limit, name, number), _sentence(target, limit, name, number))
                for number, (source, target) in enumerate(zip(left, right, strict=True), start=first)
            ),
        )
        first += batch.num_rows


def batches_of(path: str | Path, columns: Sequence[str] | None = None) -> Iterator[Any]:
    """The rows of a Parquet file, some at a time, however large its groups of rows are.

    Args:
        path: The file.
        columns: The columns that are wanted; all by default.

    Raises:
        InputError: It cannot be read.
    """
    arrow = needed("pyarrow", "arrow")
    with open_parquet(path) as file:
        rows = _rows_at_a_time(file.metadata)
        try:
            yield from file.iter_batches(batch_size=rows, columns=columns, use_threads=False)
        except (OSError, arrow.ArrowException) as error:
            raise _damaged(path, error) from error


def _rows_at_a_time(metadata: Any) -> int:
    size: int = sum(metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups))
    rows: int = metadata.num_rows
    return max(1, min(_MOST_ROWS, _MOST_BYTES * max(rows, 1) // max(size, 1)))


@contextmanager
def open_parquet(path: str | Path) -> Iterator[Any]:
    """A Parquet file, open.

    Raises:
        UsageError: It comes from standard input or a pipe, whose end cannot be read first; or pyarrow is not installed.
        InputError: It cannot be read.
    """
    parquet = needed("pyarrow.parquet", "arrow")
    name = display_name(path)
    no_pipe = UsageError(f"{name}: Parquet cannot be read from standard input or a pipe; name a file")
    if str(path) == STANDARD_STREAM:
        raise no_pipe
    try:
        with Path(path).open("rb") as stream:
            if not stream.seekable():
                raise no_pipe
            try:
                file = parquet.ParquetFile(stream, buffer_size=_BUFFER, pre_buffer=False)
            except Exception as error:  # of which pyarrow has many kinds
                raise _damaged(path, error) from error
            yield file
    except OSError as error:
        raise InputError(f"{name}: cannot read: {reason(error)}") from error


def _damaged(path: str | Path, error: BaseException) -> InputError:
    message = (str(error).splitlines() or [type(error).__name__])[0]
    return InputError(f"{display_name(path)}: no Parquet file, or a damaged one: {quoted(message, 200)}")


def _places(schema: Any, choice: Choice, name: str) -> Places:
    """Where the sentences are that are meant."""
    samples = {field.name: sample_of(field.type) for field in schema}
    inside = wrapping(samples, choice.columns)
    fields = samples if inside is None else samples[inside]
    try:
        names = chosen_columns(fields, choice.columns, "--columns en,fr")
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None
    for column in names:
        if not isinstance(fields[column], str | list | None):
            raise UsageError(f"{name}: the column {quoted(column)} does not hold text or lists of words")
    places = Places(names, inside)
    for column in places.columns:
        if schema.names.count(column) > 1:
            raise UsageError(f"{name}: there are several columns {quoted(column)}")
    return places


def _values(batch: Any, column: str, inside: str | None, where: str) -> list[Any]:
    compute = needed("pyarrow.compute", "arrow")
    values = batch.column(column) if inside is None else compute.struct_field(batch.column(inside), [column])
    try:
        found: list[Any] = values.to_pylist()
    except ValueError as error:  # text that is no UTF-8
        raise InputError(f"{where}: damaged text in the column {quoted(column)}: {error}") from error
    return found


def _sentence(value: Any, limit: int, name: str, number: int) -> Sentence:
    if value is None:
        return ""
    if isinstance(value, str):
        if len(value) > limit:
            raise InputError(f"{name}, row {number}: longer than {limit:,} characters; {allow_more(limit)}")
        return one_line(value)
    if None in value:
        raise InputError(f"{name}, row {number}: a word of a list is null")
    words: list[str] = value
    return words


READERS.register(ParquetReader.name, ParquetReader())
