"""``pralign convert``: from one alignment format to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from pralign.cli import options
from pralign.cli.alignments import open_alignments
from pralign.cli.console import logger
from pralign.cli.index_base import state_index_base
from pralign.cli.path_checks import check_paths
from pralign.errors import UsageError
from pralign.links.formats import FORMATS, AlignmentFormat, Record, expecting, get_format
from pralign.links.formats import write_alignments as write
from pralign.links.formats.texts import TextNames, with_text
from pralign.outputs import check_writable, open_output
from pralign.text.files import STANDARD_STREAM, display_name, read_lines

_KNOWN = ", ".join(FORMATS)


def convert(
    links: Annotated[Path, typer.Argument(metavar="IN", help="The alignments to read; - is stdin.")],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write; - is stdout.")],
    to_format: Annotated[str, typer.Option("--to", metavar="FORMAT", help=f"Format of OUT: {_KNOWN}.")],
    from_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="Format of IN.", show_default="found out")
    ] = None,
    from_base: Annotated[
        int | None,
        typer.Option(min=0, max=1, show_default="as the format says", help="Number of the first word in IN."),
    ] = None,
    to_base: Annotated[
        int | None,
        typer.Option(min=0, max=1, show_default="as the format says", help="Number of the first word in OUT."),
    ] = None,
    source: Annotated[Path | None, typer.Option(help="Source text: checks links, gives words to OUT.")] = None,
    target: Annotated[Path | None, typer.Option(help="Target text, goes with --source.")] = None,
    lines: Annotated[
        int | None, typer.Option(min=0, help="Number of sentence pairs, for formats that skip empty ones.")
    ] = None,
    quiet: options.QuietOption = False,
) -> None:
    """Convert alignments from one file format to another.

    With --source and --target, every link is checked against the length of its sentences, and formats that
    contain the words (giza, jsonl) get them from there.
    """
    writer = get_format(to_format)
    if (source is None) != (target is None):
        raise UsageError("--source and --target go together: give both or neither")
    if from_format is not None:
        _check_words(source, get_format(from_format), writer)
    check_paths((links, source, target), (output,))
    check_writable(output)
    file = open_alignments(links, from_format, from_base, "--from-base")
    _check_words(source, file.format, writer)
    state_index_base("OUT", "written", writer, to_base, "--to-base")
    if lines is None and source is not None and not file.one_line_a_pair and str(source) != STANDARD_STREAM:
        lines = sum(1 for _ in read_lines(source))
    records = expecting(file.records(lines), file.name, lines)
    if source is not None and target is not None:
        names = TextNames(file.name, display_name(source), display_name(target), file.base)
        records = with_text(records, read_lines(source), read_lines(target), names)
    losses = _Losses()
    with open_output(output) as stream:
        write(stream, losses.count(records), to_format, base=to_base)
    if losses.possible and not writer.holds_possible:
        logger.warning("dropped %d possible-only links: %s holds sure links only", losses.possible, to_format)


class _Losses:
    """Counts, as records pass by, the links that a format without possible links drops."""

    def __init__(self) -> None:
        self.possible = 0

    def count(self, records: Iterable[Record]) -> Iterator[Record]:
        for record in records:
            self.possible += len(record.alignment.possible)
            yield record


def _check_words(source: Path | None, reader: AlignmentFormat, writer: AlignmentFormat) -> None:
    """Complain of words that are to be written and are nowhere."""
    if source is None and writer.needs_text and not reader.carries_text:
        raise UsageError(
            f"the {writer.name} format contains the words, which {reader.name} files do not have; "
            "give the text with --source and --target"
        )
