"""The named groups of arrays that kernels pass around."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Int = NDArray[np.int32]
Long = NDArray[np.int64]
Float = NDArray[np.float32]
Double = NDArray[np.float64]


class Texts(NamedTuple):
    """The two sides of a corpus, flat."""

    source: Int
    source_start: Long
    target: Int
    target_start: Long


class PairTable(NamedTuple):
    """The distinct co-occurring word pairs, sorted by source and then by target word.

    The pairs of source word ``s`` are the slots ``row_start[s]`` to ``row_start[s + 1]``.
    """

    row_start: Long
    target: Int


class CellSlots(NamedTuple):
    """For each cell of each indexed pair (target-major), the slot of its word pair."""

    start: Long
    slot: Int


class TranslationTable(NamedTuple):
    """Translation probabilities of both directions over the same slots.

    The two directions lie side by side, ``probability[slot] = (p(t|s), p(s|t))``, so that one trip to memory
    brings both.
    """

    probability: Float
    null_to_target: Float
    null_to_source: Float


class Lattice(NamedTuple):
    """A block of pairs in one direction, as a model sees it: how well each state explains each observed word.

    Pair ``k`` of the block has ``states[k]`` states; its observed words are ``observed_start[k]`` to
    ``observed_start[k + 1]`` and its cells ``cell_start[k]`` to ``cell_start[k + 1]``. Its expected counts are
    multiplied by ``weight[k]``. ``context`` is what a model has found out about the block beforehand, if it does so.
    """

    emission: Float
    null_emission: Float
    states: Int
    observed_start: Long
    cell_start: Long
    weight: Double
    context: Any = ()


class Posterior(NamedTuple):
    """What a model infers from a lattice: the probability of each link, of each word's null link, and of each pair."""

    link: Float
    null: Float
    log_likelihood: Double
