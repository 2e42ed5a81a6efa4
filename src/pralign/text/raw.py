"""The bytes of files, plain or compressed, and of standard input: no larger than what was read lets expect."""

from __future__ import annotations

import io
import os
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from pralign.errors import InputError
from pralign.text.compression import (
    BAD_COMPRESSION,
    LONGEST_MAGIC,
    decompressing,
    kind_of,
    largest_window,
    needs_memory,
)

STANDARD_STREAM = "-"

#: A compressed file may become so many times as large as it is, and besides so many lines large. Text becomes four to
#: ten times as large, the same line again and again a thousand times.
MOST_GROWTH = 1000
_MOST_LINES = 64
# So many lines of memory a decompressor may take for itself.
_MEMORY = 8
_BUFFER = 1 << 20


@dataclass
class Size:
    """How much of a file was read, and how much it may become."""

    compressed: bool = False
    taken: int = 0

    def most(self, limit: int) -> int:
        """How many bytes may come out of what was read so far, if a line may have so many."""
        return MOST_GROWTH * self.taken + _MOST_LINES * limit if self.compressed else sys.maxsize

    def check(self, total: int, limit: int, where: str) -> None:
        """Complain if more has come out.

        Raises:
            InputError: It has.
        """
        if total > self.most(limit):
            raise InputError(
                f"{where}: {self.taken:,} compressed bytes have become {total:,}, which is more than text does; "
                f"{allow_more(limit)}"
            )


class BoundedBytes:
    """The bytes of a file, which becomes no larger than text does."""

    def __init__(self, stream: BinaryIO, size: Size, name: str, limit: int) -> None:
        self._stream, self._size, self._name, self._limit = stream, size, name, limit
        self._total = 0

    def read(self, size: int) -> bytes:
        """The next bytes, at most so many; none at the end.

        Raises:
            InputError: The file has become too large.
        """
        data = self._stream.read(size)
        self._total += len(data)
        self._size.check(self._total, self._limit, self._name)
        return data


@contextmanager
def open_bytes(path: str | Path, limit: int) -> Iterator[BoundedBytes]:
    """The bytes of a file, or of standard input, without its compression.

    Args:
        path: The file; ``-`` is standard input.
        limit: How many bytes a line of it might have; how much it may become follows from it.

    Raises:
        InputError: It is missing, unreadable or badly compressed, or becomes too large.
    """
    name = display_name(path)
    try:
        with open_raw(path, limit) as (stream, size):
            yield BoundedBytes(stream, size, name, limit)
    except BAD_COMPRESSION as error:
        raise damaged(name, error, limit) from error
    except OSError as error:
        raise InputError(f"{name}: cannot read: {reason(error)}") from error


@contextmanager
def open_raw(path: str | Path, limit: int) -> Iterator[tuple[BinaryIO, Size]]:
    """A file without its compression, and how much of it was read so far.

    Raises:
        InputError: It cannot be opened. What else goes wrong is raised as it comes.
    """
    with ExitStack() as stack:
        if str(path) != STANDARD_STREAM:
            raw: BinaryIO = stack.enter_context(_open_file(path))
        elif sys.stdin is None:  # closed by whoever started the program
            raise InputError("standard input: cannot read: it is closed")
        else:
            raw = sys.stdin.buffer
        head = _first_bytes(raw)
        kind = kind_of(head)
        size = Size(kind is not None)
        stream = cast(BinaryIO, io.BufferedReader(_PutBack(head, raw, size), _BUFFER))
        if kind is not None:
            stream = stack.enter_context(decompressing(stream, kind, largest_window(_MEMORY * limit)))
        yield stream, size


def would_wait(stream: BinaryIO) -> bool:
    """Whether whoever reads a line of standard input might have to wait for it; of other files nobody has to.

    Args:
        stream: What :func:`open_raw` has opened.
    """
    raw = getattr(stream, "raw", None)
    if not isinstance(stream, io.BufferedReader) or not isinstance(raw, _PutBack):
        return False
    return raw.may_wait and b"\n" not in raw.peek(stream)


def _first_bytes(raw: BinaryIO) -> bytes:
    """The first bytes of a file, enough to tell how it is compressed, or a line, whatever comes first.

    All that is there is taken, so that nothing stays behind in the buffer of the file.
    """
    head = b""
    while len(head) < LONGEST_MAGIC and b"\n" not in head and (more := _read_some(raw, _BUFFER)):
        head += more
    return head


def _read_some(raw: Any, size: int) -> bytes:
    """What is there to be read, without waiting for all of it."""
    return cast(bytes, raw.read1(size) if hasattr(raw, "read1") else raw.read(size))


def damaged(name: str, error: BaseException, limit: int, place: str = "") -> InputError:
    """What to say of a file that cannot be unpacked, to be raised by the caller."""
    if needs_memory(error):
        window = largest_window(_MEMORY * limit)
        return InputError(f"{name}: takes more than {window:,} bytes of memory to unpack; {allow_more(limit)}")
    return InputError(f"{name}: damaged compressed data{place} ({error})")


def allow_more(limit: int) -> str:
    """What to do about text that is larger than it may be."""
    return f"if that is meant, allow more by --max-line, such as --max-line {max(4 * limit // 10**6, 1)}M"


def display_name(path: str | Path) -> str:
    """The name of a file as messages show it."""
    return "standard input" if str(path) == STANDARD_STREAM else str(path)


def reason(error: OSError | ValueError) -> str:
    """Why reading or writing failed, in a few words."""
    if isinstance(error, IsADirectoryError):
        return "it is a directory"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _open_file(path: str | Path) -> BinaryIO:
    try:
        return Path(path).open("rb")
    except ValueError as error:  # a name that no file can have
        raise InputError(f"{path}: cannot read: {error}") from error


class _PutBack(io.RawIOBase):
    """A stream whose first bytes were read and are put back; unlike seeking, this works for pipes too."""

    def __init__(self, head: bytes, rest: BinaryIO, size: Size) -> None:
        super().__init__()
        self._head = head
        self._rest = rest
        self._size = size
        self._patient = True
        self.may_wait = _is_pipe(rest)

    def peek(self, stream: io.BufferedReader) -> bytes:
        """What a stream that reads this has at hand, and what else is there now if it has nothing."""
        self._patient = False
        try:
            return stream.peek()
        finally:
            self._patient = True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if not self._head and not self._patient and not select.select([self._rest], [], [], 0)[0]:
            return None  # by which a buffer understands that there is nothing yet
        data = self._head[: len(buffer)] if self._head else _read_some(self._rest, len(buffer))
        self._head = self._head[len(data) :]
        self._size.taken += len(data)
        buffer[: len(data)] = data
        return len(data)


def _is_pipe(stream: BinaryIO) -> bool:
    """Whether one may have to wait for what a stream has next, and can ask whether it is there."""
    try:
        return not stat.S_ISREG(os.fstat(stream.fileno()).st_mode) and select.select([stream], [], [], 0) is not None
    except (OSError, ValueError):  # not a file at all, or a pipe of Windows
        return False
