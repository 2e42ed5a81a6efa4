"""Alignments as a column of a Parquet table, beside all other columns of the text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import IO, Any

from pralign.errors import InputError
from pralign.links.extra_columns import ExtraColumns
from pralign.links.formats.base import Record
from pralign.outputs import open_binary_output
from pralign.text.bitext import Bitext
from pralign.text.corpora.parquet import batches_of, open_parquet
from pralign.text.extras import needed

PARQUET = "parquet"
#: The name of the column that holds alignments: structs of links, each with its probability, and of the pair's score.
COLUMN = "alignment"

_ROWS = 2048


def write_parquet(path: str | Path, records: Iterable[Record], bitext: Bitext) -> None:
    """Write a table with a row a pair: the columns of the text, and their alignment.

    The columns of a Parquet file stay as they are, but for one that is called ``alignment``, whose place is taken.
    Those of other files become ``source`` and ``target``, which are lists of words, and whatever the file has besides:
    what is of different kinds in different rows is written as JSON.

    Args:
        path: Where to write.
        records: The alignments with their words, one a pair.
        bitext: The text that they are of.

    Raises:
        InputError: There are not as many alignments as pairs.
        OutputError: Writing fails.
        UsageError: pyarrow is not installed.
    """
    arrow = needed("pyarrow", "arrow")
    remaining = iter(records)
    if bitext.reader is not None and bitext.reader.name == PARQUET:
        with open_parquet(bitext.files[0]) as file:
            schema = file.schema_arrow
        tables = _beside_columns(arrow, bitext.files[0], remaining)
    else:
        extras = ExtraColumns.of(bitext.extras(), taken=("source", "target", COLUMN))
        words = arrow.list_(arrow.string())
        schema = arrow.schema([("source", words), ("target", words), *extras.fields])
        tables = _as_columns(arrow, schema, extras, remaining)
    with open_binary_output(path) as stream, _writer(stream, _without(schema).append(_field(arrow))) as writer:
        for table in tables:
            writer.write_table(table)
        if next(remaining, None) is not None:
            raise InputError(f"{bitext.name}: there are more alignments than pairs")


@contextmanager
def _writer(stream: IO[bytes], schema: Any) -> Iterator[Any]:
    """What writes tables; when something fails, what it still wants to write is of no interest."""
    writer = needed("pyarrow.parquet", "arrow").ParquetWriter(stream, schema)
    try:
        yield writer
    except BaseException:
        with suppress(Exception):
            writer.close()
        raise
    writer.close()


def _beside_columns(arrow: Any, path: str | Path, records: Iterator[Record]) -> Iterator[Any]:
    """The rows of a Parquet file with their alignments."""
    for batch in batches_of(path):
        table = arrow.Table.from_batches([batch])
        kept = table.select([k for k, name in enumerate(table.column_names) if name != COLUMN])
        yield kept.append_column(_field(arrow), _alignments(arrow, _taken(records, batch.num_rows, path)))


def _taken(records: Iterator[Record], count: int, path: str | Path) -> list[Record]:
    taken = list(islice(records, count))
    if len(taken) < count:
        raise InputError(f"{path}: there are fewer alignments than pairs")
    return taken


def _as_columns(arrow: Any, schema: Any, extras: ExtraColumns, records: Iterator[Record]) -> Iterator[Any]:
    """Pairs with what is known of them besides, and their alignments."""
    while chunk := list(islice(records, _ROWS)):
        sides = [[None if words is None else list(words) for words in side] for side in _sides(chunk)]
        columns = [arrow.array(side, schema.field(k).type) for k, side in enumerate(sides)]
        columns += extras.arrays([record.extras or {} for record in chunk])
        table = arrow.Table.from_arrays(columns, schema=schema)
        yield table.append_column(_field(arrow), _alignments(arrow, chunk))


def _sides(records: list[Record]) -> tuple[list[Any], list[Any]]:
    return [record.source for record in records], [record.target for record in records]


def _without(schema: Any) -> Any:
    for place in reversed(range(len(schema.names))):
        if schema.names[place] == COLUMN:
            schema = schema.remove(place)
    return schema


def _alignments(arrow: Any, records: list[Record]) -> Any:
    """The column of alignments, put together from flat ones, which is many times faster than from dictionaries."""
    links = [link for record in records for link in record.alignment.links]
    scores: list[float | None] = []
    ends = [0]
    for record in records:
        ends.append(ends[-1] + len(record.alignment.links))
        scores.extend(record.alignment.scores or [None] * len(record.alignment.links))
    kind = _field(arrow).type
    link = kind.field("links").type.value_type
    columns = ([i for i, _ in links], [j for _, j in links], scores)
    flat = arrow.StructArray.from_arrays(
        [arrow.array(values, field.type) for values, field in zip(columns, link, strict=True)], fields=list(link)
    )
    lists = arrow.ListArray.from_arrays(arrow.array(ends, arrow.int32()), flat, type=kind.field("links").type)
    known = [record.score for record in records]
    finite = [score if score is not None and math.isfinite(score) else None for score in known]
    return arrow.StructArray.from_arrays([lists, arrow.array(finite, arrow.float64())], fields=list(kind))


def _field(arrow: Any) -> Any:
    """The column of alignments, with its kind."""
    link = arrow.struct([("source", arrow.int32()), ("target", arrow.int32()), ("probability", arrow.float32())])
    return arrow.field(COLUMN, arrow.struct([("links", arrow.list_(link)), ("score", arrow.float64())]))
