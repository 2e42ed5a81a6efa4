"""How likely a word is to have no counterpart at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from pralign.kernels.arrays import Double, Float
from pralign.kernels.units import as_counts
from pralign.models.base import Statistics
from pralign.models.part import LEAST_LEFT, Part, left_of

INITIAL_NULL = 0.2
_LEAST_NULL = 1e-6


@dataclass(frozen=True)
class Null(Part):
    """The probability that a word is explained by null, learned from the share of words that are.

    Attributes:
        probability: That probability, a single number.
        totals: How many of how many words were not linked; empty before anything was counted.
    """

    name = "null"

    probability: Double = field(default_factory=lambda: np.array([INITIAL_NULL]))
    totals: Double = field(default_factory=lambda: np.empty(0))

    @classmethod
    def zero_statistics(cls, most_states: int) -> Statistics:
        """``null`` counts the words that are not linked, and all words."""
        return {"null": np.zeros(2, np.int64)}

    def maximise(self, statistics: Statistics, smoothing: float) -> Self:
        """The share of words that are not linked."""
        counts = as_counts(statistics["null"])
        raised = max(smoothing, LEAST_LEFT)
        share = self._share(counts[:1], np.maximum(counts[1:], 1.0))
        return type(self)(share, counts + np.array([raised, 2 * raised]))  # words are linked or not

    def without(self, own: Float) -> Double:
        """The probability for each pair without what it has counted itself, a row a pair.

        Pairs that have counted nothing are other text, for which the probability is the same as without this.
        """
        left = left_of(self.totals, own)
        return np.where(own[:, 1:] > 0, self._share(left[:, :1], left[:, 1:]), self.probability)

    def _share(self, unlinked: Double, words: Double) -> Double:
        return np.asarray(np.clip(unlinked / np.maximum(words, 1e-30), _LEAST_NULL, 1 - _LEAST_NULL))


@dataclass(frozen=True)
class FixedNull(Null):
    """The same probability always: fertility and null pull the same way, and would drive each other up."""

    def _share(self, unlinked: Double, words: Double) -> Double:
        return np.full(words.shape, INITIAL_NULL)
