"""What files and earlier runs say of words, in numbers of a text's own words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pralign.kernels.arrays import Double, Long
from pralign.kernels.units import as_units
from pralign.models.prior import PositionPrior
from pralign.text.normalisation import Normalisation
from pralign.text.vocabulary import Vocabulary

#: A word that is not in the text.
UNKNOWN = -1


@dataclass(frozen=True)
class KnownText:
    """The words that something may be known of, and how they were made comparable."""

    source: Vocabulary
    target: Vocabulary
    normalisation: Normalisation


@dataclass(frozen=True)
class PairEntries:
    """Pairs of words that count as seen so often, forward and reverse.

    Words are given by their numbers; :data:`UNKNOWN` is a word that is not in the text. A pair that occurs together
    in no sentence still takes its share from the words it is made of.
    """

    source: Long
    target: Long
    units: Long

    @classmethod
    def of(cls, source: Long, target: Long, counts: Double) -> PairEntries:
        """The entries of these counts, a row a pair."""
        return cls(source, target, as_units(counts))

    def __len__(self) -> int:
        return int(self.source.size)

    def add_totals(self, source: Long, target: Long) -> None:
        """Add the counts of all pairs to those of their words, in place."""
        for total, words, units in ((source, self.source, self.units[:, 0]), (target, self.target, self.units[:, 1])):
            known = words != UNKNOWN
            np.add.at(total, words[known], units[known])


@dataclass(frozen=True)
class PriorEntries:
    """What one file or one earlier run says: of word pairs, and of the positions and fertilities of both directions."""

    pairs: PairEntries
    forward: PositionPrior
    reverse: PositionPrior
