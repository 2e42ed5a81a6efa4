"""How far a score would move if other sentences of the same kind had been annotated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pralign.evaluation.counts import LinkCounts
from pralign.evaluation.resampling import Measure, resampled_values

if TYPE_CHECKING:  # numpy is imported where it is needed, so that commands which only score start quickly
    import numpy as np
    from numpy.typing import NDArray

Interval = tuple[float, float]
"""The lower and the upper end."""

SAMPLES = 1000
"""How many samples are enough for an interval; a p value to be published may want more."""

_MEASURES: tuple[Measure, ...] = ("aer", "precision", "recall", "f1", "f1_sure", "errors")
_OUTER = (0.025, 0.975)


def score_intervals(counts: Sequence[LinkCounts], samples: int = SAMPLES, seed: int = 0) -> dict[Measure, Interval]:
    """Between which values the scores of a system lie in 95 % of bootstrap samples of the sentence pairs.

    A gold alignment of some hundred pairs is itself a sample, and a score on it an estimate. If test sets of this size
    were annotated again and again, about 95 % of such intervals would contain the score on all sentences there are of
    this kind. The interval is that of percentiles (Efron and Tibshirani, 1993): of the scores in the samples 2.5 % lie
    below it and 2.5 % above. With few pairs (some dozens) such intervals are a little too narrow.

    Two systems may differ reliably though their intervals overlap, because pairs that are hard are hard for both;
    :func:`~pralign.evaluation.compare` is for that question. The samples are those of
    :func:`~pralign.evaluation.resampled`.

    Args:
        counts: The counts of every pair, as :func:`~pralign.evaluation.count_links` gives them.
        samples: How many samples to draw.
        seed: What to draw them with.

    Returns:
        The interval of each of ``aer``, ``precision``, ``recall``, ``f1``, ``f1_sure`` and ``errors``.

    Raises:
        InputError: There are no pairs.
        UsageError: The number of samples or the seed cannot be.

    Example:
        >>> right, wrong = LinkCounts(2, 2, 2, 2, 2, 1), LinkCounts(2, 2, 2, 0, 0, 1)
        >>> low, high = score_intervals([right] * 80 + [wrong] * 20)["precision"]
        >>> round(low, 2), round(high, 2)
        (0.72, 0.88)
    """
    values = resampled_values([counts], _MEASURES, samples, seed)
    return {measure: middle(rows[0]) for measure, rows in values.items()}


def middle(values: NDArray[np.float64]) -> Interval:
    """The interval that leaves 2.5 % of the values below it and 2.5 % above it."""
    import numpy as np

    low, high = np.quantile(values, _OUTER).tolist()
    return low, high
