"""How a trained model goes on learning from more text: by its own settings, and for fewer iterations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pralign.errors import UsageError
from pralign.models.ibm1 import IBM1
from pralign.runs.recipe import Recipe
from pralign.runs.trained import TrainedModel
from pralign.schema.arguments import check_names
from pralign.settings import checked_setting, decoding_settings, setting_fields
from pralign.training.schedule import Schedule, format_schedule

# The model knows most words already, so that few iterations are enough; with labels to stop by, as many as it takes.
_ITERATIONS = 3
_MOST = 10
#: Settings of training that may be others for other text.
FREE = frozenset({"iterations", "prior", "max_length", "constraint_from"})


def growing_recipe(model: TrainedModel, changes: Mapping[str, Any], judged: bool = False) -> Recipe:
    """What a model goes on learning by: its own settings, and those of ``changes`` that may be others.

    Priors that the model was trained with are among its counts already, so only those of ``changes`` are left.

    Raises:
        UsageError: A setting that all of a model's text must have in common is another.
    """
    check_names(changes, [each.name for each in setting_fields()], "there is no setting called {names}")
    changes = {name: value if value is None else checked_setting(name, value) for name, value in changes.items()}
    saved = model.recipe.as_saved(model.schedule, model.thresholds)
    _check_agreement(saved, changes)
    decoding = {name: value for name, value in changes.items() if name in decoding_settings()}
    recipe, _ = Recipe.from_saved(saved, model.recipe.constraint, **decoding)
    values: dict[str, Any] = {name: changes[name] for name in FREE & changes.keys()}
    stages = (*_first_stages(model), (recipe.settings.model, _MOST if judged else _ITERATIONS))
    values.setdefault("iterations", format_schedule(stages))
    values.setdefault("prior", ())
    recipe = recipe.learned(**values)
    if "constraint_from" not in values:
        recipe = recipe.learned(constraint_from=_constrained_from(model.schedule, recipe))
    return Recipe.of(recipe.settings)


def _check_agreement(saved: Mapping[str, Any], changes: Mapping[str, Any]) -> None:
    free = decoding_settings() | FREE
    unlike = [name for name, value in changes.items() if name not in free and _plain(name, value) != saved[name]]
    if unlike:
        told = ", ".join(f"{name} {_named(saved[name])}, not {_named(changes[name])}" for name in sorted(unlike))
        raise UsageError(f"the model was trained with {told}; it can only go on as it began, or be trained anew")
    again = [path for path in _paths(changes.get("prior", ())) if path in saved["prior"]]
    if again:
        raise UsageError(
            f"the model was trained with the prior {again[0]} already, which would count twice; leave it out"
        )


def _first_stages(model: TrainedModel) -> Schedule:
    """Where pairs of new words would have no chance, all pairs are equal once more, for an iteration of IBM 1."""
    name = IBM1.name
    return () if model.recipe.estimator.open_to_new_pairs or model.forward.name == name else ((name, 1),)


def _constrained_from(before: Schedule, recipe: Recipe) -> int:
    """The iteration from which on as many are constrained as were at first."""
    constrained = before[-1][1] - recipe.settings.constraint_from
    return max(recipe.schedule()[-1][1] - constrained, 1)


def _plain(name: str, value: Any) -> Any:
    """A value as it is saved: constraints by their names, files as a list of their paths."""
    if name == "forms" or isinstance(value, Path | list | tuple):
        return _paths(value)
    return getattr(value, "name", value)


def _paths(value: Any) -> list[str]:
    return [str(path) for path in ([value] if isinstance(value, str | Path) else value)]


def _named(value: Any) -> str:
    return "none" if value in (None, [], ()) else str(getattr(value, "name", value))


def training_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those of some settings that all of a model's text must have in common."""
    names = {each.name for each in setting_fields()} - decoding_settings() - FREE
    return {name: value for name, value in settings.items() if name in names}
