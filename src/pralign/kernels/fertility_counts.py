"""Expected counts of fertility models."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Long
from pralign.kernels.cepts import (
    FARTHEST,
    FERTILITY,
    FIRST,
    FOLLOWING,
    MOST_WORDS,
    OF_OBSERVED,
    OF_STATES,
    SIZES,
    STATE,
    attach,
    bounded,
    centre,
    exchange,
    new_cepts,
    occupied_before,
)
from pralign.kernels.compile import kernel
from pralign.kernels.displacement import affected
from pralign.kernels.neighbourhood import describe_words, diagonal
from pralign.kernels.stopping import stop_if_asked
from pralign.kernels.units import to_units

# What is less probable than this is not worth counting.
UNCOUNTED = 1e-6


class FertilityCounts(NamedTuple):
    """Expected counts, in units.

    ``fertility[word, number]`` are those of the words of the states. ``head`` and ``other`` are as in the parameters of
    Model 4; of Model 3, ``diagonal_distortion[distance]`` are the links at each distance from the diagonal, and
    ``diagonal_positions[position, length]`` the links of states whose diagonal is at a position of a sentence of so
    many words. ``null`` counts words that bring no null word along, and null words.
    """

    fertility: Long
    head: Long
    other: Long
    diagonal_distortion: Long
    diagonal_positions: Long
    null: Long


@kernel
def count_alignments(lattice, around, neighbourhood, weight, counts):
    """Add the expected counts of a block's neighbourhoods to ``counts``."""
    for k in range(lattice.states.size):
        states = np.int64(lattice.states[k])
        pair = neighbourhood.pair[k]
        classes = describe_words(around, pair)
        words = around.texts.source[around.texts.source_start[around.pairs[pair]] :]
        for c in range(neighbourhood.centre_start[pair], neighbourhood.centre_start[pair + 1]):
            stop_if_asked()
            path = neighbourhood.path[neighbourhood.path_start[c] : neighbourhood.path_start[c + 1]]
            cepts = new_cepts(path.size, states)
            for j in range(path.size):
                attach(cepts, j, np.int64(path[j]))
            total = 0.0
            for n in range(neighbourhood.change_start[c], neighbourhood.change_start[c + 1]):
                total += weight[n]
                if weight[n] > UNCOUNTED and neighbourhood.word[n] >= 0:
                    j, i, other = neighbourhood.word[n], neighbourhood.state[n], neighbourhood.other[n]
                    change = np.int64(j), np.int64(i), np.int64(other)
                    count_change(cepts, classes, change, lattice.weight[k] * weight[n], (words, counts))
            count_whole(cepts, classes, lattice.weight[k] * total, (words, counts))


@kernel
def count_whole(cepts, classes, weight, counters):
    """Count everything about an alignment."""
    for i in range(cepts[SIZES, 0]):
        count_state(cepts, classes, i, weight, counters)
    count_null(cepts, weight, counters[1])
    for j in range(cepts[SIZES, 1]):
        count_diagonal_distortion(cepts, j, weight, counters[1])


@kernel
def count_null(cepts, weight, counts):
    """Count null words, and the words that might have brought one along and did not."""
    null = cepts[FERTILITY, cepts[SIZES, 0]]
    counts.null[0] += to_units(weight * (cepts[SIZES, 1] - 2 * null))
    counts.null[1] += to_units(weight * null)


@kernel
def count_diagonal_distortion(cepts, j, weight, counts):
    """Count how far a word is from the diagonal (Model 3)."""
    states, observed = cepts[SIZES, 0], cepts[SIZES, 1]
    i = cepts[STATE, j]
    if counts.diagonal_distortion.size and i < states:
        middle = diagonal(i, states, observed)
        counts.diagonal_distortion[bounded(j - middle) + FARTHEST] += to_units(weight)
        counts.diagonal_positions[middle, observed] += to_units(weight)


@kernel
def count_state(cepts, classes, i, weight, counters):
    """Count how many words a state has and, for Model 4, where they stand."""
    words, counts = counters
    word = min(np.int64(words[i]), counts.fertility.shape[0] - 1)
    counts.fertility[word, min(cepts[FERTILITY, i], MOST_WORDS)] += to_units(weight)
    if counts.head.size == 0 or cepts[FERTILITY, i] == 0:
        return
    before = occupied_before(cepts, i)
    context = classes[OF_STATES, before] if before >= 0 else counts.head.shape[0] - 1
    j = cepts[FIRST, i]
    counts.head[context, classes[OF_OBSERVED, j], bounded(j - centre(cepts, before)) + FARTHEST] += to_units(weight)
    k = cepts[FOLLOWING, j]
    while k >= 0:
        counts.other[classes[OF_OBSERVED, k], bounded(k - j)] += to_units(weight)
        j, k = k, cepts[FOLLOWING, k]


@kernel
def count_change(cepts, classes, change, weight, counters):
    """Count what a neighbour has that its centre has not, and the reverse with a minus sign."""
    j, i, other = change
    old = cepts[STATE, j]
    touched = affected(cepts, old, i)
    count_touched(cepts, classes, touched, (j, other), -weight, counters)
    exchange(cepts, j, i, other)
    count_touched(cepts, classes, touched, (j, other), weight, counters)
    exchange(cepts, j, old, other)


@kernel
def count_touched(cepts, classes, touched, words, weight, counters):
    """Count some states, some words, and null."""
    for i in touched:
        if i >= 0:
            count_state(cepts, classes, i, weight, counters)
    for j in words:
        if j >= 0:
            count_diagonal_distortion(cepts, j, weight, counters[1])
    count_null(cepts, weight, counters[1])


@kernel
def state_words(texts, pairs, states):
    """The words of the states of a block, one pair after the other."""
    size = 0
    for k in range(states.size):
        size += states[k]
    words = np.empty(size, np.int32)
    n = 0
    for k in range(pairs.size):
        for o in range(texts.source_start[pairs[k]], texts.source_start[pairs[k] + 1]):
            words[n] = texts.source[o]
            n += 1
    return words
