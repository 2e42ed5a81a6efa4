"""A text and its links, as arguments of a command: SRC TGT ALIGN, or SRC ALIGN if SRC holds both sides."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pralign.errors import UsageError
from pralign.links.formats import FORMATS

if TYPE_CHECKING:
    from pralign.cli.text_options import TextOptions
    from pralign.links.files import AlignmentFile
    from pralign.text.bitext import Bitext

TargetFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[TGT]",
        help="Target text, line by line its translation; left out if SRC holds both.",
        show_default=False,
    ),
]
LinksFile = Annotated[
    Path | None,
    typer.Argument(metavar="ALIGN", help="Alignments of the text, in any known format.", show_default=False),
]
FromOption = Annotated[
    str | None,
    typer.Option("--from", metavar="FORMAT", help=f"Format of ALIGN: {', '.join(FORMATS)}.", show_default="found out"),
]
BaseOption = Annotated[
    int | None, typer.Option(min=0, max=1, help="Number of the first word in ALIGN.", show_default="as the format says")
]
CountOption = Annotated[
    str,
    typer.Option(
        metavar="links|posteriors",
        help="What is counted: each link once, or as its score, if ALIGN has probabilities.",
    ),
]


class NamedFiles(NamedTuple):
    """The files of a text and its links, by their roles."""

    source: Path
    target: Path | None
    links: Path

    @classmethod
    def of(cls, source: Path | None, target: Path | None, links: Path | None) -> NamedFiles:
        """Tell which argument is which.

        Raises:
            UsageError: There are too few.
        """
        if links is None:
            target, links = None, target
        if source is None or links is None:
            raise UsageError("name the text and its alignments: SRC TGT ALIGN, or SRC ALIGN if SRC holds both sides")
        return cls(source, target, links)

    def open(self, text: TextOptions, format: str | None, base: int | None) -> tuple[Bitext, AlignmentFile]:
        """Open the text and its links."""
        from pralign.cli.alignments import open_alignments

        return text.open(self.source, self.target), open_alignments(self.links, format, base, "--base")


def checked_count(name: str) -> str:
    """What is to be counted.

    Raises:
        UsageError: There is no such thing.
    """
    if name not in ("links", "posteriors"):
        raise UsageError(f"--count {name}: expected links or posteriors")
    return name
