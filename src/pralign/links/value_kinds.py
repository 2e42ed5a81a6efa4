"""What kind values are that JSON can hold, and of what one kind many of them are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pralign.text.extras import needed


@dataclass(frozen=True)
class Kind:
    """A kind of values.

    Attributes:
        name: What it is called.
        inside: For lists, the kind of what is in them; for objects, the kind of each field.
    """

    name: str
    inside: Kind | Mapping[str, Kind] | None = None


#: What ``null`` is, and the kinds of plain values; whole numbers are large if others could not tell them apart.
NOTHING, TRUTH, WHOLE, LARGE, NUMBER, TEXT = map(Kind, ("nothing", "truth", "whole", "large", "number", "text"))
#: What is not of one kind.
MIXED = Kind("mixed")
LIST, OBJECT = "list", "object"

_PLAIN = {type(None): NOTHING, bool: TRUTH, float: NUMBER, str: TEXT}
_LARGE, _LARGEST = 2**53, 2**63
# What holds values of two kinds of numbers.
_NUMBERS = {frozenset({WHOLE, NUMBER}): NUMBER, frozenset({WHOLE, LARGE}): LARGE}
_MOST_FIELDS = 1000


def kind_of(value: Any) -> Kind:
    """What kind a value is. What is mixed inside is mixed, and so is what no table can hold.

    Example:
        >>> kind_of([None, 1]).inside, kind_of({"a": [1, "x"]}), kind_of({})
        (Kind(name='whole', inside=None), Kind(name='mixed', inside=None), Kind(name='mixed', inside=None))
    """
    plain = _PLAIN.get(type(value))
    if plain is not None:
        return plain
    if isinstance(value, int):
        return WHOLE if abs(value) <= _LARGE else LARGE if -_LARGEST <= value < _LARGEST else MIXED
    if isinstance(value, list):
        inside = NOTHING
        for each in value:
            inside = merged(inside, kind_of(each))
        return _around(LIST, inside)
    if isinstance(value, Mapping):
        return _around(OBJECT, {str(name): kind_of(each) for name, each in value.items()})
    return MIXED


def merged(kind: Kind, other: Kind) -> Kind:
    """The kind that holds values of two kinds.

    Example:
        >>> [merged(kind, other).name for kind, other in [(NOTHING, TEXT), (WHOLE, NUMBER), (WHOLE, TEXT)]]
        ['text', 'number', 'mixed']
    """
    if kind is other or kind == other or other == NOTHING:
        return kind
    if kind == NOTHING:
        return other
    if isinstance(kind.inside, Kind) and isinstance(other.inside, Kind):
        return _around(LIST, merged(kind.inside, other.inside))
    if isinstance(kind.inside, Mapping) and isinstance(other.inside, Mapping):
        names = dict.fromkeys([*kind.inside, *other.inside])
        pairs = ((name, kind.inside.get(name, NOTHING), other.inside.get(name, NOTHING)) for name in names)
        return _around(OBJECT, {name: merged(left, right) for name, left, right in pairs})
    return MIXED if kind.inside or other.inside else _NUMBERS.get(frozenset({kind, other}), MIXED)


def _around(name: str, inside: Kind | Mapping[str, Kind]) -> Kind:
    """A kind of lists or objects, unless what is inside is mixed, or there are no fields, or too many."""
    kinds = [inside] if isinstance(inside, Kind) else list(inside.values())
    return MIXED if MIXED in kinds or not 0 < len(kinds) <= _MOST_FIELDS else Kind(name, inside)


def fitted(value: Any, kind: Kind) -> Any:
    """A value as one of a kind that holds it: among numbers that are not whole, those that are become like them."""
    if value is None:
        return None
    if kind == NUMBER:
        return float(value)
    if isinstance(kind.inside, Kind):
        return [fitted(each, kind.inside) for each in value]
    if isinstance(kind.inside, Mapping):
        return {name: fitted(value.get(name), each) for name, each in kind.inside.items()}
    return value


def arrow_kind(kind: Kind) -> Any:
    """What Arrow calls a kind; text for what is mixed, or nothing at all."""
    arrow = needed("pyarrow", "arrow")
    if isinstance(kind.inside, Kind):
        return arrow.list_(arrow_kind(kind.inside))
    if isinstance(kind.inside, Mapping):
        return arrow.struct([(name, arrow_kind(each)) for name, each in kind.inside.items()])
    plain = {TRUTH: arrow.bool_(), WHOLE: arrow.int64(), LARGE: arrow.int64(), NUMBER: arrow.float64()}
    return plain.get(kind, arrow.string())
