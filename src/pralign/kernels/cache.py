"""The files that keep compiled kernels, of which none is believed before it is checked.

Numba keeps machine code in pickles: reading one runs what is in it, and a damaged one ends the program. Here, the index
of a kernel (.nbi) begins with a checksum and has those of its data files (.nbc); and an index is read only if it is the
file of this user, or of the one who may do everything, and nobody else could have written it. Whatever does not pass
counts as absent: the kernel is compiled anew, and the file replaced.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import pickle
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.serialize import dumps

_MAGIC = b"pralign kernels 1\n"
_DIGEST = hashlib.sha256().digest_size
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class CheckedCache(FunctionCache):
    """Keeps the machine code of one kernel on disk."""

    def __init__(self, function: Any) -> None:
        """Find a place for it.

        Raises:
            RuntimeError: There is none.
        """
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = CheckedFiles(self._cache_path, self._impl.filename_base, stamp)


class CheckedFiles(IndexDataCacheFile):
    """The index and the data files of one kernel.

    The index is a checksum and a pickle: for each signature, the name of a data file and its checksum.
    """

    def save(self, key: Any, data: Any) -> None:
        """Keep what was compiled for a signature."""
        overloads = self._load_index()
        content = dumps(data)
        taken = {name for name, _ in overloads.values()}
        free = (name for name in map(self._data_name, itertools.count(1)) if name not in taken)
        name = overloads[key][0] if key in overloads else next(free)
        with self._open_for_write(self._data_path(name)) as stream:
            stream.write(content)
        self._save_index({**overloads, key: (name, hashlib.sha256(content).digest())})

    def load(self, key: Any) -> Any:
        """What was compiled for a signature, or ``None``."""
        name, digest = self._load_index().get(key, (None, b""))
        if name is None:
            return None
        try:
            content = Path(self._data_path(name)).read_bytes()
        except OSError:
            return None
        return _unpickled(content) if hashlib.sha256(content).digest() == digest else None

    def _load_index(self) -> dict[Any, tuple[str, bytes]]:
        content = _read_own(Path(self._index_path))
        head, payload = content[: len(_MAGIC) + _DIGEST], content[len(_MAGIC) + _DIGEST :]
        found = _unpickled(payload) if head == self._head(payload) else None
        return found if isinstance(found, dict) else {}

    def _save_index(self, overloads: dict[Any, tuple[str, bytes]]) -> None:
        payload = dumps(overloads)
        with self._open_for_write(self._index_path) as stream:
            stream.write(self._head(payload) + payload)

    def _head(self, payload: bytes) -> bytes:
        """What an index begins with; one of another kernel, or of another version of anything, does so otherwise."""
        about = repr((self._index_name, self._version, self._source_stamp)).encode()
        return _MAGIC + hashlib.sha256(hashlib.sha256(about).digest() + payload).digest()

    @contextmanager
    def _open_for_write(self, path: str) -> Iterator[BinaryIO]:
        with super()._open_for_write(path) as stream:
            Path(stream.name).chmod(stat.S_IRUSR | stat.S_IWUSR)
            yield stream


def _read_own(path: Path) -> bytes:
    """The content of a file that nobody else can have written, or nothing."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as stream:
        facts = os.fstat(descriptor)
        if hasattr(os, "getuid") and (facts.st_uid not in (os.getuid(), 0) or facts.st_mode & _WRITABLE_BY_OTHERS):
            return b""
        try:
            return stream.read()
        except OSError:  # a directory, for example
            return b""


def _unpickled(content: bytes) -> Any:
    """What a pickle that was checked holds; ``None`` if it is of things that are not there any more."""
    try:
        return pickle.loads(content)
    except Exception:
        return None
