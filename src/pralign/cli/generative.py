"""The model that probabilities of links come from: a saved one, or one that is trained on the text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pralign.cli.progress import progress_shown
from pralign.errors import ModelError

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.cli.log import EventLog
    from pralign.text.bitext import Bitext


def generative_model(
    directory: Path | None, bitext: Bitext, arguments: Mapping[str, Any], quiet: bool, log: EventLog | None = None
) -> Aligner:
    """The saved model of a directory or, without one, a model of the text, trained with progress shown.

    Args:
        directory: Where a model was saved.
        bitext: What to train one on.
        arguments: Those of :class:`~pralign.aligner.Aligner` to train with; a saved model needs its threads only.
        quiet: Whether nothing is to be shown.
        log: What else is told how far training is.
    """
    from pralign.aligner import Aligner
    from pralign.matching.storage import MATCHING

    if directory is not None:
        if MATCHING.is_at(directory):
            raise ModelError(
                f"{directory}: this is a pralign matching model, not a pralign model; match align and serve use it, "
                "and this takes a model of train or align --save"
            )
        return Aligner.load(directory, arguments.get("threads"))
    aligner = Aligner(**arguments)
    with progress_shown(quiet, log) as listener:
        return aligner.fit(bitext, listener=listener)
