"""Alignment file formats: read and write the links of sentence pairs.

A file is read as a stream of :class:`~pralign.links.alignment.Alignment`, positions counted from zero::

    for alignment in read_alignments("corpus.gold", "gold"):
        print(alignment.sure)

Files count words from 0 or from 1. The base is never guessed: it is the format's own unless the caller gives
another. The format can be, by :func:`detect_format`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import tee
from pathlib import Path
from typing import Protocol, TypeVar

from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.links.formats.base import AlignmentFormat, ReadContext, Record
from pralign.links.formats.detection import detect_format
from pralign.links.formats.giza import GizaFormat
from pralign.links.formats.gold import GoldFormat
from pralign.links.formats.jsonl import JsonlFormat
from pralign.links.formats.naacl import NaaclFormat
from pralign.links.formats.pharaoh import PharaohFormat
from pralign.links.formats.scored import ScoredFormat
from pralign.links.formats.talp import TalpFormat
from pralign.registry import Registry
from pralign.schema.arguments import check_path
from pralign.text.files import display_name, read_lines

__all__ = [
    "FORMATS",
    "AlignmentFormat",
    "ReadContext",
    "Record",
    "detect_format",
    "expecting",
    "get_format",
    "read_alignments",
    "read_records",
    "register_format",
    "resolve_base",
    "write_alignments",
]


class Writable(Protocol):
    """What text lines can be written to: a text file, or :class:`pralign.outputs.Output`."""

    def writelines(self, lines: Iterable[str], /) -> object:
        """Write texts one after the other."""


_Item = TypeVar("_Item", Alignment, Record)

FORMATS = Registry[AlignmentFormat]("format", "unknown alignment {noun} {name!r}; known are {names}")
"""The known formats by name."""

get_format = FORMATS.get


def register_format(fmt: AlignmentFormat, *, replace: bool = False) -> None:
    """Make a format known under its name, for this package's functions and commands alike.

    Raises:
        UsageError: The name is taken, and ``replace`` is not set.
    """
    FORMATS.register(fmt.name, fmt, replace=replace)


for _format in (
    PharaohFormat(),
    ScoredFormat(),
    GoldFormat(),
    TalpFormat(),
    NaaclFormat(),
    GizaFormat(),
    JsonlFormat(),
):
    register_format(_format)


def resolve_base(fmt: AlignmentFormat, base: int | None) -> int:
    """The base to use: the one given or, for ``None``, the format's own.

    Raises:
        UsageError: The base is neither 0 nor 1.
    """
    if base is None:
        return fmt.default_base
    if base not in (0, 1):
        raise UsageError(f"files count words from 0 or from 1, so the base cannot be {base}")
    return base


def read_alignments(
    path: str | Path, format: str | None = None, *, base: int | None = None, lines: int | None = None
) -> Iterator[Alignment]:
    """Read the alignments of a file, one a sentence pair, positions counted from zero.

    Args:
        path: The file, compressed or not; ``-`` is standard input.
        format: The name of its format; ``None`` finds out, by :func:`detect_format`.
        base: The number of the first word in this file, 0 or 1; ``None`` is the format's own.
        lines: The number of sentence pairs. Needed for formats that write nothing for an empty alignment
            (``naacl``, and ``giza`` with lost pairs), which otherwise end with the highest pair they mention.

    Raises:
        UsageError: At once: the format or the base is unknown.
        InputError: While iterating: the file cannot be read, a line is not in the format (the message names
            it), or the number of alignments is not ``lines``. At once, if the format is not given and not recognised.
    """
    check_path(path, "the file of alignments")
    text = read_lines(path)
    if format is None:
        resolve_base(FORMATS["pharaoh"], base)  # before anything is read
        text, ahead = tee(text)
        format = detect_format(ahead, display_name(path))
        del ahead  # so that what was looked at is not kept when it has been read
    fmt = get_format(format)
    context = ReadContext(display_name(path), resolve_base(fmt, base), lines)
    return expecting(fmt.read(text, context), context.name, lines)


def read_records(
    path: str | Path, format: str = "pharaoh", *, base: int | None = None, lines: int | None = None
) -> Iterator[Record]:
    """Like :func:`read_alignments`, with the words and scores of pairs where the format carries them."""
    fmt = get_format(format)
    context = ReadContext(display_name(path), resolve_base(fmt, base), lines)
    return expecting(fmt.read_records(read_lines(path), context), context.name, lines)


def write_alignments(
    stream: Writable,
    records: Iterable[Record | Alignment],
    format: str = "pharaoh",
    *,
    base: int | None = None,
) -> None:
    """Write alignments to an open text stream.

    Args:
        stream: Where to write; see :func:`pralign.outputs.open_output`.
        records: What to write, in order. Formats that contain the words need records, not bare alignments.
        format: The name of the format.
        base: The number the first word shall have in the file, 0 or 1; ``None`` is the format's own.

    Raises:
        UsageError: The format or the base is unknown.
        InputError: A record lacks what the format needs, such as scores or words.
    """
    fmt = get_format(format)
    whole = (Record(record) if isinstance(record, Alignment) else record for record in records)
    stream.writelines(f"{line}\n" for line in fmt.write(whole, resolve_base(fmt, base)))


def expecting(items: Iterator[_Item], name: str, lines: int | None) -> Iterator[_Item]:
    """What a file holds, which must be ``lines`` alignments, if that is given.

    Raises:
        InputError: At the end: there are more or fewer.
    """
    count = 0
    for count, item in enumerate(items, start=1):
        if lines is None or count <= lines:
            yield item
    if lines is not None and count != lines:
        raise InputError(f"{name}: found {count} alignments; expected {lines}")
