"""Making one alignment out of two directional ones.

A symmetriser takes two boolean grids (source words × target words), the forward and the reverse alignment of one
pair, and returns a third. To add one, write such a function and register it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.grids import add_final, grow_diagonal
from pralign.links.alignment import Alignment
from pralign.registry import Registry

Grid = NDArray[np.bool_]
Symmetrizer = Callable[[Grid, Grid], Grid]

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
    links = forward.links + reverse.links
    if not links:
        return Alignment()
    rows, columns = zip(*links, strict=True)
    shape = (1 + max(rows), 1 + max(columns))
    grid = get_symmetrizer(heuristic)(_grid(forward, shape), _grid(reverse, shape))
    linked = np.nonzero(grid)
    return Alignment(tuple(zip(linked[0].tolist(), linked[1].tolist(), strict=True)))


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


def _grid(alignment: Alignment, shape: tuple[int, int]) -> Grid:
    width = shape[1]
    grid = np.zeros(shape, np.bool_)
    grid.ravel()[[i * width + j for i, j in alignment.links]] = True
    return grid
