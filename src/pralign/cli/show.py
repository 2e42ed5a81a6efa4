"""``pralign show``: look at the alignments of single sentence pairs."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pralign.cli import options
from pralign.cli.alignments import open_alignments
from pralign.cli.console import note
from pralign.cli.path_checks import check_paths
from pralign.cli.text_options import TextOptions, with_text_options
from pralign.errors import InputError, UsageError
from pralign.links.bounds import check_bounds
from pralign.links.files import AlignmentFile
from pralign.links.formats import FORMATS
from pralign.links.labelling import WORDS
from pralign.outputs import check_writable, open_output
from pralign.text.bitext import Bitext
from pralign.text.pairing import paired
from pralign.text.tokens import words_of

if TYPE_CHECKING:
    from pralign.links.alignment import Alignment
    from pralign.pictures.matrix import AlignedPair

_KNOWN = ", ".join(FORMATS)
_WIDTH = 100  # columns, where there is no terminal to ask
_NARROWEST = 20
_LONGEST = 200  # words of a side that a table or picture has room for
_LINES = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")

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
GoldFile = Annotated[Path | None, typer.Option(help="Alignments to compare with, at most as many.")]
Lines = Annotated[
    str | None, typer.Option("--line", metavar="N[-M]", show_default="1", help="The pair or pairs to show, from 1.")
]
AsLatex = Annotated[bool, typer.Option("--latex", help="Write a LaTeX document with a picture of each pair.")]
AsSvg = Annotated[bool, typer.Option("--svg", help="Write an SVG picture.")]
OutputFile = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="OUT", help="The file to write.", show_default="stdout")
]
Format = Annotated[str | None, typer.Option(help=f"Format of ALIGN: {_KNOWN}.", show_default="found out")]
Base = Annotated[
    int | None, typer.Option(min=0, max=1, help="Number of the first word in ALIGN.", show_default="as the format says")
]
GoldFormat = Annotated[str | None, typer.Option(help="Format of GOLD.", show_default="found out")]
GoldBase = Annotated[
    int | None, typer.Option(min=0, max=1, help="Number of the first word in GOLD.", show_default="as the format says")
]
Width = Annotated[
    int | None,
    typer.Option(min=_NARROWEST, help="Columns a line may take.", show_default=f"those of the terminal, or {_WIDTH}"),
]


@with_text_options
def show(
    source: options.SourceFile,
    target: TargetFile = None,
    links: LinksFile = None,
    gold: GoldFile = None,
    line: Lines = None,
    latex: AsLatex = False,
    svg: AsSvg = False,
    output: OutputFile = None,
    format: Format = None,
    base: Base = None,
    gold_format: GoldFormat = None,
    gold_base: GoldBase = None,
    width: Width = None,
    quiet: options.QuietOption = False,
    *,
    text: TextOptions,
) -> None:
    """Show alignments of sentence pairs: as a table and line by line, or as pictures.

    In the table, source words are rows and target words are columns, with the numbers that files have for them. With
    --gold, each link is shown as right or
    wrong, and missing ones are shown too. With --latex or --svg, the same becomes a picture for a paper or a web page.
    """
    wanted = _wanted(line)
    if links is None:
        target, links = None, target
    if links is None:
        raise UsageError("name the alignments too: SRC TGT ALIGN, or SRC ALIGN if SRC holds both sides")
    if latex and svg:
        raise UsageError("--latex and --svg cannot go together: give one of them")
    check_paths((source, target, links, gold), (output,))
    check_writable(output)
    files = _Files(text.open(source, target), open_alignments(links, format, base, "--base"), None)
    if gold is not None:
        files = files._replace(gold=open_alignments(gold, gold_format, gold_base, "--gold-base", is_gold=True))
    pairs, without_gold = _read(files, wanted)
    on_terminal = output is None and sys.stdout is not None and sys.stdout.isatty()
    if latex or svg:
        shown = _picture(pairs, svg)
    else:
        columns = width or (max(shutil.get_terminal_size().columns, _NARROWEST) if on_terminal else _WIDTH)
        first = (files.gold or files.links).base
        shown = _text(pairs, without_gold, first, columns, colour=on_terminal and _may_colour())
    with open_output(output) as stream:
        stream.write(shown)
    if line is None and on_terminal:
        note("this is the first pair; --line 7 shows the seventh, --line 3-9 shows seven of them")


class _Files(NamedTuple):
    """All that is read."""

    bitext: Bitext
    links: AlignmentFile
    gold: AlignmentFile | None


def _wanted(line: str | None) -> range:
    """The numbers of the pairs to show, counted from one."""
    if line is None:
        return range(1, 2)
    match = _LINES.fullmatch(line)
    if match is None:
        raise UsageError(f"--line {line}: expected a number such as 7, or two such as 3-9")
    first, last = int(match[1]), int(match[2] or match[1])
    if first < 1:
        raise UsageError(f"--line {line}: pairs are counted from 1")
    if last < first:
        raise UsageError(f"--line {line}: the second number is smaller than the first")
    return range(first, last + 1)


def _read(files: _Files, wanted: range) -> tuple[list[AlignedPair], dict[int, str]]:
    """The pairs wanted, and by number why some have no gold, if there is a gold at all.

    Nothing is read beyond them, unless a format needs the number of all pairs.
    """
    from pralign.pictures.matrix import AlignedPair

    bitext, links, gold = files
    everything = None if links.one_line_a_pair else sum(1 for _ in bitext)
    rows = paired(bitext, links.read(everything), (bitext.name, links.name))
    golds: Iterator[Alignment | None] = repeat(None)
    if gold is not None:
        golds = chain(gold.read(), golds)
    shown: list[AlignedPair] = []
    without_gold: dict[int, str] = {}
    number = 0
    for number, (row, correct) in enumerate(islice(zip(rows, golds, strict=False), wanted[-1]), start=1):
        if number in wanted:
            (left, right), alignment = row
            if gold is not None and (correct is None or not correct.is_labelled):
                without_gold[number] = "no gold" if correct is None else WORDS[correct.state]
                correct = None
            shown.append(AlignedPair(number, words_of(left), words_of(right), alignment, correct))
            _check(shown[-1], links, gold)
    if number < wanted[-1]:
        count = f"{number} pair{'' if number == 1 else 's'}"
        raise InputError(f"{bitext.name}: there are {count}, so there is no pair {max(number + 1, wanted[0])} to show")
    return shown, without_gold


def _check(pair: AlignedPair, links: AlignmentFile, gold: AlignmentFile | None) -> None:
    lengths = len(pair.source), len(pair.target)
    for file, alignment in ((links, pair.alignment), (gold, pair.gold)):
        if file is not None and alignment is not None:
            unit = "line" if file.one_line_a_pair else "pair"
            check_bounds(alignment, lengths, f"{file.name}, {unit} {pair.number}", file.base)


def _may_colour() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _longest_side(pair: AlignedPair) -> int:
    return max(len(pair.source), len(pair.target))


def _picture(pairs: Sequence[AlignedPair], svg: bool) -> str:
    for pair in pairs:
        if _longest_side(pair) > _LONGEST:
            raise InputError(
                f"pair {pair.number} has a side of {_longest_side(pair)} words; a picture has room for {_LONGEST}"
            )
    if svg:
        from pralign.pictures.svg import matrix_svg

        return matrix_svg(pairs)
    from pralign.pictures.latex import matrix_latex

    return matrix_latex(pairs)


def _text(pairs: Sequence[AlignedPair], without_gold: Mapping[int, str], first: int, width: int, colour: bool) -> str:
    from pralign.pictures.grid import grid, legend
    from pralign.pictures.interlinear import interlinear

    parts = []
    for pair in pairs:
        _, source, target, alignment, gold = pair
        parts.append(_heading(pair, without_gold.get(pair.number)))
        if _longest_side(pair) > _LONGEST:
            parts.append(f"(a side has more than {_LONGEST} words, which is too long for a table)")
        elif table := grid(source, target, alignment, gold, width, colour, first):
            parts.append(table)
        if words := interlinear(source, target, alignment, width, gold=gold, colour=colour, first=first).strip("\n"):
            parts.append(words)
    judged = any(pair.gold is not None for pair in pairs)
    scored = any(pair.alignment.scores for pair in pairs)
    return "\n\n".join([*parts, legend(judged, scored, width, colour)]) + "\n"


def _heading(pair: AlignedPair, why_no_gold: str | None) -> str:
    from pralign.evaluation import Scores, count_links

    counts = ", ".join(
        f"{len(words)} {side} word{'' if len(words) == 1 else 's'}"
        for side, words in (("source", pair.source), ("target", pair.target))
    )
    if pair.gold is None:
        return f"pair {pair.number}: {counts}" + (f"; {why_no_gold}" if why_no_gold else "")
    scores = Scores(count_links(pair.alignment, pair.gold))
    values = {"AER": scores.aer, "precision": scores.precision, "recall": scores.recall}
    shown = ", ".join(f"{name} {100 * value:.2f} %" for name, value in values.items())
    return f"pair {pair.number}: {counts}; {shown}"
