"""The named groups of arrays that kernels pass around."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Int = NDArray[np.int32]
Long = NDArray[np.int64]
Short = NDArray[np.uint16]
Float = NDArray[np.float32]
Double = NDArray[np.float64]


class Texts(NamedTuple):
    """The two sides of a corpus, flat."""

    source: Int
    source_start: Long
    target: Int
    target_start: Long


class PairTable(NamedTuple):
    """Distinct word pairs, sorted by target and then by source word.

    The pairs of target word ``t`` are the slots ``row_start[t]`` to ``row_start[t + 1]``. Sorted like this, all links
    to one target word are looked up with one row at hand.
    """

    row_start: Long
    source: Int


class TranslationTable(NamedTuple):
    """Translation probabilities of both directions over the same slots.

    The two directions lie side by side, ``probability[slot] = (p(t|s), p(s|t))``, so that one trip to memory
    brings both.
    """

    probability: Float
    null_to_target: Float
    null_to_source: Float


class Normalizers(NamedTuple):
    """What the counts of a lexicon were divided by: for each source word, each target word, and null.

    ``null`` holds that of null as a source word, and as a target word. ``added`` holds what the prior has added to each
    count, and to the normalizer of each word.
    """

    source: Double
    target: Double
    null: Double
    added: Double


class Expected(NamedTuple):
    """What a prior says of pairs of words that were never seen together.

    ``counts`` is how often each pair counts as seen, forward and reverse; ``source_mass`` and ``target_mass`` is what
    that adds to the normalizer of each word.
    """

    counts: Float
    source_mass: Double
    target_mass: Double


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


class Shapes(NamedTuple):
    """Where the cells, the source words and the target words of each pair of a list begin. Cells lie source-major."""

    cell_start: Long
    source_start: Long
    target_start: Long


class Point(NamedTuple):
    """A number for every cell of a list of pairs, and how many links each word has beyond its first."""

    cell: Double
    source: Double
    target: Double


class LinkTerms(NamedTuple):
    """How many links a word may have, and what each beyond the first costs a source word and a target word."""

    capacity: int
    source_cost: float
    target_cost: float
