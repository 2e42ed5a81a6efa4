"""The one-to-one alignment that the posteriors speak for most."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

# Certainty has no odds; this is as sure as single precision gets.
_SUREST = 1e-7


def best_matching(probability: NDArray[np.float32], threshold: float) -> NDArray[np.bool_]:
    """The matching of rows and columns with the highest sum of log-odds, as a grid.

    A link adds the logarithm of its odds less that of the odds of the threshold, so links below the threshold are
    never made, and with a threshold of 0.5 the plain log-odds count. The transposed grid has the transposed matching:
    of equally good ones, that which is found from the shorter side, or else from the side that the probabilities
    themselves choose. If these are their own mirror image, links whose mirror images are not in the matching go.

    Example:
        >>> best_matching(np.array([[0.9, 0.8], [0.7, 0.1]], np.float32), 0.5).tolist()
        [[False, True], [True, False]]
    """
    grid = probability >= np.float64(threshold)
    rows, columns = grid.sum(axis=1), grid.sum(axis=0)
    if rows.max(initial=0) <= 1 and columns.max(initial=0) <= 1:
        return grid
    order = _order(probability)
    matched = _matched(probability, grid, threshold) if order >= 0 else _matched(probability.T, grid.T, threshold).T
    return matched if order else matched & matched.T


def _order(probability: NDArray[np.float32]) -> int:
    """Whether to look from the rows (1), from the columns (-1), or, as it makes no difference, from either (0)."""
    height, width = probability.shape
    if height != width:
        return 1 if height < width else -1
    differing = np.flatnonzero(probability.ravel() != probability.T.ravel())
    if not differing.size:
        return 0
    here = np.unravel_index(differing[0], probability.shape)
    return 1 if probability[here] > probability.T[here] else -1


def _matched(probability: NDArray[np.float32], grid: NDArray[np.bool_], threshold: float) -> NDArray[np.bool_]:
    chosen_rows, chosen_columns = np.flatnonzero(grid.any(axis=1)), np.flatnonzero(grid.any(axis=0))
    places = np.ix_(chosen_rows, chosen_columns)
    # A link exactly at the threshold is worth nothing, but no link is worth less.
    worth = np.maximum(_log_odds(probability[places]) - _log_odds(np.array(threshold)), 0.0) + _SUREST
    rows, columns = linear_sum_assignment(np.where(grid[places], worth, 0.0), maximize=True)
    result = np.zeros_like(grid)
    result[chosen_rows[rows], chosen_columns[columns]] = True
    return result & grid


def _log_odds(probability: NDArray[Any]) -> NDArray[Any]:
    clipped = np.clip(np.asarray(probability, np.float64), _SUREST, 1 - _SUREST)
    return np.asarray(np.log(clipped / (1 - clipped)))
