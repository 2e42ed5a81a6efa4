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


class Masses(NamedTuple):
    """What the counts of a lexicon were divided by: for each source word, each target word, and null.

    ``null`` holds that of null as a source word, and as a target word. ``added`` holds what the prior has added to each
    count, and to the mass of each word.
    """

    source: Double
    target: Double
    null: Double
    added: Double


class Contributions(NamedTuple):
    """What each pair of a block has added to the counts, so that it can be left out of them again.

    Pair ``k`` has the entries ``start[k]`` to ``start[k + 1]``: a cell (target-major) and the posteriors of its link,
    in units of :data:`~pralign.kernels.leaving_out.UNIT`. ``null_target`` and ``null_source`` have a number a word,
    those of pair ``k`` from ``target_start[k]`` and ``source_start[k]`` on. ``forward_own`` and ``reverse_own`` have a
    row a pair, which only the model that wrote it can read.
    """

    start: Long
    cell: Int
    forward: Short
    reverse: Short
    target_start: Long
    null_target: Short
    source_start: Long
    null_source: Short
    forward_own: Float
    reverse_own: Float


class Expected(NamedTuple):
    """The contributions of a block as one direction sees them.

    Cells are observed-major like those of a lattice. ``link`` and ``null`` are expected counts; ``known`` tells which
    pairs have any. ``own`` is what the direction's model wrote, a row a pair.
    """

    start: Long
    cell: Int
    link: Float
    null_start: Long
    null: Float
    known: NDArray[np.bool_]
    own: Float


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
