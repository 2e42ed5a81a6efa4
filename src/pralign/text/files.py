"""Text files, plain or compressed, and standard input, read line by line, each line of a bounded size."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from pralign.errors import InputError, UsageError
from pralign.memory import parse_size
from pralign.text.compression import (
    BAD_COMPRESSION,
    LONGEST_MAGIC,
    OPENERS,
    decompressing,
    kind_of,
    largest_window,
    needs_memory,
)
from pralign.text.encodings import has_utf16_mark, unmarked_kind, utf8_of, utf16_advice
from pralign.text.gzip_blocks import GzipBlocks
from pralign.text.kinds import other_kind

STANDARD_STREAM = "-"

#: So many bytes a line may have unless the user allows more: a hundred times the longest sentence that is trained on.
LONGEST_LINE = 16 << 20

_BUFFER = 1 << 20
_MANY = 10  # carriage returns in one line, so that they must be line ends
_BYTE_ORDER_MARK = "\ufeff"
# A compressed file may become so many times as large as it is, and besides so many lines large. Text becomes four to
# ten times as large, the same line again and again a thousand times.
_MOST_GROWTH = 1000
_MOST_LINES = 64
# So many lines of memory a decompressor may take for itself.
_MEMORY = 8

_limit: ContextVar[int] = ContextVar("pralign_line_limit", default=LONGEST_LINE)


def line_limit() -> int:
    """How many bytes a line may have here and now, its end included."""
    return _limit.get()


@contextmanager
def lines_up_to(size: str | int) -> Iterator[None]:
    """Let lines of text files be as long as this, such as ``"64M"``, for all that is opened within the block.

    What compressed files may grow to follows it. The command line has ``--max-line`` for it.

    Raises:
        UsageError: It is no size.

    Example:
        >>> with lines_up_to("64M"):
        ...     line_limit()
        64000000
    """
    limit = parse_size(size)
    if not 0 < limit <= sys.maxsize // _MOST_GROWTH:
        raise UsageError(f"the longest line is a number of bytes above 0, such as 64M, not {size}")
    before = _limit.set(limit)
    try:
        yield
    finally:
        _limit.reset(before)


def read_lines(path: str | Path, limit: int | None = None) -> Iterator[str]:
    r"""Yield the lines of a text file in UTF-8, or in UTF-16 with a byte-order mark, without their line ends.

    ``-`` is standard input. Files compressed with gzip, xz, bzip2 or zstd are recognised by their first bytes.
    Only ``\n`` ends a line (a ``\r`` before it is dropped), so that exotic separators inside a sentence, such as
    U+2028, never change the number of lines. A byte-order mark at the start is no part of the text.

    Sizes are bounded, since a few bytes can be unpacked into more than there is memory for: a line has at most
    ``limit`` bytes, and a compressed file becomes at most 1000 times as large as what was read of it, plus 64 lines of
    the longest kind.

    Args:
        path: The file.
        limit: How many bytes a line may have; :func:`line_limit` unless given.

    Raises:
        InputError: The file is missing, unreadable, badly compressed, too large, no text, or text in another encoding;
            or its lines end as they did on old Macs, so that all of it is one line.
    """
    return _lines(path, line_limit() if limit is None else limit)


def _lines(path: str | Path, limit: int) -> Iterator[str]:
    name = display_name(path)
    number = total = 0
    try:
        with _open_bytes(path, limit) as (stream, size):
            most = size.most(limit)
            raw, stream = _first_line(stream, path, limit)
            while raw:
                number += 1
                total += len(raw)
                if len(raw) > limit:
                    raise InputError(f"{name}, line {number}: longer than {limit:,} bytes; {_allow_more(limit)}")
                if total > most and total > (most := size.most(limit)):
                    raise InputError(
                        f"{name}, line {number}: {size.taken:,} compressed bytes have become {total:,}, which is more "
                        f"than text does; {_allow_more(limit)}"
                    )
                line = _decode(raw, name, number, stream)
                if number == 1 and line.startswith(_BYTE_ORDER_MARK):
                    if raw.decode() == _BYTE_ORDER_MARK:  # which alone is no line
                        return
                    line = line[1:]
                yield line
                raw = stream.readline(limit + 1)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name}, line {number + 1}: is no UTF-16, though the file begins like it; save the file again as UTF-8"
        ) from error
    except BAD_COMPRESSION as error:
        if needs_memory(error):
            raise InputError(
                f"{name}: takes more than {largest_window(_MEMORY * limit):,} bytes of memory to unpack; "
                f"{_allow_more(limit)}"
            ) from error
        raise InputError(f"{name}: damaged compressed data after line {number} ({error})") from error
    except OSError as error:
        raise InputError(f"{name}: cannot read: {reason(error)}") from error


def _allow_more(limit: int) -> str:
    return f"if that is meant, allow more by --max-line, such as --max-line {max(4 * limit // 10**6, 1)}M"


def display_name(path: str | Path) -> str:
    """The name of a file as messages show it."""
    return "standard input" if str(path) == STANDARD_STREAM else str(path)


def is_regular_file(path: str | Path) -> bool:
    """Whether there is a file under this name that can be read again and again; no pipe, and not standard input.

    Raises:
        InputError: The system cannot tell, since the name is too long for example.
    """
    if str(path) == STANDARD_STREAM:
        return False
    try:
        return Path(path).is_file()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot read: {reason(error)}") from error


class BoundedBytes(io.RawIOBase):
    """The bytes of a file whose parts are bounded in size, and which becomes no larger than text does.

    Who reads it says by :meth:`restart` where a part ends.
    """

    def __init__(self, stream: BinaryIO, size: _Size, name: str) -> None:
        super().__init__()
        self._stream, self._size, self._name = stream, size, name
        self._limit = line_limit()
        self._total = self._part = 0

    def readable(self) -> bool:
        """That it is."""
        return True

    def restart(self) -> None:
        """A part has ended, and another begins."""
        self._part = 0

    def read(self, size: int = -1) -> bytes:
        """Some bytes, at most so many.

        Raises:
            InputError: The file or a part of it is too large.
        """
        data = self._stream.read(_BUFFER if size < 0 else size)
        self._total += len(data)
        self._part += len(data)
        if self._part > self._limit + _BUFFER:
            raise InputError(
                f"{self._name}: a part of it is longer than {self._limit:,} bytes; {_allow_more(self._limit)}"
            )
        if self._total > self._size.most(self._limit):
            raise InputError(
                f"{self._name}: {self._size.taken:,} compressed bytes have become {self._total:,}, which is more "
                f"than text does; {_allow_more(self._limit)}"
            )
        return data


@contextmanager
def open_bytes(path: str | Path) -> Iterator[BoundedBytes]:
    """The bytes of a file, or of standard input, without its compression.

    Raises:
        InputError: It is missing, unreadable or badly compressed.
    """
    name, limit = display_name(path), line_limit()
    try:
        with _open_bytes(path, limit) as (stream, size):
            yield BoundedBytes(stream, size, name)
    except BAD_COMPRESSION as error:
        raise InputError(f"{name}: damaged compressed data ({error})") from error
    except OSError as error:
        raise InputError(f"{name}: cannot read: {reason(error)}") from error


@dataclass
class _Size:
    """How much of a file was read, and how much it may become."""

    compressed: bool = False
    taken: int = 0

    def most(self, limit: int) -> int:
        """How many bytes may come out of what was read so far."""
        return _MOST_GROWTH * self.taken + _MOST_LINES * limit if self.compressed else sys.maxsize


@contextmanager
def _open_bytes(path: str | Path, limit: int) -> Iterator[tuple[BinaryIO, _Size]]:
    with ExitStack() as stack:
        if str(path) != STANDARD_STREAM:
            raw: BinaryIO = stack.enter_context(_open_file(path))
        elif sys.stdin is None:  # closed by whoever started the program
            raise InputError("standard input: cannot read: it is closed")
        else:
            raw = sys.stdin.buffer
        head = raw.read(LONGEST_MAGIC)
        kind = kind_of(head)
        size = _Size(kind is not None)
        stream = cast(BinaryIO, io.BufferedReader(_PutBack(head, raw, size), _BUFFER))
        if kind is not None:
            stream = stack.enter_context(decompressing(stream, kind, largest_window(_MEMORY * limit)))
        yield stream, size


def _open_file(path: str | Path) -> BinaryIO:
    try:
        return Path(path).open("rb")
    except ValueError as error:  # a name that no file can have
        raise InputError(f"{path}: cannot read: {error}") from error


class _PutBack(io.RawIOBase):
    """A stream whose first bytes were read and are put back; unlike seeking, this works for pipes too."""

    def __init__(self, head: bytes, rest: BinaryIO, size: _Size) -> None:
        super().__init__()
        self._head = head
        self._rest = rest
        self._size = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._head[: len(buffer)] if self._head else self._rest.read(len(buffer))
        self._head = self._head[len(data) :]
        self._size.taken += len(data)
        buffer[: len(data)] = data
        return len(data)


def write_text(stream: BinaryIO, suffix: str) -> IO[str]:
    """Text as bytes for a stream, which stays open, compressed as a name ending in ``suffix`` says."""
    kind = suffix.removeprefix(".")
    if kind == "gz":
        compressed: Any = GzipBlocks(stream)
    else:
        compressed = OPENERS[kind](stream, "wb") if kind in OPENERS else Uncompressed(stream)
    return io.TextIOWrapper(compressed, encoding="utf-8", newline="\n")


class Uncompressed(io.BufferedIOBase):
    """Bytes as they are, on their way to a stream that stays open."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream

    def writable(self) -> bool:
        """That it is."""
        return True

    def write(self, data: Any) -> int:
        """Hand bytes on."""
        return self._stream.write(data)

    def flush(self) -> None:
        """Let the stream hand on what it holds."""
        if not self.closed:
            self._stream.flush()


def _first_line(stream: BinaryIO, path: str | Path, limit: int) -> tuple[bytes, BinaryIO]:
    """The first line of a text in UTF-8, and a stream of the others.

    Raises:
        InputError: It tells that the file is no text, or not as text has to be.
    """
    raw = stream.readline(limit + 1)
    if has_utf16_mark(raw):
        stream = utf8_of(raw, stream)
        raw = stream.readline(limit + 1)
    if trouble := other_kind(raw, path) or unmarked_kind(raw) or _old_line_ends(raw, limit):
        raise InputError(f"{display_name(path)}: {trouble}")
    return raw, stream


def _old_line_ends(raw: bytes, limit: int) -> str | None:
    is_all = not raw.endswith(b"\n") and len(raw) <= limit
    if b"\r" in raw[:-1] and (is_all or raw.count(b"\r") > _MANY):
        return "lines end with \\r alone, as on old Macs; convert them first: tr '\\r' '\\n' < FILE > NEW"
    return None


def _decode(raw: bytes, name: str, number: int, rest: BinaryIO) -> str:
    body = raw.removesuffix(b"\n").removesuffix(b"\r")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        where = f"{name}, line {number}, byte {error.start + 1}: 0x{body[error.start]:02x} is not valid UTF-8"
        # A line end in UTF-16 has a zero before or after it.
        if raw.endswith(b"\0\n"):
            advice = utf16_advice("BE")
        elif raw.startswith(b"\0") or (number == 1 and rest.read(1) == b"\0"):
            advice = utf16_advice("LE")
        else:
            is_cut = error.end == len(raw) and error.reason.startswith("unexpected end")
            advice = f"convert the file first: {_CONVERT}{_OR_CUT if is_cut else ''}"
        raise InputError(f"{where}; {advice}") from error


_CONVERT = (
    "iconv -f ENCODING -t UTF-8 FILE > NEW, where ENCODING is what it was saved in, perhaps ISO-8859-1, WINDOWS-1252 "
    "or SHIFT_JIS"
)
_OR_CUT = "; or get it whole, if it was cut off here"


def reason(error: OSError | ValueError) -> str:
    """Why reading or writing failed, in a few words."""
    if isinstance(error, IsADirectoryError):
        return "it is a directory"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
