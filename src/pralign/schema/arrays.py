"""Declares the arrays of something saved, and checks them before a kernel sees them.

A schema names each array with its type, its shape and what its numbers may be. Sizes have names, such as ``"word
pairs"``: wherever a name occurs, the size must be the same. Large arrays are looked at in place or part by part, so
that checking takes little time and no memory to speak of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.schema.errors import ArrayError
from pralign.schema.values import shown

#: A size: a number, or the name of one, perhaps with a number added: ``"source words + 1"``.
Size = int | str

# So many numbers are looked at together where that takes memory.
_AT_ONCE = 1 << 20
_NOT_FINITE = "has values that are not finite numbers"


class Facts(NamedTuple):
    """What a check may look at besides its array: the arrays beside it, and the sizes by their names."""

    arrays: Mapping[str, NDArray[Any]]
    sizes: Mapping[str, int]


#: Says what is wrong with an array, to follow its name in a message; nothing if it is as it should be.
Check = Callable[[NDArray[Any], Facts], str | None]


@dataclass(frozen=True)
class Array:
    """What an array must be like.

    Attributes:
        dtype: The type of its numbers; with none, any.
        shape: Its sizes; with none, any.
        checks: What else must hold. Numbers must be finite in any case, unless ``infinite`` says otherwise.
        or_empty: Whether it may also be empty, as before anything was counted.
        optional: Whether it may be missing.
        infinite: Whether infinity is a number here.
    """

    dtype: str | None = None
    shape: tuple[Size, ...] | None = None
    checks: tuple[Check, ...] = ()
    or_empty: bool = False
    optional: bool = False
    infinite: bool = False


Schema = Mapping[str, Array]


def check_arrays(arrays: Mapping[str, NDArray[Any]], schema: Schema, sizes: dict[str, int]) -> None:
    """Compare arrays with their schema: all that are declared are there, as declared, and no others.

    Args:
        arrays: The arrays by name.
        schema: What they must be like.
        sizes: Sizes that are known already, by name; those that are found are added.

    Raises:
        ArrayError: An array is missing, unknown, or not as it was declared.

    Example:
        >>> schema = {"start": Array("int64", ("rows + 1",), (starts("cells"),)), "cell": Array("int64", ("cells",))}
        >>> check_arrays({"start": np.array([0, 2]), "cell": np.array([7, 8])}, schema, sizes := {})
        >>> sizes
        {'rows': 1, 'cells': 2}
        >>> check_arrays({"start": np.array([0, 3]), "cell": np.array([7, 8])}, schema, {})
        Traceback (most recent call last):
        pralign.schema.errors.ArrayError: the array start does not go from 0 to the number of cells (2)
    """
    check_names(arrays, schema)
    present = {name: each for name, each in schema.items() if name in arrays}
    for name, declared in present.items():
        _check_form(arrays[name], declared, name, sizes)
    facts = Facts(arrays, sizes)
    for name, declared in present.items():
        array = arrays[name]
        if array.size or not declared.or_empty:
            for check in (*_first_checks(declared), *declared.checks):
                if problem := check(array, facts):
                    raise ArrayError(name, problem)


def check_names(arrays: Mapping[str, NDArray[Any]], schema: Schema) -> None:
    """All arrays that are declared are there, and no others.

    Raises:
        ArrayError: One is missing or unknown.
    """
    for name in sorted(arrays.keys() - schema.keys()):
        raise ArrayError(shown(name)[1:-1], "is not one that this version of pralign knows; a newer one may")
    for name, declared in schema.items():
        if name not in arrays and not declared.optional:
            raise ArrayError(name, "is missing")


# Checks


@dataclass(frozen=True)
class between:  # noqa: N801
    """Each number lies in a range, its ends included."""

    least: float
    most: float

    def __call__(self, array: NDArray[Any], facts: Facts) -> str | None:
        """What is wrong."""
        if array.size == 0:
            return None
        low, high = array.min(), array.max()
        if array.dtype.kind == "f" and not (np.isfinite(low) and np.isfinite(high)):  # either is NaN if a number is
            return _NOT_FINITE
        if not (self.least <= low and high <= self.most):
            return f"has numbers that are not from {self.least:g} to {self.most:g}"
        return None


def indices(of: Size, least: int = 0) -> Check:
    """Each number is that of something there is: from ``least`` to below a size."""

    def check(array: NDArray[Any], facts: Facts) -> str | None:
        size = size_of(of, facts.sizes)
        if array.size and not (least <= array.min() and array.max() < size):
            return f"has numbers that are not from {least} to below {_named(of, size)}"
        return None

    return check


def starts(of: Size) -> Check:
    """Where rows begin in something of a size, one after the other: from 0 to the size, never falling."""

    def check(array: NDArray[Any], facts: Facts) -> str | None:
        size = size_of(of, facts.sizes)
        if array.size == 0 or array[0] != 0 or array[-1] != size:
            return f"does not go from 0 to {_named(of, size)}"
        for first in range(0, array.size, _AT_ONCE):
            part = array[first : first + _AT_ONCE + 1]
            if np.any(part[1:] < part[:-1]):
                return "falls, but says where rows begin, one after the other"
        return None

    return check


def ascending(start: str | None = None) -> Check:
    """Numbers rise, within each of the rows that begin where another array says (it must be declared before)."""

    def check(array: NDArray[Any], facts: Facts) -> str | None:
        begins = np.empty(0, np.int64) if start is None else facts.arrays[start]
        for first in range(0, array.size, _AT_ONCE):
            part = array[first : first + _AT_ONCE + 1]
            rises = part[1:] > part[:-1]
            low, high = np.searchsorted(begins, (first + 1, first + part.size))
            rises[begins[low:high] - first - 1] = True
            if not rises.all():
                return "is not in ascending order" + ("" if start is None else " within its rows")
        return None

    return check


def adding_up_to(most: float) -> Check:
    """Numbers are not negative, and their sum is no higher than any sum of counts can get."""

    def check(array: NDArray[Any], facts: Facts) -> str | None:
        if array.size and not (array.min() >= 0 and array.sum(dtype=np.float64) <= most):
            return f"has counts below zero, or more than {most:g} in all"
        return None

    return check


def parts_of(*arrays: NDArray[Any]) -> Iterator[tuple[NDArray[Any], ...]]:
    """Arrays of the same length, part by part."""
    for first in range(0, arrays[0].shape[0], _AT_ONCE):
        yield tuple(array[first : first + _AT_ONCE] for array in arrays)


def size_of(size: Size, sizes: Mapping[str, int]) -> int:
    """What a size is."""
    if isinstance(size, int):
        return size
    name, more = _taken_apart(size)
    return sizes[name] + more


def _first_checks(declared: Array) -> tuple[Check, ...]:
    """Numbers are finite; a range, if one is declared, says so too, and arrays are large."""
    if any(isinstance(check, between) for check in declared.checks):
        return ()
    return (_is_number if declared.infinite else between(-np.inf, np.inf),)


def _is_number(array: NDArray[Any], facts: Facts) -> str | None:
    return _NOT_FINITE if array.size and np.isnan(array.min()) else None


def _check_form(array: NDArray[Any], declared: Array, name: str, sizes: dict[str, int]) -> None:
    if declared.dtype is not None and array.dtype != np.dtype(declared.dtype):
        raise ArrayError(name, f"is of type {array.dtype}, not {declared.dtype}")
    if array.dtype == np.bool_ and array.size and array.view(np.uint8).max() > 1:
        raise ArrayError(name, "has values that are neither true nor false")
    if declared.shape is None or (declared.or_empty and array.size == 0 and array.ndim == len(declared.shape)):
        return
    if array.ndim != len(declared.shape):
        raise ArrayError(name, f"has {array.ndim} dimensions, not {len(declared.shape)}")
    for found, size in zip(array.shape, declared.shape, strict=True):
        if isinstance(size, str):
            base, more = _taken_apart(size)
            sizes.setdefault(base, max(found - more, 0))
        if found != (wanted := size_of(size, sizes)):
            shape = " by ".join(map(str, array.shape))
            raise ArrayError(name, f"has the shape {shape}, where {found} should be {_named(size, wanted)}")


def _taken_apart(size: str) -> tuple[str, int]:
    name, plus, more = size.rpartition(" + ")
    return (name, int(more)) if plus else (size, 0)


def _named(size: Size, number: int) -> str:
    return str(number) if isinstance(size, int) else f"the number of {size} ({number})"
