"""The engine of one process: threads."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from pralign import stopping
from pralign.cgroups import processor_limit
from pralign.engine.base import Item, Result
from pralign.errors import UsageError
from pralign.memory import memory_of_process
from pralign.store import Store

_POOL = "pralign-worker"


class ThreadEngine:
    """The engine of one process: a number of threads.

    Only a few items are under way or waiting at any time, so memory does not grow with their number.

    Example:
        >>> engine = ThreadEngine(threads=2)
        >>> list(engine.map(abs, [-3, 1, -2])), sorted(engine.run(abs, [-3, 1, -2]))
        ([3, 1, 2], [1, 2, 3])
    """

    elsewhere = False

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

    @property
    def memory(self) -> int:
        """The most memory that this process has taken."""
        return memory_of_process()

    def start(self) -> None:
        """Threads start with their work."""

    def share(self, store: Store) -> None:
        """Threads see every store."""

    def close(self) -> None:
        """Threads end with their work."""

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
        except KeyboardInterrupt:
            with stopping.requested():
                pool.shutdown(cancel_futures=True)
            raise
        finally:
            end_pool(pool)


def end_pool(pool: ThreadPoolExecutor) -> None:
    """End threads, and wait for them.

    What is raised meanwhile in a generator that is dropped is lost, so signals are only heard afterwards; see
    cli/interrupts.py. Such a generator may be cleared away by a thread of its own pool, which cannot wait for itself.
    """
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
    """How many processors may be used, whoever has set the bound: taskset, a batch system or a container."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(allowed, processor_limit() or allowed)
