"""``pralign train``: learn a model and save it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pralign.cli import options
from pralign.cli.console import note
from pralign.cli.log import log_file, open_log
from pralign.cli.looks import looked_at
from pralign.cli.path_checks import check_paths, same_place
from pralign.cli.progress import progress_shown
from pralign.cli.settings import (
    Resources,
    build_aligner,
    check_streams,
    check_tuning,
    checked_criterion,
    given_settings,
    local_path,
    reopen_aligner,
    working,
)
from pralign.cli.text_options import TextOptions, with_text_options
from pralign.errors import UsageError

SaveOption = Annotated[Path, typer.Option("--save", metavar="DIR", help="Where to save the model.", show_default=False)]
FromOption = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="DIR",
        help="Go on from a saved model, by its settings: what it knows, and what the text adds.",
        show_default=False,
    ),
]


@with_text_options
@options.with_settings
def train(
    source: options.SourceFile,
    save: SaveOption,
    target: options.TargetFile = None,
    earlier: FromOption = None,
    dev: options.DevOption = None,
    tune: options.TuneOption = "aer",
    compact: options.CompactOption = False,
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
    """Train a model on parallel sentences and save it, to align other text with later."""
    from pralign.links.labelled import read_labelled
    from pralign.storage import check_save_target

    criterion = checked_criterion(tune)
    priors = (*(settings["prior"] or ()), *(settings["forms"] or ()))
    check_streams(source, target, dev, priors)
    check_paths((source, target, *(dev or ()), *priors, local_path(checkpoint)), (log_file(log_json),), save, earlier)
    if earlier is not None and any(same_place(earlier, path) for path in priors):
        raise UsageError(f"{earlier} is gone on from, so it cannot be a prior too; its text would count twice")
    check_save_target(save)
    log = open_log(log_json)
    resources = Resources(threads, memory, scratch, checkpoint, engine, address)
    aligner = build_aligner(resources, settings) if earlier is None else reopen_aligner(earlier, resources)
    check_tuning(aligner, dev, settings["threshold"])
    labelled = None if dev is None else read_labelled(dev, aligner.settings.tokenize)
    bitext = looked_at(
        text.open(source, target).tokenized(aligner.settings.tokenize), strict, None if earlier is None else aligner
    )
    with working(aligner), progress_shown(quiet, log) as listener:
        if earlier is None:
            aligner.fit_decode(bitext, listener=listener, labelled=labelled, by=criterion)
        else:
            aligner.partial_fit(bitext, listener=listener, labelled=labelled, **given_settings(settings))
            if labelled is not None and aligner.model_.recipe.method.has_threshold:
                aligner.tune(labelled, criterion)
        aligner.save(save, compact)
        aligner.close()
    note(str(aligner.signature))
