"""Weights that are normalised within each sentence, and the M-step for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_LEAST_WEIGHT = 1e-12
_ROUNDS = 30


def fit_weights(
    weights: NDArray[np.float64],
    counts: NDArray[np.float64],
    choices: NDArray[Any],
    times: NDArray[np.float64],
    smoothing: float,
) -> NDArray[np.float64]:
    r"""Raise :math:`\sum_k c_k \log w_k - \sum_m n_m \log \sum_k a_{mk} w_k`, where row m of ``choices`` is a_m.

    Weights are normalised within each sentence, so relative frequencies would not be the maximum. Each round
    replaces the logarithms of the sums by their tangents, whose maximum is in closed form; the value never falls.
    Smoothing acts like a sentence more in which every weight leads to one state and is used ``smoothing`` times.
    """
    counts = counts + smoothing
    choices = np.vstack([choices, np.ones_like(weights)])
    times = np.append(times, smoothing * weights.size)
    for _ in range(_ROUNDS):
        totals = choices @ weights
        used = totals > 0
        exposure = (times[used] / totals[used]) @ choices[used]
        weights = np.where(exposure > 0, counts / np.where(exposure > 0, exposure, 1.0), weights)
        weights = np.maximum(weights / weights.sum(), _LEAST_WEIGHT)
    return weights
