"""How many words a word becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Long
from pralign.kernels.fertility_factor import MOST_WORDS
from pralign.kernels.units import as_counts, as_units
from pralign.models.base import Statistics
from pralign.models.part import Part
from pralign.models.prior import PositionPrior
from pralign.schema.arrays import Array, Facts, Schema, adding_up_to
from pralign.schema.limits import MOST_COUNTS

# Words with few counts are expected to do what all words do, as if that had been seen so often.
FERTILITY_PRIOR = 10.0
# Nothing is impossible.
_LEAST_COUNT = 0.01
# What is left of that in the prior of a text of any size.
_LEAST_PRIOR = FERTILITY_PRIOR * _LEAST_COUNT / (2 * MOST_COUNTS)


@dataclass(frozen=True)
class Fertilities(Part):
    """How often each word of the state side explained how many words.

    Attributes:
        table: A row a word, a column a number of words, the last for all larger ones. The last row is the prior, which
            is also for unknown words. Before anything was counted, all rows are zero.
    """

    name = "fertilities"

    table: Double = field(default_factory=lambda: np.zeros((1, MOST_WORDS + 1)))

    @classmethod
    def schema(cls) -> Schema:
        """What its table must be like."""
        shape = ("state words + 1", MOST_WORDS + 1)
        return {f"{cls.name}.table": Array("float64", shape, (adding_up_to(MOST_COUNTS), _has_prior))}

    @classmethod
    def zero_statistics(cls, most_states: int) -> Statistics:
        """Without words there is nothing to count; see :meth:`zero_by_word`."""
        return {}

    def zero_by_word(self) -> Statistics:
        """``fertility`` has a row a word."""
        return {"fertility": np.zeros((self.table.shape[0] - 1, MOST_WORDS + 1), np.int64)}

    @property
    def learned(self) -> bool:
        """Whether anything was counted yet."""
        return bool(self.table[-1].any())

    def for_words(self, words: Long) -> Self:
        """The fertilities of some words, in their order, and the prior."""
        rows = np.minimum(words, self.table.shape[0] - 1)
        return type(self)(np.vstack([self.table[rows], self.table[-1:]]))

    def renumbered(self, words: Long, size: int) -> Self:
        """The same counts among those of ``size`` words, of which nothing is known of the others."""
        table = np.zeros((size + 1, self.table.shape[1]))
        table[words] = self.table[:-1]
        table[-1] = self.table[-1]
        return type(self)(table)

    @classmethod
    def pooled(cls, parts: Sequence[Self], smoothing: float) -> Self:
        """The counts of all, whose words are the same."""
        units = as_units(np.sum([part.table[:-1] for part in parts], axis=0))
        return parts[0].maximise({"fertility": units}, smoothing)

    def with_prior(self, statistics: Statistics, known: Sequence[PositionPrior]) -> Statistics:
        """Add how many words words have explained elsewhere."""
        fertility = statistics["fertility"]
        for prior in known:
            if prior.fertilities.size:
                fertility = fertility + as_units(prior.fertilities)
        return {**statistics, "fertility": fertility}

    def maximise(self, statistics: Statistics, smoothing: float) -> Self:
        """The counts, and below them the prior: what all words do."""
        counts = statistics["fertility"]
        overall = as_counts(counts.sum(axis=0)) + _LEAST_COUNT
        return type(self)(np.vstack([as_counts(counts), FERTILITY_PRIOR * overall / overall.sum()]))


def _has_prior(table: NDArray[Any], facts: Facts) -> str | None:
    """The prior leaves nothing impossible, unless nothing was counted at all."""
    prior = table[-1]
    if table.any() and not (prior.min() >= _LEAST_PRIOR and prior.sum() <= FERTILITY_PRIOR * (1 + 1e-9)):
        return "has a last row that is no prior"
    return None
