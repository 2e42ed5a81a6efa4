"""``pralign report``: alignments as a page to look at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pralign.cli import options
from pralign.cli.bases import state_base
from pralign.cli.console import say
from pralign.errors import OutputError, UsageError
from pralign.text.files import STANDARD_STREAM, display_name, reason
from pralign.text.outputs import check_writable, open_outputs

if TYPE_CHECKING:
    from pralign.cli.alignments import AlignmentFile
    from pralign.report.material import WordPair
    from pralign.report.opinions import Opinions

SystemOption = Annotated[
    list[str],
    typer.Option(
        "--system",
        metavar="NAME=ALIGN",
        help="A system and its alignments, in any format; scored ones show how sure it is. May be repeated.",
        show_default=False,
    ),
]
GoldOption = Annotated[
    Path | None, typer.Option("--gold", help="Alignments made by hand, to judge by.", show_default=False)
]
ModelOption = Annotated[
    Path | None,
    typer.Option(
        "--model",
        metavar="DIR",
        help="A saved model: its probabilities, settings and training are shown too.",
        show_default=False,
    ),
]
OutputOption = Annotated[Path, typer.Option("-o", "--output", help="The page to write; - is standard output.")]
JsonOption = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Also write every table and curve here.")
]
FiguresOption = Annotated[
    Path | None, typer.Option("--figures", metavar="DIR", help="Also write every curve as an SVG file here.")
]
SampleOption = Annotated[int, typer.Option("--sample", min=1, help="Look at so many pairs at most, drawn at random.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="What pairs and bootstrap samples are drawn with.")]
BootstrapOption = Annotated[int, typer.Option("--bootstrap", min=1, help="Samples for confidence intervals.")]
FirstOption = Annotated[bool, typer.Option("--first", help="The gold is for the first pairs only.")]
FormatOption = Annotated[
    str | None, typer.Option("--format", help="Format of the systems' files.", show_default="as detected")
]
GoldFormatOption = Annotated[
    str | None, typer.Option("--gold-format", help="Format of the gold.", show_default="as detected")
]
BaseOption = Annotated[
    int | None, typer.Option(min=0, max=1, help="Number of the first word.", show_default="as the format says")
]
TitleOption = Annotated[str | None, typer.Option("--title", help="The title of the page.", show_default="by the files")]


def report(
    source: options.SourceFile,
    target: options.TargetFile = None,
    system: SystemOption = [],  # noqa: B006 -- typer copies it
    gold: GoldOption = None,
    model: ModelOption = None,
    output: OutputOption = Path("report.html"),
    json_file: JsonOption = None,
    figures: FiguresOption = None,
    sample: SampleOption = 5000,
    seed: SeedOption = 0,
    bootstrap: BootstrapOption = 1000,
    first: FirstOption = False,
    title: TitleOption = None,
    alignment_format: FormatOption = None,
    base: BaseOption = None,
    gold_format: GoldFormatOption = None,
    gold_base: BaseOption = None,
    layout: options.LayoutOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Write a page to look at alignments: scores, a browser of sentence pairs, curves and analysis.

    The page is one file that opens in any browser, without a network. Without --gold it shows where systems disagree
    and which pairs are worth a look.
    """
    from dataclasses import replace

    from pralign.cli.alignments import AlignmentFile
    from pralign.cli.material import parse_system, read_material
    from pralign.cli.settings import checked_layout
    from pralign.report.html import render
    from pralign.report.study import Study
    from pralign.text.bitext import Bitext

    if not system:
        raise UsageError("name at least one system, such as --system mine=links.txt")
    named = [parse_system(text) for text in system]
    _check_files([source, target, gold, *(path for _, path in named)], [output, json_file])
    check_writable(output)
    check_writable(json_file)
    systems = [(name, AlignmentFile(path, alignment_format, base, standard_input=True)) for name, path in named]
    for _, file in systems:
        state_base(file.name, "read", file.format, base, "--base")
    golden = None if gold is None else _gold_file(gold, gold_format, gold_base)
    bitext = Bitext.read(source, target, checked_layout(layout))
    names = (display_name(source.name), display_name("target" if target is None else target.name))
    material = read_material(bitext, names, systems, golden, sample, seed, first)
    if model is not None:
        material = replace(material, opinions=_opinions(model, material.pairs))
    study = Study(material, bootstrap, seed)
    page = render(study, title or f"Word alignment of {names[0]} and {names[1]}")
    written = {output: page}
    if json_file is not None:
        written[json_file] = json.dumps(study.as_dict(), ensure_ascii=False, indent=1) + "\n"
    if figures is not None:
        _make_directory(figures)
        written |= {figures / f"{chart.key}.svg": chart.svg(alone=True) + "\n" for chart in study.charts}
    with open_outputs(*written) as outputs:
        for stream, text in zip(outputs, written.values(), strict=True):
            stream.write(text)
    if not quiet:
        if material.is_sampled:
            all_pairs = material.gold_pairs or material.text.pairs
            say(f"looked at {len(material.pairs):,} of {all_pairs:,} pairs, seed {seed}")
        if str(output) != STANDARD_STREAM:
            say(f"{output}: {len(page.encode()) / 1e6:.1f} MB; open it in a browser")
        say(str(study.signature))


def _check_files(inputs: list[Path | None], outputs: list[Path | None]) -> None:
    if [str(path) for path in inputs].count(STANDARD_STREAM) > 1:
        raise UsageError("only one of the files can be read from standard input")
    if [str(path) for path in outputs].count(STANDARD_STREAM) > 1:
        raise UsageError("the page and the JSON cannot both go to standard output")
    places = [path.resolve() for path in outputs if path is not None and str(path) != STANDARD_STREAM]
    taken = [path.resolve() for path in inputs if path is not None and str(path) != STANDARD_STREAM]
    if len(set(places)) < len(places) or set(places) & set(taken):
        raise UsageError("a result cannot be written over another result or over a file that is read")


def _gold_file(path: Path, name: str | None, base: int | None) -> AlignmentFile:
    from pralign.cli.alignments import AlignmentFile

    file = AlignmentFile(path, name, base, standard_input=True)
    state_base(file.name, "read", file.format, base, "--gold-base")
    return file


def _opinions(directory: Path, pairs: Sequence[WordPair]) -> Opinions:
    from pralign.aligner import Aligner
    from pralign.errors import ModelError
    from pralign.matching.aligner import MatchingAligner
    from pralign.matching.storage import MATCHING
    from pralign.report.opinions import ask, ask_matching

    name = directory.resolve().name
    try:
        MATCHING.read_manifest(directory)
    except ModelError:
        return ask(Aligner.load(directory), pairs, name)
    return ask_matching(MatchingAligner.load(directory), pairs, name)


def _make_directory(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{directory}: cannot write: {reason(error)}") from error
