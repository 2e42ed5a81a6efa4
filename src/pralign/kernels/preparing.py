"""Compiling the kernels that a run will need before it begins, by several processes.

Compiling holds Python's lock, so threads do not help. Each process takes the kernel that takes longest of those that
nobody has taken yet, and puts what it has compiled into the cache, where this process finds it. What a process has died
over, another one takes.
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
from queue import Empty, Queue

from numba import config

from pralign.cgroups import memory_left
from pralign.kernels.cache import writable_directory
from pralign.kernels.libraries import garbage_kept
from pralign.kernels.signatures import Entry, entries_for

_LOGGER = logging.getLogger(__name__)
#: Is told how many kernels are compiled, and of how many.
Told = Callable[[int, int], None]

# A process takes a second to start, so fewer kernels than this are better compiled here.
_FEW = 4
_MOST_PROCESSES = 8
# So many bytes a process may take.
_MEMORY = 500_000_000
# So many seconds pass between two messages, and between two looks whether others are done.
_PAUSE = 2.0
_MOMENT = 0.2


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
    place = writable_directory()
    _LOGGER.info(
        "compiling %d kernels for this machine%s", len(lacking), "" if place is None else "; that is done once"
    )
    progress, left = _Progress(len(lacking), told), deque(lacking)
    helpers = 0 if place is None else min(processes, _most_processes(), len(lacking) // _FEW + 1) - 1
    with _helpers(helpers, str(place), left, progress) as busy, garbage_kept():
        while left or busy():
            for each in _taken(left):
                each.dispatcher.compile(each.types)
                progress.add(1)
                progress.tell()
            if busy():
                progress.wait()
        progress.tell()


def _most_processes() -> int:
    """How many processes have room, where memory is limited."""
    room = memory_left()
    return _MOST_PROCESSES if room is None else max(1, min(_MOST_PROCESSES, room // _MEMORY))


def _taken(left: deque[Entry]) -> Iterator[Entry]:
    """What nobody has taken yet, one after the other."""
    with suppress(IndexError):
        while True:
            yield left.popleft()


@contextmanager
def _helpers(count: int, place: str, left: deque[Entry], progress: _Progress) -> Iterator[Callable[[], bool]]:
    """Let other processes work too, and tell whether any still does; end them in the end."""
    helpers = [helper for _ in range(count) if (helper := _start(place)) is not None]
    watchers = [threading.Thread(target=_employ, args=(helper, left, progress), daemon=True) for helper in helpers]
    for watcher in watchers:
        watcher.start()
    try:
        yield lambda: any(watcher.is_alive() for watcher in watchers)
    finally:
        for helper in helpers:
            helper.kill()
            helper.wait()


def _start(place: str) -> subprocess.Popen[str] | None:
    """Start a process that compiles; nothing if none can be started."""
    if not sys.executable:  # where Python is part of another program
        return None
    # Unlike others, it must not find modules in the working directory.
    command = [sys.executable, "-P", "-m", "pralign.kernels.helping", place]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.curdir for path in sys.path)}
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    try:
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere, env=environment, encoding="utf-8")
    except OSError as error:
        _LOGGER.debug("no other process to compile: %s", error)
        return None


def _employ(helper: subprocess.Popen[str], left: deque[Entry], progress: _Progress) -> None:
    """Give a process a kernel whenever it asks for one, which tells that it is done with the one before."""
    assert helper.stdin is not None
    assert helper.stdout is not None
    given: Entry | None = None
    with suppress(OSError, ValueError), helper.stdout, helper.stdin:  # it may have been ended
        for _ in helper.stdout:
            if given is not None:
                progress.add(1)
            given = next(_taken(left), None)
            if given is None:
                return
            helper.stdin.write(f"{given.milliseconds} {given.kernel}{given.signature}\n")
            helper.stdin.flush()
    if given is not None:  # it has died over it
        left.appendleft(given)


class _Progress:
    """Says now and then how far it has come. Whoever compiles adds to it, the thread that waits for all tells."""

    def __init__(self, total: int, told: Told) -> None:
        self._total, self._told, self._done = total, told, 0
        self._finished: Queue[int] = Queue()
        self._began = self._said = time.monotonic()
        told(0, total)

    def add(self, count: int) -> None:
        """So many more are done."""
        self._finished.put(count)

    def wait(self) -> None:
        """Wait a moment for something to be done, and tell."""
        with suppress(Empty):
            self._count(self._finished.get(timeout=_MOMENT))
        self.tell()

    def tell(self) -> None:
        """Tell of all that is done."""
        with suppress(Empty):
            while True:
                self._count(self._finished.get_nowait())

    def _count(self, more: int) -> None:
        self._done += more
        self._told(self._done, self._total)
        now = time.monotonic()
        if self._done == self._total:
            _LOGGER.info("compiled %d kernels in %.1f s", self._total, now - self._began)
        elif now - self._said > _PAUSE:
            _LOGGER.info("compiling %d of %d", self._done + 1, self._total)
            self._said = now
