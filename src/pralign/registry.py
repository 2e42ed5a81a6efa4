"""Things that are known by name, such as models, constraints and file formats, and how users add their own."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, ValuesView
from contextlib import contextmanager
from typing import Generic, TypeVar, overload

from pralign.errors import UsageError

T = TypeVar("T")


class Registry(Generic[T]):
    """Names and what they stand for, in the order in which they were registered.

    Example:
        >>> greetings = Registry[str]("greeting")
        >>> greetings.register("en", "hello")
        'hello'
        >>> greetings["en"], "fr" in greetings, list(greetings), len(greetings)
        ('hello', False, ['en'], 1)
        >>> greetings["fr"]
        Traceback (most recent call last):
        ...
        pralign.errors.UsageError: there is no greeting 'fr'; there are en

        With a name alone, it is a decorator:

        >>> tests = Registry[Callable[[int], bool]]("test")
        >>> @tests.register("even")
        ... def is_even(number):
        ...     return number % 2 == 0
        >>> tests["even"](4)
        True
    """

    def __init__(self, noun: str, complaint: str = "there is no {noun} {name!r}; there are {names}") -> None:
        """Begin with nothing registered.

        Args:
            noun: What messages call such a thing.
            complaint: What to say of a name that is not known, with ``{noun}``, ``{name}`` and the known ``{names}``.
        """
        self._noun = noun
        self._complaint = complaint
        self._things: dict[str, T] = {}

    @overload
    def register(self, name: str, thing: T, *, replace: bool = True) -> T: ...

    @overload
    def register(self, name: str, *, replace: bool = True) -> Callable[[T], T]: ...

    def register(self, name: str, thing: T | None = None, *, replace: bool = True) -> T | Callable[[T], T]:
        """Make ``thing`` known by ``name`` and return it; without a thing, do so with what is decorated.

        What had the name before is forgotten, so that a cell of a notebook can be run again.

        Raises:
            UsageError: The name is taken, and ``replace`` is not set.
        """
        if thing is None:
            return lambda decorated: self.register(name, decorated, replace=replace)
        if name in self and not replace:
            raise UsageError(f"there is already a {self._noun} named {name!r}")
        self._things[name] = thing
        return thing

    def remove(self, name: str) -> None:
        """Forget what is known by ``name``.

        Raises:
            UsageError: Nothing is.
        """
        self.get(name)
        del self._things[name]

    @contextmanager
    def restored(self) -> Iterator[None]:
        """When the block ends, know again just what was known before it.

        Example:
            >>> greetings = Registry[str]("greeting")
            >>> with greetings.restored():
            ...     _ = greetings.register("en", "hello")
            ...     print(len(greetings))
            1
            >>> len(greetings)
            0
        """
        before = dict(self._things)
        try:
            yield
        finally:
            self._things = before

    def get(self, name: str) -> T:
        """What is known by ``name``, the same as ``registry[name]``.

        Raises:
            UsageError: Nothing is; the message lists the names there are.
        """
        try:
            return self._things[name]
        except KeyError:
            names = ", ".join(self)
            raise UsageError(self._complaint.format(noun=self._noun, name=name, names=names)) from None

    def __getitem__(self, name: str) -> T:
        return self.get(name)

    def __contains__(self, name: object) -> bool:
        return name in self._things

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)

    def values(self) -> ValuesView[T]:
        """The things, in order of registration."""
        return self._things.values()

    def items(self) -> ItemsView[str, T]:
        """The names and things, in order of registration."""
        return self._things.items()
