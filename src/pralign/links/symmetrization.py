"""Making one alignment out of two directional ones.

A symmetriser takes two boolean grids (source words × target words), the forward and the reverse alignment of one
pair, and returns a third. To add one, write such a function and register it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from pralign.errors import InputError
from pralign.kernels.grids import add_final, grow_diagonal
from pralign.links.alignment import Alignment, Link
from pralign.registry import Registry

Grid = NDArray[np.bool_]
Symmetrizer = Callable[[Grid, Grid], Grid]

# From so many cells on, words without links are left out; more than so many take too much memory.
_LARGE_GRID = 1_000_000
_LARGEST_GRID = 400_000_000

SYMMETRIZERS = Registry[Symmetrizer]("heuristic")
get_symmetrizer = SYMMETRIZERS.get
register_symmetrizer = SYMMETRIZERS.register  # used as a decorator: @register_symmetrizer("name")


def symmetrize(forward: Alignment, reverse: Alignment, heuristic: str) -> Alignment:
    """Combine two directional alignments of the same pair, both written source first.

    Example:
        >>> forward, reverse = Alignment.of([(0, 0), (1, 1)]), Alignment.of([(0, 0), (1, 2)])
        >>> symmetrize(forward, reverse, "intersection").links
        ((0, 0),)
    """
    combine = get_symmetrizer(heuristic)
    links = forward.links + reverse.links
    if not links:
        return Alignment()
    rows, columns = (1 + max(side) for side in zip(*links, strict=True))
    if rows * columns > _LARGE_GRID:
        return _symmetrize_apart(forward, reverse, combine)
    linked = np.nonzero(combine(_grid(forward.links, (rows, columns)), _grid(reverse.links, (rows, columns))))
    return Alignment(tuple(zip(linked[0].tolist(), linked[1].tolist(), strict=True)))


def _symmetrize_apart(forward: Alignment, reverse: Alignment, combine: Symmetrizer) -> Alignment:
    """The same without the words that have no link; where there are some between two that have, one is left.

    Positions in files are claims, and a link such as 0-999999999 must not make a grid of a billion cells.

    Raises:
        InputError: Even so there are too many cells.
    """
    rows, columns = (_kept(side) for side in zip(*forward.links, *reverse.links, strict=True))
    shape = (len(rows), len(columns))
    if shape[0] * shape[1] > _LARGEST_GRID:
        raise InputError(f"links of {shape[0]} source words and {shape[1]} target words are too many to be combined")
    row_of, column_of = ({word: place for place, word in enumerate(side)} for side in (rows, columns))
    grids = [_grid([(row_of[i], column_of[j]) for i, j in each.links], shape) for each in (forward, reverse)]
    linked = np.nonzero(combine(*grids))
    found = zip(linked[0].tolist(), linked[1].tolist(), strict=True)
    return Alignment(tuple((rows[row], columns[column]) for row, column in found))


def _kept(words: Iterable[int]) -> list[int]:
    """The positions of words in order, with one more in every gap."""
    linked = set(words)
    return sorted(linked | {word + 1 for word in linked})


@register_symmetrizer("intersection")
def intersection(forward: Grid, reverse: Grid) -> Grid:
    """The links both directions agree on: few, and mostly right."""
    return forward & reverse


@register_symmetrizer("union")
def union(forward: Grid, reverse: Grid) -> Grid:
    """The links of either direction: many, and less sure."""
    return forward | reverse


@register_symmetrizer("grow-diag")
def grow_diag(forward: Grid, reverse: Grid) -> Grid:
    """The intersection, and links of the union next to it as long as they give a free word its first link.

    Links are tried source word by source word, as Moses does; with the sides exchanged, others may be found.
    """
    grid = forward & reverse
    grow_diagonal(forward, reverse, grid)
    return grid


@register_symmetrizer("grow-diag-final")
def grow_diag_final(forward: Grid, reverse: Grid) -> Grid:
    """grow-diag, then links of either direction of which one word is still free."""
    grid = grow_diag(forward, reverse)
    add_final(forward, False, grid)
    add_final(reverse, False, grid)
    return grid


@register_symmetrizer("grow-diag-final-and")
def grow_diag_final_and(forward: Grid, reverse: Grid) -> Grid:
    """grow-diag, then links of either direction of which both words are still free."""
    grid = grow_diag(forward, reverse)
    add_final(forward, True, grid)
    add_final(reverse, True, grid)
    return grid


@register_symmetrizer("forward")
def forward_only(forward: Grid, reverse: Grid) -> Grid:
    """The forward alignment as it is: each target word has at most one link."""
    return forward


@register_symmetrizer("reverse")
def reverse_only(forward: Grid, reverse: Grid) -> Grid:
    """The reverse alignment as it is: each source word has at most one link."""
    return reverse


def _grid(links: Iterable[Link], shape: tuple[int, int]) -> Grid:
    width = shape[1]
    grid = np.zeros(shape, np.bool_)
    grid.ravel()[[i * width + j for i, j in links]] = True
    return grid
