"""``pralign train``: learn a model and save it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pralign.cli import options
from pralign.cli.console import say, training_progress
from pralign.cli.path_checks import check_paths
from pralign.cli.settings import build_aligner, check_streams, check_tuning, checked_criterion, checked_layout

SaveOption = Annotated[Path, typer.Option("--save", metavar="DIR", help="Where to save the model.", show_default=False)]


def train(
    source: options.SourceFile,
    save: SaveOption,
    target: options.TargetFile = None,
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
    quiet: options.QuietOption = False,
) -> None:
    """Train a model on parallel sentences and save it, to align other text with later."""
    from pralign.links.labelled import read_labelled
    from pralign.storage import check_save_target
    from pralign.text.bitext import Bitext

    check_streams(source, target, dev, prior)
    check_paths((source, target, *(dev or ()), *(prior or ())), (), save)
    check_save_target(save)
    criterion = checked_criterion(tune)
    aligner = build_aligner(
        threads,
        preset=preset,
        model=model,
        iterations=iterations,
        estimator=estimator,
        alpha=alpha,
        prior=[str(path) for path in prior or ()] or None,
        lookalikes=lookalikes,
        decode=decode,
        threshold=threshold,
        symmetrize=symmetrize,
        lowercase=lowercase,
        prefix=prefix,
        suffix=suffix,
        longest=max_length,
        smoothing=smoothing,
        constraint=constraint,
        constraint_from=constraint_from,
        tolerance=tolerance,
        slack=slack,
        project_at_decode=project_at_decode,
        classes=classes,
    )
    check_tuning(aligner, dev, threshold)
    labelled = None if dev is None else read_labelled(dev)
    with training_progress(aligner, quiet) as listener:
        aligner.fit(Bitext.read(source, target, checked_layout(layout)), listener, labelled)
    if labelled is not None and aligner.decode != "viterbi":
        aligner.tune(labelled, criterion)
    aligner.save(save)
    if not quiet:
        say(str(aligner.signature))
