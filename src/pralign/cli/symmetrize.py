"""``pralign symmetrize``: one alignment file out of two directional ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pralign.cli.path_checks import check_paths
from pralign.errors import InputError
from pralign.outputs import check_writable, open_output
from pralign.text.files import display_name

if TYPE_CHECKING:
    from pralign.links.alignment import Alignment

_HEURISTICS = "intersection|union|grow-diag|grow-diag-final|grow-diag-final-and"

ForwardFile = Annotated[Path, typer.Argument(metavar="FORWARD", help="Forward alignments, source first; - is stdin.")]
ReverseFile = Annotated[Path, typer.Argument(metavar="REVERSE", help="Reverse alignments, source first too.")]
HeuristicOption = Annotated[str, typer.Option(metavar=_HEURISTICS, help="How two become one.", show_default=False)]
OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", help="Where to write.", show_default="standard output")
]


def symmetrize(
    forward: ForwardFile, reverse: ReverseFile, heuristic: HeuristicOption, output: OutputOption = None
) -> None:
    """Combine forward and reverse alignments line by line, as Moses and atools do."""
    from pralign.links.formats import read_alignments, write_alignments
    from pralign.links.symmetrization import get_symmetrizer
    from pralign.links.symmetrization import symmetrize as combine
    from pralign.text.pairing import paired

    check_paths((forward, reverse), (output,))
    get_symmetrizer(heuristic)
    check_writable(output)
    names = (display_name(forward), display_name(reverse))
    pairs = paired(read_alignments(forward, "pharaoh"), read_alignments(reverse, "pharaoh"), names)

    def combined() -> Iterator[Alignment]:
        for number, (left, right) in enumerate(pairs, start=1):
            try:
                yield combine(left, right, heuristic)
            except InputError as error:
                raise InputError(f"{names[0]} and {names[1]}, line {number}: {error}") from error

    with open_output(output) as stream:
        write_alignments(stream, combined())
