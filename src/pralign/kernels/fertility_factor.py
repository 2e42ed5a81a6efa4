"""The fertility factor of the HMM: how likely it is that a state explains one word more than it does already.

How many words a state explains is a sum of coin tosses, one for each observed word, whose chances are the posteriors of
the links. The factor of a link is the geometric mean of ``p(n + 1) / p(n)`` over the number ``n`` of *other* words that
the state explains.
"""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Float, Int, Long
from pralign.kernels.compile import kernel
from pralign.kernels.growing import largest
from pralign.kernels.own_counts import OWN_UNIT, known
from pralign.kernels.units import to_units

# Words that explain so many others or more are all alike.
MOST_WORDS = 8
# Beyond that, each word more is half as likely.
_HALVING = np.log(0.5)
# Links less likely than this are taken for impossible.
_LEAST = np.float32(0.01)


@kernel
def toss(distribution, chance, before):
    """Add one coin toss to the distribution of the number of successes of ``before`` tosses.

    Its last number is for all larger numbers; those above ``before`` are zero and not looked at.
    """
    last = distribution.size - 1
    if before >= last:
        distribution[last] += distribution[last - 1] * chance
    else:
        distribution[before + 1] = distribution[before] * chance
    for n in range(min(before, last - 1), 0, -1):
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
def group_by_state(links, k, states, begin, grouped):
    """Sort the links of pair ``k`` by their states; those of state ``i`` begin at ``begin[i]``."""
    cell, chance = grouped
    size = np.uint32(states)
    begin[: states + 1] = 0
    for e in range(links.start[k], links.start[k + 1]):
        if links.link[e] >= _LEAST:
            begin[np.uint32(links.cell[e]) % size + 1] += 1
    total = 0
    for i in range(1, states + 1):  # those of a state begin at the number of the next one, until they are filled in
        found = begin[i]
        begin[i] = total
        total += found
    for e in range(links.start[k], links.start[k + 1]):
        if links.link[e] >= _LEAST:
            place = np.uint32(links.cell[e]) % size + 1
            cell[begin[place]] = links.cell[e]
            chance[begin[place]] = min(links.link[e], np.float32(1.0))
            begin[place] += 1


@kernel
def count_words(lattice, link, words, counts):
    """Add to ``counts`` how many words each state of a block explains, a row a word, in units.

    ``link`` are the posteriors, ``words`` those of the states.
    """
    most = np.int64(largest(lattice.states))
    distributions = np.empty((most, MOST_WORDS + 1))
    tosses = np.empty(most, np.int64)
    row = 0
    for k in range(lattice.states.size):
        states = np.int64(lattice.states[k])
        weight = np.float32(lattice.weight[k])
        distributions[:states, 0] = 1.0
        tosses[:states] = 0
        for first in range(lattice.cell_start[k], lattice.cell_start[k + 1], states):
            for i in range(states):
                if link[first + i] >= _LEAST:
                    chance = min(link[first + i] * weight, np.float32(1.0))
                    if chance >= _LEAST:
                        toss(distributions[i], chance, tosses[i])
                        tosses[i] += 1
        for i in range(states):
            of_word = counts[min(np.int64(words[row + i]), counts.shape[0] - 1)]
            for n in range(min(tosses[i], MOST_WORDS) + 1):
                of_word[n] += to_units(distributions[i, n])
        row += states


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
    grouped = np.empty(size, np.int32), np.empty(size)
    of_links = np.empty((size + 1, MOST_WORDS + 1))
    table, gain, so_far = np.empty(MOST_WORDS + 1), np.empty(MOST_WORDS + 1), np.empty(MOST_WORDS + 1)
    most_states = np.int64(largest(lattice.states))
    begin = np.empty(most_states + 1, np.int64)
    of_states = np.empty(most_states, np.float32)
    distributions = np.empty((most_states, MOST_WORDS + 1))
    row = 0
    for k in range(lattice.states.size):
        states = np.int64(lattice.states[k])
        mine = words[row : row + states]
        cells = emission[lattice.cell_start[k] : lattice.cell_start[k + 1]]
        group_by_state(links, k, states, begin, grouped)
        counted = known(own, k)
        if counted:
            toss_all(begin, grouped[1], distributions[:states])
        nothing[k] = 0.0
        for i in range(states):
            of_word = tables[min(np.int64(mine[i]), tables.shape[0] - 1)]
            for n in range(MOST_WORDS + 1):
                table[n] = of_word[n]
            if counted:
                without_pair(mine, i, distributions, table)
            first, last = begin[i], begin[i + 1]
            nothing[k] += log_gains(table, tables[-1], gain, last - first)
            of_states[i] = factors(grouped[1][first:last], gain, so_far, of_links)
            inverse = 1.0 / of_states[i]
            for a in range(last - first):  # all cells are multiplied by the factor of their state below
                cells[grouped[0][first + a]] *= np.float32(of_links[a, 0] * inverse)
        for first in range(0, cells.size, states):
            for i in range(states):
                cells[first + i] *= of_states[i]
        row += states


@kernel
def toss_all(begin, chance, distributions):
    """The distribution of how many words each state of a pair explains, whose chances are grouped."""
    for i in range(distributions.shape[0]):
        distribution = distributions[i]
        distribution[:] = 0.0
        distribution[0] = 1.0
        for e in range(begin[i], begin[i + 1]):
            toss(distribution, chance[e], e - begin[i])


@kernel
def without_pair(words, i, distributions, table):
    """Leave out of the table of a state's word what the pair has added to it, at every place of the word."""
    times = 0
    for other in range(words.size):
        times += words[other] == words[i]
    for n in range(MOST_WORDS + 1):
        table[n] -= distributions[i, n]
    if times == 1:
        return
    for other in range(words.size):
        if words[other] == words[i] and other != i:
            for n in range(MOST_WORDS + 1):
                table[n] -= distributions[other, n]


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
    so_far[0] = 1.0
    for a in range(size):
        total = 0.0
        for n in range(min(a, MOST_WORDS) + 1):
            total += so_far[n] * result[a, n]
        result[a, 0] = np.exp(total)
        toss(so_far, chance[a], a)
    return everything
