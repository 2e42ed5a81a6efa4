"""The fertility factor of the HMM: how likely it is that a state explains one word more than it does already.

How many words a state explains is a sum of coin tosses, one for each observed word, whose chances are the posteriors of
the links. The factor of a link is the geometric mean of ``p(n + 1) / p(n)`` over the number ``n`` of *other* words that
the state explains.
"""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Float, Int, Long
from pralign.kernels.compile import kernel
from pralign.kernels.own_counts import OWN_UNIT, known

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


class LikelyLinks(NamedTuple):
    """The likely links of a block: pair ``k`` has the cells (observed-major) from ``start[k]`` to ``start[k + 1]``."""

    start: Long
    cell: Int
    link: Float


@kernel
def likely_links(lattice, link, own):
    """The likely links of a block: as pairs have counted them before, and by posteriors where nothing is known."""
    size = own.cell.size
    for c in range(link.size):
        if link[c] >= _LEAST:
            size += 1
    start = np.zeros(lattice.states.size + 1, np.int64)
    cell = np.empty(size, np.int32)
    value = np.empty(size, np.float32)
    size = 0
    for k in range(lattice.states.size):
        if known(own, k):
            for e in range(own.start[k], own.start[k + 1]):
                cell[size] = own.cell[e]
                value[size] = own.forward[e] * OWN_UNIT
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
    return LikelyLinks(start, cell[:size], value[:size])


@kernel
def group_by_state(links, k, states, grouped):
    """Sort the links of pair ``k`` by their states; returns where those of each state begin."""
    place, chance = grouped
    begin = np.zeros(states + 1, np.int64)
    for e in range(links.start[k], links.start[k + 1]):
        if links.link[e] >= _LEAST:
            begin[links.cell[e] % states + 1] += 1
    for i in range(states):
        begin[i + 1] += begin[i]
    free = begin[:-1].copy()
    for e in range(links.start[k], links.start[k + 1]):
        if links.link[e] >= _LEAST:
            i = links.cell[e] % states
            place[free[i]] = links.cell[e] // states
            chance[free[i]] = min(links.link[e], 1.0)
            free[i] += 1
    return begin


@kernel
def count_words(links, states, distributions):
    """For each state of a block, the distribution of how many words it explains."""
    row = 0
    size = links.cell.size
    grouped = np.empty(size, np.int64), np.empty(size)
    for k in range(states.size):
        begin = group_by_state(links, k, np.int64(states[k]), grouped)
        toss_all(begin, grouped[1], distributions[row : row + states[k]])
        row += states[k]


@kernel
def toss_all(begin, chance, distributions):
    """The same for the states of one pair, whose chances are grouped."""
    for i in range(begin.size - 1):
        distribution = distributions[i]
        distribution[:] = 0.0
        distribution[0] = 1.0
        for e in range(begin[i], begin[i + 1]):
            toss(distribution, chance[e])


@kernel
def weigh_links(lattice, words, links, own, tables, outputs):
    """Multiply the emissions of a block by the factors of the links.

    ``outputs`` are the emissions, and room for what is left to multiply with, the probability that no state explains
    anything, as logarithms, a number a pair.

    ``words`` are those of the states, ``links`` those that are likely, ``tables`` how often each word explained how
    many, the last row being the prior. What pairs known to ``own`` have added to the tables is left out.
    """
    emission, nothing = outputs
    size = links.cell.size
    grouped = np.empty(size, np.int64), np.empty(size)
    of_links = np.empty((size + 1, MOST_WORDS + 1))
    table, gain, so_far = np.empty(MOST_WORDS + 1), np.empty(MOST_WORDS + 1), np.empty(MOST_WORDS + 1)
    most_states = np.int64(np.max(lattice.states)) if lattice.states.size else 0
    of_states = np.empty(most_states, np.float32)
    distributions = np.empty((most_states, MOST_WORDS + 1))
    row = 0
    for k in range(lattice.states.size):
        states = np.int64(lattice.states[k])
        observed = lattice.observed_start[k + 1] - lattice.observed_start[k]
        first = lattice.cell_start[k]
        begin = group_by_state(links, k, states, grouped)
        counted = known(own, k)
        if counted:
            toss_all(begin, grouped[1], distributions)
        nothing[k] = 0.0
        for i in range(states):
            table[:] = tables[min(np.int64(words[row + i]), tables.shape[0] - 1)]
            if counted:
                for other in range(states):
                    if words[row + other] == words[row + i]:
                        for n in range(MOST_WORDS + 1):
                            table[n] -= distributions[other, n]
            nothing[k] += log_gains(table, tables[-1], gain, begin[i + 1] - begin[i])
            chosen = grouped[0][begin[i] : begin[i + 1]], grouped[1][begin[i] : begin[i + 1]]
            of_states[i] = factors(chosen[1], gain, so_far, of_links)
            for a in range(chosen[0].size):  # all cells are multiplied by the factor of their state below
                emission[first + chosen[0][a] * states + i] *= np.float32(of_links[a, 0] / of_states[i])
        for j in range(observed):
            cells = emission[first + j * states : first + (j + 1) * states]
            for i in range(states):
                cells[i] *= of_states[i]
        row += states


@kernel
def log_gains(table, prior, gain, most):
    """Fill ``gain`` with ``log p(n + 1) - log p(n)`` for each ``n`` up to ``most``; returns ``log p(0)``.

    Counts are drawn towards those of all words.
    """
    total = 0.0
    for n in range(MOST_WORDS + 1):
        table[n] = max(table[n], 0.0) + prior[n]
        total += table[n]
    for n in range(min(most + 1, MOST_WORDS)):
        gain[n] = np.log(table[n + 1] / table[n])
    if most >= MOST_WORDS:
        gain[MOST_WORDS] = gain[MOST_WORDS - 1] + _HALVING
    return np.log(table[0] / total)


@kernel
def factors(chance, gain, so_far, result):
    """The factor of a state's link to a word it is not expected to explain; ``result[a, 0]`` gets those to the others.

    For each word, the tosses of those before it are a distribution, and what the words after it leave to be gained is
    a function of the number so far; both are carried along, so that leaving one word out costs no more. Of ``a`` words
    no more than ``a`` are explained, so higher numbers are left alone.
    """
    size = chance.size
    ahead = result[size]
    most = min(size, MOST_WORDS)
    for n in range(most + 1):
        ahead[n] = gain[n]
    for a in range(size - 1, -1, -1):
        most = min(a, MOST_WORDS)
        for n in range(most + 1):
            result[a, n] = ahead[n]
        for n in range(min(most + 1, MOST_WORDS)):
            ahead[n] += (ahead[n + 1] - ahead[n]) * chance[a]
    everything = np.exp(ahead[0])
    so_far[:] = 0.0
    so_far[0] = 1.0
    for a in range(size):
        total = 0.0
        for n in range(min(a, MOST_WORDS) + 1):
            total += so_far[n] * result[a, n]
        result[a, 0] = np.exp(total)
        toss(so_far, chance[a])
    return everything
