"""An alignment as cepts: the observed words that each state explains, in order, and where cepts stand to each other.

Model 4 places a cept by its first word (the head), relative to the centre of the nearest cept before it, and every
other word relative to the one before it in the cept. A change of one word touches at most four heads, so scores are
kept a cept and only those are reckoned again.

The cepts of a pair are one array of numbers, whose rows have names below, and what is often called gets plain arrays:
named groups of arrays would have to be counted in and out at each call, which costs more than the work.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Double, Int
from pralign.kernels.compile import kernel

# Distances from here on share one number, and each further step makes them less likely by the same factor.
FARTHEST = 30
FALL = 0.9
# Fertilities likewise.
MOST_WORDS = 9
HALVING = 0.5

LOG_FALL = np.log(FALL)
LOG_HALVING = np.log(HALVING)

# Rows of cepts. Of observed words: the state (the number of states stands for null), and the words before and after
# in the same cept, -1 for none.
STATE, PRECEDING, FOLLOWING = 0, 1, 2
# Of states: the number of words (null too), the first of them or -1, and the sum of their positions.
FERTILITY, FIRST, TOTAL = 3, 4, 5
# The numbers of states and of observed words.
SIZES = 6

# Rows of places, logarithms of the probabilities of where the first word of a state stands, and the others.
HEAD, OTHERS = 0, 1

# Rows of the classes of a pair: of the states, of the observed words.
OF_STATES, OF_OBSERVED = 0, 1

# No word or no state. A plain -1 is a type of its own to the compiler, which would compile all it is given to twice.
NOBODY = np.int64(-1)


class Tables(NamedTuple):
    """Logarithms of the parameters of a fertility model.

    ``fertility[word, n]``: a word has n words; the last row is for unknown words. ``place[context, class, distance]``:
    a word of some class is so far from where it is reckoned from. The context of a head is the class of the previous
    cept's state, or the last but one if there is none; the last context is that of other words. Model 3, for which
    ``ordered`` is false, has ``diagonal_distortion[distance]`` instead, unnormalised weights of the distance from the
    diagonal. ``null`` is of a word that brings no null word along, and of one that does.
    """

    fertility: Double
    place: Double
    diagonal_distortion: Double
    null: Double
    ordered: bool


class Sentence(NamedTuple):
    """One pair as a fertility model sees it.

    ``link[j, i]`` is the logarithm of what speaks for a link apart from the other links, the last column being null.
    ``words`` are those of the states, ``classes`` has a row of their classes and one of those of the observed words,
    and ``null[n]`` is the logarithm of the probability of n null words, as far as that is possible.
    """

    link: Double
    words: Int
    classes: Int
    null: Double


@kernel
def new_cepts(observed, states):
    """Cepts without words."""
    cepts = np.zeros((7, max(observed, states + 1, 2)), np.int64)
    cepts[SIZES, 0] = states
    cepts[SIZES, 1] = observed
    cepts[FIRST] = -1
    return cepts


@kernel
def attach(cepts, j, i):
    """Give word ``j`` to state ``i``."""
    cepts[STATE, j] = i
    cepts[FERTILITY, i] += 1
    if i < cepts[SIZES, 0]:
        cepts[TOTAL, i] += j
        before, after = NOBODY, cepts[FIRST, i]
        while 0 <= after < j:
            before, after = after, cepts[FOLLOWING, after]
        cepts[PRECEDING, j] = before
        cepts[FOLLOWING, j] = after
        if before >= 0:
            cepts[FOLLOWING, before] = j
        else:
            cepts[FIRST, i] = j
        if after >= 0:
            cepts[PRECEDING, after] = j


@kernel
def detach(cepts, j):
    """Take word ``j`` from its state."""
    i = cepts[STATE, j]
    cepts[FERTILITY, i] -= 1
    if i < cepts[SIZES, 0]:
        cepts[TOTAL, i] -= j
        before, after = cepts[PRECEDING, j], cepts[FOLLOWING, j]
        if before >= 0:
            cepts[FOLLOWING, before] = after
        else:
            cepts[FIRST, i] = after
        if after >= 0:
            cepts[PRECEDING, after] = before


@kernel
def exchange(cepts, j, i, k):
    """Give word ``j`` to state ``i`` and, if ``k`` is not -1, word ``k`` to the state ``j`` had; return that state."""
    old = cepts[STATE, j]
    detach(cepts, j)
    if k >= 0:
        detach(cepts, k)
        attach(cepts, k, old)
    attach(cepts, j, i)
    return old


@kernel
def occupied_before(cepts, i):
    """The nearest state before ``i`` that has words, or -1."""
    i -= 1
    while i >= 0 and cepts[FERTILITY, i] == 0:
        i -= 1
    return i


@kernel
def occupied_after(cepts, i):
    """The nearest state after ``i`` that has words, or the number of states."""
    i += 1
    while i < cepts[SIZES, 0] and cepts[FERTILITY, i] == 0:
        i += 1
    return i


@kernel
def mean_position(total, words):
    """The centre of a cept: the mean of its positions, rounded up."""
    return np.int64(np.uint32(total + words - 1) // np.uint32(words)) if words > 0 else NOBODY


@kernel
def centre(cepts, i):
    """The centre of a state's cept; that of no cept (-1) is just before the sentence."""
    return mean_position(cepts[TOTAL, i], cepts[FERTILITY, i]) if i >= 0 else -1


@kernel
def bounded(distance):
    """The distance that stands for ``distance`` in the tables."""
    return min(max(distance, -FARTHEST), FARTHEST)


@kernel
def tail(distance):
    """What the logarithm of the probability of a distance lacks beyond those that are told apart."""
    beyond = abs(distance) - FARTHEST
    return beyond * LOG_FALL if beyond > 0 else 0.0


@kernel
def placing(table, context, observed_class, distance):
    """The logarithm of the probability that a word of some class is so far from where it is reckoned from."""
    return table[context, observed_class, bounded(distance) + FARTHEST] + tail(distance)


@kernel
def context_of(classes, table, i):
    """The class of state ``i`` as the cept before another; -1 stands for none."""
    return np.int64(classes[OF_STATES, i]) if i >= 0 else table.shape[0] - 2


@kernel
def place_head(cepts, i, classes, table):
    """The logarithm of the probability of where the first word of state ``i`` stands."""
    before = occupied_before(cepts, i)
    j = cepts[FIRST, i]
    return placing(table, context_of(classes, table, before), classes[OF_OBSERVED, j], j - centre(cepts, before))


@kernel
def place_others(cepts, i, classes, table):
    """The logarithm of the probability of where the other words of state ``i`` stand."""
    others = table.shape[0] - 1
    total = 0.0
    j = cepts[FIRST, i]
    k = cepts[FOLLOWING, j]
    while k >= 0:
        total += placing(table, others, classes[OF_OBSERVED, k], k - j)
        j, k = k, cepts[FOLLOWING, k]
    return total


@kernel
def having(fertility, word, words, ordered):
    """The logarithm of the probability that a word has so many words."""
    value = fertility[word, min(words, MOST_WORDS)]
    if words > MOST_WORDS:
        value += (words - MOST_WORDS) * LOG_HALVING
    if not ordered:
        # Any order of a cept's words is the same alignment.
        for n in range(2, words + 1):
            value += np.log(n)
    return value


@kernel
def null_words(null, words):
    """The logarithm of the probability of so many null words."""
    return null[words] if words < null.size else -np.inf


@kernel
def score(cepts, sentence, tables):
    """The logarithm of the probability of the whole alignment, word by word and cept by cept."""
    states, observed = cepts[SIZES, 0], cepts[SIZES, 1]
    total = null_words(sentence.null, cepts[FERTILITY, states])
    for j in range(observed):
        total += sentence.link[j, cepts[STATE, j]]
    for i in range(states):
        total += having(tables.fertility, sentence.words[i], cepts[FERTILITY, i], tables.ordered)
        if tables.ordered and cepts[FERTILITY, i] > 0:
            total += place_head(cepts, i, sentence.classes, tables.place)
            total += place_others(cepts, i, sentence.classes, tables.place)
    return total
