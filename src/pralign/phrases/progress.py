"""How far the making of a table has come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Result = TypeVar("Result")
#: Is told what is done, how many parts of it are done, and of how many; that is ``None`` while text is read.
Tell = Callable[[str, int, int | None], None]


def ignore(what: str, done: int, total: int | None) -> None:
    """Nobody wants to know."""


def telling(results: Iterable[Result], what: str, total: int, tell: Tell) -> Iterator[Result]:
    """Hand on the results of parts, and tell how many are done."""
    for done, result in enumerate(results, start=1):
        yield result
        tell(what, done, total)
