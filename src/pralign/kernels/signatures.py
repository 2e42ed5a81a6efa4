"""The kernels that Python calls, and the types of the arguments that it calls them with.

They are listed in ``signatures.txt``, so that they can be compiled before they are called, several at a time. The list
has sections, each for runs of which some facts hold, such as ``[estimator=collapsed model=fhmm]``; a line is the time
that compiling took, in milliseconds, and the kernel with its types. A kernel that is missing there is compiled when it
is called. ``python -m tests.kernels.recording`` writes the list anew.

Types are written as ``f4`` for an array of numbers that NumPy calls ``f4``, ``f4.2`` for one of two dimensions, with
``A`` behind if it is not contiguous and ``r`` before if it is read-only; ``int64`` for a number; ``(f4, i8)`` for a
tuple and ``kernels.arrays.PairTable(i8, i4)`` for one with names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, types

LIST = Path(__file__).with_name("signatures.txt")

_ARRAY = re.compile(r"(r?)([a-z]\d+)(?:\.(\d))?([AF]?)")
_WORD = re.compile(r"[\w.]*")
_HERE = "pralign."


class Entry(NamedTuple):
    """A kernel by module and name, the types of its arguments, how long it took, and the facts of runs that need it."""

    kernel: str
    signature: str
    milliseconds: int
    facts: frozenset[str]

    @property
    def dispatcher(self) -> Any:
        """The kernel itself."""
        module, _, name = self.kernel.rpartition(".")
        return getattr(import_module(_HERE + module), name)

    @property
    def types(self) -> tuple[Any, ...]:
        """The types of its arguments."""
        found: tuple[Any, ...] = parse_signature(self.signature)
        return found


@cache
def entries() -> tuple[Entry, ...]:
    """All kernels of the list."""
    return tuple(read_entries(LIST.read_text("utf-8").splitlines()))


def entries_for(facts: Collection[str] | None = None) -> list[Entry]:
    """The kernels that a run needs of which these facts hold, or all kernels; those first that take longest."""
    needed = [each for each in entries() if facts is None or each.facts <= frozenset(facts)]
    distinct = {(each.kernel, each.signature): each for each in needed}
    return sorted(distinct.values(), key=lambda each: -each.milliseconds)


def read_entries(lines: Iterable[str]) -> Iterator[Entry]:
    """The kernels that lines are about."""
    facts: frozenset[str] = frozenset()
    for line in lines:
        if line.startswith("["):
            facts = frozenset(line.strip("[]").split())
        elif line:
            milliseconds, call = line.split(" ", 1)
            kernel, _, signature = call.partition("(")
            yield Entry(kernel, f"({signature}", int(milliseconds), facts)


def parse_signature(text: str) -> Any:
    """The type that a text stands for.

    Example:
        >>> parse_signature("(f4.2, int64)")
        (Array(float32, 2, 'C', False, aligned=True), int64)
    """
    found, rest = _parse(text)
    if rest:
        raise ValueError(f"{rest!r} follows a type")
    return tuple(found) if isinstance(found, types.BaseTuple) else found


def _parse(text: str) -> tuple[Any, str]:
    """A type, and what follows it."""
    word = _WORD.match(text)[0]  # type: ignore[index]
    rest = text[len(word) :]
    if not rest.startswith("("):
        return _simple(word), rest
    members, rest = [], rest[1:]
    while not rest.startswith(")"):
        member, rest = _parse(rest.removeprefix(", "))
        members.append(member)
    if not word:
        return types.Tuple(tuple(members)), rest[1:]
    module, _, name = word.rpartition(".")
    named = getattr(import_module(_HERE + module), name)
    return types.BaseTuple.from_types(tuple(members), named), rest[1:]


def _simple(word: str) -> Any:
    match = _ARRAY.fullmatch(word)
    if match is None:
        return getattr(types, word)
    frozen, code, dimensions, layout = match.groups()
    return types.Array(from_dtype(np.dtype(code)), int(dimensions or 1), layout or "C", readonly=bool(frozen))


def format_type(of: Any) -> str:
    """The text that stands for a type, as :func:`parse_signature` reads it."""
    if isinstance(of, types.Array):
        code = np.dtype(str(of.dtype)).str[1:]
        dimensions = f".{of.ndim}" if of.ndim > 1 else ""
        return f"{'' if of.mutable else 'r'}{code}{dimensions}{'' if of.layout == 'C' else of.layout}"
    if isinstance(of, types.BaseTuple):
        named = getattr(of, "instance_class", None)
        name = "" if named is None else f"{named.__module__.removeprefix(_HERE)}.{named.__name__}"
        return f"{name}({', '.join(map(format_type, of))})"
    return str(of)
