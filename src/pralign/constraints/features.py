"""Features: what a constraint bounds, in words that a person would use."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from pralign.errors import UsageError
from pralign.kernels.features import Features
from pralign.models.bidirectional import Lattices

Cell = tuple[int, int]
Cells = Mapping[Cell, float] | Iterable[Cell]
Direction = Literal["forward", "reverse"]
DIRECTIONS: tuple[Direction, Direction] = ("forward", "reverse")


@dataclass(frozen=True)
class Feature:
    """A weighted sum of links whose expectation is bounded. Cells are ``(source position, target position)``.

    Make one with :func:`at_most`, :func:`at_least` or :func:`exactly`.

    Attributes:
        forward: The values of cells in the forward model, where each target word has one source word or none.
        reverse: The values of cells in the reverse model, where each source word has one target word or none.
        bound: What the expectation may not exceed.
        equal: Whether it may not fall below the bound either.
    """

    forward: Mapping[Cell, float]
    reverse: Mapping[Cell, float]
    bound: float
    equal: bool = False

    def __post_init__(self) -> None:
        numbers = [self.bound, *self.forward.values(), *self.reverse.values()]
        if not all(math.isfinite(number) for number in numbers):
            raise UsageError("the bound of a feature and the values of its cells must be finite numbers")

    def cells(self, direction: Direction) -> Mapping[Cell, float]:
        """The values of cells in one direction."""
        return self.forward if direction == "forward" else self.reverse


def at_most(bound: float, *, forward: Cells = (), reverse: Cells = ()) -> Feature:
    """The expected sum of these cells (each counts one, or what a mapping says) is at most ``bound``.

    Example:
        >>> at_most(2, forward=[(0, 0), (0, 1), (0, 2)]).bound
        2
    """
    return Feature(_values(forward), _values(reverse), bound)


def at_least(bound: float, *, forward: Cells = (), reverse: Cells = ()) -> Feature:
    """The expected sum of these cells is at least ``bound``."""
    negated = [{cell: -value for cell, value in _values(cells).items()} for cells in (forward, reverse)]
    return Feature(negated[0], negated[1], -bound)


def exactly(bound: float, *, forward: Cells = (), reverse: Cells = ()) -> Feature:
    """The expected sum of these cells is ``bound``."""
    return Feature(_values(forward), _values(reverse), bound, equal=True)


def assemble(
    pairs: Sequence[Sequence[Feature]],
    lattices: Lattices,
    directions: Sequence[Direction],
    leading: Sequence[Direction],
) -> Features:
    """The features of each pair of a block as arrays, for the cells of one direction or of both.

    Features are listed by their cells in the order that these have in the ``leading`` direction of each pair; the cells
    of a feature, in the order of their own direction.
    """
    total = int(lattices.forward.cell_start[-1])
    columns: list[_Entry] = []
    sizes, bounds, equal, scale, first = [], [], [], [], [0]
    for number, (features, leader) in enumerate(zip(pairs, leading, strict=True)):
        listed = []
        for feature in features:
            entries = [
                _Entry(place + offset * total, value, (order, direction != leader))
                for offset, direction in enumerate(directions)
                for order, place, value in _places(feature.cells(direction), lattices, number, direction, leader)
            ]
            listed.append((sorted(entries), feature))
        for entries, feature in sorted(listed, key=lambda each: sorted(entry.order for entry in each[0])):
            columns += entries
            sizes.append(len(entries))
            bounds.append(float(feature.bound))
            equal.append(feature.equal)
            scale.append(max((abs(entry.value) for entry in entries), default=1.0) or 1.0)
        first.append(len(bounds))
    return Features(
        np.array(first, np.int64),
        np.cumsum([0, *sizes], dtype=np.int64),
        np.array([entry.place for entry in columns], np.int32),
        np.array([entry.value for entry in columns], np.float32),
        np.array(bounds, np.float64),
        np.array(equal, np.bool_),
        np.array(scale, np.float64),
        total,
    )


def empty_features(lattices: Lattices, features: int, entries: int, bound: float, equal: bool) -> Features:
    """Room for so many features, all with the same bound, for a kernel to fill."""
    return Features(
        np.zeros(lattices.forward.states.size + 1, np.int64),
        np.zeros(features + 1, np.int64),
        np.empty(entries, np.int32),
        np.empty(entries, np.float32),
        np.full(features, bound),
        np.full(features, equal),
        np.ones(features),
        int(lattices.forward.cell_start[-1]),
    )


class _Entry(NamedTuple):
    """A cell of a feature: its place among all cells, its value, and where it comes as the leading direction has it."""

    place: int
    value: float
    order: tuple[int, bool]


def _values(cells: Cells) -> dict[Cell, float]:
    return dict(cells) if isinstance(cells, Mapping) else dict.fromkeys(cells, 1.0)


def _places(
    cells: Mapping[Cell, float], lattices: Lattices, pair: int, direction: Direction, leader: Direction
) -> Iterable[tuple[int, int, float]]:
    """Where the cells of a pair lie in the lattices of the leading direction and of this one, and their values."""
    height, width = int(lattices.forward.states[pair]), int(lattices.reverse.states[pair])
    begin = int(lattices.forward.cell_start[pair])
    for (i, j), value in cells.items():
        if not (0 <= i < height and 0 <= j < width):
            raise UsageError(f"a feature names the cell ({i}, {j}) of a pair of {height} by {width} words")
        places = {"forward": begin + j * height + i, "reverse": begin + i * width + j}
        yield places[leader], places[direction], value
