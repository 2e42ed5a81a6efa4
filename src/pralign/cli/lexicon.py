"""``pralign lexicon``: which words translate which, as a table or as a dictionary."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from pralign.cli import options
from pralign.cli.aligned_text import (
    BaseOption,
    CountOption,
    FromOption,
    LinksFile,
    NamedFiles,
    TargetFile,
    checked_count,
)
from pralign.cli.lexicon_text import DICTIONARY, FORMATS, MOSES, LexiconText
from pralign.cli.path_checks import check_paths
from pralign.cli.text_options import TextOptions, with_text_options
from pralign.errors import UsageError
from pralign.outputs import check_writable, open_outputs

if TYPE_CHECKING:
    from pralign.lexicons.making import Count
    from pralign.lexicons.tables import Direction

_DIRECTIONS = ("forward", "reverse", "both")

SourceFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="SRC",
        help="Source sentences, or one file with both sides; - is standard input.",
        show_default=False,
    ),
]
ModelOption = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Take the probabilities of this saved model instead.", show_default=False),
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="OUT",
        help="Where to write; both tables of moses go to OUT.f2e and OUT.e2f.",
        show_default="standard output",
    ),
]
FormatOption = Annotated[str, typer.Option("--format", metavar="|".join(FORMATS), help="How to write the lexicon.")]
DirectionOption = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(_DIRECTIONS),
        help="Target words given source words, or the reverse.",
        show_default="both; forward for a dictionary, and for moses on standard output",
    ),
]
TopOption = Annotated[
    int | None,
    typer.Option(min=1, help="Keep so many translations of each word.", show_default="all; 5 for a dictionary"),
]
ProbabilityOption = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        max=1.0,
        help="Keep translations that are at least so probable.",
        show_default="0; 0.001 with --model, 0.01 for a dictionary",
    ),
]
MinCountOption = Annotated[
    float | None,
    typer.Option(min=0.0, metavar="N", help="Keep words that were linked at least so often.", show_default="0"),
]
NullOption = Annotated[
    bool | None,
    typer.Option(
        "--null/--no-null",
        help="Whether words without a link count as translated by NULL.",
        show_default="null for moses only",
    ),
]


@with_text_options
def lexicon(
    source: SourceFile = None,
    target: TargetFile = None,
    links: LinksFile = None,
    model: ModelOption = None,
    output: OutputOption = None,
    output_format: FormatOption = "tsv",
    direction: DirectionOption = None,
    top: TopOption = None,
    min_probability: ProbabilityOption = None,
    min_count: MinCountOption = None,
    count: CountOption = "links",
    null: NullOption = None,
    align_format: FromOption = None,
    base: BaseOption = None,
    quiet: options.QuietOption = False,
    *,
    text: TextOptions,
) -> None:
    """Write which words translate which, how probably and how often: from the links of a text, or from a model.

    As tsv, a line has the source word, the target word, the probability of the target word given the source word, that
    of the source word given the target word, and how often they were linked. As a dictionary, each translation has a
    sentence pair in which it occurs.
    """
    files = _files(source, target, links, model, min_count, checked_count(count))
    way = _direction(direction, output_format, output)
    made = LexiconText(output_format, way, top, min_probability, min_count, null, on_terminal(output))
    outputs = made.outputs(output)
    check_paths((model,) if files is None else files, outputs.values())
    for path in outputs.values():
        check_writable(path)
    if files is None:
        blocks = made.of_model(cast(Path, model))
    else:
        bitext, alignments = files.open(text, align_format, base)
        blocks = made.of_links(bitext, alignments, cast("Count", count))
    with open_outputs(*outputs.values()) as streams:
        by_direction = dict(zip(outputs, streams, strict=True))
        for place, block in blocks:
            by_direction[place].write(block)


def on_terminal(output: Path | None) -> bool:
    """Whether what goes to ``output`` is shown on a terminal."""
    return output is None and sys.stdout is not None and sys.stdout.isatty()


def _direction(given: str | None, format: str, output: Path | None) -> Direction:
    """The direction that is meant.

    Raises:
        UsageError: There is no such format or direction, or two tables would go to standard output.
    """
    if format not in FORMATS:
        raise UsageError(f"--format {format}: there are {', '.join(FORMATS)}")
    if given is not None and given not in _DIRECTIONS:
        raise UsageError(f"--direction {given}: there are {', '.join(_DIRECTIONS)}")
    if given is None:
        given = "forward" if format == DICTIONARY or (format == MOSES and output is None) else "both"
    if format == MOSES and given == "both" and output is None:
        raise UsageError("both directions are two files in the moses format; say -o OUT, or --direction forward")
    return cast("Direction", given)


def _files(
    source: Path | None, target: Path | None, links: Path | None, model: Path | None, least: float | None, count: str
) -> NamedFiles | None:
    """The files of the text and its links; nothing if it is about a model.

    Raises:
        UsageError: What was given does not go together.
    """
    if model is None:
        return NamedFiles.of(source, target, links)
    if source is not None:
        raise UsageError("a lexicon is that of a text and its links or that of a model: give SRC TGT ALIGN or --model")
    if least is not None or count != "links":
        option = "--min-count" if least is not None else "--count"
        raise UsageError(f"{option} is about counts of links, and a model has only probabilities; leave it out")
    return None
