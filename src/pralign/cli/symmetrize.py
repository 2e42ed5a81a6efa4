"""``pralign symmetrize``: one alignment file out of two directional ones, or the other way round out of one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pralign.cli import options
from pralign.cli.alignments import open_alignments
from pralign.cli.path_checks import check_paths
from pralign.errors import InputError, UsageError
from pralign.outputs import check_writable, open_output

if TYPE_CHECKING:
    from pralign.links.alignment import Alignment
    from pralign.links.formats import Record

_INVERT = "invert"
_HEURISTICS = f"intersection|union|grow-diag|grow-diag-final|grow-diag-final-and|{_INVERT}"

ForwardFile = Annotated[Path, typer.Argument(metavar="FORWARD", help="Forward alignments, source first; - is stdin.")]
ReverseFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[REVERSE]", help=f"Reverse alignments, source first too; not with {_INVERT}.", show_default=False
    ),
]
HeuristicOption = Annotated[
    str,
    typer.Option(
        metavar=_HEURISTICS,
        help=f"How two become one, or {_INVERT} to swap the sides of FORWARD alone.",
        show_default=False,
    ),
]
OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", help="Where to write.", show_default="standard output")
]


def symmetrize(
    forward: ForwardFile,
    heuristic: HeuristicOption,
    reverse: ReverseFile = None,
    base: options.BaseOption = None,
    output: OutputOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Combine forward and reverse alignments line by line, as Moses and atools do, or swap the sides of one file.

    Files may be in any known format. Combined links are written as 0-0; a file that is inverted keeps its format.
    """
    from pralign.links.formats import write_alignments

    check_paths((forward, reverse), (output,))
    check_writable(output)
    if heuristic == _INVERT:
        if reverse is not None:
            raise UsageError(f"--heuristic {_INVERT} swaps the sides of one file; leave out {reverse}")
        file = open_alignments(forward, None, base, "--base", is_gold=True)  # so that nothing of a gold is lost
        with open_output(output) as stream:
            write_alignments(stream, map(_inverted, file.records()), file.format.name, base=file.base)
        return
    links = _combined(forward, reverse, base, heuristic)
    with open_output(output) as stream:
        write_alignments(stream, links)


def _inverted(record: Record) -> Record:
    return record._replace(alignment=record.alignment.transposed(), source=record.target, target=record.source)


def _combined(forward: Path, reverse: Path | None, base: int | None, heuristic: str) -> Iterator[Alignment]:
    from pralign.links.symmetrization import get_symmetrizer
    from pralign.links.symmetrization import symmetrize as combine
    from pralign.text.pairing import paired

    get_symmetrizer(heuristic)
    if reverse is None:
        raise UsageError(
            f"--heuristic {heuristic} combines two files; give the reverse alignments too (only {_INVERT} takes one)"
        )
    files = [open_alignments(path, None, base, "--base") for path in (forward, reverse)]
    names = (files[0].name, files[1].name)

    def combined() -> Iterator[Alignment]:
        for number, (left, right) in enumerate(paired(files[0].read(), files[1].read(), names), start=1):
            try:
                yield combine(left, right, heuristic)
            except InputError as error:
                raise InputError(f"{names[0]} and {names[1]}, line {number}: {error}") from error

    return combined()
