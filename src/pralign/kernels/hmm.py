"""Inference in the hidden Markov alignment model, linear in the number of states.

The probability of moving from state ``i`` to state ``i'`` is ``(1 - p0) * w(i' - i) / Z(i)``, where ``w`` has its own
value for jumps of at most five and one common value ``far`` beyond, and ``Z(i)`` normalises over the states there
are. A word explained by null keeps the position: it costs ``p0``, and the next jump starts from the same state.

Since ``w`` is constant outside a band of eleven, a sum over all states is ``far`` times the total plus a sum over
the band with weights ``w - far``; this is what makes the passes linear. Where a jump in reach is lighter than ``far``,
that difference would lose digits, and running sums over the states beyond the band take the place of the total. Rows
are padded by the reach of the band, so that no step tests for the ends of the sentence.
"""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Double, Long
from pralign.kernels.compile import kernel
from pralign.kernels.stopping import stop_if_asked

REACH = 5
BAND = 2 * REACH + 1
FAR = BAND
INITIAL = REACH + 2


class JumpWeights(NamedTuple):
    """The parameters of one direction; weights are relative and normalised within each sentence.

    ``jump`` holds the weights of the jumps -5 to 5 and then ``far``; ``initial`` those of the first positions 0 to 5
    and then of any later one; ``null`` holds the single number ``p0``.
    """

    jump: Double
    initial: Double
    null: Double


class JumpCounts(NamedTuple):
    """Expected counts for the parameters of one direction, in units.

    ``departure[l, r, f]`` counts jumps out of states with ``l`` states in reach on the left, ``r`` on the right and
    ``f`` beyond, which is all that ``Z`` depends on; ``start[n]`` counts sentences of ``n`` states. ``null`` counts
    words that are not linked, and words.
    """

    jump: Long
    departure: Long
    initial: Long
    start: Long
    null: Long


# What each pair adds is also written down as a row of so many numbers: jumps in reach, longer jumps, first positions,
# null words and words; here is where first positions and nulls begin.
FIRST = BAND + 1
NULL = FIRST + INITIAL
PAIR_COUNTS = NULL + 2


@kernel
def weights_of(weights, k):
    """The weights of pair ``k``, of a table that has a row for each pair, or one for all."""
    row = k if weights.null.shape[0] > 1 else 0
    return JumpWeights(weights.jump[row], weights.initial[row], weights.null[row])


@kernel
def leaving(weights, leave):
    """Fill ``leave[i] = (1 - p0) / Z(i)`` for a sentence of ``leave.size`` states."""
    states = leave.size
    for i in range(states):
        left = min(i, REACH)
        right = min(states - 1 - i, REACH)
        total = weights.jump[FAR] * (states - 1 - left - right)
        for k in range(REACH - left, REACH + right + 1):
            total += weights.jump[k]
        leave[i] = (1.0 - weights.null[0]) / total


@kernel
def starting(weights, initial):
    """Fill the distribution of the first position for a sentence of ``initial.size`` states."""
    states = initial.size
    total = 0.0
    for i in range(states):
        initial[i] = weights.initial[min(i, INITIAL - 1)]
        total += initial[i]
    for i in range(states):
        initial[i] /= total


@kernel
def subtracts_far(weights, states):
    """Whether sums over the band use ``w - far`` and sums over all states, rather than ``w`` and sums beyond reach.

    That is quicker, and loses no digits as long as no jump in reach is lighter than a far one.
    """
    lightest = weights.jump[0]
    for k in range(1, BAND):
        lightest = min(lightest, weights.jump[k])
    return states > REACH + 1 and lightest >= weights.jump[FAR]


@kernel
def viterbi(lattice, rows, state):
    """The likeliest state of each observed word of a block, -1 for null, in one joint best path a pair."""
    for k in range(lattice.states.size):
        stop_if_asked()
        first, last = lattice.observed_start[k], lattice.observed_start[k + 1]
        begin, end = lattice.cell_start[k], lattice.cell_start[k + 1]
        emissions = (lattice.emission[begin:end], lattice.null_emission[first:last])
        best_path(emissions, np.int64(lattice.states[k]), weights_of(rows, k), state[first:last])


@kernel
def best_path(emissions, states, weights, path):
    """The best path through one pair. Each column is rescaled to a maximum of one."""
    emission, null_emission = emissions
    p0 = weights.null[0]
    observed = path.size
    leave = np.empty(states)
    best = np.empty(states)
    outgoing = np.empty(states)
    reached = np.empty(states)
    origin = np.empty((observed, states), np.int32)
    by_link = np.empty((observed, states), np.bool_)
    leaving(weights, leave)
    starting(weights, best)
    for j in range(observed):
        for i in range(states):
            outgoing[i] = best[i] * leave[i]
            reached[i] = best[i] * (1.0 - p0)
        if j > 0:
            arrive(outgoing, weights.jump, reached, origin[j])
        highest = 0.0
        for i in range(states):
            link = reached[i] * emission[j * states + i]
            null = best[i] * p0 * null_emission[j]
            by_link[j, i] = link >= null
            best[i] = max(link, null)
            highest = max(highest, best[i])
        inverse = 1.0 / highest
        for i in range(states):
            best[i] *= inverse
    i = np.argmax(best)
    for j in range(observed - 1, -1, -1):
        path[j] = i if by_link[j, i] else -1
        if j > 0 and by_link[j, i]:
            i = np.int64(origin[j, i])


@kernel
def arrive(outgoing, jump, reached, origin):
    """For each state, the best predecessor: eleven in reach, and the best of those beyond on either side."""
    states = outgoing.size
    beyond = np.zeros(states)
    beyond_from = np.zeros(states, np.int32)
    top = 0.0
    for i in range(REACH + 1, states):
        if outgoing[i - REACH - 1] > top:
            top = outgoing[i - REACH - 1]
            best = i - REACH - 1
        if top > 0.0:
            beyond[i] = top
            beyond_from[i] = best
    top = 0.0
    for i in range(states - REACH - 2, -1, -1):
        if outgoing[i + REACH + 1] > top:
            top = outgoing[i + REACH + 1]
            best = i + REACH + 1
        if top > beyond[i]:
            beyond[i] = top
            beyond_from[i] = best
    for i in range(states):
        value = jump[FAR] * beyond[i]
        source = np.int64(beyond_from[i])
        for other in range(max(0, i - REACH), min(states, i + REACH + 1)):
            candidate = outgoing[other] * jump[i - other + REACH]
            if candidate > value:
                value = candidate
                source = other
        reached[i] = value
        origin[i] = source
