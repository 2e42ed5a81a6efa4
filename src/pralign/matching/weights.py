"""What was learned: weights, and how they came about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from pralign.evaluation.counts import LinkCounts
from pralign.kernels.arrays import LinkTerms
from pralign.matching.scaling import Scaling
from pralign.schema import ArrayError
from pralign.schema.arrays import Array, Schema, between
from pralign.schema.values import Bounds, Count

# Sums of features times weights, or times anything like it, stay far below the largest number of single precision.
MOST_WEIGHT = 1e30


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
    capacity: Annotated[int, Bounds(1)]
    scaling: Scaling
    rounds: Count
    shift: float
    pairs: Count
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

    @staticmethod
    def schema() -> Schema:
        """What the weights must be like."""
        return {"weights": Array("float64", ("columns + 2",), (between(-MOST_WEIGHT, MOST_WEIGHT),))}

    def check(self) -> None:
        """Complain of weights that cannot be used.

        Raises:
            ArrayError: Costs are below zero, or features as they are would have weights without bounds.
        """
        if not self.weights[-2:].min() >= 0:
            raise ArrayError("weights", "has costs of further links below zero")
        plain, offset = self.plain
        if not max(np.abs(plain).max(initial=0.0), abs(offset)) <= MOST_WEIGHT:
            raise ArrayError("weights", f"has weights above {MOST_WEIGHT:g} of features as they are")
