"""From an alignment uphill: the best alignment that no change of one word and no swap of two makes better.

The alignments one such change away are its *neighbourhood*, over which fertility models take their expectations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Double, Int, Long
from pralign.kernels.cepts import (
    FERTILITY,
    HEAD,
    NOBODY,
    OTHERS,
    SIZES,
    STATE,
    exchange,
    having,
    null_words,
    occupied_after,
    occupied_before,
)
from pralign.kernels.compile import kernel
from pralign.kernels.displacement import affected, leaving, moving, settle, swapping
from pralign.kernels.stopping import stop_if_asked

# A neighbour less probable than this, relative to the peak, is left out: exp(-27) is about 2e-12.
NEGLIGIBLE = -27.0
LEAST_GAIN = 1e-7
MOST_ROUNDS = 50
NOTHING = -np.inf
# Where words stand does not depend on other words.
UNORDERED = (0.0, NOBODY, NOBODY)

# Rows of an outlook: what a state wins by one word more, by one less, and what its words' places have to lose.
MORE, FEWER, EXPOSED = 0, 1, 2


class Changes(NamedTuple):
    """Neighbours of an alignment: word ``word`` goes to ``state`` and, in a swap, ``other`` (else -1) to its state.

    The alignment itself is told by -1 for all three. ``score`` is by how much that changes the logarithm of the
    probability.
    """

    word: Int
    state: Int
    other: Int
    score: Double


@kernel
def new_changes(size):
    """Room for so many changes."""
    return Changes(np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size))


class Clock(NamedTuple):
    """When things happened: a word that had nothing to win, while nothing changed around it, need not be asked again.

    ``now`` is the number of changes so far; ``changed`` has the last one around each state, null being the last state,
    ``moving`` and ``swapping`` the time at which each word was last asked whether it wins by going elsewhere, and by
    swapping with a later word; -1 for never.
    """

    now: Long
    changed: Long
    moving: Long
    swapping: Long


@kernel
def climb(cepts, sentence, tables, pegged):
    """Climb from ``cepts`` to a peak, changing one word or swapping two. Word ``pegged`` keeps its state if not -1."""
    view = look_out(cepts, sentence, tables)
    states, observed = cepts[SIZES, 0], cepts[SIZES, 1]
    never = np.full((2, observed), -1, np.int64)
    clock = Clock(np.zeros(1, np.int64), np.zeros(states + 1, np.int64), never[0], never[1])
    for _ in range(MOST_ROUNDS):
        before = clock.now[0]
        move_words(cepts, view, sentence, tables, pegged, clock)
        swap_words(cepts, view, sentence, tables, pegged, clock)
        if clock.now[0] == before:
            break


@kernel
def survey(cepts, sentence, tables, changes):
    """Write an alignment and its neighbours into ``changes``, and return how many there are."""
    places, outlook = look_out(cepts, sentence, tables)
    link, classes, table, ordered = sentence.link, sentence.classes, tables.place, tables.ordered
    found = note(changes, np.int64(0), (NOBODY, NOBODY, NOBODY), 0.0)
    for j in range(cepts[SIZES, 1]):
        stop_if_asked()
        old = cepts[STATE, j]
        base = outlook[FEWER, old] - link[j, old]
        bar = NEGLIGIBLE - base + outlook[EXPOSED, old]
        left = leaving(cepts, classes, table, j) if ordered else UNORDERED
        for i in range(cepts[SIZES, 0] + 1):
            apart = link[j, i] + outlook[MORE, i]
            if i != old and apart - outlook[EXPOSED, i] > bar:
                gain = base + apart + (moving(cepts, places, classes, table, j, i, left) if ordered else 0.0)
                found = note(changes, found, (j, i, NOBODY), gain)
    for j in range(cepts[SIZES, 1]):
        stop_if_asked()
        for k in range(j + 1, cepts[SIZES, 1]):
            apart = swap_gain(cepts, link, outlook, j, k, NEGLIGIBLE)
            if apart > NOTHING:
                gain = apart + (swapping(cepts, places, classes, table, j, k) if ordered else 0.0)
                found = note(changes, found, (j, cepts[STATE, k], k), gain)
    return found


@kernel
def note(changes, found, change, gain):
    """Add a change to those found, unless it is negligible."""
    if gain > NEGLIGIBLE:
        changes.word[found], changes.state[found], changes.other[found] = change
        changes.score[found] = gain
        found += 1
    return found


@kernel
def look_out(cepts, sentence, tables):
    """Where words stand, and what each state has to win or to lose."""
    states = cepts[SIZES, 0]
    places, outlook = np.zeros((2, states)), np.zeros((3, states + 1))
    if tables.ordered:
        for i in range(states):
            settle(cepts, i, places, sentence.classes, tables.place)
    look_around(cepts, places, outlook, sentence, tables)
    return places, outlook


@kernel
def look_around(cepts, places, outlook, sentence, tables):
    """Reckon anew what each state has to win or to lose."""
    states = cepts[SIZES, 0]
    fertility, ordered = tables.fertility, tables.ordered
    for i in range(states):
        words, word = cepts[FERTILITY, i], sentence.words[i]
        now = having(fertility, word, words, ordered)
        outlook[MORE, i] = having(fertility, word, words + 1, ordered) - now
        outlook[FEWER, i] = having(fertility, word, words - 1, ordered) - now if words > 0 else 0.0
    words = cepts[FERTILITY, states]
    now = null_words(sentence.null, words)
    outlook[MORE, states] = null_words(sentence.null, words + 1) - now
    outlook[FEWER, states] = null_words(sentence.null, words - 1) - now if words > 0 else 0.0
    after = 0.0
    for i in range(states - 1, -1, -1):
        outlook[EXPOSED, i] = after
        if ordered and cepts[FERTILITY, i] > 0:
            outlook[EXPOSED, i] += places[HEAD, i] + places[OTHERS, i]
            after = places[HEAD, i]


@kernel
def move_words(cepts, view, sentence, tables, pegged, clock):
    """Give each word in turn to its best state."""
    places, outlook = view
    link, classes, table, ordered = sentence.link, sentence.classes, tables.place, tables.ordered
    for j in range(cepts[SIZES, 1]):
        stop_if_asked()
        old = cepts[STATE, j]
        asked = clock.moving[j]
        clock.moving[j] = clock.now[0]
        base = outlook[FEWER, old] - link[j, old]
        left = leaving(cepts, classes, table, j) if ordered else UNORDERED
        best = NOBODY
        best_gain = LEAST_GAIN
        for i in range(cepts[SIZES, 0] + 1):
            if i == old or max(clock.changed[i], clock.changed[old]) <= asked:
                continue
            apart = base + link[j, i] + outlook[MORE, i]
            # A place is at most certain, which bounds what there is to win.
            if apart - outlook[EXPOSED, i] - outlook[EXPOSED, old] > best_gain:
                gain = apart + (moving(cepts, places, classes, table, j, i, left) if ordered else 0.0)
                if gain > best_gain:
                    best, best_gain = i, gain
        if best >= 0 and j != pegged:
            change(cepts, view, sentence, tables, (j, best, NOBODY), clock)


@kernel
def swap_words(cepts, view, sentence, tables, pegged, clock):
    """Swap the states of two words wherever that helps."""
    places, outlook = view
    link, classes, table, ordered = sentence.link, sentence.classes, tables.place, tables.ordered
    for j in range(cepts[SIZES, 1]):
        stop_if_asked()
        asked = clock.swapping[j]
        clock.swapping[j] = clock.now[0]
        for k in range(j + 1, cepts[SIZES, 1]):
            if max(clock.changed[cepts[STATE, j]], clock.changed[cepts[STATE, k]]) <= asked:
                continue
            apart = swap_gain(cepts, link, outlook, j, k, LEAST_GAIN)
            if apart > NOTHING and j != pegged and k != pegged:
                gain = apart + (swapping(cepts, places, classes, table, j, k) if ordered else 0.0)
                if gain > LEAST_GAIN:
                    change(cepts, view, sentence, tables, (j, cepts[STATE, k], k), clock)


@kernel
def swap_gain(cepts, link, outlook, j, k, least):
    """What two words win by swapping states, apart from places; nothing if in no place they could win ``least``."""
    i, other = cepts[STATE, j], cepts[STATE, k]
    apart = (link[j, other] + link[k, i]) - (link[j, i] + link[k, other])
    worthwhile = i != other and apart - outlook[EXPOSED, i] - outlook[EXPOSED, other] > least
    return apart if worthwhile else NOTHING


@kernel
def change(cepts, view, sentence, tables, what, clock):
    """Make a change, and look around again."""
    places, outlook = view
    j, i, k = what
    clock.now[0] += 1
    old = cepts[STATE, j]
    mark_around(cepts, old, clock)
    mark_around(cepts, i, clock)
    exchange(cepts, j, i, k)
    mark_around(cepts, old, clock)
    mark_around(cepts, i, clock)
    if tables.ordered:
        for state in affected(cepts, old, i):
            if state >= 0:
                settle(cepts, state, places, sentence.classes, tables.place)
    look_around(cepts, places, outlook, sentence, tables)


@kernel
def mark_around(cepts, i, clock):
    """Note a change of all states whose words stand where they do because of those of state ``i``."""
    states = cepts[SIZES, 0]
    first = max(occupied_before(cepts, i), 0) if i < states else states
    for state in range(first, min(occupied_after(cepts, i), states - 1) + 1 if i < states else states + 1):
        clock.changed[state] = clock.now[0]
