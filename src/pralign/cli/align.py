"""``pralign align``: from two files to alignments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pralign.cli import options
from pralign.cli.console import say, training_progress
from pralign.cli.outputs import Outputs
from pralign.cli.path_checks import check_paths
from pralign.cli.settings import (
    build_aligner,
    check_streams,
    check_tuning,
    checked_criterion,
    checked_layout,
    load_aligner,
)

OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", help="Where to write alignments.", show_default="standard output")
]
FormatOption = Annotated[
    str,
    typer.Option("--format", metavar="pharaoh|scored|talp|naacl|giza|jsonl", help="How to write alignments."),
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
SaveOption = Annotated[
    Path | None, typer.Option("--save", metavar="DIR", help="Also save the trained model.", show_default=False)
]
LoadOption = Annotated[
    Path | None,
    typer.Option("--load", metavar="DIR", help="Align with this saved model; train nothing.", show_default=False),
]


def align(
    source: options.SourceFile,
    target: options.TargetFile = None,
    output: OutputOption = None,
    layout: options.LayoutOption = None,
    preset: options.PresetOption = None,
    model: options.ModelOption = None,
    iterations: options.IterationsOption = None,
    estimator: options.EstimatorOption = None,
    alpha: options.AlphaOption = None,
    prior: options.PriorOption = None,
    lookalikes: options.LookalikesOption = None,
    decode: options.DecodeOption = None,
    threshold: options.ThresholdOption = None,
    dev: options.DevOption = None,
    tune: options.TuneOption = "aer",
    symmetrize: options.SymmetrizeOption = None,
    lowercase: options.LowercaseOption = None,
    prefix: options.PrefixOption = None,
    suffix: options.SuffixOption = None,
    max_length: options.LongestOption = None,
    smoothing: options.SmoothingOption = None,
    constraint: options.ConstraintOption = None,
    constraint_from: options.ConstraintFromOption = None,
    tolerance: options.ToleranceOption = None,
    slack: options.SlackOption = None,
    project_at_decode: options.ProjectOption = None,
    classes: options.ClassesOption = None,
    threads: options.ThreadsOption = None,
    output_format: FormatOption = "pharaoh",
    forward: ForwardOption = None,
    reverse: ReverseOption = None,
    scores: ScoresOption = None,
    save: SaveOption = None,
    load: LoadOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Align parallel sentences: one line of links (source-target, from 0) for each pair.

    Without --load, a model is trained on the very text that is aligned.
    """
    from pralign.links.labelled import read_labelled
    from pralign.storage import check_save_target
    from pralign.text.bitext import Bitext

    settings = {
        "preset": preset,
        "model": model,
        "iterations": iterations,
        "estimator": estimator,
        "alpha": alpha,
        "prior": [str(path) for path in prior or ()] or None,
        "lookalikes": lookalikes,
        "decode": decode,
        "threshold": threshold,
        "symmetrize": symmetrize,
        "lowercase": lowercase,
        "prefix": prefix,
        "suffix": suffix,
        "longest": max_length,
        "smoothing": smoothing,
        "constraint": constraint,
        "constraint_from": constraint_from,
        "tolerance": tolerance,
        "slack": slack,
        "project_at_decode": project_at_decode,
        "classes": classes,
    }
    criterion = checked_criterion(tune)
    check_streams(source, target, dev, prior)
    outputs = Outputs(output, output_format, forward, reverse, scores)
    check_paths((source, target, *(dev or ()), *(prior or ())), outputs.places, save, load)
    outputs.check()
    if save is not None:
        check_save_target(save)
    aligner = build_aligner(threads, **settings) if load is None else load_aligner(load, threads, **settings)
    check_tuning(aligner, dev, threshold)
    labelled = None if dev is None else read_labelled(dev)
    bitext = Bitext.read(source, target, checked_layout(layout))
    directions = forward is not None or reverse is not None
    if load is None:
        with training_progress(aligner, quiet) as listener:
            answers = aligner.fit_decode(bitext, listener, labelled, criterion, directions)
    else:
        if labelled is not None:
            aligner.tune(labelled, criterion)
        elif isinstance(aligner.threshold, str) and threshold is not None:
            aligner.adapt_threshold(bitext)
        answers = aligner.decode_pairs(bitext, directions)
    if save is not None:
        aligner.save(save)
    outputs.write(answers, bitext)
    if not quiet:
        say(str(aligner.signature))
