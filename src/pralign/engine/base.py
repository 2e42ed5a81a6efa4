"""What an engine is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from pralign.store import Store

Item = TypeVar("Item")
Result = TypeVar("Result")


class Engine(Protocol):
    """Runs a pure function over items, such as the numbers of shards, wherever it likes, and again if that fails.

    Example:
        >>> from pralign.engine import make_engine
        >>> engine: Engine = make_engine("threads", workers=2)
        >>> list(engine.map(len, ["one", "three"]))
        [3, 5]
    """

    @property
    def workers(self) -> int:
        """How many items are worked on at the same time."""

    @property
    def elsewhere(self) -> bool:
        """Whether work is done by other processes: functions are sent to them, and all data goes through files."""

    @property
    def memory(self) -> int:
        """The most memory, in bytes, that a process at work has taken so far."""

    def start(self) -> None:
        """Make sure that there are workers; whoever needs them starts them, so this is only to know sooner.

        Raises:
            PralignError: There are none.
        """

    def share(self, store: Store) -> None:
        """Make sure that all workers can read and write a store.

        Raises:
            PralignError: One of them cannot, or is not able to work at all.
        """

    def run(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield ``function(item)`` for each item, in any order."""

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield ``function(item)`` for each item, in the order of the items."""

    def close(self) -> None:
        """Give back what the engine has taken; it may be used again."""


def described(function: Callable[[Item], object], item: Item) -> str:
    """What a function does with an item, for people: tasks say so by a method ``describe``."""
    describe = getattr(function, "describe", None)
    return str(describe(item)) if describe is not None else f"{type(function).__name__} of {item}"
