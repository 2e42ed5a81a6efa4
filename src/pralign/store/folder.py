"""Where the files of a store lie: a directory of this machine, or one that only a network reaches."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedIOBase
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from pralign.disk import sync_directory
from pralign.errors import OutputError, UsageError

_PARTIAL = ".partial"
# Addresses of this machine, and of places where a file is there only when it is whole.
_LOCAL = ("file", "local")
_OBJECT_STORES = ("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "oss")


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
    """A directory of this machine, or one that it has mounted.

    Attributes:
        directory: Its path.
        durable: Whether files are on the disk before they get their names, so that not even a power cut loses them.
    """

    def __init__(self, directory: str | Path, durable: bool = False) -> None:
        self.directory = Path(directory)
        self.durable = durable

    def __str__(self) -> str:
        return str(self.directory)

    def write(self, name: str, write: Callable[[BinaryIO], object]) -> None:
        """Make a file of what ``write`` puts into a stream."""
        partial = self.directory / f".{name}.{secrets.token_hex(4)}{_PARTIAL}"
        try:
            with partial.open("xb") as stream:
                write(stream)
                if self.durable:
                    stream.flush()
                    os.fsync(stream.fileno())
            partial.replace(self.directory / name)
            if self.durable:
                sync_directory(self.directory)
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
        return sorted(path.name for path in self.directory.iterdir() if not is_partial(path.name))

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

    Object stores show a file only when it was closed; elsewhere it gets its name when it is whole.
    """

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/")
        self._files, self._root = _opened(self._address)
        self._shows_parts = address.partition("://")[0] not in _OBJECT_STORES

    def __reduce__(self) -> tuple[type[RemoteFolder], tuple[str]]:
        """Another process opens the address itself."""
        return type(self), (self._address,)

    def __str__(self) -> str:
        return self._address

    def write(self, name: str, write: Callable[[BinaryIO], object]) -> None:
        """Make a file of what ``write`` puts into a stream."""
        partial = f".{name}.{secrets.token_hex(4)}{_PARTIAL}" if self._shows_parts else name
        with _as_os_error():
            stream = self._files.open(self._path(partial), "wb")
            try:
                write(stream)
            except BaseException:
                with suppress(Exception):
                    stream.discard()
                if self._shows_parts:
                    with suppress(Exception):
                        self._files.rm_file(self._path(partial))
                raise
            stream.close()
            if self._shows_parts:
                self._files.mv(self._path(partial), self._path(name))

    def open(self, name: str) -> BufferedIOBase:
        """Open a file for reading."""
        with _as_os_error():
            stream: BufferedIOBase = self._files.open(self._path(name), "rb")
        return stream

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        with _as_os_error():
            return bool(self._files.isfile(self._path(name)))

    def names(self) -> list[str]:
        """The names of all files that are whole."""
        return [name for name in self._all_names() if not is_partial(name)]

    def _all_names(self) -> list[str]:
        self._files.invalidate_cache()
        with suppress(FileNotFoundError), _as_os_error():
            paths = self._files.ls(self._root, detail=False)
            return sorted(path.rstrip("/").rpartition("/")[2] for path in paths)
        return []

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        with suppress(FileNotFoundError), _as_os_error():
            self._files.rm_file(self._path(name))

    def delete_partial(self) -> None:
        """Delete what a program that was ended has left unfinished."""
        for name in filter(is_partial, self._all_names()):
            self.delete(name)

    def make(self) -> None:
        """Make the directory, if there is such a thing."""
        with _as_os_error():
            self._files.makedirs(self._root, exist_ok=True)

    def remove(self) -> None:
        """Remove the directory, if there is such a thing and it is empty."""
        with _as_os_error():
            self._files.rmdir(self._root)

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"


def folder_at(place: str | Path, durable: bool = False) -> Folder:
    """The folder at a path, or at an address such as ``s3://bucket/run``.

    Args:
        place: The path or address.
        durable: Whether files of this machine are to survive a power cut; at an address, that is the other side's care.

    Raises:
        UsageError: It is an address, and what opens it is not installed.
    """
    protocol, separator, path = str(place).partition("://")
    if separator and protocol in _LOCAL:
        return LocalFolder(path, durable)
    return RemoteFolder(str(place)) if separator else LocalFolder(place, durable)


def is_address(place: str | Path) -> bool:
    """Whether a place is not a path."""
    return "://" in str(place)


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


@contextmanager
def _as_os_error() -> Iterator[None]:
    """Let what drivers of addresses raise be of the kind that files raise."""
    try:
        yield
    except (OSError, OutputError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise OSError(f"{type(error).__name__}: {error}") from error


def is_partial(name: str) -> bool:
    """Whether a file of this name is one that is not whole."""
    return name.startswith(".") and name.endswith(_PARTIAL)
