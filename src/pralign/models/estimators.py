"""From expected counts to probabilities: three ways, for every model and every constraint."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pralign.errors import UsageError
from pralign.kernels.arrays import Double, Float, Long
from pralign.kernels.lexical import counts_by_logarithm, divide_pairs, expected_logarithms, shares_by_logarithm
from pralign.registry import Registry
from pralign.schema.limits import MOST_PRIOR

# A word that nothing is known of could become any of so many words, as far as the prior goes.
POSSIBLE_WORDS = 1000
# Null could explain any word.
NULL_PRIOR = 0.001
# Positions and jumps have few parameters; this matters in tiny corpora only.
POSITION_PRIOR = 0.5


@dataclass(frozen=True)
class Estimator(ABC):
    """How probabilities follow from expected counts. A subclass sets what it does differently.

    Attributes:
        smoothing: What is added to every expected count, by ``em``.
        alpha: What the prior of the others adds to the count of each pair of words.
    """

    name: ClassVar[str]
    #: Whether a pair is learned from without its own counts.
    leaves_out: ClassVar[bool] = False
    #: Whether unseen combinations have a prior.
    has_prior: ClassVar[bool] = True
    #: Whether a pair that has no counts yet, but occurs in more text, is likely enough to get some.
    open_to_new_pairs: ClassVar[bool] = True
    #: Turns the counts of word pairs into probabilities.
    estimate_pairs: ClassVar[Callable[..., None]] = staticmethod(divide_pairs)

    smoothing: float = 0.0
    alpha: float = 0.001

    def __post_init__(self) -> None:
        if not 0 <= self.smoothing <= MOST_PRIOR:
            raise UsageError(f"smoothing is added to counts and cannot be {self.smoothing}; at most {MOST_PRIOR:,.0f}")
        if self.smoothing and self.has_prior:
            raise UsageError(f"smoothing is for the estimator em; {self.name} has a prior, whose size alpha sets")
        if not 0 < self.alpha <= MOST_PRIOR:
            raise UsageError(f"alpha is a number above 0, not {self.alpha}, and at most {MOST_PRIOR:,.0f}")

    @property
    def lexical(self) -> float:
        """What is added to the count of each pair of words."""
        return self.alpha

    @property
    def null(self) -> float:
        """What is added to the count of each word that null may explain."""
        return NULL_PRIOR

    @property
    def positional(self) -> float:
        """What is added to the counts of positions and jumps."""
        return POSITION_PRIOR

    @property
    def added(self) -> Double:
        """What the prior adds to each count, and to the normalizer of each word."""
        return np.array([self.lexical, self.lexical * POSSIBLE_WORDS])

    def added_to_words(self, partners: Long) -> Double:
        """What the prior adds to the normalizers of words that occur together with so many others."""
        return np.full(partners.size, POSSIBLE_WORDS * self.lexical)

    def added_to_null(self, words: int) -> float:
        """What the prior adds to the normalizer of null beyond the ``words`` of the text.

        Null may explain any word of the text, but as a word it could be more words than a small text has.
        """
        return self.null * max(POSSIBLE_WORDS - words, 0)

    def null_shares(self, counts: Double, normalizer: float) -> Float:
        """The probabilities of the words that null explains."""
        return np.asarray(counts / normalizer, np.float32)

    def raised_counts(self, probability: Float, normalizers: Double) -> Double:
        """The counts behind probabilities, with what was added to them; each was divided by its normalizer."""
        return np.asarray(probability.astype(np.float64) * normalizers)


class EM(Estimator):
    """Relative frequencies, which make the text likeliest."""

    name = "em"
    has_prior = False

    @property
    def lexical(self) -> float:
        """What is added to the count of each pair of words."""
        return self.smoothing

    @property
    def null(self) -> float:
        """What is added to the count of each word that null may explain."""
        return self.smoothing

    @property
    def positional(self) -> float:
        """What is added to the counts of positions and jumps."""
        return self.smoothing

    @property
    def added(self) -> Double:
        """There is no prior."""
        return np.zeros(2)

    def added_to_words(self, partners: Long) -> Double:
        """Smoothing raises the count of each pair that occurs together."""
        return np.asarray(partners * np.float64(self.smoothing))

    def added_to_null(self, words: int) -> float:
        """Null explains the words of the text and no others."""
        return 0.0


class VariationalBayes(Estimator):
    """An outcome counts as the exponential of its expected logarithm, which makes small counts smaller."""

    name = "vb"
    open_to_new_pairs = False
    estimate_pairs = staticmethod(expected_logarithms)

    def null_shares(self, counts: Double, normalizer: float) -> Float:
        """The probabilities of the words that null explains."""
        shares = np.empty(counts.size, np.float32)
        shares_by_logarithm(counts, normalizer, shares)
        return shares

    def raised_counts(self, probability: Float, normalizers: Double) -> Double:
        """The counts behind probabilities. Those below about a twentieth leave no trace in them."""
        counts = np.zeros(probability.size)
        some = probability > 0
        found = np.empty(int(some.sum()))
        counts_by_logarithm(probability[some].astype(np.float64), normalizers[some], found)
        counts[some] = found
        return counts


class Collapsed(Estimator):
    """Adds the prior to the counts, and while it learns from a pair it leaves the pair's own counts out.

    A rare word can so no longer explain all of the only sentence that it occurs in.
    """

    name = "collapsed"
    leaves_out = True


ESTIMATORS: Registry[type[Estimator]] = Registry("estimator", "there is no {noun} called {name!r}; there are {names}")
for _kind in (EM, VariationalBayes, Collapsed):
    ESTIMATORS.register(_kind.name, _kind)


def make_estimator(name: str, **settings: Any) -> Estimator:
    """The estimator called ``name``, with these settings."""
    return ESTIMATORS[name](**settings)
