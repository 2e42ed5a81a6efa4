"""Files and directories that are being written, under names of their own beside the place where they are to go.

A name tells nothing but that it is one of these: it is drawn at random, so nobody can prepare a link there, a program
that was ended cannot have left one of the same name, and however long the name of the result is, it fits. Whoever
writes one holds a lock on it, so what nobody holds was left by a program that was killed, and is removed by the next.
"""

from __future__ import annotations

import errno
import os
import re
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from pralign import cleanup, locks

_NAME = re.compile(r"\.pralign-[0-9a-f]{16}\.partial")
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
_TRIES = 100


class Partial(ABC):
    """Something that is being written, held by this process until it is released or discarded.

    Attributes:
        path: Where it is.
    """

    def __init__(self, directory: Path, name: str = ".pralign-{}.partial") -> None:
        """Make a new one in ``directory``; ``{}`` in its name stands for what is drawn at random."""
        for _ in range(_TRIES):
            self.path = directory / name.format(token())
            cleanup.register(self.path)  # before it is there: a signal may come at any moment
            try:
                self._make()
                hold = locks.hold(self.path)
            except BaseException:
                cleanup.remove(self.path)
                cleanup.forget(self.path)
                raise
            if hold is not None:
                self._hold = hold
                return
            cleanup.forget(self.path)  # it was taken for abandoned before it was locked
        raise FileNotFoundError(errno.ENOENT, "files disappear as soon as they are made", str(directory))

    def release(self) -> None:
        """Let it go: from now on others may take it for abandoned, unless it has got its final name."""
        self._hold.release()
        cleanup.forget(self.path)

    def discard(self) -> None:
        """Remove whatever is at its place now."""
        cleanup.remove(self.path)
        self.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()

    @abstractmethod
    def _make(self) -> None:
        """Make it, if there is nothing of its name."""


class PartialFile(Partial):
    """A file that is being written.

    Attributes:
        stream: Where its bytes go.
    """

    stream: BinaryIO

    def _make(self) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINKS | getattr(os, "O_BINARY", 0)
        self.stream = os.fdopen(os.open(self.path, flags, 0o666), "wb")

    def discard(self) -> None:
        """Remove it."""
        with suppress(OSError):  # what it fails to take is thrown away anyway
            self.stream.close()
        super().discard()


class PartialDirectory(Partial):
    """A directory that is being filled."""

    def _make(self) -> None:
        self.path.mkdir()


def token() -> str:
    """Sixteen digits that nobody can foresee."""
    return os.urandom(8).hex()  # as secrets does, which takes five milliseconds to import


def remove_abandoned(directory: Path) -> None:
    """Remove what programs that were killed have left unfinished in a directory."""
    for path in _named(directory, _NAME):
        locks.remove_if_abandoned(path)


def abandoned(directory: Path, pattern: re.Pattern[str]) -> list[Path]:
    """What is in a directory under names of a pattern and held by nobody."""
    return [path for path in _named(directory, pattern) if locks.is_abandoned(path)]


def _named(directory: Path, pattern: re.Pattern[str]) -> list[Path]:
    with suppress(OSError):
        return [path for path in directory.iterdir() if pattern.fullmatch(path.name)]
    return []
