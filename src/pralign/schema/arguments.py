"""Checks what Python code passes as arguments against the types that are declared for them anyway."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pralign.errors import UsageError
from pralign.schema.values import shown


def check_argument(value: Any, kind: Any, name: str, form: str | None = None) -> Any:
    """The value of an argument if it is of a kind; numbers of numpy become plain ones.

    Args:
        value: Whatever was given.
        kind: The type that is declared: ``float | None``, ``Sequence[str] | str``, ``Literal["a", "b"]``, a class.
        name: The name of the argument.
        form: What to say it has to be, if the kind alone says too little.

    Raises:
        UsageError: It is not of that kind.

    Example:
        >>> check_argument(0.5, float | None, "threshold")
        0.5
        >>> check_argument("no", bool | None, "lowercase")
        Traceback (most recent call last):
        ...
        pralign.errors.UsageError: lowercase has to be True or False, not 'no'
    """
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        value = value.item()
    if not _fits(value, kind):
        [first, *others] = [each for each in get_args(kind) or [kind] if each is not NoneType]
        choices = kind if get_origin(kind) is Literal else first if not others else None
        if isinstance(value, str) and get_origin(choices) is Literal:
            raise UsageError(f"there is no {name} {shown(value)}; there are {', '.join(get_args(choices))}")
        raise UsageError(f"{name} has to be {form or in_words(kind)}, not {shown(value)}")
    return value


def check_path(path: Any, name: str = "a path") -> None:
    """Complain of what is no name of a file or directory.

    Raises:
        UsageError: It is none.

    Example:
        >>> check_path(5, "the directory")
        Traceback (most recent call last):
        ...
        pralign.errors.UsageError: the directory has to be text or a path, not 5
    """
    if not isinstance(path, str | Path | PathLike) or not str(path):
        raise UsageError(f"{name} has to be text or a path, not {shown(path)}")


def check_names(given: Iterable[str], known: Iterable[str], complaint: str) -> None:
    """Complain of names that are not known, and say which one is most like the first of them.

    Args:
        given: The names that were given.
        known: The names there are.
        complaint: What to say, with ``{names}`` in it.

    Raises:
        UsageError: One is not known.

    Example:
        >>> check_names(["modle"], ["model", "threads"], "an aligner has no argument {names}")
        Traceback (most recent call last):
        ...
        pralign.errors.UsageError: an aligner has no argument modle; did you mean model?
    """
    names = list(known)
    if unknown := sorted(set(given).difference(names)):
        near = get_close_matches(unknown[0], names, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
        raise UsageError(f"{complaint.format(names=', '.join(unknown))}; {hint}")


def _fits(value: Any, kind: Any) -> bool:
    origin, inside = get_origin(kind), get_args(kind)
    if kind is Any:
        return True
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in inside)
    if origin is Literal:
        return isinstance(value, str) and value in inside
    if origin is tuple or origin is Sequence:
        return isinstance(value, Sequence) and not isinstance(value, str | bytes) and _items_fit(value, inside)
    if origin is Mapping:
        return isinstance(value, Mapping) and _items_fit(value, inside) and _items_fit(value.values(), inside[1:])
    if kind in (float, int):
        return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    if getattr(kind, "_is_protocol", False):
        methods = [name for name, member in vars(kind).items() if callable(member) and not name.startswith("_")]
        return not isinstance(value, type) and all(hasattr(type(value), name) for name in methods)
    return isinstance(value, kind)


def _items_fit(values: Iterable[Any], kinds: tuple[Any, ...]) -> bool:
    """Whether items are of a kind, or, in a tuple of a fixed length, each of its own."""
    if len(kinds) > 1 and kinds[1] is not Ellipsis and isinstance(values, Sequence):
        return len(values) == len(kinds) and all(_fits(value, kind) for value, kind in zip(values, kinds, strict=True))
    return all(_fits(value, kinds[0]) for value in values)


def in_words(kind: Any) -> str:
    """A kind as people say it; that an argument may be left out goes without saying.

    Example:
        >>> in_words(float | Literal["auto"] | None), in_words(int), in_words(Sequence[str] | str)
        ("a number or 'auto'", 'a whole number', 'a list or text')
    """
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(in_words(each) for each in inside if each is not NoneType))
    if origin is Literal:
        return " or ".join(map(repr, inside))
    if origin in (tuple, Sequence):
        return "a list"
    if origin is Mapping:
        return "a dictionary"
    plain = {float: "a number", int: "a whole number", str: "text", bool: "True or False", Path: "a path"}
    return plain.get(kind, f"an object like {getattr(kind, '__name__', kind)}")
