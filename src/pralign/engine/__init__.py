"""Where the work on blocks is done. An engine maps a function over blocks and keeps their order."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from pralign.errors import UsageError

_POOL = "pralign-worker"

Item = TypeVar("Item")
Result = TypeVar("Result")


class Engine:
    """Runs blocks on a number of threads; results come in the order of the blocks, whoever finishes first.

    Only a few blocks are under way or waiting at any time, so memory does not grow with the corpus.

    Example:
        >>> list(Engine(threads=2).map(abs, [-3, 1, -2]))
        [3, 1, 2]
    """

    def __init__(self, threads: int | None = None) -> None:
        """Use ``threads`` threads, by default as many as there are processors to use."""
        self.threads = threads if threads is not None else _processors()
        if self.threads < 1:
            raise UsageError(f"at least one thread is needed, not {threads}")

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield ``function(item)`` for each item, in order."""
        if self.threads == 1:
            yield from map(function, items)
            return
        pool = ThreadPoolExecutor(self.threads, thread_name_prefix=_POOL)
        waiting: deque[Future[Result]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) > 2 * self.threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            # A generator that is dropped may be cleared away by a thread of its own pool, which cannot wait for itself.
            from_outside = not threading.current_thread().name.startswith(_POOL)
            pool.shutdown(wait=from_outside, cancel_futures=True)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
