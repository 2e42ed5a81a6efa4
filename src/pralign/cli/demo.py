"""``pralign demo``: the whole thing on a bundled sample."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pralign.characters import escaped
from pralign.cli import options
from pralign.cli.console import note, tell
from pralign.cli.folders import check_folder, made_folder
from pralign.cli.path_checks import check_paths
from pralign.cli.program import program
from pralign.cli.progress import progress_shown
from pralign.errors import OutputError, UsageError
from pralign.outputs import check_writable, open_output, open_outputs
from pralign.text.files import STANDARD_STREAM

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.links.alignment import Alignment

_SHOWN = 6
_PAGE = Path("pralign-demo.html")

ReportOption = Annotated[Path, typer.Option("--report", metavar="FILE", help="Where to write the report.")]
CopyOption = Annotated[
    Path | None,
    typer.Option(
        "--copy",
        metavar="DIR",
        help="Only put the sample's files into this directory: sample.en, sample.fr and sample.gold, for examples and "
        "first steps.",
        show_default=False,
    ),
]


def demo(report: ReportOption = _PAGE, copy: CopyOption = None, quiet: options.QuietOption = False) -> None:
    """Align the bundled English-French sample, show some of it, score it, and write a report to look at."""
    if copy is not None:
        if report != _PAGE:
            raise UsageError("--copy only copies files, without a report; leave out --report")
        _copy_sample(copy)
        return
    _demonstrate(report, quiet)


def _copy_sample(directory: Path) -> None:
    """Put the files of the sample into a directory, all or none."""
    from pralign import sample

    originals = (sample.SOURCE, sample.TARGET, sample.GOLD)
    copies = [directory / f"sample{path.suffix}" for path in originals]
    check_folder(directory)
    check_paths(originals, copies)
    with made_folder(directory), open_outputs(*copies) as outputs:
        for original, output in zip(originals, outputs, strict=True):
            output.write(original.read_text(encoding="utf-8"))
    note(f"wrote {', '.join(escaped(str(path)) for path in copies)}")


def _demonstrate(report: Path, quiet: bool) -> None:
    """Align the sample, show some of it, score it, and write a report."""
    from pralign import sample
    from pralign.aligner import Aligner
    from pralign.evaluation import evaluate
    from pralign.links.formats import read_alignments
    from pralign.pictures.interlinear import interlinear
    from pralign.text.bitext import Bitext
    from pralign.text.tokens import words_of

    page = _place(report)
    bitext = Bitext.read(sample.SOURCE, sample.TARGET)
    words = [(list(words_of(source)), list(words_of(target))) for source, target in bitext]
    golds = list(read_alignments(sample.GOLD, "gold"))
    aligner = Aligner()
    with progress_shown(quiet) as listener:
        alignments = list(aligner.fit_align(bitext, listener=listener))
    _write_report(page, words, aligner, alignments, golds)
    tell(f"\n{len(alignments)} sentence pairs aligned. The first {_SHOWN}, each word above its translation:\n")
    for (source, target), alignment in zip(words[:_SHOWN], alignments[:_SHOWN], strict=True):
        tell(interlinear(source, target, alignment) + "\n")
    lengths = [(len(source), len(target)) for source, target in words[: len(golds)]]
    scores = evaluate(alignments[: len(golds)], golds, lengths=lengths)
    tell(f"The first {len(golds)} pairs are also aligned by hand. Compared with that (AER: the lower, the better):")
    tell(f"\n{scores}")
    tell(str(aligner.signature))
    tell(f"\nA report to look at, beside a much simpler model: open {escaped(str(page))} in a browser.")
    tell(f"Your own text: {escaped(program())} align source.txt target.txt -o links.txt")


def _place(report: Path) -> Path:
    """Where the page goes: where it was asked for or, where nobody asked and nothing can be written, elsewhere."""
    from pralign import sample

    if str(report) == STANDARD_STREAM:
        raise UsageError("the report goes to a file, since standard output is for what the demo says")
    check_paths((sample.SOURCE, sample.TARGET, sample.GOLD), (report,))
    try:
        check_writable(report)
    except OutputError:
        if report != _PAGE:
            raise
        return Path(tempfile.mkdtemp(prefix="pralign-")) / _PAGE
    return report


def _write_report(
    page: Path,
    words: list[tuple[list[str], list[str]]],
    aligner: Aligner,
    alignments: list[Alignment],
    golds: list[Alignment],
) -> None:
    """The default model beside IBM 1, the simplest there is, on the pairs that have a gold."""
    from pralign.aligner import Aligner
    from pralign.report.html import render
    from pralign.report.inputs import ReportInput, System, Text
    from pralign.report.posteriors import posteriors_of_model
    from pralign.report.report import Report

    simple = list(Aligner(model="ibm1").fit_align(words))
    judged = len(golds)
    inputs = ReportInput(
        Text.of(words, ("English", "French")),
        words[:judged],
        range(judged),
        [
            System("IBM Model 1", simple[:judged], origin="the simplest model"),
            System("pralign", alignments[:judged], origin="the default"),
        ],
        golds,
        posteriors_of_model(aligner, words[:judged], "pralign"),
        gold_pairs=judged,
    )
    with open_output(page) as output:
        output.write(render(Report(inputs), "Everyday English and French", ("en", "fr")))
