"""The fertility factor of the HMM: how likely it is that a state explains one word more than it does already.

How many words a state explains is a sum of coin tosses, one for each observed word, whose chances are the posteriors of
the links. The factor of a link is the geometric mean of ``p(n + 1) / p(n)`` over the number ``n`` of *other* words that
the state explains.
"""

import numpy as np

from pralign.kernels.arrays import Expected
from pralign.kernels.compile import kernel

# Words that explain so many others or more are all alike.
MOST_WORDS = 8
# Beyond that, each word more is half as likely.
_HALVING = np.log(0.5)
# Links less likely than this are taken for impossible.
_LEAST = np.float32(0.01)


@kernel
def toss(distribution, chance):
    """Add one coin toss to a distribution over the number of successes, the last for all larger numbers."""
    last = distribution.size - 1
    distribution[last] += distribution[last - 1] * chance
    for n in range(last - 1, 0, -1):
        distribution[n] += (distribution[n - 1] - distribution[n]) * chance
    distribution[0] *= 1.0 - chance


@kernel
def expected_links(lattice, link, before):
    """The likely links of a block: as they were ``before`` for pairs known there, and by posteriors for the others."""
    size = before.cell.size
    for c in range(link.size):
        if link[c] >= _LEAST:
            size += 1
    start = np.zeros(lattice.states.size + 1, np.int64)
    cell = np.empty(size, np.int32)
    value = np.empty(size, np.float32)
    size = 0
    for k in range(lattice.states.size):
        if before.known[k]:
            for e in range(before.start[k], before.start[k + 1]):
                cell[size] = before.cell[e]
                value[size] = before.link[e]
                size += 1
        else:
            first = lattice.cell_start[k]
            weight = np.float32(lattice.weight[k])
            for c in range(lattice.cell_start[k + 1] - first):
                if link[first + c] >= _LEAST:
                    cell[size] = c
                    value[size] = link[first + c] * weight
                    size += 1
        start[k + 1] = size
    return Expected(start, cell[:size], value[:size], before.null_start, before.null, before.known, before.own)


@kernel
def group_by_state(own, k, states, grouped):
    """Sort the links of pair ``k`` by their states; returns where those of each state begin."""
    place, chance = grouped
    begin = np.zeros(states + 1, np.int64)
    for e in range(own.start[k], own.start[k + 1]):
        if own.link[e] >= _LEAST:
            begin[own.cell[e] % states + 1] += 1
    for i in range(states):
        begin[i + 1] += begin[i]
    free = begin[:-1].copy()
    for e in range(own.start[k], own.start[k + 1]):
        if own.link[e] >= _LEAST:
            i = own.cell[e] % states
            place[free[i]] = own.cell[e] // states
            chance[free[i]] = min(own.link[e], 1.0)
            free[i] += 1
    return begin


@kernel
def count_words(own, states, distributions):
    """For each state of a block, the distribution of how many words it explains."""
    row = 0
    size = own.cell.size
    grouped = np.empty(size, np.int64), np.empty(size)
    for k in range(states.size):
        begin = group_by_state(own, k, np.int64(states[k]), grouped)
        for i in range(states[k]):
            distribution = distributions[row + i]
            distribution[:] = 0.0
            distribution[0] = 1.0
            for e in range(begin[i], begin[i + 1]):
                toss(distribution, grouped[1][e])
        row += states[k]


@kernel
def weigh_links(lattice, words, own, tables, emission, nothing):
    """Multiply the emissions of a block by the factors of the links.

    What is left to multiply with, the probability that no state explains anything, is written as logarithms into
    ``nothing``, a number a pair.

    ``words`` are those of the states, ``own`` the links as they were expected before, ``tables`` how often each word
    explained how many, the last row being the prior. What pairs known to ``own`` have added to the tables is left out.
    """
    size = own.cell.size
    grouped = np.empty(size, np.int64), np.empty(size)
    before = np.empty((size + 1, MOST_WORDS + 1))
    distributions = np.empty((words.size, MOST_WORDS + 1))
    count_words(own, lattice.states, distributions)
    row = 0
    for k in range(lattice.states.size):
        states = np.int64(lattice.states[k])
        observed = lattice.observed_start[k + 1] - lattice.observed_start[k]
        first = lattice.cell_start[k]
        begin = group_by_state(own, k, states, grouped)
        nothing[k] = 0.0
        for i in range(states):
            table = tables[min(np.int64(words[row + i]), tables.shape[0] - 1)].copy()
            if own.known[k]:
                for other in range(states):
                    if words[row + other] == words[row + i]:
                        for n in range(MOST_WORDS + 1):
                            table[n] -= distributions[row + other, n]
            gain, of_none = log_gains(table, tables[-1])
            nothing[k] += of_none
            links = grouped[0][begin[i] : begin[i + 1]], grouped[1][begin[i] : begin[i + 1]]
            factor = factors(links, gain, before)
            for j in range(observed):
                emission[first + j * states + i] *= factor
            for a in range(links[0].size):
                emission[first + links[0][a] * states + i] *= before[a, 0] / factor
        row += states


@kernel
def log_gains(table, prior):
    """``log p(n + 1) - log p(n)`` for each ``n``, and ``log p(0)``; counts are drawn towards those of all words."""
    gain = np.empty(MOST_WORDS + 1)
    total = 0.0
    for n in range(MOST_WORDS + 1):
        count = max(table[n], 0.0) + prior[n]
        total += count
        gain[n] = np.log(count)
    of_none = gain[0] - np.log(total)
    for n in range(MOST_WORDS):
        gain[n] = gain[n + 1] - gain[n]
    gain[MOST_WORDS] = gain[MOST_WORDS - 1] + _HALVING
    return gain, of_none


@kernel
def factors(links, gain, result):
    """The factor of a state's link to a word it is not expected to explain; ``result[a, 0]`` gets those to the others.

    For each word, the tosses of those before it are a distribution, and what the words after it leave to be gained is
    a function of the number so far; both are carried along, so that leaving one word out costs no more.
    """
    chance = links[1]
    size = chance.size
    ahead = result[size]
    ahead[:] = gain
    for a in range(size - 1, -1, -1):
        result[a] = ahead
        for n in range(MOST_WORDS):
            ahead[n] += (ahead[n + 1] - ahead[n]) * chance[a]
    everything = np.exp(ahead[0])
    so_far = np.zeros(MOST_WORDS + 1)
    so_far[0] = 1.0
    for a in range(size):
        total = 0.0
        for n in range(MOST_WORDS + 1):
            total += so_far[n] * result[a, n]
        result[a, 0] = np.exp(total)
        toss(so_far, chance[a])
    return everything
