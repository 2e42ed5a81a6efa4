"""The beginning of a run: what it is about, so that a checkpoint knows it again, and what is said of its text."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from pralign.constraints import Constraint
from pralign.errors import InputError
from pralign.links.labelled import Labelled
from pralign.runs.checkpoint import TextDigest
from pralign.runs.earlier import digest
from pralign.runs.needs import Needs
from pralign.runs.recipe import Recipe
from pralign.runs.trained import TrainedModel
from pralign.settings import decoding_settings, setting_fields
from pralign.text.facts import why_untrainable
from pralign.text.files import reason
from pralign.text.sharding import ShardedCorpus

logger = logging.getLogger("pralign")

# What training takes is told if that is so many bytes of disk.
_WORTH_SAYING = 10**8
_BLOCK = 1 << 20


def describe_run(
    recipe: Recipe, labelled: Sequence[Labelled] | None, earlier: Iterable[TrainedModel], known: TrainedModel | None
) -> dict[str, Any]:
    """What a run is about, in words and numbers: everything that its result depends on, but for the text."""
    settings = recipe.settings
    left_out = {*decoding_settings(), "preset", "tolerance", "slack"}
    if labelled is not None and recipe.constraint is not None:
        left_out.discard("project_at_decode")  # labelled pairs stop training by posteriors projected or not
    names = [each.name for each in setting_fields() if each.name not in left_out]
    run: dict[str, Any] = {name.replace("_", " "): getattr(settings, name) for name in names}
    run |= {
        "iterations": recipe.schedule(labelled is not None),
        "prior": [_digest(path) for path in settings.priors],
        "forms": [_digest(path) for path in settings.form_files],
    }
    run["constraint"] = "none" if recipe.constraint is None else described_constraint(recipe.constraint)
    if models := [digest(model) for model in earlier]:
        run["earlier models"] = models
    if known is not None:
        run["known model"] = digest(known)
    if labelled is not None:
        sentences = TextDigest.of((source, target) for source, target, _ in labelled)
        links = TextDigest.of((repr(gold.links), repr(sorted(gold.possible))) for *_, gold in labelled)
        run["labelled pairs"] = f"{sentences}, links {links}"
    return run


def described_constraint(constraint: Constraint) -> str:
    """The name of a constraint, with those of its values that look the same in every run."""
    values = ((each.name, _in_words(getattr(constraint, each.name))) for each in fields(constraint))
    return f"{constraint.name} ({', '.join(f'{name}={value}' for name, value in values if value is not None)})"


def _in_words(value: Any) -> str | None:
    """A value, if it looks the same in every run."""
    if isinstance(value, set | frozenset):
        return repr(sorted(map(repr, value)))
    plain = isinstance(value, str | int | float | bytes | list | tuple | dict | None)
    return str(value) if plain else None


def _digest(path: str) -> str:
    place, found = Path(path), hashlib.blake2b(digest_size=16)
    try:
        if place.exists():
            with (place / "manifest.json" if place.is_dir() else place).open("rb") as stream:
                while block := stream.read(_BLOCK):
                    found.update(block)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot read: {reason(error)}") from error
    return f"{path} {found.hexdigest()}"


def report_untrained(corpus: ShardedCorpus, longest: int, name: str) -> None:
    """Say how many pairs are not trained on.

    Raises:
        InputError: None is.
    """
    if why := why_untrainable(corpus.pairs, corpus.empty, corpus.trained, longest):
        raise InputError(f"{name}: {why}")
    long = corpus.pairs - corpus.empty - corpus.trained
    if corpus.empty or long:
        logger.info(
            "not trained on: %d pairs with an empty side, %d with a side over %d words", corpus.empty, long, longest
        )


def report_needs(corpus: ShardedCorpus, needs: Needs) -> None:
    """Say what training will take, where that is worth a word."""
    if needs.disk >= _WORTH_SAYING:
        logger.info(
            "%d pairs, %d million cells: training takes about %.1f GB of memory and %.1f GB of disk",
            corpus.pairs,
            corpus.cells // 10**6,
            needs.memory / 1e9,
            needs.disk / 1e9,
        )
