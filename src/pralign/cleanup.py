"""What is to be removed if the program is ended before its time: scratch directories, files that are not finished.

Whoever makes such a thing removes it, and usually by itself. This list is for the one who has to end the program at
once, because the main thread does not answer: it removes what is on it and ends the process.
"""

from __future__ import annotations

import os
import shutil
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType

# Signals raise nothing while a function of this module runs (see pralign.cli.interrupts), so that no lock is lost.
_lock = threading.RLock()
_owners: dict[Path, int] = {}
_TRIES = 10


def register(path: Path) -> None:
    """Remember that a file or directory has to be removed if this process ends before it is forgotten.

    Make it and register it within :func:`committing`, so that nothing can come between.
    """
    with _lock:
        _owners[path.absolute()] = os.getpid()


def forget(path: Path) -> None:
    """Leave a file or directory alone from now on: it is finished, or already removed."""
    with _lock:
        _owners.pop(path.absolute(), None)


def remove_all() -> None:
    """Remove everything that this very process has registered; what its parent has, before a fork, is the parent's."""
    with _lock:
        mine = [path for path, owner in _owners.items() if owner == os.getpid()]
        for path in mine:
            remove(path)
            _owners.pop(path, None)


def remove(path: Path) -> None:
    """Remove a file, or a directory with all that is in it, as far as possible; links are not followed."""
    for _ in range(_TRIES):
        if not path.is_dir() or path.is_symlink():
            break
        shutil.rmtree(path, ignore_errors=True)  # meanwhile, threads may go on writing into it
    with suppress(OSError):
        path.unlink()


class Committing:
    """A stretch of work that no signal can cut in two; see :func:`committing`."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0

    def __enter__(self) -> None:
        self._lock.acquire()
        self._depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        self._lock.release()

    @property
    def under_way(self) -> bool:
        """Whether some thread is in the middle of it."""
        return self._depth > 0


_committing = Committing()


def committing() -> Committing:
    """Nobody ends this process while a block is run ``with`` this, and Ctrl-C waits for its end.

    It is for the few steps that belong together, such as giving several finished files their names, and has to be
    short. One thread at a time is in such a block; blocks may be nested.

    Example:
        >>> with committing():
        ...     committing().under_way
        True
    """
    return _committing


def _begin_anew_after_fork() -> None:
    """The threads that held the locks are not there any more."""
    global _lock, _committing
    _lock = threading.RLock()
    _committing = Committing()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew_after_fork)
