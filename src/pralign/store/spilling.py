"""A store that begins in memory and goes on in files."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from pralign.store.directory import DirectoryStore
from pralign.store.memory import Arrays, MemoryStore
from pralign.store.scratch import ScratchDirectory


class SpillingStore:
    """Keeps groups in memory as long as they fit, and the others in a directory that goes away with the store.

    Small corpora so never touch the disk. The directory is made when it is first needed.
    """

    def __init__(self, most_bytes: int, scratch: str | Path | None = None) -> None:
        """Keep ``most_bytes`` in memory, the rest below ``scratch``, by default where temporary files go."""
        self._most = self._room = most_bytes
        self._scratch = scratch
        self._memory = MemoryStore()
        self._sizes: dict[str, int] = {}
        self._files: DirectoryStore | None = None
        self._directory: ScratchDirectory | None = None
        self._lock = threading.Lock()

    def save(self, name: str, arrays: Arrays) -> None:
        """Keep a group of arrays."""
        size = sum(array.nbytes for array in arrays.values())
        self.delete(name)
        with self._lock:
            fits = size <= self._room
            if fits:
                self._room -= size
                self._sizes[name] = size
            elif self._files is None:
                self._files = self._open()
        if fits:
            self._memory.save(name, arrays)
        elif self._files is not None:
            self._files.save(name, arrays)

    def load(self, name: str, only: Sequence[str] | None = None) -> dict[str, NDArray[Any]]:
        """The group called ``name``, or some of its arrays."""
        if self._memory.has(name) or self._files is None:
            return self._memory.load(name, only)
        return self._files.load(name, only)

    def load_rows(self, name: str, rows: Mapping[str, slice]) -> dict[str, NDArray[Any]]:
        """Some rows of some arrays of a group."""
        if self._memory.has(name) or self._files is None:
            return self._memory.load_rows(name, rows)
        return self._files.load_rows(name, rows)

    def has(self, name: str) -> bool:
        """Whether there is a group called ``name``."""
        return self._memory.has(name) or (self._files is not None and self._files.has(name))

    def names(self, prefix: str = "") -> list[str]:
        """The names of all groups that begin with ``prefix``."""
        return [*self._memory.names(prefix), *([] if self._files is None else self._files.names(prefix))]

    def delete(self, name: str) -> None:
        """Forget a group."""
        with self._lock:
            self._room += self._sizes.pop(name, 0)
        self._memory.delete(name)
        if self._files is not None:
            self._files.delete(name)

    def close(self) -> None:
        """Forget everything, and remove the directory."""
        self._memory = MemoryStore()
        self._sizes.clear()
        self._room = self._most
        if self._directory is not None:
            self._directory.remove()
            self._directory, self._files = None, None

    def _open(self) -> DirectoryStore:
        self._directory = ScratchDirectory(self._scratch)
        return DirectoryStore(self._directory.path)
