"""Text files, plain or compressed, and standard input, read line by line."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from pralign.errors import InputError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

STANDARD_STREAM = "-"

_MAGIC = {b"\x1f\x8b": "gz", b"\xfd7zXZ\x00": "xz", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zst"}
_OPENERS: dict[str, Callable[..., Any]] = {"gz": gzip.open, "xz": lzma.open, "bz2": bz2.open, "zst": zstd.open}
_LONGEST_MAGIC = max(map(len, _MAGIC))
_BUFFER = 1 << 20
_BAD_COMPRESSION = (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile, zstd.ZstdError)


def read_lines(path: str | Path) -> Iterator[str]:
    r"""Yield the lines of a UTF-8 text file without their line ends.

    ``-`` is standard input. Files compressed with gzip, xz, bzip2 or zstd are recognised by their first bytes.
    Only ``\n`` ends a line (a ``\r`` before it is dropped), so that exotic separators inside a sentence, such as
    U+2028, never change the number of lines. A byte-order mark at the start is ignored.

    Raises:
        InputError: The file is missing, unreadable, badly compressed, or not UTF-8.
    """
    name = display_name(path)
    number = 0
    try:
        with _open_bytes(path) as stream:
            for number, raw in enumerate(stream, start=1):
                line = _decode(raw, name, number)
                yield line[1:] if number == 1 and line.startswith("\ufeff") else line
    except _BAD_COMPRESSION as error:
        raise InputError(f"{name}: damaged compressed data after line {number} ({error})") from error
    except OSError as error:
        raise InputError(f"{name}: cannot read: {reason(error)}") from error


def display_name(path: str | Path) -> str:
    """The name of a file as messages show it."""
    return "standard input" if str(path) == STANDARD_STREAM else str(path)


@contextmanager
def _open_bytes(path: str | Path) -> Iterator[BinaryIO]:
    with ExitStack() as stack:
        if str(path) == STANDARD_STREAM:
            raw: BinaryIO = sys.stdin.buffer
        else:
            raw = stack.enter_context(Path(path).open("rb"))
        head = raw.read(_LONGEST_MAGIC)
        stream = io.BufferedReader(_PutBack(head, raw), _BUFFER)
        kind = next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), None)
        yield cast(BinaryIO, stream if kind is None else stack.enter_context(_OPENERS[kind](stream, "rb")))


class _PutBack(io.RawIOBase):
    """A stream whose first bytes were read and are put back; unlike seeking, this works for pipes too."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        super().__init__()
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._head[: len(buffer)] if self._head else self._rest.read(len(buffer))
        self._head = self._head[len(data) :]
        buffer[: len(data)] = data
        return len(data)


def write_text(stream: BinaryIO, suffix: str) -> IO[str]:
    """Text as bytes for a stream, which stays open, compressed as a name ending in ``suffix`` says."""
    kind = suffix.removeprefix(".")
    if kind == "gz":  # which would otherwise contain a name and the time
        compressed: Any = gzip.GzipFile("", "wb", fileobj=stream, mtime=0)
    else:
        compressed = _OPENERS[kind](stream, "wb") if kind in _OPENERS else _Uncompressed(stream)
    return io.TextIOWrapper(compressed, encoding="utf-8", newline="\n")


class _Uncompressed(io.BufferedIOBase):
    """Bytes as they are, on their way to a stream that stays open."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return self._stream.write(data)

    def flush(self) -> None:
        if not self.closed:
            self._stream.flush()


def _decode(raw: bytes, name: str, number: int) -> str:
    body = raw.removesuffix(b"\n").removesuffix(b"\r")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = body[error.start]
        raise InputError(
            f"{name}, line {number}, byte {error.start + 1}: 0x{byte:02x} is not valid UTF-8; "
            "convert the file first, for example with iconv -f LATIN1 -t UTF-8"
        ) from error


def reason(error: OSError) -> str:
    """Why reading or writing failed, in a few words."""
    return "it is a directory" if isinstance(error, IsADirectoryError) else (error.strerror or str(error))
