"""What a change of an alignment does to where cepts stand: the incremental part of Model 4's score."""

import numpy as np

from pralign.kernels.cepts import (
    FARTHEST,
    FERTILITY,
    FIRST,
    FOLLOWING,
    HEAD,
    NOBODY,
    OF_OBSERVED,
    OF_STATES,
    OTHERS,
    PRECEDING,
    SIZES,
    STATE,
    TOTAL,
    bounded,
    centre,
    context_of,
    exchange,
    mean_position,
    occupied_after,
    occupied_before,
    place_head,
    place_others,
    tail,
)
from pralign.kernels.compile import kernel

# Tables are read here without a call: passing them on costs more than reading.


@kernel
def moving(cepts, places, classes, table, j, i, left):
    """By how much it makes places likelier if word ``j`` goes to state ``i``, without moving it.

    ``left`` is what :func:`leaving` says of the word, wherever it goes. From left to right, the heads of at most four
    cepts change: of the two states, and of the next after each.
    """
    gain, left_first, left_centre = left
    joined, new_first, new_centre = entering(cepts, classes, table, j, i)
    gain += joined
    states, old = cepts[SIZES, 0], cepts[STATE, j]
    low, high = min(i, old), max(i, old)
    before = occupied_before(cepts, low)
    context, middle = context_of(classes, table, before), centre(cepts, before)
    for turn in range(2):
        state = low if turn == 0 else high
        if state < states:
            if cepts[FERTILITY, state] > 0:
                gain -= places[HEAD, state]
            first = left_first if state == old else new_first
            if first >= 0:
                distance = first - middle
                gain += table[context, classes[OF_OBSERVED, first], bounded(distance) + FARTHEST] + tail(distance)
                context = np.int64(classes[OF_STATES, state])
                middle = left_centre if state == old else new_centre
            after = occupied_after(cepts, state)
            if after < (states if turn == 1 else high):
                first = cepts[FIRST, after]
                distance = first - middle
                gain += table[context, classes[OF_OBSERVED, first], bounded(distance) + FARTHEST] + tail(distance)
                gain -= places[HEAD, after]
                if turn == 0 and high < states:
                    before = occupied_before(cepts, high)
                    context, middle = context_of(classes, table, before), centre(cepts, before)
    return gain


@kernel
def joining(classes, table, j, before):
    """The logarithm of the probability that word ``j`` follows ``before`` in a cept; nothing if either is -1."""
    distance = j - before
    value = 0.0
    if j >= 0 and before >= 0:
        value = table[table.shape[0] - 1, classes[OF_OBSERVED, j], bounded(distance) + FARTHEST] + tail(distance)
    return value


@kernel
def leaving(cepts, classes, table, j):
    """What the other words of its cept gain if word ``j`` leaves, and then their first word and their centre."""
    state = cepts[STATE, j]
    linked = state < cepts[SIZES, 0]
    before = cepts[PRECEDING, j] if linked else NOBODY
    after = cepts[FOLLOWING, j] if linked else NOBODY
    gain = joining(classes, table, after, before)
    gain -= joining(classes, table, j, before) + joining(classes, table, after, j)
    first = cepts[FIRST, state] if before >= 0 else after
    middle = mean_position(cepts[TOTAL, state] - j, cepts[FERTILITY, state] - 1) if linked else -1
    return gain, first, middle


@kernel
def entering(cepts, classes, table, j, i):
    """What the other words of a cept gain if word ``j`` joins, and then their first word and their centre."""
    linked = i < cepts[SIZES, 0]
    before, after = NOBODY, cepts[FIRST, i] if linked else NOBODY
    while 0 <= after < j:
        before, after = after, cepts[FOLLOWING, after]
    gain = joining(classes, table, j, before) + joining(classes, table, after, j)
    gain -= joining(classes, table, after, before)
    first = cepts[FIRST, i] if before >= 0 else j
    middle = mean_position(cepts[TOTAL, i] + j, cepts[FERTILITY, i] + 1) if linked else -1
    return gain, first if linked else -1, middle


@kernel
def swapping(cepts, places, classes, table, j, k):
    """By how much it makes places likelier if words ``j`` and ``k`` swap their states."""
    i, other = cepts[STATE, j], cepts[STATE, k]
    touched = affected(cepts, i, other)
    gain = 0.0
    for state in touched:
        if state >= 0 and cepts[FERTILITY, state] > 0:
            gain -= places[HEAD, state] + places[OTHERS, state]
    exchange(cepts, j, other, k)
    for state in touched:
        if state >= 0 and cepts[FERTILITY, state] > 0:
            gain += place_head(cepts, state, classes, table) + place_others(cepts, state, classes, table)
    exchange(cepts, j, i, k)
    return gain


@kernel
def affected(cepts, i, k):
    """The states whose places depend on those of ``i`` and ``k``: themselves and the next after each; -1 for none."""
    states = cepts[SIZES, 0]
    low, high = min(i, k), max(i, k)
    after_low, after_high = occupied_after(cepts, low), occupied_after(cepts, high)
    between = after_low if after_low < high else NOBODY
    last = after_high if after_high < states else NOBODY
    return low, between, high if high < states else NOBODY, last


@kernel
def settle(cepts, i, places, classes, table):
    """Keep how likely the places of a state's words are."""
    if cepts[FERTILITY, i] > 0:
        places[HEAD, i] = place_head(cepts, i, classes, table)
        places[OTHERS, i] = place_others(cepts, i, classes, table)
