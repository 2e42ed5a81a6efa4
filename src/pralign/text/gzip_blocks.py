"""Writing gzip files by several threads: blocks of a megabyte, each compressed by itself.

A gzip file may have several members, one after the other, which every program reads as one. Where blocks are cut does
not depend on threads, so the bytes are always the same. They hold neither a name nor a time.
"""

from __future__ import annotations

import io
import os
import zlib
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, BinaryIO

_BLOCK = 1 << 20
_LEVEL = 4  # more than twice as fast as the usual 6, and seven percent larger
_GZIP = 31  # what zlib calls a window of the largest size, and a header of gzip
_MOST_THREADS = 8


class GzipBlocks(io.BufferedIOBase):
    """What is written here goes to a stream, compressed; the stream stays open."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream
        self._waiting = bytearray()
        self._pool: ThreadPoolExecutor | None = None
        self._under_way: deque[Future[bytes]] = deque()
        self._written = False

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, data: Any) -> int:
        """Take some bytes; whole blocks are compressed."""
        self._waiting += data
        if len(self._waiting) >= 2 * _BLOCK:
            blocks = len(self._waiting) // _BLOCK
            with memoryview(self._waiting) as view:
                for k in range(blocks):
                    self._submit(bytes(view[k * _BLOCK : (k + 1) * _BLOCK]))
            del self._waiting[: blocks * _BLOCK]
        return len(data)

    def close(self) -> None:
        """Compress what is left, and write everything."""
        if self.closed:
            return
        try:
            for first in range(0, len(self._waiting), _BLOCK):
                self._put(compressed(bytes(self._waiting[first : first + _BLOCK])))
            while self._under_way:
                self._write_first()
            if not self._written:
                self._stream.write(compressed(b""))
        finally:
            if self._pool is not None:
                self._pool.shutdown(cancel_futures=True)
            super().close()

    def _submit(self, block: bytes) -> None:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(min(_MOST_THREADS, os.cpu_count() or 1), "pralign-gzip")
        self._under_way.append(self._pool.submit(compressed, block))
        if len(self._under_way) > 2 * _MOST_THREADS:
            self._write_first()

    def _put(self, member: bytes) -> None:
        """Write a member behind all those that are under way."""
        while self._under_way:
            self._write_first()
        self._stream.write(member)
        self._written = True

    def _write_first(self) -> None:
        self._stream.write(self._under_way.popleft().result())
        self._written = True


def compressed(block: bytes) -> bytes:
    """A block as a gzip file of its own."""
    return zlib.compress(block, _LEVEL, _GZIP)
