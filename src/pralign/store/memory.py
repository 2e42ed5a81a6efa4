"""What a store is, and the one that keeps everything in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]


class Store(Protocol):
    """Keeps groups of arrays by name. A group is written once, whole, and read as often as wanted."""

    def save(self, name: str, arrays: Arrays) -> None:
        """Keep a group of arrays, which must not be changed afterwards."""

    def load(self, name: str, only: Sequence[str] | None = None) -> dict[str, NDArray[Any]]:
        """The group called ``name``, or some of its arrays; they must not be changed."""

    def load_rows(self, name: str, rows: Mapping[str, slice]) -> dict[str, NDArray[Any]]:
        """Some rows of some arrays of a group, which follow each other; they must not be changed."""

    def has(self, name: str) -> bool:
        """Whether there is a group called ``name``."""

    def names(self, prefix: str = "") -> list[str]:
        """The names of all groups that begin with ``prefix``."""

    def delete(self, name: str) -> None:
        """Forget a group; one that is not there is forgotten already."""


class MemoryStore:
    """A store in memory.

    Example:
        >>> import numpy as np
        >>> store = MemoryStore()
        >>> store.save("counts/0", {"word": np.array([3, 1])})
        >>> store.load("counts/0")["word"].tolist(), store.names("counts/")
        ([3, 1], ['counts/0'])
    """

    def __init__(self) -> None:
        self._groups: dict[str, dict[str, NDArray[Any]]] = {}

    def save(self, name: str, arrays: Arrays) -> None:
        """Keep a group of arrays."""
        self._groups[name] = dict(arrays)

    def load(self, name: str, only: Sequence[str] | None = None) -> dict[str, NDArray[Any]]:
        """The group called ``name``, or some of its arrays."""
        group = self._groups[name]
        return group if only is None else {each: group[each] for each in only}

    def load_rows(self, name: str, rows: Mapping[str, slice]) -> dict[str, NDArray[Any]]:
        """Some rows of some arrays of a group."""
        return {each: self._groups[name][each][part] for each, part in rows.items()}

    def has(self, name: str) -> bool:
        """Whether there is a group called ``name``."""
        return name in self._groups

    def names(self, prefix: str = "") -> list[str]:
        """The names of all groups that begin with ``prefix``."""
        return [name for name in self._groups if name.startswith(prefix)]

    def delete(self, name: str) -> None:
        """Forget a group."""
        self._groups.pop(name, None)
