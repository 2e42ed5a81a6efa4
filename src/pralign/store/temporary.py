"""A store in a directory that goes away with it."""

from __future__ import annotations

from pathlib import Path

from pralign.store.directory import DirectoryStore
from pralign.store.scratch import ScratchDirectory


class TemporaryStore(DirectoryStore):
    """A store in a new directory, which other processes see too, and which is removed when this one is done with it."""

    def __init__(self, scratch: str | Path | None = None) -> None:
        """Make the directory below ``scratch``, by default where temporary files go."""
        self._directory = ScratchDirectory(None if scratch is None else Path(scratch).absolute())
        super().__init__(self._directory.path)

    def __reduce__(self) -> tuple[type[DirectoryStore], tuple[str]]:
        """Others see the same directory, but are not to remove it."""
        return DirectoryStore, (str(self.folder),)

    def close(self) -> None:
        """Remove the directory."""
        self._directory.remove()
