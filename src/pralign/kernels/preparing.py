"""Compiling the kernels that a run will need before it begins, by several processes.

Compiling holds Python's lock, so threads do not help. Each process takes the kernel that takes longest of those that
nobody has taken yet, and puts what it has compiled into the cache, where this process finds it. What is missing in the
end, since a process was killed for example, is compiled when it is called.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice

from numba import config

from pralign.kernels.cache import writable_directory
from pralign.kernels.libraries import garbage_kept
from pralign.kernels.signatures import Entry, entries_for

_LOGGER = logging.getLogger(__name__)
#: Is told how many kernels are compiled, and of how many.
Told = Callable[[int, int], None]

# A process takes a second to start, so fewer kernels than this are better compiled here.
_FEW = 4
_MOST_PROCESSES = 8
# So many seconds pass between two messages.
_PAUSE = 2.0


def prepare(facts: Collection[str], processes: int, told: Told = lambda done, total: None) -> None:
    """Compile what a run needs of which these facts hold, unless it was compiled before.

    Args:
        facts: What is known of the run, such as ``"estimator=em"``; see :mod:`pralign.kernels.signatures`.
        processes: How many may work, this one included.
        told: Is told how far it has come.
    """
    if not config.DISABLE_JIT:
        _compile(missing(entries_for(facts)), processes, told)


def prepare_all(processes: int, told: Told = lambda done, total: None) -> int:
    """Compile all kernels there are; returns how many were not compiled before."""
    lacking = [] if config.DISABLE_JIT else missing(entries_for())
    _compile(lacking, processes, told)
    return len(lacking)


def missing(wanted: Collection[Entry]) -> list[Entry]:
    """Those that have not been compiled on this machine, nor in this process."""
    return [each for each in wanted if not each.dispatcher.is_compiled(each.types)]


def _compile(lacking: Sequence[Entry], processes: int, told: Told) -> None:
    if not lacking:
        return
    kept = writable_directory() is not None
    _LOGGER.info("compiling %d kernels for this machine%s", len(lacking), "; that is done once" if kept else "")
    progress, queue = _Progress(len(lacking), told), deque(lacking)
    helpers = min(processes, _MOST_PROCESSES, len(lacking) // _FEW + 1) - 1 if kept else 0
    with _helpers(helpers, queue, progress), garbage_kept():
        for each in _taken(queue):
            each.dispatcher.compile(each.types)
            progress()


def _taken(queue: deque[Entry]) -> Iterator[Entry]:
    """What nobody has taken yet, one after the other."""
    with suppress(IndexError):
        while True:
            yield queue.popleft()


@contextmanager
def _helpers(count: int, queue: deque[Entry], progress: _Progress) -> Iterator[None]:
    """Let other processes work too; wait for them in the end, but end them if this one fails."""
    helpers = [helper for _ in range(count) if (helper := _start()) is not None]
    watchers = [threading.Thread(target=_employ, args=(helper, queue, progress), daemon=True) for helper in helpers]
    for watcher in watchers:
        watcher.start()
    try:
        yield
        for watcher in watchers:
            watcher.join()
    finally:
        for helper in helpers:
            helper.kill()
            helper.wait()


def _start() -> subprocess.Popen[str] | None:
    """Start a process that compiles; nothing if none can be started."""
    command = [sys.executable, "-m", "pralign.kernels.helping"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    try:
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere, env=environment, encoding="utf-8")
    except OSError as error:
        _LOGGER.debug("no other process to compile: %s", error)
        return None


def _employ(helper: subprocess.Popen[str], queue: deque[Entry], progress: _Progress) -> None:
    """Give a process a kernel whenever it asks for one, which tells that it is done with the one before."""
    assert helper.stdin is not None
    assert helper.stdout is not None
    given = 0
    with suppress(OSError, ValueError), helper.stdout, helper.stdin:  # it may have been ended
        for number, _ in enumerate(helper.stdout):
            if number:
                progress()
            for each in islice(_taken(queue), 1):
                given += 1
                helper.stdin.write(f"{each.milliseconds} {each.kernel}{each.signature}\n")
                helper.stdin.flush()
            if given == number:  # there was none
                return


class _Progress:
    """Says now and then how far it has come."""

    def __init__(self, total: int, told: Told) -> None:
        self._total, self._told, self._done = total, told, 0
        self._lock = threading.Lock()
        self._began = self._said = time.monotonic()
        told(0, total)

    def __call__(self) -> None:
        """One more is done."""
        with self._lock:
            self._done += 1
            self._told(self._done, self._total)
            now = time.monotonic()
            if self._done == self._total:
                _LOGGER.info("compiled %d kernels in %.1f s", self._total, now - self._began)
            elif now - self._said > _PAUSE:
                _LOGGER.info("compiling %d of %d", self._done + 1, self._total)
                self._said = now
