"""Parquet: tables in columns, as data teams keep them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from pralign.errors import InputError, PralignError, UsageError
from pralign.text.corpora.base import READERS, Choice, CorpusReader, Row, one_line
from pralign.text.extras import needed
from pralign.text.files import STANDARD_STREAM, display_name, reason
from pralign.text.pairs import as_pair

# So many rows are in memory at a time.
_ROWS = 4096


class ParquetReader(CorpusReader):
    """Two columns of text, or of lists of words."""

    name = "parquet"
    suffixes: ClassVar[tuple[str, ...]] = (".parquet",)

    def rows(self, path: str | Path, choice: Choice) -> Iterator[Row]:
        """Yield a pair a row, with what the other columns say."""
        name = display_name(path)
        with open_parquet(path) as file:
            columns = _columns(file.schema_arrow, choice, name)
        number = 0
        for batch in batches_of(path):
            for row in batch.to_pylist():
                number += 1
                yield _row(row, columns, f"{name}, row {number}")


def batches_of(path: str | Path) -> Iterator[Any]:
    """The rows of a Parquet file, some thousand at a time.

    Raises:
        InputError: It cannot be read.
    """
    with open_parquet(path) as file:
        try:
            yield from file.iter_batches(batch_size=_ROWS)
        except (OSError, needed("pyarrow", "arrow").ArrowException) as error:
            message = str(error).splitlines()[0]
            raise InputError(f"{display_name(path)}: damaged Parquet file ({message})") from error


def open_parquet(path: str | Path) -> Any:
    """A Parquet file, opened.

    Raises:
        UsageError: It comes from standard input, which cannot be read in parts; or pyarrow is not installed.
        InputError: It cannot be read.
    """
    name = display_name(path)
    if str(path) == STANDARD_STREAM:
        raise UsageError("Parquet cannot be read from standard input; name the file")
    parquet = needed("pyarrow.parquet", "arrow")
    try:
        return parquet.ParquetFile(path, memory_map=False, pre_buffer=False)
    except OSError as error:
        raise InputError(f"{name}: cannot read: {reason(error)}") from error
    except Exception as error:  # of which pyarrow has many kinds
        raise InputError(f"{name}: no Parquet file, or damaged ({str(error).splitlines()[0]})") from error


def _columns(schema: Any, choice: Choice, name: str) -> tuple[str, str]:
    """The two columns that are meant."""
    if choice.columns is not None:
        for column in choice.columns:
            if column not in schema.names:
                raise UsageError(f"{name} has no column {column!r}; there are {', '.join(schema.names)}")
        return choice.columns
    found = [field.name for field in schema if _is_text(field.type)]
    if len(found) != 2:
        raise UsageError(
            f"{name} has {len(found)} columns of text among {', '.join(schema.names)}; choose two, such as "
            "--columns en,fr"
        )
    return found[0], found[1]


def _is_text(kind: Any) -> bool:
    types = needed("pyarrow.types", "arrow")
    if types.is_list(kind) or types.is_large_list(kind):
        return _is_text(kind.value_type)
    return bool(types.is_string(kind) or types.is_large_string(kind))


def _row(row: dict[str, Any], columns: tuple[str, str], where: str) -> Row:
    source, target = row.pop(columns[0]), row.pop(columns[1])
    try:
        left, right = as_pair("" if source is None else source, "" if target is None else target)
    except PralignError as error:
        raise InputError(f"{where}: {error}") from None
    return Row(one_line(left), one_line(right), row)


READERS.register(ParquetReader.name, ParquetReader())
