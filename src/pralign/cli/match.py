"""``pralign match``: learn from a few labelled pairs, and align by matching."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pralign.cli import options
from pralign.cli.console import note, reporting_errors, tell
from pralign.cli.generative import generative_model
from pralign.cli.line_limit import with_line_limit
from pralign.cli.log import log_file, open_log
from pralign.cli.looks import looked_at
from pralign.cli.manual.classes import HelpedCommand, HelpedGroup
from pralign.cli.path_checks import check_paths
from pralign.cli.progress import progress_shown
from pralign.cli.settings import check_streams, local_path
from pralign.cli.text_options import TextOptions, with_text_options
from pralign.errors import UsageError
from pralign.text.tokenizers import SPACES

if TYPE_CHECKING:
    from pralign.aligner import Aligner

match = typer.Typer(
    name="match",
    cls=HelpedGroup,
    help="Learn from about a hundred labelled pairs which links are good, and align by the best matching.",
    rich_markup_mode=None,
)

LabelledOption = Annotated[
    tuple[Path, Path, Path],
    typer.Option("--labelled", metavar="SRC TGT GOLD", help="Pairs to learn from, with gold alignments."),
]
ValidationOption = Annotated[
    tuple[Path, Path, Path] | None,
    typer.Option(
        "--validation",
        metavar="SRC TGT GOLD",
        help="Pairs that say when to stop learning.",
        show_default="each fifth of the labelled pairs in turn",
    ),
]
FeaturesOption = Annotated[
    str | None,
    typer.Option(
        metavar="dice,distance,shape,frequency,neighbours,common,predictions,posteriors,surroundings,words",
        help="What scores are made of.",
        show_default="all that the learner can use, predictions if there are any",
    ),
]
PredictionOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--prediction",
        metavar="FILE",
        help="Alignments by another aligner, of the labelled pairs (and of the validation pairs after them), or of all "
        "of SRC TGT. May be repeated.",
        show_default=False,
    ),
]
AlignPredictionOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--prediction",
        metavar="FILE",
        help="Alignments of SRC TGT by the aligners that fit has learned with, in the same order. May be repeated.",
        show_default=False,
    ),
]
GenerativeOption = Annotated[
    Path | None,
    typer.Option(
        "--model", metavar="DIR", help="A saved model to get posteriors from.", show_default="train one on SRC TGT"
    ),
]
LearnerOption = Annotated[
    str | None,
    typer.Option(
        metavar="boosting|extragradient|perceptron",
        help="How it is learned: link by link, or weights of the best matching.",
        show_default="boosting with posteriors; extragradient where an option is for that",
    ),
]
CapacityOption = Annotated[
    int | None,
    typer.Option(
        metavar="K",
        help="How many links a word may have.",
        show_default="2 with posteriors or predictions, else 1",
    ),
]
MissCostOption = Annotated[float, typer.Option(help="How much worse a missing sure link is than a wrong one.")]
RoundsOption = Annotated[
    int, typer.Option(help="How many rounds to learn at most; the pairs held back say where to stop.")
]
RadiusOption = Annotated[float, typer.Option(help="How long the weights may become, together (extragradient).")]
SaveOption = Annotated[Path, typer.Option("--save", metavar="DIR", help="Where to save.", show_default=False)]
LoadOption = Annotated[
    Path, typer.Option("--load", metavar="DIR", help="What match fit has saved.", show_default=False)
]
OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", help="Where to write alignments.", show_default="standard output")
]
FormatOption = Annotated[
    str,
    typer.Option("--format", metavar="pharaoh|scored|talp|naacl|giza|jsonl|parquet", help="How to write alignments."),
]
Directory = Annotated[Path, typer.Argument(metavar="DIR", help="What match fit has saved.")]
MostOption = Annotated[int, typer.Option("-n", "--most", min=1, help="How many pairs of common words to show.")]


@with_text_options
def fit(
    source: options.SourceFile,
    labelled: LabelledOption,
    save: SaveOption,
    target: options.TargetFile = None,
    validation: ValidationOption = None,
    features: FeaturesOption = None,
    prediction: PredictionOption = None,
    model: GenerativeOption = None,
    learner: LearnerOption = None,
    capacity: CapacityOption = None,
    miss_cost: MissCostOption = 3.0,
    rounds: RoundsOption = 300,
    radius: RadiusOption = 10.0,
    lowercase: options.LowercaseOption = None,
    threads: options.ThreadsOption = None,
    memory: options.MemoryOption = None,
    scratch: options.ScratchOption = None,
    checkpoint: options.CheckpointOption = None,
    strict: options.StrictOption = False,
    log_json: options.LogOption = None,
    timestamps: options.TimestampsOption = False,
    quiet: options.QuietOption = False,
    *,
    text: TextOptions,
) -> None:
    """Learn from labelled pairs which links are good.

    SRC TGT is unlabelled text, for counts and, if posteriors are wanted and no --model is given, to train one on.
    """
    from pralign.links.files import AlignmentFile
    from pralign.links.labelled import read_labelled
    from pralign.matching import MatchingAligner
    from pralign.matching.storage import check_matching_target

    check_streams(source, target, (*labelled, *(validation or ())))
    inputs = (source, target, *labelled, *(validation or ()), *(prediction or ()), model, local_path(checkpoint))
    check_paths(inputs, (log_file(log_json),), save)
    check_matching_target(save)
    log = open_log(log_json)
    aligner = MatchingAligner(
        features=features,
        learner=learner,  # type: ignore[arg-type]
        capacity=capacity,
        miss_cost=miss_cost,
        rounds=rounds,
        radius=radius,
        lowercase=lowercase is not False,
        tokenize=text.tokenize or SPACES,
        threads=threads,
    )
    # Predictions may have a line for each line of these files.
    keep_all = bool(prediction)
    examples = read_labelled(labelled, aligner.tokenize, keep_all)
    held_back = None if validation is None else read_labelled(validation, aligner.tokenize, keep_all)
    predictions = [AlignmentFile(path) for path in prediction or ()]
    bitext = looked_at(text.open(source, target), strict)
    aligner.check(examples, held_back, len(predictions))
    generative: Aligner | None = None
    if aligner.needs_posteriors:
        resources = {"memory": memory, "scratch": scratch, "checkpoint": checkpoint}
        sentences = [(source, target) for source, target, _ in (*examples, *(held_back or ()))]
        manner = {name: getattr(aligner, name) for name in ("lowercase", "tokenize", "threads")}
        generative = generative_model(
            model, aligner.training_text(bitext, sentences), {**manner, **resources}, quiet, log
        )
        aligner.model = generative
    elif model is not None:
        raise UsageError("--model is given, but none of the features asks it; add the feature posteriors")
    aligner.fit(bitext, labelled=examples, validation=held_back, predictions=predictions)
    aligner.save(save)
    if generative is not None:
        generative.close()
    note(str(aligner.signature))


@with_text_options
def align(
    source: options.SourceFile,
    load: LoadOption,
    target: options.TargetFile = None,
    output: OutputOption = None,
    prediction: AlignPredictionOption = None,
    threads: options.ThreadsOption = None,
    output_format: FormatOption = "pharaoh",
    log_json: options.LogOption = None,
    timestamps: options.TimestampsOption = False,
    quiet: options.QuietOption = False,
    *,
    text: TextOptions,
) -> None:
    """Align parallel sentences with what match fit has learned: one line of links for each pair."""
    from pralign.cli.alignments import checked_for
    from pralign.cli.outputs import Outputs
    from pralign.decoding.stream import Decoded
    from pralign.links.files import AlignmentFile, expect_pairs
    from pralign.matching import MatchingAligner
    from pralign.training.progress import telling

    check_streams(source, target, None)
    outputs = Outputs(output, output_format, None, None, None)
    check_paths((source, target, *(prediction or ()), load), (*outputs.places, log_file(log_json)))
    outputs.check()
    log = open_log(log_json)
    aligner = MatchingAligner.load(load, threads)
    bitext = checked_for(output_format, text.open(source, target).tokenized(aligner.tokenize))
    predictions = [AlignmentFile(path) for path in prediction or ()]
    expect_pairs(predictions, bitext)
    alignments = aligner.align(bitext, predictions=predictions)
    answers = (Decoded(alignment, sum(alignment.scores or ())) for alignment in alignments)
    with progress_shown(quiet, log) as listener:
        outputs.write(telling(answers, listener, "matching"), bitext)
    note(str(aligner.signature))


def weights(directory: Directory, most: MostOption = 20) -> None:
    """Show what was learned: the weight of each feature."""
    from pralign.matching import MatchingAligner
    from pralign.report.weights import describe_weights

    tell(describe_weights(MatchingAligner.load(directory, threads=1), most))


for _command in (with_line_limit(fit), with_line_limit(align), weights):
    match.command(cls=HelpedCommand)(reporting_errors(_command))
