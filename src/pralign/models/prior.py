"""What is known before training, as counts that add to those of the text."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pralign.kernels.arrays import Double, Float, Long
from pralign.kernels.hmm import JumpWeights

# More would drown any text, and far more would not fit the numbers that counts are kept in.
MOST_PRIOR = 1e9


@dataclass(frozen=True)
class LexicalPrior:
    """Counts of word pairs.

    Attributes:
        slots: The pairs in question, of those that occur together in the text; each at most once.
        counts: The counts of these pairs, forward and reverse.
        elsewhere_source: The counts of source words together with words that they do not occur with in the text.
        elsewhere_target: The same for target words.
    """

    slots: Long
    counts: Float
    elsewhere_source: Double
    elsewhere_target: Double

    def __add__(self, other: LexicalPrior) -> LexicalPrior:
        slots, where = np.unique(np.concatenate([self.slots, other.slots]), return_inverse=True)
        counts = np.zeros((slots.size, 2), np.float32)
        np.add.at(counts, where, np.concatenate([self.counts, other.counts]))
        return LexicalPrior(
            slots,
            counts,
            self.elsewhere_source + other.elsewhere_source,
            self.elsewhere_target + other.elsewhere_target,
        )

    def add_to(self, counts: Double) -> None:
        """Add to the counts of all pairs, in place."""
        counts[self.slots] += self.counts


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
    """All that is known before training: of words, and of the positions and fertilities of each direction."""

    lexical: LexicalPrior
    forward: tuple[PositionPrior, ...] = ()
    reverse: tuple[PositionPrior, ...] = ()

    def __add__(self, other: Prior) -> Prior:
        return Prior(self.lexical + other.lexical, self.forward + other.forward, self.reverse + other.reverse)
