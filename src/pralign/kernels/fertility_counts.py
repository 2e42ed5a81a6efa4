"""Expected counts of fertility models."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Double
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

# What is less probable than this is not worth counting.
UNCOUNTED = 1e-6


class FertilityCounts(NamedTuple):
    """Expected counts of a block, or of everything.

    ``fertility[state, words]``: of a block, by the states of its pairs, one pair after the other; of everything, by
    word. ``head`` and ``other`` are as in the parameters of Model 4; of Model 3, ``slant[distance]`` are the links at
    each distance from the diagonal, and ``slant_from[position, length]`` the links of states whose diagonal is at a
    position of a sentence of so many words. ``null`` counts words that bring no null word along, and null words.
    """

    fertility: Double
    head: Double
    other: Double
    slant: Double
    slant_from: Double
    null: Double


@kernel
def count_alignments(lattice, around, neighbourhood, weight, counts):
    """Add the expected counts of a block's neighbourhoods to ``counts``."""
    offset = 0
    for k in range(lattice.states.size):
        states = np.int64(lattice.states[k])
        pair = neighbourhood.pair[k]
        classes = describe_words(around, pair)
        rows = counts.fertility[offset : offset + states]
        for c in range(neighbourhood.centre_start[pair], neighbourhood.centre_start[pair + 1]):
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
                    count_change(cepts, classes, change, lattice.weight[k] * weight[n], (rows, counts))
            count_whole(cepts, classes, lattice.weight[k] * total, (rows, counts))
        offset += states


@kernel
def count_whole(cepts, classes, weight, counters):
    """Count everything about an alignment."""
    for i in range(cepts[SIZES, 0]):
        count_state(cepts, classes, i, weight, counters)
    count_null(cepts, weight, counters[1])
    for j in range(cepts[SIZES, 1]):
        count_slant(cepts, j, weight, counters[1])


@kernel
def count_null(cepts, weight, counts):
    """Count null words, and the words that might have brought one along and did not."""
    null = cepts[FERTILITY, cepts[SIZES, 0]]
    counts.null[0] += weight * (cepts[SIZES, 1] - 2 * null)
    counts.null[1] += weight * null


@kernel
def count_slant(cepts, j, weight, counts):
    """Count how far a word is from the diagonal (Model 3)."""
    states, observed = cepts[SIZES, 0], cepts[SIZES, 1]
    i = cepts[STATE, j]
    if counts.slant.size and i < states:
        middle = diagonal(i, states, observed)
        counts.slant[bounded(j - middle) + FARTHEST] += weight
        counts.slant_from[middle, observed] += weight


@kernel
def count_state(cepts, classes, i, weight, counters):
    """Count how many words a state has and, for Model 4, where they stand."""
    rows, counts = counters
    rows[i, min(cepts[FERTILITY, i], MOST_WORDS)] += weight
    if counts.head.size == 0 or cepts[FERTILITY, i] == 0:
        return
    before = occupied_before(cepts, i)
    context = classes[OF_STATES, before] if before >= 0 else counts.head.shape[0] - 1
    j = cepts[FIRST, i]
    counts.head[context, classes[OF_OBSERVED, j], bounded(j - centre(cepts, before)) + FARTHEST] += weight
    k = cepts[FOLLOWING, j]
    while k >= 0:
        counts.other[classes[OF_OBSERVED, k], bounded(k - j)] += weight
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
            count_slant(cepts, j, weight, counters[1])
    count_null(cepts, weight, counters[1])


@kernel
def add_by_word(words, part, total):
    """Add the rows of a block's states to those of their words."""
    for n in range(words.size):
        word = min(np.int64(words[n]), total.shape[0] - 1)
        for f in range(part.shape[1]):
            total[word, f] += part[n, f]


@kernel
def state_words(texts, pairs, states):
    """The words of the states of a block, one pair after the other."""
    words = np.empty(np.sum(states), np.int32)
    n = 0
    for k in range(pairs.size):
        for o in range(texts.source_start[pairs[k]], texts.source_start[pairs[k] + 1]):
            words[n] = texts.source[o]
            n += 1
    return words
