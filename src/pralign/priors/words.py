"""Counts of pairs of words, found in the index of a corpus."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Float, Long
from pralign.kernels.lexical import find_slots
from pralign.models.prior import LexicalPrior
from pralign.text.corpus import Corpus
from pralign.text.index import PairIndex

UNKNOWN = -1


def prior_of_pairs(source: Long, target: Long, counts: Float, corpus: Corpus, index: PairIndex) -> LexicalPrior:
    """The prior that says each pair of words has been seen so often, forward and reverse.

    Words are given by their numbers; :data:`UNKNOWN` is a word that is not in the text. A pair that occurs together
    in no sentence still takes its share from the words it is made of.
    """
    both = (source != UNKNOWN) & (target != UNKNOWN)
    slots = np.full(source.size, -1, np.int64)
    slots[both] = find_slots(index.table, source[both], target[both])
    together = slots >= 0
    found, where = np.unique(slots[together], return_inverse=True)
    summed = np.zeros((found.size, 2), np.float32)
    np.add.at(summed, where, counts[together])
    return LexicalPrior(
        found,
        summed,
        _elsewhere(source, counts[:, 0], together, len(corpus.source)),
        _elsewhere(target, counts[:, 1], together, len(corpus.target)),
    )


def _elsewhere(words: Long, counts: Float, together: NDArray[np.bool_], size: int) -> NDArray[np.float64]:
    apart = ~together & (words != UNKNOWN)
    summed: NDArray[np.float64] = np.bincount(words[apart], weights=counts[apart], minlength=size).astype(float)
    return summed
