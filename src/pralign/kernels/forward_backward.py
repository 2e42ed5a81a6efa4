"""Posteriors and expected counts of the HMM, by the forward–backward algorithm, in single or double precision.

Every row of the forward pass is scaled to a sum of one, and the backward pass is scaled alike. Any state leads to any
other by one jump, whose weight is a trillionth at least, so that a state that is less likely than single precision can
say will not become likely again, and nothing that matters is larger than its range. Where whole rows of emissions are
so small that their sum would be lost, they are raised first. Double precision is for those who climb by likelihoods.

Sums over states are as in :mod:`pralign.kernels.hmm`. Rows are padded to full vectors with states that nothing leaves
and nothing reaches, so that the compiler can do eight steps at a time, and by the reach of the band on either side.
"""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Double, Float
from pralign.kernels.compile import kernel
from pralign.kernels.growing import largest
from pralign.kernels.hmm import BAND, FAR, FIRST, INITIAL, NULL, REACH, leaving, starting, subtracts_far, weights_of
from pralign.kernels.stopping import stop_if_asked
from pralign.kernels.units import to_units

_LANES = 8
# Rows lie so far apart that a step of any vector length cannot reach from one to the next: that is what the compiler
# has tested before it does several steps at a time.
_GAP = 64
# Rows whose sum is smaller are raised.
_LEAST_SUM = 1e-20

Numbers = Float | Double


class Room(NamedTuple):
    """Working space for the largest pair of a block.

    ``alpha`` and ``via_link`` hold the forward probabilities of each position, and of reaching it by a link, before
    they are divided by ``scale``; ``leave`` and ``initial`` what the weights say of each state; ``padded`` is a row
    with the reach of the band on either side, the others are rows.
    """

    alpha: Numbers
    via_link: Numbers
    scale: Numbers
    leave: Numbers
    initial: Numbers
    padded: Numbers
    held: Numbers
    row: Numbers
    base: Numbers
    departed: Numbers
    band: Numbers


@kernel
def forward_backward(lattice, rows, posterior, counts, by_pair, precision):
    """Posteriors of every pair of a block; if ``by_pair`` has a row a pair, also expected counts.

    ``rows`` holds the weights, a row for each pair or one for all. Counts are added to ``counts``, and those of each
    pair are written into ``by_pair``. The passes work with numbers like those of the array ``precision``.
    """
    room = allocate(lattice, precision)
    number = precision.dtype.type
    weighed = np.empty(room.leave.size)
    for k in range(lattice.states.size):
        stop_if_asked()
        weights = weights_of(rows, k)
        states = np.int64(lattice.states[k])
        first, last = lattice.observed_start[k], lattice.observed_start[k + 1]
        begin, end = lattice.cell_start[k], lattice.cell_start[k + 1]
        emissions = (lattice.emission[begin:end], lattice.null_emission[first:last])
        of_pair = room_of_pair(room, states, last - first)
        subtracting = fill_weights(weights, states, of_pair, weighed)
        constants = (number(weights.jump[FAR]), number(weights.null[0]), subtracting, states)
        linked = number(1.0 - weights.null[0])
        posterior.log_likelihood[k] = 0.0
        if not forward_pass(emissions, constants, linked, of_pair):
            emissions, posterior.log_likelihood[k] = raised(emissions, states)
            forward_pass(emissions, constants, linked, of_pair)
        for j in range(last - first):
            posterior.log_likelihood[k] += np.log(np.float64(of_pair.scale[j]))
        out = (posterior.link[begin:end], posterior.null[first:last])
        row = by_pair[min(k, by_pair.shape[0] - 1)] if by_pair.shape[0] else np.empty(0, np.float32)
        jumps = backward_pass(emissions, constants, of_pair, out, row.size > 0)
        if row.size:
            counter = (counts, lattice.weight[k], row)
            add_jumps(jumps, weights.jump, of_pair.departed[:states], counter)
            count_sentence(of_pair, out[1], states, counter)


@kernel
def padded_width(states):
    """The number of states, rounded up to full vectors."""
    return (states + _LANES - 1) // _LANES * _LANES


@kernel
def allocate(lattice, precision):
    """Room for the largest pair of a block."""
    widest = longest = largest = np.int64(1)
    for k in range(lattice.states.size):
        width = padded_width(np.int64(lattice.states[k]))
        observed = lattice.observed_start[k + 1] - lattice.observed_start[k]
        widest = max(widest, width)
        longest = max(longest, observed)
        largest = max(largest, observed * width)
    row = np.empty((7, widest + 2 * REACH + _GAP), precision.dtype)
    passes = np.empty((2, largest + _GAP), precision.dtype)
    scale, band = np.empty(longest, precision.dtype), np.empty(BAND, precision.dtype)
    return Room(passes[0], passes[1], scale, row[0], row[1], row[2], row[3], row[4], row[5], row[6], band)


@kernel
def room_of_pair(room, states, observed):
    """The part of the room that a pair takes."""
    width = padded_width(states)
    return Room(
        room.alpha[: observed * width],
        room.via_link[: observed * width],
        room.scale[:observed],
        room.leave[:width],
        room.initial[:width],
        room.padded[: width + 2 * REACH],
        room.held[:width],
        room.row[:width],
        room.base[:width],
        room.departed[:width],
        room.band,
    )


@kernel
def fill_weights(weights, states, room, weighed):
    """Fill ``leave``, ``initial`` and ``band``; whether sums over the band use ``w - far``."""
    room.leave[:] = 0.0
    leaving(weights, weighed[:states])
    for i in range(states):
        room.leave[i] = weighed[i]
    room.initial[:] = 0.0
    starting(weights, weighed[:states])
    for i in range(states):
        room.initial[i] = weighed[i]
    subtracting = subtracts_far(weights, states)
    for k in range(BAND):
        room.band[k] = weights.jump[k] - (weights.jump[FAR] if subtracting else 0.0)
    return subtracting


@kernel
def sum_of(row):
    """The sum of a row.

    No loop that sums also writes: the order of summing would depend on where arrays lie, as far as the compiler sees.
    """
    total = row.dtype.type(0)
    for i in range(row.size):
        total += row[i]
    return total


@kernel
def far_sums(padded, far, subtracting, base):
    """Fill ``base`` with ``far`` times the sum of a padded row over the states that the band leaves to it."""
    width = base.size
    if subtracting:
        total = far * sum_of(padded[REACH : REACH + width])
        for i in range(width):
            base[i] = total
        return
    running = base.dtype.type(0)
    for i in range(width):
        if i > REACH:
            running += padded[i - 1]
        base[i] = far * running
    running = base.dtype.type(0)
    for i in range(width - REACH - 2, -1, -1):
        running += padded[i + 2 * REACH + 1]
        base[i] += far * running


@kernel
def add_band(v, padded, sums):
    """Add to each of ``sums`` the weighted sum of the eleven numbers of a padded row from its place on."""
    v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10 = v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10]
    for i in range(sums.size):
        sums[i] += (
            v0 * padded[i]
            + v1 * padded[i + 1]
            + v2 * padded[i + 2]
            + v3 * padded[i + 3]
            + v4 * padded[i + 4]
            + v5 * padded[i + 5]
            + v6 * padded[i + 6]
            + v7 * padded[i + 7]
            + v8 * padded[i + 8]
            + v9 * padded[i + 9]
            + v10 * padded[i + 10]
        )


@kernel
def forward_pass(emissions, constants, linked, room):
    """Forward probabilities and the scales; whether none of these is too small to rely on.

    ``linked`` is the probability that the first word is not explained by null.
    """
    emission, null_emission = emissions
    far, p0, subtracting, states = constants
    width = room.leave.size
    leave, base, row, padded, before = room.leave, room.base, room.row, room.padded, room.held
    padded[:] = 0.0
    row[:] = 0.0
    outgoing = padded[REACH : REACH + width]
    for i in range(width):
        before[i] = room.initial[i]
        base[i] = linked * before[i]
    mirrored = room.band[::-1].copy()
    one = room.leave.dtype.type(1)
    inverse = least = one
    for j in range(room.scale.size):
        if j:
            for i in range(width):
                outgoing[i] = before[i] * (leave[i] * inverse)
            far_sums(padded, far, subtracting, base)
            add_band(mirrored, padded, base)
        explained = emission[j * states : (j + 1) * states]
        for i in range(states):
            row[i] = explained[i]
        link = room.via_link[j * width : (j + 1) * width]
        alpha = room.alpha[j * width : (j + 1) * width]
        stay = p0 * null_emission[j] * inverse
        for i in range(width):
            value = row[i] * base[i]
            link[i] = value
            value += stay * before[i]
            before[i] = value
            alpha[i] = value
        total = sum_of(before)
        room.scale[j] = total
        least = min(least, total)
        inverse = one / total
    return least >= _LEAST_SUM


@kernel
def raised(emissions, states):
    """Emissions whose rows are divided by their largest, and the sum of the logarithms of these."""
    emission, null_emission = emissions[0].copy(), emissions[1].copy()
    logarithms = 0.0
    for j in range(null_emission.size):
        row = emission[j * states : (j + 1) * states]
        highest = max(largest(row), null_emission[j])
        for i in range(states):
            row[i] /= highest
        null_emission[j] /= highest
        logarithms += np.log(np.float64(highest))
    return (emission, null_emission), logarithms


@kernel
def backward_pass(emissions, constants, room, out, counting):
    """Walk back, combine with the forward probabilities and write posteriors.

    Returns, if ``counting``, the sums of which expected jumps are made; ``room.departed`` gets the departures of each
    state, and ``room.row`` what the words after the first say of it.
    """
    emission, null_emission = emissions
    far, p0, subtracting, states = constants
    link_out, null_out = out
    observed, width = room.scale.size, room.leave.size
    leave, base, beta, departed, padded = room.leave, room.base, room.row, room.departed, room.padded
    padded[:] = 0.0
    beta[:] = 1.0
    departed[:] = 0.0
    onward = padded[REACH : REACH + states]
    jumps = np.zeros(BAND)
    one = room.leave.dtype.type(1)
    after = one
    for j in range(observed - 1, -1, -1):
        inverse = one / room.scale[j]
        if j < observed - 1:
            explained = emission[(j + 1) * states : (j + 2) * states]
            for i in range(states):
                onward[i] = explained[i] * (beta[i] * after)
            far_sums(padded, far, subtracting, base)
            add_band(room.band, padded, base)
            stay = p0 * null_emission[j + 1] * after
            alpha = room.alpha[j * width : (j + 1) * width]
            for i in range(width):
                value = leave[i] * base[i]
                departed[i] += value * (alpha[i] * inverse)
                beta[i] = value + stay * beta[i]
            if counting:
                sum_jumps(alpha, leave, inverse, padded, jumps)
        link = room.via_link[j * width : (j + 1) * width]
        posterior = link_out[j * states : (j + 1) * states]
        for i in range(width):
            base[i] = link[i] * (beta[i] * inverse)
        for i in range(states):
            posterior[i] = min(base[i], one)
        null_out[j] = max(1.0 - sum_of(base), 0.0)
        after = inverse
    return jumps


@kernel
def sum_jumps(alpha, leave, inverse, padded, jumps):
    """Add, for each jump within reach, the expected jumps between two neighbouring words, but for its weight."""
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = a8 = a9 = a10 = alpha.dtype.type(0)
    for i in range(alpha.size):
        outgoing = alpha[i] * (leave[i] * inverse)
        a0 += outgoing * padded[i]
        a1 += outgoing * padded[i + 1]
        a2 += outgoing * padded[i + 2]
        a3 += outgoing * padded[i + 3]
        a4 += outgoing * padded[i + 4]
        a5 += outgoing * padded[i + 5]
        a6 += outgoing * padded[i + 6]
        a7 += outgoing * padded[i + 7]
        a8 += outgoing * padded[i + 8]
        a9 += outgoing * padded[i + 9]
        a10 += outgoing * padded[i + 10]
    for k, value in enumerate((a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10)):
        jumps[k] += value


@kernel
def add_jumps(jumps, weights, departed, counter):
    """Add a sentence's jumps to those of the block, and write them down as the pair's own."""
    counts, weight, by_pair = counter
    far = 0.0
    for i in range(departed.size):
        far += np.float64(departed[i])
    for k in range(BAND):
        expected = weights[k] * jumps[k]
        counts.jump[k] += to_units(weight * expected)
        by_pair[k] = weight * expected
        far -= expected
    by_pair[FAR] = weight * max(far, 0.0)


@kernel
def count_sentence(room, null, states, counter):
    """Add what a sentence says of first positions, departures and null."""
    counts, weight, by_pair = counter
    counts.start[states] += to_units(weight)
    by_pair[FIRST:NULL] = 0.0
    inverse = weight / np.float64(room.scale[0])
    for i in range(states):
        left = min(i, REACH)
        right = min(states - 1 - i, REACH)
        counts.departure[left, right, states - 1 - left - right] += to_units(weight * room.departed[i])
        first = inverse * room.alpha[i] * room.row[i]
        counts.initial[min(i, INITIAL - 1)] += to_units(first)
        by_pair[FIRST + min(i, INITIAL - 1)] += first
    unlinked = 0.0
    for j in range(null.size):
        unlinked += np.float64(null[j])
    counts.null[0] += to_units(weight * unlinked)
    counts.null[1] += to_units(weight * null.size)
    by_pair[NULL] = weight * unlinked
    by_pair[NULL + 1] = weight * null.size
