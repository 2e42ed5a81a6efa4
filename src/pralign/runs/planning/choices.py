"""Ways to run, and what each of them takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil

from pralign.runs.needs import Traffic, Workload, driver_memory, pieces_of, shards_of, traffic, worker_memory
from pralign.runs.planning.machine import Machine
from pralign.runs.planning.outlook import Outlook
from pralign.runs.planning.pace import Pace
from pralign.runs.recipe import Recipe
from pralign.runs.resources import LEAST_MEMORY, Resources
from pralign.text.cutting import ShardSizes

# Numbers of processes that are worth a look, and what it takes to start them.
_PROCESSES = (1, 2, 8, 32)
_STARTING_PROCESSES = 8.0
# How much of the free memory a run may take without being told to take less.
_MOST_OF_FREE = 0.7
# A bound that is shown beside what a run would take by itself.
_TYPICAL_BOUNDS = (500_000_000, 1_000_000_000, 2_000_000_000, 4_000_000_000, 8_000_000_000, 16_000_000_000)


@dataclass(frozen=True)
class Way:
    """A way to run.

    Attributes:
        name: The preset, or what stands for the settings that were given.
        engine: Where it works.
        workers: How many threads or processes.
        bound: The bound on memory in bytes, if there is one; for processes, that of each.
    """

    name: str
    engine: str
    workers: int
    bound: int | None


@dataclass(frozen=True)
class Choice(Way):
    """A way to run, and what it takes.

    Attributes:
        memory: Bytes of memory of the process, or of the one that leads.
        worker_memory: Bytes of memory of each of the other processes; nothing for threads.
        disk: Bytes of files, at most at any time.
        seconds: How long it takes.
        shards: Into how many shards the text is cut.
        pieces: Into how many pieces the lexicon is cut.
        listed: How many word pairs the shards list, all together.
        traffic: What an iteration reads from files and writes to them.
    """

    memory: int
    worker_memory: int | None
    disk: int
    seconds: float
    shards: int
    pieces: int
    listed: int
    traffic: Traffic

    @classmethod
    def of(
        cls,
        way: Way,
        work: Workload,
        sizes: ShardSizes,
        memory: int,
        worker_memory: int | None,
        disk: int,
        seconds: float,
    ) -> Choice:
        """A way to run, with what follows from how the text is cut."""
        return cls(
            way.name,
            way.engine,
            way.workers,
            way.bound,
            memory,
            worker_memory,
            disk,
            seconds,
            shards_of(work, sizes),
            pieces_of(work, sizes),
            work.listed,
            traffic(work, sizes),
        )


@dataclass(frozen=True)
class Chooser:
    """Works out what choices take.

    Attributes:
        outlook: What is known of the text.
        recipes: What may be trained, by name.
        paces: How fast, by the same names.
        machine: What there is to work with.
        resources: What a run may use.
        workers: How many workers are wanted.
    """

    outlook: Outlook
    recipes: dict[str, Recipe]
    paces: dict[str, Pace]
    machine: Machine
    resources: Resources
    workers: int

    @property
    def usual(self) -> str:
        """The name of what is trained unless the user says otherwise."""
        return "default" if "default" in self.recipes else next(iter(self.recipes))

    def choices(self, engine: str | None) -> Iterator[Choice]:
        """The main choices: what to train, with how many workers of which engine, with and without a bound."""
        if engine != "ray":
            for name in self.recipes:
                yield self.threads(name, self.workers, self.resources)
            for workers in sorted({1, 2} - {self.workers}):
                yield self.threads(self.usual, workers, self.resources)
            bound = self._typical_bound()
            if bound is not None:
                yield self.threads(self.usual, self.workers, replace(self.resources, memory=bound))
        if engine != "threads":
            for name in self.recipes if engine == "ray" else [self.usual]:
                yield self.processes(name, self.workers, self.resources)
            for workers in sorted({*_PROCESSES} - {self.workers}):
                yield self.processes(self.usual, workers, self.resources)

    def chosen(self, engine: str | None) -> Choice:
        """What to take: the usual, on the engine that is wanted, bounded if memory would not do."""
        found = self._on(engine or "threads", self.resources)
        free = self.machine.memory
        if self.resources.memory is not None or free is None or found.memory <= _MOST_OF_FREE * free:
            return found
        bound = max(int(_MOST_OF_FREE * free) // 10**8 * 10**8, LEAST_MEMORY)
        return self._on(engine or "threads", replace(self.resources, memory=bound))

    def _on(self, engine: str, resources: Resources) -> Choice:
        make = self.processes if engine == "ray" else self.threads
        return make(self.usual, self.workers, resources)

    def _typical_bound(self) -> int | None:
        """The largest of some bounds that makes a difference."""
        if self.resources.memory is not None:
            return None
        taken = self.threads(self.usual, self.workers, self.resources).memory
        return max((bound for bound in _TYPICAL_BOUNDS if bound < 0.7 * taken), default=None)

    def threads(self, name: str, workers: int, resources: Resources) -> Choice:
        """What it takes if threads of one process work."""
        work = self.outlook.work(self.recipes[name])
        sizes = resources.sizes(work.cells, work.words, workers)
        work = self.outlook.cut(work, sizes)
        memory, disk = resources.needs(work, workers)
        busy = busy_workers(shards_of(work, sizes), min(workers, self.machine.processors))
        seconds = self.paces[name].seconds(self.recipes[name], work, busy)
        way = Way(name, "threads", workers, resources.memory)
        return Choice.of(way, work, sizes, memory, None, disk, seconds)

    def processes(self, name: str, workers: int, resources: Resources) -> Choice:
        """What it takes if processes work, each on a processor of its own; a bound is that of each of them."""
        work = self.outlook.work(self.recipes[name])
        sizes = replace(resources, each_worker=True).sizes(work.cells, work.words, workers)
        work = self.outlook.cut(work, sizes)
        busy = busy_workers(shards_of(work, sizes), workers)
        seconds = _STARTING_PROCESSES + self.paces[name].seconds(self.recipes[name], work, busy)
        way = Way(name, "ray", workers, resources.memory)
        return Choice.of(way, work, sizes, driver_memory(work), worker_memory(work, sizes), work.written, seconds)


def busy_workers(shards: int, workers: int) -> float:
    """How many workers have something to do, on average, until the last shard is done.

    Example:
        >>> busy_workers(8, 4), busy_workers(9, 4), busy_workers(3, 4)
        (4.0, 3.0, 3.0)
    """
    return shards / ceil(shards / workers)
