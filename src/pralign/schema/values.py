"""Checks what JSON holds against the types that Python code declares for it anyway."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pralign.schema.errors import SchemaError

Record = TypeVar("Record")

# Whole numbers up to here are the same as floating-point ones, so that no sum or product of them surprises.
MOST_WHOLE = 2**53
_SHOWN = 40


@dataclass(frozen=True)
class Bounds:
    """The least and the highest value of a number, as in ``Annotated[int, Bounds(1)]``."""

    least: float = -math.inf
    most: float = math.inf

    def __str__(self) -> str:
        if self.most == math.inf:
            return "" if self.least == -math.inf else f" of at least {self.least:g}"
        return f" of at most {self.most:g}" if self.least == -math.inf else f" from {self.least:g} to {self.most:g}"


#: A whole number that counts something.
Count = Annotated[int, Bounds(0)]
#: A probability, a share or a score between none and all; sums may be off by an error of rounding.
Share = Annotated[float, Bounds(0, 1 + 1e-5)]


def check_value(value: Any, kind: Any, name: str) -> Any:
    """The value, if it is of a kind; lists become tuples and objects become dataclasses where these are declared.

    Args:
        value: Whatever JSON held.
        kind: A type as Python code declares it: ``float | None``, ``tuple[float, float]``, ``list[str]``,
            ``Literal["a", "b"]``, ``Annotated[int, Bounds(1)]``, a dataclass.
        name: What the value is called in messages.

    Raises:
        SchemaError: It is not of that kind.

    Example:
        >>> check_value([1, 2.5], tuple[float, float], "gap")
        (1, 2.5)
        >>> check_value("5", int | None, "prefix")
        Traceback (most recent call last):
        pralign.schema.errors.SchemaError: prefix is '5', which is not a whole number or null
    """
    origin, inside = get_origin(kind), get_args(kind)
    if kind is Any:
        return value
    if origin is Annotated:
        _check_bounds(checked := check_value(value, inside[0], name), kind, name)
        return checked
    if origin in (Union, UnionType):
        return _check_union(value, kind, name)
    if origin is tuple and isinstance(value, list) and len(value) == len(inside):
        return tuple(check_value(item, each, name) for item, each in zip(value, inside, strict=True))
    if origin in (list, Sequence) and isinstance(value, list):
        return [check_value(item, inside[0], f"an item of {name}") for item in value]
    if is_dataclass(kind) and isinstance(kind, type):
        return read_record(value, kind, name)
    if not _is_plain(value, kind):
        raise SchemaError(f"{name} is {shown(value)}, which is not {_in_words(kind)}")
    return value


def read_record(content: Any, kind: type[Record], name: str) -> Record:
    """The dataclass whose fields a JSON object has: all of them, each of its kind, and no others.

    Raises:
        SchemaError: A field is missing, unknown, or of another kind.

    Example:
        >>> read_record({"least": 1, "most": 2.5}, Bounds, "bounds")
        Bounds(least=1, most=2.5)
    """
    names = [each.name for each in fields(kind) if each.init]  # type: ignore[arg-type]
    return kind(**check_fields(content, kinds_of(kind, names), name))


def kinds_of(kind: type, names: Iterable[str]) -> dict[str, Any]:
    """The kinds of some fields of a class, as it declares them."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in names}


def check_fields(content: Any, kinds: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The fields of a JSON object: all that are declared, each of its kind, and no others.

    Raises:
        SchemaError: A field is missing, unknown, or of another kind.
    """
    if not isinstance(content, dict):
        raise SchemaError(f"{name} is {shown(content)}, which is not an object with fields")
    missing, unknown = kinds.keys() - content.keys(), content.keys() - kinds.keys()
    if unknown:
        names = ", ".join(shown(each) for each in sorted(unknown))
        raise SchemaError(f"{name}: this version of pralign does not know {names}; a newer one may")
    if missing:
        raise SchemaError(f"{name}: there is no {', '.join(sorted(missing))}")
    return {field: check_value(content[field], kind, f"{name}: {field}") for field, kind in kinds.items()}


def shown(value: Any) -> str:
    """A value for a message: on one line, without control characters, and not endless."""
    try:
        text = ascii(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, or lists in lists without end
        return f"a {type(value).__name__} that is too large to be shown"
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _check_union(value: Any, kind: Any, name: str) -> Any:
    for each in get_args(kind):
        try:
            return check_value(value, each, name)
        except SchemaError:
            continue
    raise SchemaError(f"{name} is {shown(value)}, which is not {_in_words(kind)}")


def _check_bounds(value: Any, kind: Any, name: str) -> None:
    for bounds in kind.__metadata__:
        numeric = isinstance(bounds, Bounds) and isinstance(value, int | float)
        if numeric and not bounds.least <= value <= bounds.most:
            raise SchemaError(f"{name} is {shown(value)}, which is not {_in_words(kind)}")


def _is_plain(value: Any, kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return any(type(value) is type(each) and value == each for each in get_args(kind))
    if kind is float:
        return type(value) in (int, float) and abs(value) <= 1e300
    if kind is int:
        return type(value) is int and abs(value) <= MOST_WHOLE
    return kind in (str, bool, NoneType) and type(value) is kind


def _in_words(kind: Any) -> str:
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _in_words(inside[0]) + "".join(str(each) for each in kind.__metadata__)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_in_words(each) for each in inside if each is not Path))
    if origin is Literal:
        return " or ".join(map(repr, inside))
    if origin is tuple:
        return f"a list of {len(inside)}"
    if origin in (list, Sequence):
        return "a list"
    return {float: "a number", int: "a whole number", str: "text", bool: "true or false", NoneType: "null"}.get(
        kind, "an object with fields"
    )
