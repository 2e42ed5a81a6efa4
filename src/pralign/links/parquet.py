"""Alignments as a column of a Parquet table, beside all other columns of the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from pralign.errors import InputError
from pralign.links.formats.base import Record
from pralign.outputs import open_binary_output
from pralign.text.bitext import Bitext
from pralign.text.corpora.parquet import batches_of
from pralign.text.extras import needed

PARQUET = "parquet"
#: The name of the column that holds alignments: structs of links, each with its probability, and of the pair's score.
COLUMN = "alignment"

_ROWS = 4096


def write_parquet(path: Path, records: Iterable[Record], bitext: Bitext) -> None:
    """Write a table with a row a pair: the columns of the text, and their alignment.

    The columns of a Parquet file stay as they are. Those of other files become ``source``, ``target`` and whatever the
    file has besides; what has been cut into words is written as lists of words.

    Args:
        path: Where to write.
        records: The alignments with their words.
        bitext: The text that they are of.

    Raises:
        InputError: A column holds values of different kinds.
    """
    arrow, parquet = needed("pyarrow", "arrow"), needed("pyarrow.parquet", "arrow")
    remaining = iter(records)
    with open_binary_output(path) as stream:
        writer: Any = None
        try:
            for batch in _batches(arrow, bitext, remaining):
                if writer is None:
                    writer = parquet.ParquetWriter(stream, batch.schema)
                writer.write_table(batch)
            if writer is None:
                writer = parquet.ParquetWriter(stream, arrow.schema([(COLUMN, _kind(arrow))]))
        except arrow.ArrowException as error:
            raise InputError(f"{bitext.name}: cannot be written as Parquet: {str(error).splitlines()[0]}") from error
        finally:
            if writer is not None:
                writer.close()


def _batches(arrow: Any, bitext: Bitext, records: Iterator[Record]) -> Iterator[Any]:
    """Tables of some thousand rows each, with the column of alignments last."""
    if bitext.reader is not None and bitext.reader.name == PARQUET:
        for batch in batches_of(bitext.files[0]):
            table = arrow.Table.from_batches([batch])
            yield _with_alignments(arrow, table, list(islice(records, batch.num_rows)))
        return
    schema = None
    while chunk := list(islice(records, _ROWS)):
        rows = [
            {"source": list(record.source or ()), "target": list(record.target or ()), **(record.extras or {})}
            for record in chunk
        ]
        table = arrow.Table.from_pylist(rows, schema=schema)
        schema = table.schema
        yield _with_alignments(arrow, table, chunk)


def _with_alignments(arrow: Any, table: Any, records: list[Record]) -> Any:
    values = [{"links": _links(record), "score": record.score} for record in records]
    taken = COLUMN in table.column_names
    table = table.drop_columns([COLUMN]) if taken else table
    return table.append_column(COLUMN, arrow.array(values, _kind(arrow)))


def _links(record: Record) -> list[dict[str, Any]]:
    alignment = record.alignment
    scores: Iterable[float | None] = alignment.scores or [None] * len(alignment.links)
    return [
        {"source": i, "target": j, "probability": score} for (i, j), score in zip(alignment.links, scores, strict=True)
    ]


def _kind(arrow: Any) -> Any:
    link = arrow.struct([("source", arrow.int32()), ("target", arrow.int32()), ("probability", arrow.float32())])
    return arrow.struct([("links", arrow.list_(link)), ("score", arrow.float64())])
