"""What the HMM is made of besides the lexicon: parts that count something and learn from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Float
from pralign.models.base import Statistics
from pralign.models.prior import PositionPrior
from pralign.schema.arrays import Array, Schema, adding_up_to, between
from pralign.schema.limits import MOST_COUNTS

# What is left of a count without a pair's own, at least: rounding must not take more than there is.
LEAST_LEFT = 1e-9
# Weights that are relative to each other are no lighter: sums of them must not vanish.
LEAST_WEIGHT = 1e-18


@dataclass(frozen=True)
class Part(ABC):
    """A part of a directional model, with parameters of its own. Instances are immutable.

    The fields of a part are arrays, which is how it is saved. Statistics are counts in units; a part looks at those
    it knows by name and leaves the others alone.
    """

    #: What the part is called in a saved model.
    name: ClassVar[str]

    @classmethod
    @abstractmethod
    def zero_statistics(cls, most_states: int) -> Statistics:
        """Zero counts, for pairs of at most so many states."""

    @abstractmethod
    def maximise(self, statistics: Statistics, smoothing: float) -> Self:
        """The part that makes the counts likeliest, each raised by ``smoothing``."""

    def with_prior(self, statistics: Statistics, known: Sequence[PositionPrior]) -> Statistics:
        """The counts with what is known before training; the counts given are left as they are."""
        return statistics

    @classmethod
    @abstractmethod
    def pooled(cls, parts: Sequence[Self], smoothing: float) -> Self:
        """The part of several texts, from those of each, all of them raised by ``smoothing``."""

    def tensors(self) -> dict[str, NDArray[Any]]:
        """The parameters, to be saved."""
        return {f"{self.name}.{field.name}": getattr(self, field.name) for field in fields(self)}

    @classmethod
    def schema(cls) -> Schema:
        """What the arrays of :meth:`tensors` must be like; a part that does not say has any finite numbers."""
        return {f"{cls.name}.{field.name}": Array() for field in fields(cls)}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Self:
        """The part with these saved parameters."""
        return cls(**{field.name: tensors[f"{cls.name}.{field.name}"] for field in fields(cls)})


def weights_schema(name: str, size: int) -> Schema:
    """Weights that are relative to each other, and the counts behind them, which a pair's own are taken from."""
    return {
        f"{name}.weights": Array("float64", (size,), (between(LEAST_WEIGHT, 1.0 + 1e-9),)),
        f"{name}.totals": totals_schema(size),
    }


def totals_schema(size: int) -> Array:
    """The counts behind a part, if there are any; there is something left of each in any case."""
    return Array("float64", (size,), (between(LEAST_LEFT, MOST_COUNTS), adding_up_to(MOST_COUNTS)), or_empty=True)


def left_of(totals: Double, own: Float) -> Double:
    """The counts behind a part without those of each pair, a row a pair."""
    return np.asarray(np.maximum(totals - own, LEAST_LEFT))


def total_counts(totals: Sequence[Double], added: Double | float) -> tuple[list[Double], Double]:
    """The counts behind several parts, and what is behind all; what each was raised by is added only once."""
    counts = [np.maximum(each - added, 0.0) for each in totals if each.size]
    return counts, np.asarray(np.sum(counts, axis=0) + added) if counts else np.empty(0)


def mixed_weights(weights: Sequence[Double], totals: Sequence[Double], smoothing: float) -> tuple[Double, Double]:
    """Weights that several texts have found, each counting as often as its text has used them; and all counts.

    Weights are relative, so they are made to add up to one before. That maximises the likelihood of sentences in
    which each weight leads to one state, which is what is left to know of a text when only its weights are kept.
    """
    added = max(smoothing, LEAST_LEFT)
    counts, summed = total_counts(totals, added)
    used = [weight / weight.sum() for weight, total in zip(weights, totals, strict=True) if total.size]
    if not counts or not sum(float(count.sum()) for count in counts):
        return weights[0], summed
    mixed = np.sum([count.sum() * weight for count, weight in zip(counts, used, strict=True)], axis=0)
    return np.asarray(mixed / mixed.sum()), summed
