"""Compressed files: told by their first bytes, and opened so that reading them takes no memory without bound."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO, cast

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

#: What a file that is not what it should be raises while it is read.
BAD_COMPRESSION = (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile, zstd.ZstdError)

_MAGIC = {b"\x1f\x8b": "gz", b"\xfd7zXZ\x00": "xz", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zst"}
#: So many first bytes tell how a file is compressed.
LONGEST_MAGIC = max(map(len, _MAGIC))

#: What opens a file of each kind.
OPENERS: dict[str, Callable[..., Any]] = {"gz": gzip.open, "xz": lzma.open, "bz2": bz2.open, "zst": zstd.open}
_BUFFER = 1 << 17
_BLOCK = 1 << 16
# What xz and zstd may look back on while they unpack: 128 MiB are enough for all but their most extreme settings.
_LEAST_WINDOW_LOG, _LARGEST_WINDOW_LOG = 27, zstd.DecompressionParameter.window_log_max.bounds()[1]
_BESIDES = 1 << 20  # what xz takes besides
_NO_MEMORY = ("memory usage limit", "too much memory")


def kind_of(head: bytes) -> str | None:
    """How a file that begins with these bytes is compressed, if it is: ``gz``, ``xz``, ``bz2`` or ``zst``."""
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), None)


def largest_window(memory: int) -> int:
    """How many bytes of text a decompressor may look back on if it may take so much memory, or a little more."""
    return 1 << min(max(_LEAST_WINDOW_LOG, memory.bit_length() - 1), _LARGEST_WINDOW_LOG)


def decompressing(stream: BinaryIO, kind: str, window: int) -> BinaryIO:
    """The text of a compressed stream, as a stream.

    Args:
        stream: The compressed bytes.
        kind: How they are compressed, as :func:`kind_of` says.
        window: How many bytes the decompressor may look back on, as :func:`largest_window` says. A file that asks for
            more cannot be read; :func:`needs_memory` tells it from one that is damaged.
    """
    if kind == "xz":
        return cast(BinaryIO, io.BufferedReader(_Xz(stream, window + _BESIDES), _BUFFER))
    log = window.bit_length() - 1
    options = {"options": {zstd.DecompressionParameter.window_log_max: log}} if kind == "zst" else {}
    return cast(BinaryIO, OPENERS[kind](stream, "rb", **options))


def needs_memory(error: BaseException) -> bool:
    """Whether decompressing has failed because it would take more memory than it may."""
    return any(reason in str(error).lower() for reason in _NO_MEMORY)


class _Xz(io.RawIOBase):
    """The text of a file of xz, which says itself how much memory it takes, up to gigabytes; ``lzma.open`` believes it.

    One file may be several, one after the other, with zeros between. What follows the last must not be anything else.
    """

    def __init__(self, stream: BinaryIO, memory: int) -> None:
        super().__init__()
        self._stream = stream
        self._memory = memory
        self._decompressor = self._next()

    def _next(self) -> lzma.LZMADecompressor:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=self._memory)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = b""
        while not data:
            block = b""
            if self._decompressor.eof:
                block = self._after_end()
                if not block:
                    return 0
                self._decompressor = self._next()
            elif self._decompressor.needs_input:
                block = self._stream.read(_BLOCK)
                if not block:
                    raise EOFError("the file ends before its compressed data does")
            data = self._decompressor.decompress(block, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _after_end(self) -> bytes:
        """What follows the end of one compressed file within another, without the zeros in between."""
        block = self._decompressor.unused_data.lstrip(b"\0")
        while not block:
            more = self._stream.read(_BLOCK)
            if not more:
                return b""
            block = more.lstrip(b"\0")
        return block
