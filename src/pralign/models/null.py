"""How likely a word is to have no counterpart at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from pralign.kernels.arrays import Double, Float
from pralign.kernels.units import as_counts, as_units
from pralign.models.base import Statistics
from pralign.models.part import LEAST_LEFT, Part, left_of, total_counts, totals_schema
from pralign.schema.arrays import Array, Schema, between

INITIAL_NULL = 0.2
_LEAST_NULL = 1e-6
# Both directions have to be right about a link to agree on it, so the root of their agreement is what one is worth.
_NULL_IN_AGREEMENT = 0.22


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
    def schema(cls) -> Schema:
        """What its arrays must be like."""
        inside = between(_LEAST_NULL / 2, 1 - _LEAST_NULL / 2)
        return {f"{cls.name}.probability": Array("float64", (1,), (inside,)), f"{cls.name}.totals": totals_schema(2)}

    @classmethod
    def zero_statistics(cls, most_states: int) -> Statistics:
        """``null`` counts the words that are not linked, and all words."""
        return {"null": np.zeros(2, np.int64)}

    def maximise(self, statistics: Statistics, smoothing: float) -> Self:
        """The share of words that are not linked."""
        counts = as_counts(statistics["null"])
        share = self._share(counts[:1], np.maximum(counts[1:], 1.0))
        return type(self)(share, counts + _raised(smoothing))

    @classmethod
    def pooled(cls, parts: Sequence[Self], smoothing: float) -> Self:
        """The share of words that are not linked, of all texts."""
        counts, _ = total_counts([part.totals for part in parts], _raised(smoothing))
        units = as_units(np.sum(counts, axis=0)) if counts else np.zeros(2, np.int64)
        return Null.maximise(parts[0], {"null": units}, smoothing)

    def without(self, own: Float) -> Double:
        """The probability for each pair without what it has counted itself, a row a pair.

        Pairs that have counted nothing are other text, for which the probability is the same as without this.
        """
        left = left_of(self.totals, own)
        return np.where(own[:, 1:] > 0, self._share(left[:, :1], left[:, 1:]), self.probability)

    def _share(self, unlinked: Double, words: Double) -> Double:
        return np.asarray(np.clip(unlinked / np.maximum(words, 1e-30), _LEAST_NULL, 1 - _LEAST_NULL))


@dataclass(frozen=True)
class AgreedNull(Null):
    """The probability of null by how much the two directions agree on links, not by how often null was used.

    Fertility and null pull the same way, and would drive each other up. Words that a weak lexicon knows little of would
    be left to null, although most have a counterpart; how weak it is shows in links that only one direction makes.
    """

    @classmethod
    def zero_statistics(cls, most_states: int) -> Statistics:
        """``agreement`` counts the links that both directions make, once for each, and all links of both."""
        return {**super().zero_statistics(most_states), "agreement": np.zeros(2, np.int64)}

    def maximise(self, statistics: Statistics, smoothing: float) -> Self:
        """So much as is usual where directions agree on everything; less where they do not."""
        learned = super().maximise(statistics, smoothing)
        both, links = statistics["agreement"].tolist()
        share = _NULL_IN_AGREEMENT * np.sqrt(both / links) if links else INITIAL_NULL
        return replace(learned, probability=np.array([max(share, _LEAST_NULL)]))

    @classmethod
    def pooled(cls, parts: Sequence[Self], smoothing: float) -> Self:
        """As much as directions agree in all texts, each counting as often as its words were linked."""
        counted = [part for part in parts if part.totals.size]
        counts, _ = total_counts([part.totals for part in counted], _raised(smoothing))
        links = np.array([words - unlinked for unlinked, words in counts])
        learned = super().pooled(parts, smoothing)
        if not links.sum():
            return replace(learned, probability=parts[0].probability)
        agreed = np.array([(part.probability[0] / _NULL_IN_AGREEMENT) ** 2 for part in counted])
        share = _NULL_IN_AGREEMENT * np.sqrt((links @ agreed) / links.sum())
        return replace(learned, probability=np.array([max(share, _LEAST_NULL)]))

    def without(self, own: Float) -> Double:
        """The same for every pair: a single one matters little to how much directions agree."""
        return np.repeat(self.probability[None], own.shape[0], axis=0)


def _raised(smoothing: float) -> Double:
    """What smoothing adds to the words that are not linked, and to all: words are linked or not."""
    raised = max(smoothing, LEAST_LEFT)
    return np.array([raised, 2 * raised])
