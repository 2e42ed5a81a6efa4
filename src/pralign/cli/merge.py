"""``pralign merge``: one model of several that were trained apart."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pralign.cli import options
from pralign.cli.console import note
from pralign.cli.log import log_file, open_log
from pralign.cli.path_checks import check_paths
from pralign.cli.train import SaveOption

Directories = Annotated[list[Path], typer.Argument(metavar="DIR", help="Saved models, in any order.")]


def merge(
    directories: Directories,
    save: SaveOption,
    compact: options.CompactOption = False,
    threads: options.ThreadsOption = None,
    log_json: options.LogOption = None,
    timestamps: options.TimestampsOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Add models that were trained apart, on several texts, into one that knows what all of them know."""
    from pralign.aligner import Aligner
    from pralign.storage import check_save_target

    check_paths(directories, (log_file(log_json),), save)
    check_save_target(save)
    open_log(log_json)
    aligner = Aligner.merged(directories, threads)
    aligner.save(save, compact)
    words = aligner.vocabularies_
    note(f"{len(directories)} models: {len(words['source'])} source words, {len(words['target'])} target words")
    note(str(aligner.signature))
