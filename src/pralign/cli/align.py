"""``pralign align``: from two files to alignments."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pralign.cli import options
from pralign.cli.alignments import checked_for
from pralign.cli.console import note
from pralign.cli.folders import made_folder
from pralign.cli.line_by_line import answer_line_by_line, arriving
from pralign.cli.lists import NbestOption, SampleOption, SeedOption, requested_lists
from pralign.cli.log import log_file, open_log
from pralign.cli.looks import looked_at
from pralign.cli.moses import MosesFolder, chosen_heuristics
from pralign.cli.outputs import Outputs, default_format
from pralign.cli.page import AnswerPage, side_names
from pralign.cli.path_checks import check_paths
from pralign.cli.progress import progress_shown
from pralign.cli.settings import (
    Resources,
    build_aligner,
    check_streams,
    check_tuning,
    checked_criterion,
    local_path,
    open_aligner,
    working,
)
from pralign.cli.text_options import TextOptions, with_text_options
from pralign.cli.units import PiecesOption, UnitsOption, chosen_units
from pralign.errors import UsageError
from pralign.links.units import TOKENS
from pralign.outputs import together
from pralign.text.files import STANDARD_STREAM

if TYPE_CHECKING:
    from pralign.aligner import Aligner

OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", help="Where to write alignments.", show_default="standard output")
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="pharaoh|scored|talp|naacl|giza|jsonl|parquet",
        help="How to write alignments.",
        show_default="pharaoh; parquet if -o names such a file",
    ),
]
ForwardOption = Annotated[
    Path | None, typer.Option("--forward", help="Also write the forward Viterbi alignments here.", show_default=False)
]
ReverseOption = Annotated[
    Path | None, typer.Option("--reverse", help="Also write the reverse Viterbi alignments here.", show_default=False)
]
ScoresOption = Annotated[
    Path | None,
    typer.Option("--scores", help="Also write the log-probability a word of each pair here.", show_default=False),
]
ReportOption = Annotated[
    Path | None,
    typer.Option(
        "--report", metavar="FILE", help="Also write a page to look at the alignments here.", show_default=False
    ),
]
MosesOption = Annotated[
    Path | None,
    typer.Option(
        "--moses",
        metavar="DIR",
        help="Also write here what Moses goes on from: the text, and the Viterbi alignments combined.",
        show_default=False,
    ),
]
MosesHeuristicOption = Annotated[
    str | None,
    typer.Option(
        "--moses-heuristic",
        metavar="intersect|union|grow-diag|grow-diag-final|grow-diag-final-and|all",
        help="How --moses combines the two directions.",
        show_default="as --symmetrize if it is one of these, or grow-diag-final-and",
    ),
]
SaveOption = Annotated[
    Path | None, typer.Option("--save", metavar="DIR", help="Also save the trained model.", show_default=False)
]
LoadOption = Annotated[
    Path | None,
    typer.Option("--load", metavar="DIR", help="Align with this saved model.", show_default=False),
]
AdaptOption = Annotated[
    bool | None,
    typer.Option(
        "--adapt/--no-adapt",
        help="With --load, whether the model first learns from the text, for this time only, or answers at once.",
        show_default="adapt, unless SRC is standard input",
    ),
]


@with_text_options
@options.with_settings
def align(
    source: options.SourceFile,
    target: options.TargetFile = None,
    output: OutputOption = None,
    dev: options.DevOption = None,
    tune: options.TuneOption = "aer",
    output_format: FormatOption = None,
    units: UnitsOption = TOKENS,
    pieces: PiecesOption = None,
    nbest: NbestOption = None,
    sample: SampleOption = None,
    seed: SeedOption = None,
    forward: ForwardOption = None,
    reverse: ReverseOption = None,
    scores: ScoresOption = None,
    report: ReportOption = None,
    moses: MosesOption = None,
    moses_heuristic: MosesHeuristicOption = None,
    save: SaveOption = None,
    compact: options.CompactOption = False,
    load: LoadOption = None,
    adapt: AdaptOption = None,
    threads: options.ThreadsOption = None,
    memory: options.MemoryOption = None,
    scratch: options.ScratchOption = None,
    checkpoint: options.CheckpointOption = None,
    engine: options.EngineOption = "threads",
    address: options.AddressOption = None,
    log_json: options.LogOption = None,
    strict: options.StrictOption = False,
    timestamps: options.TimestampsOption = False,
    quiet: options.QuietOption = False,
    *,
    text: TextOptions,
    **settings: Any,
) -> None:
    """Align parallel sentences: one line of links (source-target, from 0) for each pair.

    Without --load, a model is trained on the very text that is aligned. With it, a few iterations on the text help
    the model with words that it does not know well; lines of standard input are answered at once, as they come.
    """
    from pralign.links.labelled import read_labelled
    from pralign.storage import check_save_target
    from pralign.text.bitext import Bitext

    single = {
        "--format": output_format,
        "--forward": forward,
        "--reverse": reverse,
        "--report": report,
        "--moses": moses,
    }
    lists = requested_lists(nbest, sample, seed, single)
    criterion = checked_criterion(tune)
    priors = (*(settings["prior"] or ()), *(settings["forms"] or ()))
    check_streams(source, target, dev, priors)
    output_format = output_format or default_format(output, lists is not None)
    outputs = Outputs(
        output, output_format, forward, reverse, scores, report, lists is not None, chosen_units(units, pieces)
    )
    inputs = (source, target, *(dev or ()), *priors, *(pieces or ()), local_path(checkpoint))
    written = () if moses is None else MosesFolder(moses).places
    check_paths(inputs, (*outputs.places, *written, log_file(log_json)), save, load)
    outputs.check()
    if save is not None:
        check_save_target(save)
    elif compact:
        raise UsageError("--compact is about what --save writes; say --save DIR")
    log = open_log(log_json)
    resources = Resources(threads, memory, scratch, checkpoint, engine, address)
    if load is None:
        aligner, trains = build_aligner(resources, settings), True
        if adapt is not None:
            raise UsageError("--adapt is about a model that is loaded; say --load DIR")
    else:
        wanted = adapt if adapt is not None else None if STANDARD_STREAM not in map(str, (source, target)) else False
        aligner, trains = open_aligner(load, resources, settings, wanted)
    check_tuning(aligner, dev, settings["threshold"], trains)
    folder = _moses_folder(moses, moses_heuristic, aligner)
    labelled = None if dev is None else read_labelled(dev, aligner.settings.tokenize)
    plain = not trains and (settings["threshold"] is None or aligner.model_.recipe.threshold_rule is None)
    prompt = plain and outputs.is_prompt and save is None and folder is None and not strict
    arrival = arriving(source, target, text) if prompt else None
    opened = text.open(source, target) if arrival is None else Bitext.arriving(arrival, text.layout)
    tokenized = opened.tokenized(text.tokenize or aligner.settings.tokenize)
    bitext = checked_for(output_format, looked_at(tokenized, strict, None if load is None else aligner))
    if arrival is not None:
        if labelled is not None:
            aligner.tune(labelled, criterion)
        answer_line_by_line(aligner, bitext, arrival, outputs, quiet, log)
        note(str(aligner.signature))
        return
    directions = forward is not None or reverse is not None or folder is not None
    with working(aligner), progress_shown(quiet, log) as listener:
        if trains:
            decode = aligner.fit_decode if load is None else aligner.adapt_decode
            answers = decode(
                bitext, listener=listener, labelled=labelled, by=criterion, directions=directions, lists=lists
            )
        else:
            if labelled is not None:
                aligner.tune(labelled, criterion)
            elif (
                lists is None and settings["threshold"] is not None and aligner.model_.recipe.threshold_rule is not None
            ):
                aligner.adapt_threshold(bitext)
            answers = aligner.decode_pairs(bitext, directions=directions, listener=listener, lists=lists)
        page = None if report is None else AnswerPage(report, bitext, side_names(source, target, text.columns))
        with made_folder(moses), together(), nullcontext() if page is None else page.opened():
            if save is not None:
                aligner.save(save, compact)
            seen = answers if page is None else page.watching(answers)
            with nullcontext(seen) if folder is None else folder.opened(seen, bitext) as passing:
                outputs.write(passing, bitext)
            if page is not None:
                page.write(aligner, _name(aligner, load), outputs.places[0])
        aligner.close()
    if page is not None:
        page.describe()
    if folder is not None:
        folder.describe()
    note(str(aligner.signature))


def _moses_folder(directory: Path | None, heuristic: str | None, aligner: Aligner) -> MosesFolder | None:
    """The directory for Moses, if one is wanted and can be written."""
    if directory is None:
        if heuristic is not None:
            raise UsageError("--moses-heuristic is about what --moses writes; say --moses DIR")
        return None
    folder = MosesFolder(directory, chosen_heuristics(heuristic, aligner.settings.symmetrize))
    folder.check()
    return folder


def _name(aligner: Aligner, load: Path | None) -> str:
    """What a report calls what was aligned: by the model that was loaded or, without a preset, the model."""
    if load is not None:
        return load.resolve().name
    settings = aligner.settings
    return settings.model if settings.preset is None else "pralign"
