"""Compiling what a run will need, before it begins."""

from __future__ import annotations

from collections.abc import Collection

from pralign.kernels.preparing import prepare
from pralign.runs.recipe import Recipe
from pralign.training.progress import Listener, Progress, ignore

_prepared: set[frozenset[str]] = set()


def prepare_kernels(recipe: Recipe, facts: Collection[str], processes: int, listener: Listener = ignore) -> None:
    """Compile the kernels that a run needs and that this machine has not compiled yet.

    Args:
        recipe: What the run will do.
        facts: What else is known of it: whether it will ``"train"``, ``"load"`` a model, ``"adapt"`` one.
        processes: How many processes may work on it.
        listener: Is told how far that has come.
    """
    known = recipe.facts | set(facts)
    if known in _prepared:
        return

    def tell(done: int, total: int) -> None:
        listener(Progress(recipe.settings.model, 1, 1, done / total, phase="compile", shards=total, shards_done=done))

    prepare(known, processes, tell)
    _prepared.add(known)
