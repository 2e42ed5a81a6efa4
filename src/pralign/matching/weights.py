"""What was learned: weights, and how they came about."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pralign.evaluation.counts import LinkCounts
from pralign.kernels.arrays import LinkTerms
from pralign.matching.scaling import Scaling


@dataclass(frozen=True)
class Learned:
    """Weights of standardised features, and where learning stopped.

    Attributes:
        weights: The weights in the order of the extractor's columns, then the costs of further links of a source word
            and of a target word.
        capacity: How many links a word may have.
        scaling: How features were standardised.
        rounds: After how many rounds learning was stopped.
        shift: What was then added to the bias.
        pairs: From how many pairs was learned.
        counts: How the pairs that learning was stopped by are aligned.
        gap: The duality gap at the start of learning and at its end, where the learner knows it.
    """

    weights: NDArray[np.float64]
    capacity: int
    scaling: Scaling
    rounds: int
    shift: float
    pairs: int
    counts: LinkCounts
    gap: tuple[float, float] | None = None

    @property
    def plain(self) -> tuple[NDArray[np.float64], float]:
        """The weights of features as they are, and an offset."""
        return self.scaling.undo(self.weights[:-2])

    @property
    def terms(self) -> LinkTerms:
        """How many links a word may have, and what further links cost."""
        return LinkTerms(self.capacity, *self.weights[-2:].tolist())
