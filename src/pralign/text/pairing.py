"""Walking through two inputs that go together line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from pralign.errors import InputError

L = TypeVar("L")
R = TypeVar("R")


class UnequalLinesError(InputError):
    """Two inputs that go together line by line have different numbers of lines.

    Attributes:
        left: The number of lines of the first input.
        right: The number of lines of the second input.

    Example:
        >>> try:
        ...     list(paired(["one"], ["un", "deux"], ("source.txt", "target.txt")))
        ... except UnequalLinesError as error:
        ...     print(error)
        source.txt has 1 line, target.txt 2
    """

    def __init__(self, left: tuple[str, int], right: tuple[str, int], advice: str | None = None) -> None:
        self.left, self.right = left[1], right[1]
        unit = "line" if self.left == 1 else "lines"
        super().__init__(f"{left[0]} has {self.left} {unit}, {right[0]} {self.right}{f'; {advice}' if advice else ''}")


def paired(left: Iterable[L], right: Iterable[R], names: tuple[str, str]) -> Iterator[tuple[L, R]]:
    """Yield the elements of both inputs in pairs, like ``zip(strict=True)`` with a message a user can act on.

    Where one input ends early, the other is read to its end, so that the message can name both numbers of
    lines.

    Raises:
        UnequalLinesError: One input is longer than the other.
    """
    lefts, rights = iter(left), iter(right)
    number = 0
    for number, item in enumerate(lefts, start=1):
        for other in rights:
            yield item, other
            break
        else:
            rest = sum(1 for _ in lefts)
            raise UnequalLinesError((names[0], number + rest), (names[1], number - 1))
    rest = sum(1 for _ in rights)
    if rest:
        raise UnequalLinesError((names[0], number), (names[1], number + rest))
