"""What a run will take, before it is started: memory, disk and time of the main choices, and which to take."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pralign.engine import ENGINES
from pralign.errors import UsageError
from pralign.runs.planning.calibration import calibrate
from pralign.runs.planning.choices import Choice, Chooser
from pralign.runs.planning.machine import Machine
from pralign.runs.planning.outlook import Outlook, TextFigures, check_sample
from pralign.runs.planning.pace import Pace
from pralign.runs.planning.sampling import NumberedSample, Sample, draw
from pralign.runs.recipe import Recipe
from pralign.runs.resources import Resources
from pralign.settings import PRESETS, Settings
from pralign.text.bitext import Bitext

__all__ = ["Choice", "Machine", "Plan", "TextFigures", "plan", "preset_settings"]

_MOST = 10**15  # pairs or workers; figures have to fit the numbers they are worked out in


@dataclass(frozen=True)
class Plan:
    """What to expect of a text.

    Attributes:
        text: How large it is.
        machine: What there is to work with.
        choices: Ways to run.
        chosen: The one to take.
    """

    text: TextFigures
    machine: Machine
    choices: tuple[Choice, ...]
    chosen: Choice


def preset_settings() -> dict[str, Settings]:
    """The settings of all presets, by their names."""
    return {name: Settings.resolve(preset=name) for name in PRESETS}


def plan(
    bitext: Bitext,
    settings: Settings | Mapping[str, Settings] | None = None,
    resources: Resources | None = None,
    workers: int | None = None,
    engine: str | None = None,
    pairs: int | None = None,
) -> Plan:
    """Look at a sample of a text and say what it takes to align it.

    All of the text is read once, to count it. A sample is kept to see how words and word pairs grow, and a small part
    of the sample is really trained on, since how fast that goes depends on the machine.

    Args:
        bitext: The text.
        settings: What to train, or several choices by name; by default the presets.
        resources: What a run may use.
        workers: How many workers; by default one for each processor.
        engine: ``"threads"`` or ``"ray"``; by default both are looked at, and threads taken.
        pairs: Plan for so many pairs of this kind instead of those there are.

    Raises:
        UsageError: There is no such engine, or there cannot be so few or so many workers or pairs.
        InputError: The text cannot be read, or there is nothing to learn from.
    """
    _check(engine, workers, pairs)
    if settings is None:
        settings = preset_settings()
    named = {"as given": settings} if isinstance(settings, Settings) else dict(settings)
    recipes = {name: Recipe.of(each) for name, each in named.items()}
    resources = resources or Resources()
    machine = Machine.here(resources.scratch)
    sample, numbered, reading = _looked_at(bitext, next(iter(recipes.values())))
    outlook = Outlook.of(sample, numbered, pairs)
    workers = workers or machine.processors
    paces = _paces(recipes, numbered.learnable(sample), min(workers, machine.processors), reading)
    chooser = Chooser(outlook, recipes, paces, machine, resources, workers)
    return Plan(outlook.figures, machine, tuple(chooser.choices(engine)), chooser.chosen(engine))


def _check(engine: str | None, workers: int | None, pairs: int | None) -> None:
    if engine is not None and engine not in ENGINES:
        raise UsageError(f"an engine is {' or '.join(ENGINES)}, not {engine}")
    for what, number in (("worker", workers), ("pair", pairs)):
        if number is not None and number < 1:
            raise UsageError(f"at least one {what} is needed to plan for, not {number}")
        if number is not None and number > _MOST:
            raise UsageError(f"at most {_MOST:,} {what}s can be planned for, not {number}")


def _looked_at(bitext: Bitext, recipe: Recipe) -> tuple[Sample, NumberedSample, float]:
    """A sample, its words as the recipe sees them, and how many seconds a pair it takes to read the text."""
    began = time.perf_counter()
    sample = draw(bitext)
    reading = (time.perf_counter() - began) / max(sample.pairs, 1)
    numbered = NumberedSample.of(sample, recipe.normalisation, recipe.settings.max_length)
    check_sample(sample, numbered, bitext, recipe.settings.max_length)
    return sample, numbered, reading


def _paces(recipes: Mapping[str, Recipe], sample: Sample, workers: int, reading: float) -> dict[str, Pace]:
    """How fast each of the recipes is trained; those that do the same, if not as often, are tried out once."""
    tried: dict[str, Recipe] = {}
    for recipe in recipes.values():
        same = _sort_of_work(recipe)
        if same not in tried or recipe.constraint is not None:
            tried[same] = recipe
    measured = {}
    for same, recipe in tried.items():
        pace = calibrate(recipe, sample, workers)
        measured[same] = replace(pace, read=pace.read + reading)
    return {name: measured[_sort_of_work(recipe)] for name, recipe in recipes.items()}


def _sort_of_work(recipe: Recipe) -> str:
    """What recipes have in common that differ in their numbers of iterations, or in projecting while they train."""
    models = [name for name, _ in recipe.schedule()]
    settings = replace(
        recipe.settings,
        preset=None,
        iterations=None,
        constraint="none",
        constraint_from=1,
        project_at_decode=None,
        origins={},
    )
    return f"{models} {settings} {recipe.decoding_constraint} {recipe.settings.tolerance} {recipe.settings.slack}"
