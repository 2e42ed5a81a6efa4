"""What is known before training, as counts that add to those of the text."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pralign.kernels.arrays import Double, Long
from pralign.kernels.hmm import JumpWeights


@dataclass(frozen=True)
class PositionPrior:
    """Counts of one direction beyond the lexicon.

    Attributes:
        weights: Jump weights that an earlier run has found, if any.
        jumps: How many jumps they are worth.
        sentences: How many sentences the weights of first positions are worth.
        fertilities: How often each word of the state side has explained how many words; empty if nothing is known.
    """

    weights: JumpWeights | None = None
    jumps: float = 0.0
    sentences: float = 0.0
    fertilities: Double = field(default_factory=lambda: np.empty((0, 0)))


@dataclass(frozen=True)
class Prior:
    """All that is known before training, as counts.

    Those of word pairs lie in the store, in the pieces of the lexicon, as ``slot`` and ``units`` of both directions.

    Attributes:
        totals: What is known of each source word and of each target word in all, in units.
        forward: What is known of the positions and fertilities of the forward direction.
        reverse: The same for the reverse direction.
    """

    totals: tuple[Long, Long]
    forward: tuple[PositionPrior, ...] = ()
    reverse: tuple[PositionPrior, ...] = ()
