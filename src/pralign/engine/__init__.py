"""Where work is done: an engine runs a function over shards, and hands back results."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol, TypeVar

from pralign.errors import UsageError

_POOL = "pralign-worker"

Item = TypeVar("Item")
Result = TypeVar("Result")


class Engine(Protocol):
    """Runs a pure function over items, such as the numbers of shards, wherever it likes."""

    @property
    def workers(self) -> int:
        """How many items are worked on at the same time."""

    def run(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield ``function(item)`` for each item, in any order."""

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield ``function(item)`` for each item, in the order of the items."""


class ThreadEngine:
    """The engine of one process: a number of threads.

    Only a few items are under way or waiting at any time, so memory does not grow with their number.

    Example:
        >>> engine = ThreadEngine(threads=2)
        >>> list(engine.map(abs, [-3, 1, -2])), sorted(engine.run(abs, [-3, 1, -2]))
        ([3, 1, 2], [1, 2, 3])
    """

    def __init__(self, threads: int | None = None) -> None:
        """Use ``threads`` threads, by default as many as there are processors to use."""
        self.workers = threads if threads is not None else _processors()
        if self.workers < 1:
            raise UsageError(f"at least one thread is needed, not {threads}")

    def run(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield ``function(item)`` for each item, whichever is finished first."""
        return self._work(function, items, _take_any, self.workers + 1)

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield ``function(item)`` for each item, in order."""
        return self._work(function, items, _take_first, 2 * self.workers + 1)

    def _work(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        take: Callable[[deque[Future[Result]]], Result],
        most: int,
    ) -> Iterator[Result]:
        if self.workers == 1:
            yield from map(function, items)
            return
        pool = ThreadPoolExecutor(self.workers, thread_name_prefix=_POOL)
        waiting: deque[Future[Result]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) >= most:
                    yield take(waiting)
            while waiting:
                yield take(waiting)
        finally:
            # A generator that is dropped may be cleared away by a thread of its own pool, which cannot wait for itself.
            from_outside = not threading.current_thread().name.startswith(_POOL)
            pool.shutdown(wait=from_outside, cancel_futures=True)


def _take_first(waiting: deque[Future[Result]]) -> Result:
    return waiting.popleft().result()


def _take_any(waiting: deque[Future[Result]]) -> Result:
    wait(waiting, return_when=FIRST_COMPLETED)
    finished = next(future for future in waiting if future.done())
    waiting.remove(finished)
    return finished.result()


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
