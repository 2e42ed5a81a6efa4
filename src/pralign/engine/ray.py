"""An engine of many machines: a Ray cluster.

Tasks are pure functions from files to files, so one that is lost with its process or its machine is simply done again.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any, Generic

from pralign import __version__
from pralign.engine import probe
from pralign.engine.base import Item, Result, described
from pralign.errors import InputError, ModelError, PralignError, UsageError, WorkError
from pralign.memory import keep_memory, memory_of_process
from pralign.store import DirectoryStore, Store
from pralign.store.folder import LocalFolder

logger = logging.getLogger("pralign")

_TRIES = 3
_PATIENCE = 5.0  # seconds to answer
_OBJECTS = 200_000_000  # bytes; little is sent between processes


class RayEngine:
    """Runs tasks on a Ray cluster: many machines, or many processes of this one.

    A cluster that was started before is used and left as it is; one that the engine has started ends with it. Give it
    to an aligner as ``Aligner(engine=RayEngine("auto"), checkpoint="/shared/run")``.
    """

    elsewhere = True

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        """Use the cluster at an address (``auto``, HOST:PORT), or start one on this machine.

        Args:
            address: Where the cluster is; ``auto`` is the one that this machine belongs to.
            workers: Work on so many items at a time at most; by default on as many as the cluster has processors.

        Raises:
            UsageError: Ray is not installed, or there are no workers.
        """
        if workers is not None and workers < 1:
            raise UsageError(f"at least one worker is needed, not {workers}")
        self._address = address
        self._limit = workers
        self._started = False
        self._connections = 0
        self._waits = False
        self.memory = 0
        self._ray = _import_ray()

    def __getstate__(self) -> dict[str, Any]:
        """A copy begins anew; modules cannot be copied."""
        return {**vars(self), "_ray": None, "_started": False}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._ray = _import_ray()

    @property
    def workers(self) -> int:
        """How many items are worked on at the same time, which may change as machines come and go."""
        there = max(self._processors, 1)
        return there if self._limit is None else min(there, self._limit)

    @property
    def _processors(self) -> int:
        self._connect()
        return int(self._ray.cluster_resources().get("CPU", 0))

    @property
    def _most_under_way(self) -> int:
        """How many tasks Ray has at a time: some more than workers, so that none is idle, unless there is a limit."""
        limited = self._limit is not None and self._limit < self._processors
        return self.workers if limited else 2 * self.workers + 1

    def start(self) -> None:
        """Connect to the cluster, or start one."""
        self._connect()

    def share(self, store: Store) -> None:
        """Make sure that every machine has this package and sees a store."""
        if not isinstance(store, DirectoryStore):
            raise UsageError("workers of a cluster share files; a store in memory is of no use to them")
        self._connect()
        folder = store.folder
        seen = folder.directory / ".seen.partial" if isinstance(folder, LocalFolder) else None
        if seen is not None:
            seen.touch()
        try:
            for trouble in self._ask_all(None if seen is None else str(seen)):
                raise UsageError(trouble)
        finally:
            if seen is not None:
                seen.unlink(missing_ok=True)

    def _ask_all(self, path: str | None) -> Iterator[str]:
        """What keeps machines of the cluster from working."""
        ray = self._ray
        pinned = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        look = ray.remote(num_cpus=0, max_retries=0)(probe.probe)
        nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"]]
        asked = [look.options(scheduling_strategy=pinned(node, soft=False)).remote(__version__, path) for node in nodes]
        for answer in asked:
            try:
                trouble = ray.get(answer)
            except ray.exceptions.RayError as error:
                trouble = f"a machine of the cluster cannot work: {_reason(error)}"
            if trouble is not None:
                yield trouble

    def run(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield ``function(item)`` for each item, whichever is finished first."""
        return (result for _, result in self._work(function, items))

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield ``function(item)`` for each item, in order."""
        early: dict[int, Result] = {}
        following = 0
        for number, result in self._work(function, items, lambda: len(early)):
            early[number] = result
            while following in early:
                yield early.pop(following)
                following += 1

    def close(self) -> None:
        """End a cluster that this engine has started; leave one that it has found."""
        if self._started:
            self._connections += 1
            self._ray.shutdown()
            self._started = False

    def _work(
        self, function: Callable[[Item], Result], items: Iterable[Item], waiting: Callable[[], int] = lambda: 0
    ) -> Iterator[tuple[int, Result]]:
        """Yield results with the numbers of their items; ``waiting`` says how many of them nobody has taken yet."""
        self._connect()
        ray, sent, connection = self._ray, self._ray.put(function), self._connections
        do = ray.remote(num_cpus=1, max_retries=0)(_do)
        remaining = zip(count(), items, strict=False)
        again: deque[_Task[Item]] = deque()
        under_way: dict[Any, _Task[Item]] = {}
        try:
            while True:
                most = self._most_under_way
                while len(under_way) + waiting() < most or not under_way:
                    task = again.popleft() if again else next((_Task(*each) for each in remaining), None)
                    if task is None:
                        break
                    under_way[do.remote(sent, task.item)] = task
                if not under_way:
                    return
                finished, _ = ray.wait(list(under_way), num_returns=1, timeout=_PATIENCE)
                self._warn_of_waiting(bool(finished) or self._processors > 0)
                for done in finished:
                    task = under_way.pop(done)
                    try:
                        result, memory = ray.get(done)
                    except ray.exceptions.RayError as error:
                        again.append(self._once_more(function, task, error))
                        continue
                    self.memory = max(self.memory, memory)
                    yield task.number, result
        finally:
            if self._connections == connection and ray.is_initialized():  # else Ray would start anew
                for left in under_way:
                    ray.cancel(left, force=True)

    def _warn_of_waiting(self, works: bool) -> None:
        if not works and not self._waits:
            logger.warning("waiting for machines: the cluster has none that could work")
        self._waits = not works

    def _once_more(self, function: Callable[[Item], object], task: _Task[Item], error: Exception) -> _Task[Item]:
        """The same task, to be done again, unless there is no hope."""
        cause = getattr(error, "cause", None)
        if isinstance(cause, UsageError | InputError | ModelError):  # no machine can do better
            raise cause from None
        what = described(function, task.item)
        if task.tries + 1 >= _TRIES:
            why = str(cause) if isinstance(cause, PralignError) else _reason(error)
            raise WorkError(f"{what}: failed {_TRIES} times, at last because {why}") from error
        logger.warning("%s: failed, and is done again: %s", what, _reason(error))
        return _Task(task.number, task.item, task.tries + 1)

    def _connect(self) -> None:
        if self._ray.is_initialized():
            return
        handler = signal.getsignal(signal.SIGTERM)
        self._join()
        self._started = True
        self._connections += 1
        with suppress(ValueError):  # not the main thread
            signal.signal(signal.SIGTERM, handler)  # Ray has put its own there, which prints what nobody understands

    def _join(self) -> None:
        """Connect to a cluster, or start one."""
        ray = self._ray
        quiet = {"log_to_driver": False, "logging_level": logging.CRITICAL, "namespace": "pralign"}
        if self._address is None:
            size = {} if self._limit is None else {"num_cpus": self._limit}
            ray.init(address="local", include_dashboard=False, object_store_memory=_OBJECTS, **size, **quiet)
            return
        _check_address(self._address)
        try:
            ray.init(address=self._address, **quiet)
        except (ConnectionError, RuntimeError, ValueError, OSError, ray.exceptions.RayError) as error:
            raise UsageError(
                f"{self._address}: there is no Ray cluster here that this machine belongs to ({_first_line(error)}); "
                "start one by 'ray start --head', and join it by 'ray start --address HOST:PORT'. A cluster that has a "
                "token (~/.ray/auth_token) lets in only those who have the same"
            ) from error


@dataclass(frozen=True)
class _Task(Generic[Item]):
    """An item to be worked on, its number, and how often that has failed."""

    number: int
    item: Item
    tries: int = 0


def _do(function: Callable[[Item], Result], item: Item) -> tuple[Result, int]:
    """What a worker does."""
    keep_memory()
    return function(item), memory_of_process()


def _import_ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
    try:
        import ray.util.scheduling_strategies
    except ImportError:
        raise UsageError("the engine ray needs the package Ray; pip install 'pralign[ray]'") from None
    module: Any = ray
    module.cloudpickle.register_pickle_by_value(probe)
    module._private.worker.print_to_stdstream = _log  # it prints on standard output, where alignments go
    return module


def _log(said: dict[str, Any], **_: Any) -> None:
    """Tell what Ray has to say of its processes, as far as people understand it."""
    for line in said["lines"]:
        logger.info("ray: %s", line.partition("\n")[0].partition(". Possible reasons")[0])


def _check_address(address: str) -> None:
    """Find out soon that nobody listens at an address; Ray itself takes its time."""
    host, separator, port = address.rpartition(":")
    if not separator or "://" in address:
        return
    if not (port.isascii() and port.isdigit() and len(port) <= 9):
        raise UsageError(f"{address}: an address is auto or HOST:PORT, such as 10.0.0.1:6379")
    try:
        socket.create_connection((host, int(port)), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise UsageError(
            f"{address}: nobody answers there ({error}); start a cluster by 'ray start --head --port {port}' on {host}"
        ) from None


def _reason(error: Exception) -> str:
    """Why a task failed, in a line."""
    cause = getattr(error, "cause", None)
    if cause is not None:
        return f"{type(cause).__name__}: {_first_line(cause)}"
    reasons = {
        "WorkerCrashedError": "the process that worked on it has died",
        "NodeDiedError": "the machine that worked on it is gone",
        "OutOfMemoryError": "the machine that worked on it ran out of memory; take smaller shards by --memory",
        "ObjectLostError": "the machine that knew the result is gone",
        "OwnerDiedError": "the machine that knew the result is gone",
    }
    return reasons.get(type(error).__name__, f"{type(error).__name__}: {_first_line(error)}")


def _first_line(error: BaseException) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
