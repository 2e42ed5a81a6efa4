"""How fast this machine is: a real run on a small part of the text, with a stopwatch."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import NamedTuple

from pralign.engine import ThreadEngine
from pralign.links.formats import Record, write_alignments
from pralign.runs.needs import Workload
from pralign.runs.planning.pace import Pace, StagePace, stages_of
from pralign.runs.planning.sampling import Sample, rough_cells
from pralign.runs.recipe import Recipe
from pralign.runs.resources import Resources
from pralign.runs.run import TrainingRun
from pralign.text.bitext import Pair
from pralign.text.cutting import ShardSizes
from pralign.training.progress import Progress
from pralign.training.schedule import Schedule

# How many cells a calibration works on, at most, without and with projections, and about how many seconds it may take.
_MOST_CELLS = 10_000_000
_FEWER_CELLS = 2_000_000
_SECONDS = 5.0
# Into how many shards its text is cut for each worker: few, as those of large texts list few word pairs a cell.
_SHARDS = 2
_LEAST_STRETCH = 64
# Pairs for the run that comes before, which loads what was compiled and compiles what was not.
_WARM_UP = 40
# To start the program and import everything; for a run on next to nothing; and at most to load compiled kernels: if it
# took longer, they were compiled, which a run to come is spared.
_START = 1.0
_OVERHEAD = 0.15
_MOST_LOADING = 2.0


def calibrate(recipe: Recipe, sample: Sample, workers: int) -> Pace:
    """Train on some of the sample as the recipe says, with few iterations, and see how long everything takes.

    Projections take many times as long as anything else, so they are tried on less text. All pairs of the sample must
    be fit to be trained on.
    """
    plain = _calibrated(_shortened(_unconstrained(recipe)), sample, workers)
    if recipe.constraint is None:
        return plain
    projecting = _calibrated(_shortened(recipe), sample, workers, _FEWER_CELLS)
    last = replace(plain.stages[-1], project=projecting.stages[-1].project)
    decode = plain.decode if recipe.decoding_constraint is None else projecting.decode
    return replace(plain, start=max(plain.start, projecting.start), stages=(*plain.stages[:-1], last), decode=decode)


def _calibrated(recipe: Recipe, sample: Sample, workers: int, most_cells: int = _MOST_CELLS) -> Pace:
    began = time.perf_counter()
    pairs = sample.drawn
    few = pairs[:: max(len(pairs) // _WARM_UP, 1)][:_WARM_UP]
    _measured(recipe, few, workers)
    loading = time.perf_counter() - began
    warm = _measured(recipe, few, workers)
    within = _SECONDS / max(warm.total - _OVERHEAD, 1e-2) * warm.work.cells
    part = _some(sample, max(min(most_cells, int(within)), 4 * warm.work.cells))
    pace = _pace(recipe, warm, _measured(recipe, part, workers), workers)
    return replace(pace, start=_START + min(loading, _MOST_LOADING))


def _unconstrained(recipe: Recipe) -> Recipe:
    """The same iterations without a constraint."""
    settings = replace(recipe.settings, iterations=recipe.schedule(), constraint="none", project_at_decode=None)
    return Recipe(settings, None)


def _some(sample: Sample, most_cells: int) -> list[Pair]:
    """Stretches spread over the sample, or their beginnings, that have about so many cells."""
    parts, drawn = sample.stretches, sample.drawn
    wanted = max(most_cells * len(drawn) // max(rough_cells(drawn), 1), 1)
    each = max(wanted // len(parts), min(wanted, _LEAST_STRETCH))
    chosen = parts[:: max(len(parts) * each // wanted, 1)]
    return [pair for part in chosen for pair in part[:each]]


def _shortened(recipe: Recipe) -> Recipe:
    """The same with two iterations of each model, and as many with projections, if there are any."""
    schedule: list[tuple[str, int]] = []
    settings = recipe.settings
    for name, (plain, projected) in stages_of(recipe):
        schedule.append((name, min(plain, 2) + min(projected, 2)))
        if projected:
            settings = replace(settings, constraint_from=min(plain, 2) + 1)
    iterations: Schedule = tuple(schedule)
    return Recipe(replace(settings, iterations=iterations), recipe.constraint)


@dataclass
class _Watch:
    """Hears how training goes, and remembers when E-steps and iterations end."""

    clock: Callable[[], float] = time.perf_counter
    last: float = 0.0
    expected: list[float] = field(default_factory=list)
    maximised: list[float] = field(default_factory=list)

    def __call__(self, progress: Progress) -> None:
        """An E-step of all shards has ended, or an iteration."""
        if progress.pieces_done or progress.phase == "align":
            return
        now = self.clock()
        if progress.log_likelihood is not None:
            self.maximised.append(now - self.last)
        elif progress.done >= 1.0:
            self.expected.append(now - self.last)
        else:
            return
        self.last = now


class _FewShards(Resources):
    """Resources that cut a small text into large shards."""

    def sizes(self, cells: int, words: int, workers: int) -> ShardSizes:
        """A few shards a worker."""
        return replace(super().sizes(cells, words, workers), shard=max(cells // (_SHARDS * workers), 1))


@dataclass(frozen=True)
class _Measured:
    work: Workload
    read: float
    expected: Sequence[float]
    maximised: Sequence[float]
    decoded: float
    written: float
    total: float


@contextmanager
def _silence() -> Iterator[None]:
    """What a trial has to say is no concern of anybody."""
    logger = logging.getLogger("pralign")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _measured(recipe: Recipe, pairs: Sequence[Pair], workers: int) -> _Measured:
    """Train on pairs and align them, with a stopwatch."""
    watch = _Watch()
    began = time.perf_counter()

    def reading(given: Iterable[Pair]) -> Iterator[Pair]:
        yield from given
        watch.last = time.perf_counter()
        ends.append(watch.last)

    ends: list[float] = []
    with _silence():
        run = TrainingRun(recipe, reading(pairs), ThreadEngine(workers), _FewShards(), watch)
    trained = time.perf_counter()
    with _silence():
        answers = [answer.alignment for answer in run.decode()]
    decoded = time.perf_counter()
    write_alignments(StringIO(), map(Record, answers))
    written = time.perf_counter()
    work = Workload.of(run.corpus, recipe)
    run.close()
    return _Measured(
        work,
        ends[0] - began,
        watch.expected,
        watch.maximised,
        decoded - trained + (trained - watch.last),
        written - decoded,
        written - began,
    )


def _pace(recipe: Recipe, few: _Measured, many: _Measured, workers: int) -> Pace:
    """Lines through what few and what many pairs have taken: a part that grows with the text and one that does not."""
    by_cells, by_listed = _Slope(few.work.cells, many.work.cells), _Slope(few.work.listed, many.work.listed)
    stages, place = [], 0
    for number, (_, (plain, projected)) in enumerate(stages_of(recipe)):
        here = slice(place, place + plain + projected)
        place += plain + projected
        before, after = (_Stage.of(each.expected[here], each.maximised[here], plain) for each in (few, many))
        expect, maximise = by_cells(before.usual, after.usual), by_listed(before.quickest, after.quickest)
        if number == 0:  # before the first E-step, everything is prepared
            prepare = by_listed(before.begin, after.begin)
            before, after = before._replace(begin=0.0), after._replace(begin=0.0)
        fixed = after.usual + after.quickest - expect * many.work.cells - maximise * many.work.listed
        once = by_cells(before.begin + before.end, after.begin + after.end)
        project = by_cells(before.projecting, after.projecting)
        stages.append(StagePace(max(fixed, 0.0), once, expect, project, maximise))
    return Pace(
        workers,
        0.0,
        many.read / many.work.pairs,
        prepare,
        tuple(stages),
        by_cells(few.decoded, many.decoded),
        many.written / many.work.pairs,
    )


class _Slope(NamedTuple):
    """By how much something grows from a small to a large size; a quarter of it at least, since clocks are noisy."""

    small: int
    large: int

    def __call__(self, before: float, after: float) -> float:
        whole = after / max(self.large, 1)
        return max((after - before) / (self.large - self.small), whole / 4) if self.large > self.small else whole


class _Stage(NamedTuple):
    """Seconds of the steps of a model.

    Attributes:
        usual: An E-step.
        projecting: An E-step with projections.
        quickest: An M-step.
        begin: How much longer the first E-step takes.
        end: How much longer the last M-step takes.
    """

    usual: float
    projecting: float
    quickest: float
    begin: float
    end: float

    @classmethod
    def of(cls, expected: Sequence[float], maximised: Sequence[float], plain: int) -> _Stage:
        """From what was measured of a model with so many iterations without projections."""
        usual, quickest = min(expected[:plain] or expected), min(maximised)
        projecting = sum(expected[plain:]) / max(len(expected) - plain, 1)
        return cls(usual, projecting, quickest, expected[0] - usual if plain else 0.0, maximised[-1] - quickest)
