"""What an experiment would do, in words, before anything is done."""

from __future__ import annotations

from collections.abc import Iterator

from pralign.experiments.description import SystemDescription
from pralign.experiments.run import ExperimentRun, Step
from pralign.experiments.texts import PreparedText
from pralign.runs.recipe import Recipe
from pralign.settings import Settings
from pralign.training.schedule import format_schedule


def outline(run: ExperimentRun) -> Iterator[str]:
    """What is to be done, line by line: texts, systems, what is done already, and tables."""
    experiment = run.experiment
    yield f"{experiment.name}: {experiment.title}"
    for text in run.texts:
        yield f"  {_text(text)}"
        for step in run.steps(text):
            yield f"    {'done ' if step.done else 'to do'}  {step.system.shown}: {_what(step)}"
    for number, table in enumerate(experiment.tables, start=1):
        texts = ", ".join(text.name for text in run.texts if table.is_of(text)) or "no text"
        yield f"  table {number}, {table.title or table.summary()}: {texts}"


def _text(text: PreparedText) -> str:
    parts = [f"{name} {len(part.pairs):,}, {len(part.golds):,} with a gold" for name, part in text.parts.items()]
    return f"{text.name}: {text.title}, {text.pairs:,} pairs ({'; '.join(parts)})"


def _what(step: Step) -> str:
    system = step.system
    if system.labels is not None:
        return f"learns from the labels of {system.labels.learn}"
    if system.program:
        return f"runs {system.program[0]}"
    if system.files:
        return f"reads {', '.join(system.files.values())}"
    return _training(system)


def _training(system: SystemDescription) -> str:
    settings = Settings.resolve(**system.settings)
    by_dev = system.stop == "dev"
    schedule = format_schedule(Recipe.of(settings).schedule(by_dev))
    constraint = "" if settings.constraint == "none" else f", {settings.constraint}"
    return f"trains {schedule}{' at most' if by_dev else ''}{constraint}, {settings.estimator}"
