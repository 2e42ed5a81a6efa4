"""Text in and out: plain or compressed files and standard streams, read line by line, written whole or not at all."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from pralign.errors import InputError, OutputError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

STANDARD_STREAM = "-"

_MAGIC = {b"\x1f\x8b": "gz", b"\xfd7zXZ\x00": "xz", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zst"}
_OPENERS: dict[str, Callable[..., Any]] = {"gz": gzip.open, "xz": lzma.open, "bz2": bz2.open, "zst": zstd.open}
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
        raise InputError(f"{name}: cannot read: {_reason(error)}") from error


def display_name(path: str | Path) -> str:
    """The name of a file as messages show it."""
    return "standard input" if str(path) == STANDARD_STREAM else str(path)


@contextmanager
def open_output(path: str | Path | None) -> Iterator[IO[str]]:
    """Open a text file for writing that appears under its name only when it is complete.

    ``None`` and ``-`` are standard output. The name's ending chooses the compression (.gz, .xz, .bz2, .zst).
    If the block fails, a file that was there before is left as it was.

    Raises:
        OutputError: Writing fails, for want of space for example.
    """
    try:
        if path is None or str(path) == STANDARD_STREAM:
            yield sys.stdout
            sys.stdout.flush()
        elif Path(path).exists() and not Path(path).is_file():  # a device or a named pipe: nothing to rename onto
            with Path(path).open("w", encoding="utf-8", newline="\n") as stream:
                yield stream
        else:
            with _renamed_when_whole(Path(path)) as stream:
                yield stream
    except BrokenPipeError:
        raise
    except OSError as error:
        name = "standard output" if path is None or str(path) == STANDARD_STREAM else path
        raise OutputError(f"{name}: cannot write: {_reason(error)}") from error


@contextmanager
def _renamed_when_whole(target: Path) -> Iterator[IO[str]]:
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        with _create_text(partial, target.suffix) as stream:
            yield stream
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def check_writable(path: str | Path | None) -> None:
    """Fail now rather than after hours of work if ``path`` cannot be written to.

    Raises:
        OutputError: The directory does not exist or does not allow writing, or the path is a directory.
    """
    if path is None or str(path) == STANDARD_STREAM:
        return
    target = Path(path)
    if target.is_dir():
        raise OutputError(f"{target}: is a directory; name a file to write to")
    if not target.parent.is_dir():
        raise OutputError(f"{target}: the directory {target.parent} does not exist")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise OutputError(f"{target}: no permission to write here")


def _open_bytes(path: str | Path) -> BinaryIO:
    raw = sys.stdin.buffer if str(path) == STANDARD_STREAM else io.FileIO(path)
    stream = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, raw), 1 << 20)
    head = stream.peek(6)[:6]
    for magic, kind in _MAGIC.items():
        if head.startswith(magic):
            return cast(BinaryIO, _OPENERS[kind](stream, "rb"))
    return cast(BinaryIO, stream)


def _create_text(path: Path, suffix: str) -> IO[str]:
    opener = _OPENERS.get(suffix.removeprefix("."))
    if opener is None:
        return path.open("w", encoding="utf-8", newline="\n")
    return cast(IO[str], opener(path, "wt", encoding="utf-8", newline="\n"))


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


def _reason(error: OSError) -> str:
    return "it is a directory" if isinstance(error, IsADirectoryError) else (error.strerror or str(error))
