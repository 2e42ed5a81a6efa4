"""Text files, plain or compressed, and standard input, read line by line, each line of a bounded size."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, BinaryIO

from pralign.errors import InputError, UsageError
from pralign.memory import parse_size
from pralign.text.compression import BAD_COMPRESSION, OPENERS
from pralign.text.encodings import has_utf16_mark, unmarked_kind, utf8_of, utf16_advice
from pralign.text.gzip_blocks import GzipBlocks
from pralign.text.kinds import other_kind
from pralign.text.raw import (
    MOST_GROWTH,
    STANDARD_STREAM,
    allow_more,
    damaged,
    display_name,
    open_bytes,
    reason,
    would_wait,
)
from pralign.text.raw import open_raw as _open_bytes

__all__ = [
    "LONGEST_LINE",
    "STANDARD_STREAM",
    "Arrival",
    "Uncompressed",
    "display_name",
    "is_regular_file",
    "line_limit",
    "lines_up_to",
    "open_bytes",
    "read_lines",
    "reason",
    "write_text",
]

#: So many bytes a line may have unless the user allows more: a hundred times the longest sentence that is trained on.
LONGEST_LINE = 16 << 20

_MANY = 10  # carriage returns in one line, so that they must be line ends
_BYTE_ORDER_MARK = "\ufeff"

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
    if not 0 < limit <= sys.maxsize // MOST_GROWTH:
        raise UsageError(f"the longest line is a number of bytes above 0, such as 64M, not {size}")
    before = _limit.set(limit)
    try:
        yield
    finally:
        _limit.reset(before)


class Arrival:
    """Whether the next line of a file is there already, or might have to be waited for; see :func:`read_lines`."""

    def __init__(self) -> None:
        self._stream: BinaryIO | None = None

    def watch(self, stream: BinaryIO) -> None:
        """Look at a stream from now on."""
        self._stream = stream

    @property
    def is_due(self) -> bool:
        """Whether the next line might have to be waited for."""
        return self._stream is not None and would_wait(self._stream)


def read_lines(path: str | Path, limit: int | None = None, arrival: Arrival | None = None) -> Iterator[str]:
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
        arrival: Is told what to look at, if somebody wants to know whether lines have to be waited for.

    Raises:
        InputError: The file is missing, unreadable, badly compressed, too large, no text, or text in another encoding;
            or its lines end as they did on old Macs, so that all of it is one line.
    """
    return _lines(path, line_limit() if limit is None else limit, Arrival() if arrival is None else arrival)


def _lines(path: str | Path, limit: int, arrival: Arrival) -> Iterator[str]:
    name = display_name(path)
    number = total = 0
    try:
        with _open_bytes(path, limit) as (stream, size):
            most = size.most(limit)
            arrival.watch(stream)
            raw, stream = _first_line(stream, path, limit)
            while raw:
                number += 1
                total += len(raw)
                if len(raw) > limit:
                    raise InputError(f"{name}, line {number}: longer than {limit:,} bytes; {allow_more(limit)}")
                if total > most:
                    size.check(total, limit, f"{name}, line {number}")
                    most = size.most(limit)
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
        raise damaged(name, error, limit, f" after line {number}") from error
    except OSError as error:
        raise InputError(f"{name}: cannot read: {reason(error)}") from error


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
