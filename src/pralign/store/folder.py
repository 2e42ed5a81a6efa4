"""Where the files of a store lie: a directory of this machine, or one that only a network reaches."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from io import BufferedIOBase
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from pralign.errors import UsageError

_PARTIAL = ".partial"


class Folder(Protocol):
    """Files by name. A file appears under its name only when it is whole. All failures are of the kind ``OSError``."""

    def write(self, name: str, write: Callable[[BinaryIO], object]) -> None:
        """Make a file of what ``write`` puts into a stream."""

    def open(self, name: str) -> BufferedIOBase:
        """Open a file for reading."""

    def has(self, name: str) -> bool:
        """Whether there is such a file."""

    def names(self) -> list[str]:
        """The names of all files that are whole."""

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""

    def delete_partial(self) -> None:
        """Delete what a program that was ended has left unfinished."""

    def make(self) -> None:
        """Make the directory, if it is not there."""

    def remove(self) -> None:
        """Remove the directory, if it is empty."""


class LocalFolder:
    """A directory of this machine, or one that it has mounted."""

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory)

    def __str__(self) -> str:
        return str(self.directory)

    def write(self, name: str, write: Callable[[BinaryIO], object]) -> None:
        """Make a file of what ``write`` puts into a stream."""
        partial = self.directory / f".{name}.{secrets.token_hex(4)}{_PARTIAL}"
        try:
            with partial.open("xb") as stream:
                write(stream)
            partial.replace(self.directory / name)
        except BaseException:
            with suppress(OSError):
                partial.unlink()
            raise

    def open(self, name: str) -> BufferedIOBase:
        """Open a file for reading."""
        return (self.directory / name).open("rb")

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return (self.directory / name).is_file()

    def names(self) -> list[str]:
        """The names of all files that are whole."""
        if not self.directory.exists():
            return []
        return sorted(path.name for path in self.directory.iterdir() if not _is_partial(path.name))

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        (self.directory / name).unlink(missing_ok=True)

    def delete_partial(self) -> None:
        """Delete what a program that was ended has left unfinished."""
        for path in self.directory.glob(f".*{_PARTIAL}"):
            path.unlink(missing_ok=True)

    def make(self) -> None:
        """Make the directory, if it is not there."""
        self.directory.mkdir(exist_ok=True)

    def remove(self) -> None:
        """Remove the directory, if it is empty."""
        self.directory.rmdir()


class RemoteFolder:
    """A directory that ``fsspec`` knows how to reach, named by an address such as ``s3://bucket/run``.

    Such places show a file only when it was closed, so there is nothing unfinished to hide or to delete.
    """

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/")
        self._files, self._root = _opened(self._address)

    def __reduce__(self) -> tuple[type[RemoteFolder], tuple[str]]:
        """Another process opens the address itself."""
        return type(self), (self._address,)

    def __str__(self) -> str:
        return self._address

    def write(self, name: str, write: Callable[[BinaryIO], object]) -> None:
        """Make a file of what ``write`` puts into a stream."""
        stream = self._files.open(self._path(name), "wb")
        try:
            write(stream)
        except BaseException:
            with suppress(AttributeError, NotImplementedError, OSError):
                stream.discard()
            raise
        stream.close()

    def open(self, name: str) -> BufferedIOBase:
        """Open a file for reading."""
        stream: BufferedIOBase = self._files.open(self._path(name), "rb", cache_type="readahead")
        return stream

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return bool(self._files.isfile(self._path(name)))

    def names(self) -> list[str]:
        """The names of all files."""
        self._files.invalidate_cache()
        with suppress(FileNotFoundError):
            paths = self._files.ls(self._root, detail=False)
            return sorted(path.rstrip("/").rpartition("/")[2] for path in paths)
        return []

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        with suppress(FileNotFoundError):
            self._files.rm_file(self._path(name))

    def delete_partial(self) -> None:
        """There is nothing unfinished to delete."""

    def make(self) -> None:
        """Make the directory, if there is such a thing."""
        self._files.makedirs(self._root, exist_ok=True)

    def remove(self) -> None:
        """Remove the directory, if there is such a thing and it is empty."""
        self._files.rmdir(self._root)

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"


def folder_at(place: str | Path) -> Folder:
    """The folder at a path, or at an address such as ``s3://bucket/run``.

    Raises:
        UsageError: It is an address, and what opens it is not installed.
    """
    return RemoteFolder(str(place)) if is_address(place) else LocalFolder(place)


def is_address(place: str | Path) -> bool:
    """Whether a place is not a path."""
    return isinstance(place, str) and "://" in place


def _opened(address: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise UsageError(
            f"{address}: addresses need the package fsspec; pip install 'pralign[remote]', or name a directory"
        ) from None
    try:
        files, root = url_to_fs(address, use_listings_cache=False)
    except ImportError as error:
        raise UsageError(f"{address}: {error}") from None
    except ValueError as error:
        raise UsageError(f"{address}: this is no address that can be opened: {error}") from None
    return files, str(root).rstrip("/")


def _is_partial(name: str) -> bool:
    return name.startswith(".") and name.endswith(_PARTIAL)
