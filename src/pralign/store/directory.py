"""A store in a directory, for what is too large for memory or has to outlive the program."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from pralign.errors import OutputError
from pralign.store.memory import Arrays
from pralign.store.tensors import TensorFileError, read_tensors, write_tensors

_ENDING = ".tensors"
_SLASH = "+"  # in names of files


class DirectoryStore:
    """A store of one file a group, below a directory. A file appears under its name only when it is whole."""

    def __init__(self, directory: str | Path) -> None:
        """Use ``directory``, which has to be there."""
        self.directory = Path(directory)

    def save(self, name: str, arrays: Arrays) -> None:
        """Keep a group of arrays."""
        path = self._path(name)
        partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}.partial")
        try:
            write_tensors(partial, arrays)
            partial.replace(path)
        except OSError as error:
            with suppress(OSError):
                partial.unlink()
            raise OutputError(
                f"{path}: cannot write: {error.strerror or error}; name another place by --scratch or --checkpoint"
            ) from error

    def load(self, name: str, only: Sequence[str] | None = None) -> dict[str, NDArray[Any]]:
        """The group called ``name``, or some of its arrays."""
        path = self._path(name)
        try:
            return read_tensors(path, only)
        except TensorFileError as error:
            raise OutputError(f"{path}: {error}; delete the directory and start again") from error
        except FileNotFoundError as error:
            raise OutputError(f"{path}: is missing; delete the directory and start again") from error
        except OSError as error:
            raise OutputError(f"{path}: cannot be read: {error.strerror or error}") from error

    def has(self, name: str) -> bool:
        """Whether there is a group called ``name``."""
        return self._path(name).is_file()

    def names(self, prefix: str = "") -> list[str]:
        """The names of all groups that begin with ``prefix``."""
        found = (path.name.removesuffix(_ENDING).replace(_SLASH, "/") for path in self.directory.glob(f"*{_ENDING}"))
        return sorted(name for name in found if name.startswith(prefix))

    def delete(self, name: str) -> None:
        """Forget a group."""
        self._path(name).unlink(missing_ok=True)

    def delete_partial(self) -> None:
        """Delete what a program that was ended has left unfinished."""
        for path in self.directory.glob(f".*{_ENDING}.*.partial"):
            path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.directory / f"{name.replace('/', _SLASH)}{_ENDING}"
