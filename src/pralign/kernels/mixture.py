"""Inference in the models whose words choose their states independently of each other: IBM 1 and IBM 2."""

import numpy as np

from pralign.kernels.compile import kernel
from pralign.kernels.own_counts import OWN_UNIT, known
from pralign.kernels.units import to_units

# What is left of a count without a pair's own, at least.
_LEFT = 1e-9


@kernel
def uniform_posteriors(lattice, posterior):
    """IBM 1: every state and null are equally likely before the word is seen."""
    for k in range(lattice.states.size):
        states = np.int64(lattice.states[k])
        prior = 1.0 / (states + 1)
        log_likelihood = 0.0
        c = lattice.cell_start[k]
        for o in range(lattice.observed_start[k], lattice.observed_start[k + 1]):
            null = np.float64(lattice.null_emission[o])
            total = null
            for i in range(states):
                total += lattice.emission[c + i]
            inverse = 1.0 / total
            for i in range(states):
                posterior.link[c + i] = lattice.emission[c + i] * inverse
            posterior.null[o] = null * inverse
            log_likelihood += np.log(total * prior)
            c += states
        posterior.log_likelihood[k] = log_likelihood


@kernel
def uniform_best(lattice, state):
    """IBM 1: the likeliest state of each observed word, -1 for null."""
    for k in range(lattice.states.size):
        states = np.int64(lattice.states[k])
        c = lattice.cell_start[k]
        for o in range(lattice.observed_start[k], lattice.observed_start[k + 1]):
            best = np.float64(lattice.null_emission[o])
            state[o] = -1
            for i in range(states):
                if lattice.emission[c + i] > best:
                    best = lattice.emission[c + i]
                    state[o] = i
            c += states


@kernel
def row_of(table, states, j):
    """Where the distribution of observed position ``j`` among ``states`` states begins, or -1 where none was learned.

    ``table`` is ``(start, values)``; a row holds null first and then one number a state.
    """
    start, _ = table
    if states + 1 >= start.size:
        return np.int64(-1)
    row = start[states] + j * (states + 1)
    return row if row < start[states + 1] else np.int64(-1)


@kernel
def positional_posteriors(lattice, table, posterior):
    """IBM 2: each observed position has its own distribution over the states."""
    values = table[1]
    for k in range(lattice.states.size):
        states = np.int64(lattice.states[k])
        uniform = 1.0 / (states + 1)
        log_likelihood = 0.0
        c = lattice.cell_start[k]
        first = lattice.observed_start[k]
        for o in range(first, lattice.observed_start[k + 1]):
            row = row_of(table, states, o - first)
            null = lattice.null_emission[o] * (values[row] if row >= 0 else uniform)
            total = null
            for i in range(states):
                total += lattice.emission[c + i] * (values[row + 1 + i] if row >= 0 else uniform)
            inverse = 1.0 / total
            for i in range(states):
                weight = values[row + 1 + i] if row >= 0 else uniform
                posterior.link[c + i] = lattice.emission[c + i] * weight * inverse
            posterior.null[o] = null * inverse
            log_likelihood += np.log(total)
            c += states
        posterior.log_likelihood[k] = log_likelihood


@kernel
def count_positions(lattice, table, posterior, counts):
    """IBM 2: add the posteriors of a block, times the weights of its pairs, to the counts of the positions, in units.

    Positions without a row are not learned.
    """
    for k in range(lattice.states.size):
        states = np.int64(lattice.states[k])
        c = lattice.cell_start[k]
        first = lattice.observed_start[k]
        for o in range(first, lattice.observed_start[k + 1]):
            row = row_of(table, states, o - first)
            if row >= 0:
                counts[row] += to_units(lattice.weight[k] * posterior.null[o])
                for i in range(states):
                    counts[row + 1 + i] += to_units(lattice.weight[k] * posterior.link[c + i])
            c += states


@kernel
def positional_best(lattice, table, state):
    """IBM 2: the likeliest state of each observed word, -1 for null."""
    values = table[1]
    for k in range(lattice.states.size):
        states = np.int64(lattice.states[k])
        uniform = 1.0 / (states + 1)
        c = lattice.cell_start[k]
        first = lattice.observed_start[k]
        for o in range(first, lattice.observed_start[k + 1]):
            row = row_of(table, states, o - first)
            best = lattice.null_emission[o] * (values[row] if row >= 0 else uniform)
            state[o] = -1
            for i in range(states):
                value = lattice.emission[c + i] * (values[row + 1 + i] if row >= 0 else uniform)
                if value > best:
                    best = value
                    state[o] = i
            c += states


@kernel
def leave_positions_out(lattice, table, own, emission, null_emission):
    """IBM 2: change emissions as if a pair's own links were not in the counts of the positions.

    ``table`` is ``(start, counts)``. What all outcomes of a position have in common changes no posterior and is left.
    """
    counts = table[1]
    for k in range(lattice.states.size):
        if not known(own, k):
            continue
        states = np.int64(lattice.states[k])
        first = lattice.observed_start[k]
        for e in range(own.start[k], own.start[k + 1]):
            cell = np.int64(own.cell[e])
            row = row_of(table, states, cell // states)
            if row >= 0:
                count = counts[row + 1 + cell % states]
                emission[lattice.cell_start[k] + cell] *= max(count - own.forward[e] * OWN_UNIT, _LEFT) / count
        for j in range(lattice.observed_start[k + 1] - first):
            row = row_of(table, states, j)
            if row >= 0:
                null = own.null_target[own.target_start[k] + j] * OWN_UNIT
                null_emission[first + j] *= max(counts[row] - null, _LEFT) / counts[row]
