"""``pralign report``: alignments as a page to look at."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pralign.cli import options
from pralign.cli.console import note
from pralign.cli.folders import check_folder, made_folder
from pralign.cli.languages import parse_languages
from pralign.cli.page import describe_page, page_of, side_names
from pralign.cli.path_checks import check_paths
from pralign.cli.text_options import TextOptions, with_text_options
from pralign.errors import InputError, UsageError
from pralign.evaluation.intervals import SAMPLES
from pralign.outputs import check_writable, open_outputs
from pralign.report.inputs import SAMPLE, check_names

if TYPE_CHECKING:
    from pralign.evaluation import WordsOfPair
    from pralign.report.inputs import ReportInput
    from pralign.report.posteriors import ModelPosteriors
    from pralign.report.report import Report

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
SampleOption = Annotated[
    int,
    typer.Option(
        "--sample", min=1, help="Look at so many pairs at most, drawn at random; other lines are not even checked."
    ),
]
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
ToLabelOption = Annotated[
    Path | None,
    typer.Option(
        "--pairs-to-label",
        metavar="PREFIX",
        help="Two systems, no gold: draw pairs where they differ, to find out by labels which is better, and write "
        "PREFIX.src, PREFIX.tgt, PREFIX.first.links, PREFIX.second.links and PREFIX.tsv.",
        show_default=False,
    ),
]
LabelCountOption = Annotated[
    int | None,
    typer.Option(
        "--label-count",
        metavar="N",
        min=1,
        help="How many pairs to draw.",
        show_default="enough if one is right about two of three",
    ),
]
TitleOption = Annotated[str | None, typer.Option("--title", help="The title of the page.", show_default="by the files")]

LanguagesOption = Annotated[
    str | None,
    typer.Option(
        "--languages",
        metavar="SRC,TGT",
        help="Codes of the languages, such as en,fr, for those who have pages read out.",
        show_default="by the endings of the files",
    ),
]


@with_text_options
def report(
    source: options.SourceFile,
    target: options.TargetFile = None,
    system: SystemOption = [],  # noqa: B006 -- typer copies it
    gold: GoldOption = None,
    model: ModelOption = None,
    output: OutputOption = Path("report.html"),
    json_file: JsonOption = None,
    figures: FiguresOption = None,
    sample: SampleOption = SAMPLE,
    seed: SeedOption = 0,
    bootstrap: BootstrapOption = SAMPLES,
    first: FirstOption = False,
    to_label: ToLabelOption = None,
    label_count: LabelCountOption = None,
    title: TitleOption = None,
    languages: LanguagesOption = None,
    alignment_format: FormatOption = None,
    base: BaseOption = None,
    gold_format: GoldFormatOption = None,
    gold_base: BaseOption = None,
    quiet: options.QuietOption = False,
    *,
    text: TextOptions,
) -> None:
    """Write a page to look at alignments: scores, a browser of sentence pairs, curves and analysis.

    The page is one file that opens in any browser, without a network. Without --gold it shows what can be seen all the
    same: words without links, doubtful ones, pairs worth a look, where systems differ, and which pairs to label to find
    out which of two is better.
    """
    from dataclasses import replace

    from pralign.cli.alignments import open_alignments
    from pralign.report.curves import CHARTS
    from pralign.report.reading import read_report_input
    from pralign.report.report import Report

    if not system:
        raise UsageError("name at least one system, such as --system mine=links.txt")
    named = [_parse_system(text) for text in system]
    check_names([name for name, _ in named])
    spoken = parse_languages(languages)
    drawn = [] if figures is None else [figures / f"{key}.svg" for key in CHARTS]
    places = _places_to_label(to_label, label_count, len(named), gold)
    check_paths([source, target, gold, model, *(path for _, path in named)], [output, json_file, *drawn, *places])
    for path in (output, json_file, *places):
        check_writable(path)
    if figures is not None:
        check_folder(figures)
    systems = [(name, open_alignments(path, alignment_format, base, "--base")) for name, path in named]
    golden = None if gold is None else open_alignments(gold, gold_format, gold_base, "--gold-base", is_gold=True)
    bitext = text.open(source, target)
    inputs = read_report_input(bitext, side_names(source, target, text.columns), systems, golden, sample, seed, first)
    if model is not None:
        inputs = replace(inputs, posteriors=_posteriors(model, inputs.pairs))
    lines = [] if to_label is None else _lines_to_label(inputs, label_count)
    result = Report(
        inputs,
        bootstrap,
        seed,
        prefix=None if to_label is None else str(to_label),
        drawn=len(lines[-1][1:]) if lines else 0,
    )
    page = page_of(result, title, spoken)
    _write(result, page, output, json_file, figures, dict(zip(places, lines, strict=True)))
    describe_page(result, page, output)
    if to_label is not None:
        _describe_pairs(result, places[0])


def _parse_system(text: str) -> tuple[str, Path]:
    """The name and the file of a system given as ``NAME=FILE``; a file alone is named after itself.

    Raises:
        UsageError: There is no file.
    """
    name, equals, path = text.partition("=")
    if not equals:
        name, path = Path(text).name, text
    if not path:
        raise UsageError(f"--system {text}: names no file; expected such as mine=links.txt")
    return name.strip() or Path(path).name, Path(path)


def _places_to_label(prefix: Path | None, count: int | None, systems: int, gold: Path | None) -> list[Path]:
    """Where the pairs to label go.

    Raises:
        UsageError: It is not two systems without a gold, the prefix is a folder, or there are labels of other pairs in
            the place.
    """
    from pralign.report.contest import ENDINGS

    if prefix is None:
        if count is not None:
            raise UsageError("--label-count goes with --pairs-to-label PREFIX")
        return []
    if gold is not None:
        raise UsageError("--pairs-to-label is for systems without a gold; leave out --gold")
    if systems != 2:
        raise UsageError(f"--pairs-to-label compares two systems, not {systems}; name two with --system")
    if prefix.name in ("", "..") or prefix.is_dir():
        raise UsageError(
            f"--pairs-to-label {prefix}: this is a folder; name also what the files in it are to begin with, such as "
            f"{prefix / 'todo'}"
        )
    for ending in ("gold", "gold.journal"):
        if (labels := prefix.with_name(f"{prefix.name}.{ending}")).exists():
            raise UsageError(
                f"{labels} has labels of pairs that were drawn before; choose another PREFIX, or remove it"
            )
    return [prefix.with_name(f"{prefix.name}.{ending}") for ending in ENDINGS]


def _lines_to_label(inputs: ReportInput, count: int | None) -> list[list[str]]:
    """The lines of each of the files with the pairs to label.

    Raises:
        InputError: There are none.
    """
    from pralign.report.contest import LONGEST, Contest, files_to_label

    contest = Contest.of(inputs)
    if contest is None or not contest.differing:
        raise InputError(
            f"the two systems draw the same links in all pairs of up to {LONGEST} words that were looked at, so there "
            "is nothing to label"
        )
    if count is not None and count > len(contest.differing):
        raise InputError(
            f"--label-count {count}: the systems differ in {len(contest.differing)} different pairs of up to {LONGEST} "
            "words that were looked at; ask for fewer, or look at more with --sample"
        )
    return list(files_to_label(contest, contest.drawn(count)))


def _describe_pairs(report: Report, place: Path) -> None:
    """Say where the pairs to label are, and what to do with them."""
    contest = report.contest
    if contest is not None and report.prefix is not None:
        note(f"{report.drawn} of {len(contest.differing)} pairs that differ are in {place} and beside it; next:")
        for command in contest.commands(report.prefix):
            note(f"  {command}")
        if report.doubt:
            note(report.doubt)


def _write(
    report: Report,
    page: str,
    output: Path,
    json_file: Path | None,
    figures: Path | None,
    to_label: Mapping[Path, Sequence[str]],
) -> None:
    """Write all results, or none."""
    written = {output: page} | {place: "".join(f"{line}\n" for line in lines) for place, lines in to_label.items()}
    if json_file is not None:
        text = json.dumps(report.as_dict(), ensure_ascii=False, indent=1) + "\n"
        written[json_file] = text.encode("utf-8", "replace").decode()  # names of files may be no text
    if figures is not None:
        written |= {figures / f"{chart.key}.svg": chart.svg(alone=True) + "\n" for chart in report.charts}
    with made_folder(figures), open_outputs(*written) as outputs:
        for stream, text in zip(outputs, written.values(), strict=True):
            stream.write(text)


def _posteriors(directory: Path, pairs: Sequence[WordsOfPair]) -> ModelPosteriors:
    from pralign.aligner import Aligner
    from pralign.matching.aligner import MatchingAligner
    from pralign.matching.storage import MATCHING
    from pralign.report.posteriors import posteriors_of_matching, posteriors_of_model

    name = directory.resolve().name
    if MATCHING.is_at(directory):
        return posteriors_of_matching(MatchingAligner.load(directory), pairs, name)
    return posteriors_of_model(Aligner.load(directory), pairs, name)
