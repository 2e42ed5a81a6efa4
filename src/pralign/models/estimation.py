"""From expected counts to probabilities: three ways, for every model and every constraint."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from pralign.errors import UsageError

EstimatorName = Literal["em", "vb", "collapsed"]

# A word that nothing is known of could become any of so many words, as far as the prior goes.
POSSIBLE_WORDS = 1000
# Null could explain any word.
NULL_PRIOR = 0.001
# Positions and jumps have few parameters; this matters in tiny corpora only.
POSITION_PRIOR = 0.5


@dataclass(frozen=True, slots=True)
class Estimation:
    """How probabilities follow from expected counts.

    Attributes:
        estimator: ``"em"`` takes relative frequencies, which make the text likeliest. ``"vb"`` is variational Bayes
            under a Dirichlet prior: an outcome counts as the exponential of its expected logarithm, which makes small
            counts smaller. ``"collapsed"`` adds the prior to the counts, and while it learns from a pair it leaves
            the pair's own counts out: a rare word can no longer explain all of the only sentence that it occurs in.
        smoothing: What ``em`` adds to every expected count.
        alpha: What the prior of the others adds to the count of each pair of words.
    """

    estimator: EstimatorName = "em"
    smoothing: float = 0.0
    alpha: float = 0.001

    def __post_init__(self) -> None:
        if self.estimator not in get_args(EstimatorName):
            known = ", ".join(get_args(EstimatorName))
            raise UsageError(f"there is no estimator called {self.estimator!r}; there are {known}")
        if not 0 <= self.smoothing < math.inf:
            raise UsageError(f"smoothing is added to counts and cannot be {self.smoothing}")
        if self.smoothing and self.estimator != "em":
            raise UsageError(f"smoothing is for the estimator em; {self.estimator} has a prior, whose size alpha sets")
        if not 0 < self.alpha < math.inf:
            raise UsageError(f"alpha is a number above 0, not {self.alpha}")

    @property
    def leaves_out(self) -> bool:
        """Whether a pair is learned from without its own counts."""
        return self.estimator == "collapsed"

    @property
    def lexical(self) -> float:
        """What is added to the count of each pair of words."""
        return self.smoothing if self.estimator == "em" else self.alpha

    @property
    def null(self) -> float:
        """What is added to the count of each word that null may explain."""
        return self.smoothing if self.estimator == "em" else NULL_PRIOR

    @property
    def positional(self) -> float:
        """What is added to the counts of positions and jumps."""
        return self.smoothing if self.estimator == "em" else POSITION_PRIOR
