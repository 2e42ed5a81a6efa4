"""How long runs take: seconds a cell, a word pair and a sentence pair, and what follows for a text."""

from __future__ import annotations

from dataclasses import dataclass

from pralign.runs.needs import Workload
from pralign.runs.recipe import Recipe


@dataclass(frozen=True)
class StagePace:
    """How long the iterations of a model take.

    Attributes:
        fixed: Seconds an iteration, whatever the size of the text.
        once: Seconds a cell for what is done once: what the first E-step and the last M-step take longer than others.
        expect: Seconds a cell of an E-step.
        project: Seconds a cell of an E-step with projections.
        maximise: Seconds an M-step for a word pair that is listed.
    """

    fixed: float
    once: float
    expect: float
    project: float
    maximise: float


@dataclass(frozen=True)
class Pace:
    """How fast a machine trains, with a number of workers.

    Attributes:
        workers: How many.
        start: Seconds before anything is read.
        read: Seconds a pair for reading, which one alone does.
        prepare: Seconds a listed word pair for cutting, indexing, and what is known before.
        stages: The pace of each model of the schedule.
        decode: Seconds a cell for aligning.
        write: Seconds a pair for writing, which one alone does.
    """

    workers: int
    start: float
    read: float
    prepare: float
    stages: tuple[StagePace, ...]
    decode: float
    write: float

    def seconds(self, recipe: Recipe, work: Workload, workers: float) -> float:
        """How long a run takes on so much text with so many workers, all of whom have a processor of their own.

        What workers do divides evenly between them, reading and writing do not.
        """
        alone, shared = self.start, self.prepare * work.listed + self.decode * work.cells
        for pace, (_, (plain, projected)) in zip(self.stages, stages_of(recipe), strict=True):
            shared += work.cells * (pace.once + pace.expect * plain + pace.project * projected)
            shared += work.listed * pace.maximise * (plain + projected)
            alone += pace.fixed * (plain + projected)
        return alone + work.pairs * (self.read + self.write) + shared * self.workers / workers


def stages_of(recipe: Recipe) -> list[tuple[str, tuple[int, int]]]:
    """The models of the schedule, each with its iterations without and with projections."""
    schedule = recipe.schedule()
    stages = [(name, (iterations, 0)) for name, iterations in schedule]
    if recipe.constraint is not None:
        name, iterations = schedule[-1]
        plain = min(recipe.settings.constraint_from - 1, iterations)
        stages[-1] = name, (plain, iterations - plain)
    return stages
