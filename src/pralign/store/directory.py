"""A store in a directory, for what is too large for memory, has to outlive the program, or is for many machines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from pralign.errors import OutputError
from pralign.store.folder import Folder, folder_at, is_partial
from pralign.store.memory import Arrays
from pralign.store.tensors import TensorFileError, read_rows, read_stream, write_stream

_ENDING = ".tensors"
_SLASH = "+"  # in names of files


class DirectoryStore:
    """A store of one file a group, in a directory. A file appears under its name only when it is whole."""

    def __init__(self, place: str | Path, durable: bool = False) -> None:
        """Use the directory at ``place``, a path or an address, which has to be there.

        What is ``durable`` survives a power cut, which takes longer.
        """
        self.folder: Folder = folder_at(place, durable)

    def save(self, name: str, arrays: Arrays) -> None:
        """Keep a group of arrays."""
        try:
            self.folder.write(_file(name), lambda stream: write_stream(stream, arrays))
        except OSError as error:
            raise OutputError(
                f"{self._path(name)}: cannot write: {error.strerror or error}; name another place by --scratch or "
                "--checkpoint"
            ) from error

    def load(self, name: str, only: Sequence[str] | None = None) -> dict[str, NDArray[Any]]:
        """The group called ``name``, or some of its arrays."""
        return self._read(name, lambda stream: read_stream(stream, only))

    def load_rows(self, name: str, rows: Mapping[str, slice]) -> dict[str, NDArray[Any]]:
        """Some rows of some arrays of a group, of which nothing else is read."""
        return self._read(name, lambda stream: read_rows(stream, rows))

    def _read(self, name: str, read: Callable[[BufferedIOBase], dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
        try:
            with self.folder.open(_file(name)) as stream:
                return read(stream)
        except TensorFileError as error:
            raise OutputError(f"{self._path(name)}: {error}; delete the directory and start again") from error
        except FileNotFoundError as error:
            raise OutputError(f"{self._path(name)}: is missing; delete the directory and start again") from error
        except OSError as error:
            raise OutputError(f"{self._path(name)}: cannot be read: {error.strerror or error}") from error

    def has(self, name: str) -> bool:
        """Whether there is a group called ``name``."""
        return self.folder.has(_file(name))

    def names(self, prefix: str = "") -> list[str]:
        """The names of all groups that begin with ``prefix``."""
        files = (name for name in self.folder.names() if name.endswith(_ENDING))
        found = (name.removesuffix(_ENDING).replace(_SLASH, "/") for name in files)
        return sorted(name for name in found if name.startswith(prefix))

    def delete(self, name: str) -> None:
        """Forget a group."""
        self.folder.delete(_file(name))

    def _path(self, name: str) -> str:
        return f"{self.folder}/{_file(name)}"


def is_store_file(name: str) -> bool:
    """Whether a file of this name is one that such a store writes, or one that it has begun."""
    return name.endswith(_ENDING) or is_partial(name)


def _file(name: str) -> str:
    return f"{name.replace('/', _SLASH)}{_ENDING}"
