"""``pralign phrases``: phrase pairs of aligned text, as Moses has them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pralign.cli import options
from pralign.cli.alignments import open_alignments
from pralign.cli.console import note
from pralign.cli.path_checks import check_paths
from pralign.cli.progress import Patience
from pralign.cli.text_options import TokenizeOption
from pralign.errors import UsageError

if TYPE_CHECKING:
    from pralign.links.aligned import AlignmentSource
    from pralign.runs.trained import TrainedModel
    from pralign.text.bitext import Bitext

SourceFile = Annotated[Path, typer.Argument(metavar="SRC", help="Source sentences.")]
TargetFile = Annotated[Path, typer.Argument(metavar="TGT", help="Target sentences, line by line translations of SRC.")]
AlignmentsFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[ALIGN]",
        help="Their alignments, in any format; with --model, those of the model if left out.",
        show_default=False,
    ),
]
TableOption = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        help="Where to write the phrase table.",
        show_default="standard output, or none with --extract",
    ),
]
ExtractOption = Annotated[
    Path | None,
    typer.Option(
        "--extract",
        metavar="PREFIX",
        help="Also write each phrase pair that is found to PREFIX.gz, to PREFIX.inv.gz with the sides exchanged and, "
        "with --reordering, to PREFIX.o.gz with its orientations.",
        show_default=False,
    ),
]
LengthOption = Annotated[int, typer.Option("--max-length", min=1, help="The most words of a phrase, on either side.")]
CountOption = Annotated[
    str,
    typer.Option(
        "--count",
        metavar="links|posteriors|nbest",
        help="Count phrase pairs that links allow; by how probable they are, from scored links or --model; or by the "
        "weights of several alignments of a pair, as align --nbest writes them.",
    ),
]
SmoothingOption = Annotated[
    str, typer.Option("--smoothing", metavar="none|good-turing|kneser-ney", help="How counts become probabilities.")
]
ReorderingOption = Annotated[
    Path | None,
    typer.Option(
        "--reordering", metavar="FILE", help="Also write a table for lexicalised reordering here.", show_default=False
    ),
]
ModelOption = Annotated[
    Path | None,
    typer.Option("--model", metavar="DIR", help="The saved model that posteriors are asked of.", show_default=False),
]
MemoryOption = Annotated[
    str,
    typer.Option("--memory", metavar="SIZE", help="How much memory phrases may take; the rest goes to disk."),
]


def phrases(
    source: SourceFile,
    target: TargetFile,
    alignments: AlignmentsFile = None,
    output: TableOption = None,
    extract: ExtractOption = None,
    max_length: LengthOption = 7,
    count: CountOption = "links",
    smoothing: SmoothingOption = "none",
    reordering: ReorderingOption = None,
    model: ModelOption = None,
    tokenize: TokenizeOption = None,
    base: options.BaseOption = None,
    memory: MemoryOption = "500M",
    scratch: options.ScratchOption = None,
    threads: options.ThreadsOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Extract phrase pairs from aligned text, and score them: the phrase table of Moses.

    A line has the source phrase, the target phrase, four scores (the source phrase given the target phrase, its lexical
    weight, and both the other way round), the links inside, and how often the target phrase, the source phrase and both
    were seen.
    """
    from pralign.phrases import PhraseFiles, PhraseSettings, PhraseTable
    from pralign.text.bitext import Bitext
    from pralign.text.files import STANDARD_STREAM

    settings = PhraseSettings(
        max_length=max_length,
        count=count,
        smoothing=smoothing,
        reordering=reordering is not None,
        memory=memory,
        scratch=scratch,
        threads=threads,
    )
    _check_model(model, alignments, count)
    table = output if output is not None else Path(STANDARD_STREAM) if extract is None else None
    files = PhraseFiles(table, extract, reordering)
    check_paths((source, target, alignments, model), files.places)
    files.check()
    trained = None if model is None else _load(model, threads)
    bitext = Bitext.read(source, target, tokenize=_tokenize(tokenize, trained))
    links = _alignments(alignments, base, bitext, settings.count, trained)
    with PhraseTable(bitext, links, settings, trained if count == "posteriors" else None, Patience()) as made:
        files.write(made)
        found = "" if table is None and reordering is None else f"{len(made):,} phrase pairs of "
        note(f"{found}{made.sentence_pairs:,} sentence pairs")


def _tokenize(given: str | None, model: TrainedModel | None) -> str | None:
    """How text is cut into words: as the model does, if there is one."""
    if model is None:
        return given
    own = model.recipe.settings.tokenize
    if given not in (None, own):
        raise UsageError(f"a model keeps its settings; this one was trained with --tokenize {own}, not {given}")
    return own


def _check_model(model: Path | None, alignments: Path | None, count: str) -> None:
    if model is None and alignments is None:
        raise UsageError("ALIGN is missing: name the alignments of SRC and TGT, or a model that makes them by --model")
    if model is not None and count != "posteriors" and alignments is not None:
        raise UsageError(f"--model is asked for posteriors, but --count is {count}; say --count posteriors")
    if alignments is None and count == "nbest":
        raise UsageError("--count nbest needs a file of several alignments a pair, as pralign align --nbest writes it")


def _load(model: Path, threads: int | None) -> TrainedModel:
    from pralign.engine import ThreadEngine
    from pralign.runs.trained import TrainedModel

    return TrainedModel.load(model, ThreadEngine(threads))


def _alignments(
    path: Path | None, base: int | None, bitext: Bitext, count: str, model: TrainedModel | None
) -> AlignmentSource:
    """Where the alignments come from: a file, or the model itself."""
    from pralign.links.aligned import GivenAlignments, ListedAlignments, alignments_of
    from pralign.links.nbest import read_weighted
    from pralign.text.files import display_name, read_lines

    if path is None and model is not None:
        if model.thresholds is None:
            model = model.adapted(bitext)
        return GivenAlignments((answer.alignment for answer in model.decode_pairs(bitext)), "the model")
    if path is None:  # which was found out before
        raise UsageError("ALIGN is missing")
    if count == "nbest":
        name = display_name(path)
        return ListedAlignments(read_weighted(read_lines(path), name), name)
    file = open_alignments(path, None, base, "--base")
    return alignments_of(file, None if file.one_line_a_pair else sum(1 for _ in bitext))
