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
from pralign.kernels.units import to_units

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
def far_sums(row, far, subtracting, base):
    """Fill ``base[i]`` with ``far`` times the sum of a padded row over the states that the band leaves to it."""
    states = base.size
    if subtracting:
        total = 0.0
        for i in range(states):
            total += row[REACH + i]
        for i in range(states):
            base[i] = far * total
        return
    running = 0.0
    for i in range(states):
        if i > REACH:
            running += row[i - 1]
        base[i] = far * running
    running = 0.0
    for i in range(states - 1, -1, -1):
        if i + REACH + 1 < states:
            running += row[i + 2 * REACH + 1]
        base[i] += far * running


# The loops over states are short and each writes one array, so that the compiler can do four steps at a time.


@kernel
def add_band(v, row, sums):
    """Add to each of ``sums`` the weighted sum of the eleven numbers of ``row`` from its place on."""
    v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10 = v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10]
    for i in range(sums.size):
        sums[i] += (
            v0 * row[i]
            + v1 * row[i + 1]
            + v2 * row[i + 2]
            + v3 * row[i + 3]
            + v4 * row[i + 4]
            + v5 * row[i + 5]
            + v6 * row[i + 6]
            + v7 * row[i + 7]
            + v8 * row[i + 8]
            + v9 * row[i + 9]
            + v10 * row[i + 10]
        )


@kernel
def forward_pass(emissions, weights, leave, initial, out):
    """Scaled forward probabilities of each position (alpha), those of reaching it by a link, and the scales."""
    emission, null_emission = emissions
    alpha, via_link, scale = out
    observed, states = via_link.shape
    far = weights.jump[FAR]
    p0 = weights.null[0]
    subtracting = subtracts_far(weights, states)
    mirrored = weights.jump[:BAND][::-1] - (far if subtracting else 0.0)
    outgoing = np.zeros(states + 2 * REACH)
    base = np.empty(states)
    for j in range(observed):
        row = alpha[j]
        link = via_link[j]
        total = 0.0
        if j == 0:
            for i in range(states):
                link[i] = (1.0 - p0) * initial[i] * emission[i]
                row[i] = link[i] + p0 * initial[i] * null_emission[0]
                total += row[i]
        else:
            previous = alpha[j - 1]
            for i in range(states):
                outgoing[REACH + i] = previous[i] * leave[i]
            far_sums(outgoing, far, subtracting, base)
            add_band(mirrored, outgoing, base)
            offset = j * states
            stay = p0 * null_emission[j]
            for i in range(states):
                base[i] *= emission[offset + i]
            for i in range(states):
                link[i] = base[i]
            for i in range(states):
                row[i] = base[i] + stay * previous[i]
                total += row[i]
        scale[j] = total
        inverse = 1.0 / total
        for i in range(states):
            row[i] *= inverse
            link[i] *= inverse


@kernel
def forward_backward(lattice, rows, posterior, counts, by_pair):
    """Posteriors of every pair of a block; if ``by_pair`` has a row a pair, also expected counts.

    ``rows`` holds the weights, a row for each pair or one for all. Counts are added to ``counts``, and those of each
    pair are written into ``by_pair``.
    """
    scratch = allocate(lattice)
    for k in range(lattice.states.size):
        weights = weights_of(rows, k)
        states = np.int64(lattice.states[k])
        first = lattice.observed_start[k]
        observed = lattice.observed_start[k + 1] - first
        begin, end = lattice.cell_start[k], lattice.cell_start[k + 1]
        emissions = (lattice.emission[begin:end], lattice.null_emission[first : first + observed])
        out = (posterior.link[begin:end], posterior.null[first : first + observed])
        alpha = scratch[0][: observed * states].reshape(observed, states)
        via_link = scratch[1][: observed * states].reshape(observed, states)
        scale = scratch[2][:observed]
        leave = scratch[3][:states]
        initial = scratch[4][:states]
        leaving(weights, leave)
        starting(weights, initial)
        forward_pass(emissions, weights, leave, initial, (alpha, via_link, scale))
        log_likelihood = 0.0
        for j in range(observed):
            log_likelihood += np.log(scale[j])
        posterior.log_likelihood[k] = log_likelihood
        row = by_pair[min(k, by_pair.shape[0] - 1)] if by_pair.shape[0] else np.empty(0, np.float32)
        backward_pass(emissions, weights, leave, (alpha, via_link, scale), out, (counts, lattice.weight[k], row))


@kernel
def allocate(lattice):
    """Working space for the largest pair of a block: alpha, via_link, scale, leave, initial."""
    widest = longest = largest = np.int64(1)
    for k in range(lattice.states.size):
        states = np.int64(lattice.states[k])
        observed = lattice.observed_start[k + 1] - lattice.observed_start[k]
        widest = max(widest, states)
        longest = max(longest, observed)
        largest = max(largest, observed * states)
    return np.empty(largest), np.empty(largest), np.empty(longest), np.empty(widest), np.empty(widest)


@kernel
def backward_pass(emissions, weights, leave, forward, out, counter):
    """Walk back, combine with the forward probabilities, write posteriors and count jumps."""
    emission, null_emission = emissions
    alpha, via_link, scale = forward
    link_out, null_out = out
    counts, weight, row = counter
    counting = row.size > 0
    observed, states = via_link.shape
    far = weights.jump[FAR]
    subtracting = subtracts_far(weights, states)
    band = weights.jump[:BAND] - (far if subtracting else 0.0)
    base = np.empty(states)
    beta = np.ones(states)
    onward = np.zeros(states + 2 * REACH)
    departed = np.zeros(states)
    jumps = np.zeros(BAND)
    outgoing = np.empty(states)
    for j in range(observed - 1, -1, -1):
        if j < observed - 1:
            inverse = 1.0 / scale[j + 1]
            offset = (j + 1) * states
            for i in range(states):
                onward[REACH + i] = emission[offset + i] * beta[i] * inverse
            far_sums(onward, far, subtracting, base)
            add_band(band, onward, base)
            stay = weights.null[0] * null_emission[j + 1] * inverse
            for i in range(states):
                base[i] *= leave[i]
            for i in range(states):
                beta[i] = base[i] + stay * beta[i]
            for i in range(states):
                departed[i] += alpha[j, i] * base[i]
            if counting:
                for i in range(states):
                    outgoing[i] = alpha[j, i] * leave[i]
                count_jumps(outgoing, onward, weights.jump, jumps)
        linked = 0.0
        for i in range(states):
            value = via_link[j, i] * beta[i]
            linked += value
            link_out[j * states + i] = value
        null_out[j] = max(1.0 - linked, 0.0)
    if counting:
        add_jumps(jumps, departed, counts, weight, row)
        count_sentence(alpha[0], beta, departed, null_out, counter)


@kernel
def count_jumps(outgoing, onward, jump, count):
    """Add the expected jumps within reach between two neighbouring observed words."""
    for k in range(BAND):
        total = 0.0
        for i in range(outgoing.size):
            total += outgoing[i] * onward[i + k]
        count[k] += jump[k] * total


@kernel
def add_jumps(jumps, departed, counts, weight, by_pair):
    """Add a sentence's jumps to those of the block, and write them down as the pair's own."""
    far = departed.sum()
    for k in range(BAND):
        counts.jump[k] += to_units(weight * jumps[k])
        by_pair[k] = weight * jumps[k]
        far -= jumps[k]
    by_pair[FAR] = weight * max(far, 0.0)


@kernel
def count_sentence(first_row, beta, departed, null, counter):
    """Add what a sentence says of first positions, departures and null."""
    counts, weight, by_pair = counter
    states = beta.size
    counts.start[states] += to_units(weight)
    by_pair[FIRST:NULL] = 0.0
    for i in range(states):
        left = min(i, REACH)
        right = min(states - 1 - i, REACH)
        counts.departure[left, right, states - 1 - left - right] += to_units(weight * departed[i])
        counts.initial[min(i, INITIAL - 1)] += to_units(weight * first_row[i] * beta[i])
        by_pair[FIRST + min(i, INITIAL - 1)] += weight * first_row[i] * beta[i]
    unlinked = 0.0
    for j in range(null.size):
        unlinked += np.float64(null[j])
    counts.null[0] += to_units(weight * unlinked)
    counts.null[1] += to_units(weight * null.size)
    by_pair[NULL] = weight * unlinked
    by_pair[NULL + 1] = weight * null.size


@kernel
def viterbi(lattice, rows, state):
    """The likeliest state of each observed word of a block, -1 for null, in one joint best path a pair."""
    for k in range(lattice.states.size):
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
