"""The best alignments of the HMM, and samples of them, in double precision.

What a word chooses is a number below ``2 I + 1``, for ``I`` states: state ``i`` by a link to it, or null at position
``i`` as number ``I + i``. As long as all words are null, nobody can tell their position, so that all of these count as
one, with the last number: an alignment is then one sequence of choices, and its probability the sum over all positions
in which its first words could have been. (:func:`pralign.kernels.hmm.viterbi` looks for the best positions instead.)
"""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Double
from pralign.kernels.compile import exact_kernel
from pralign.kernels.hmm import FAR, REACH, JumpWeights, arrive, leaving, starting, weights_of
from pralign.kernels.paths import chosen, inherit, new_ranking, note, write_paths
from pralign.kernels.stopping import stop_if_asked


class Trellis(NamedTuple):
    """One pair: ``value[j, c]`` is what choice ``c`` of word ``j`` is worth with all that is before it.

    That is the probability of the best words before it, or the sum over all, divided by the same number for all choices
    of a word; the sum of the logarithms of these numbers is ``scale[0]``. ``leave`` is as in
    :func:`~pralign.kernels.hmm.leaving`, and ``entry`` has the probabilities of the first link, in a row for the first
    word and in one for all others.
    """

    weights: JumpWeights
    leave: Double
    entry: Double
    value: Double
    scale: Double


@exact_kernel
def add_up(outgoing, jump, reached):
    """For each state, the sum over all predecessors: those in reach by their weights, and all beyond by one."""
    states = outgoing.size
    beyond = 0.0
    for i in range(states):
        if i > REACH:
            beyond += outgoing[i - REACH - 1]
        reached[i] = beyond
    beyond = 0.0
    for i in range(states - 1, -1, -1):
        if i + REACH + 1 < states:
            beyond += outgoing[i + REACH + 1]
        total = jump[FAR] * (reached[i] + beyond)
        for other in range(max(0, i - REACH), min(states, i + REACH + 1)):
            total += outgoing[other] * jump[i - other + REACH]
        reached[i] = total


@exact_kernel
def new_trellis(weights, states, observed):
    """A trellis without values."""
    leave, entry = np.empty(states), np.empty((2, states))
    leaving(weights, leave)
    starting(weights, entry[0])
    add_up(entry[0] * leave, weights.jump, entry[1])
    for i in range(states):
        entry[0, i] *= 1.0 - weights.null[0]
    return Trellis(weights, leave, entry, np.empty((observed, 2 * states + 1)), np.zeros(1))


@exact_kernel
def fill_trellis(trellis, emissions, summing):
    """Fill in the values: sums over all words before, or the best of them; whether the pair is possible at all."""
    emission, null_emission = emissions
    value, leave, p0 = trellis.value, trellis.leave, trellis.weights.null[0]
    states, nowhere = leave.size, 2 * leave.size
    before, reached, outgoing = np.zeros(states), np.zeros(states), np.empty(states)
    origin = np.empty(states, np.int32)
    unlinked = 1.0
    trellis.scale[0] = 0.0
    for j in range(value.shape[0]):
        stop_if_asked()
        if j:
            for i in range(states):
                link, null = value[j - 1, i], value[j - 1, states + i]
                before[i] = link + null if summing else max(link, null)
                outgoing[i] = before[i] * leave[i]
            if summing:
                add_up(outgoing, trellis.weights.jump, reached)
            else:
                arrive(outgoing, trellis.weights.jump, reached, origin)
        for i in range(states):
            first = unlinked * trellis.entry[min(j, 1), i]
            link = reached[i] + first if summing else max(reached[i], first)
            value[j, i] = link * np.float64(emission[j * states + i])
            value[j, states + i] = before[i] * p0 * np.float64(null_emission[j])
        value[j, nowhere] = unlinked * p0 * np.float64(null_emission[j])
        if not rescale(value[j], summing, trellis.scale):
            return False
        unlinked = value[j, nowhere]
    return True


@exact_kernel
def rescale(row, summing, scale):
    """Divide a row by its sum, or by its largest value; whether there is anything but zeros."""
    measure = 0.0
    for c in range(row.size):
        measure = measure + row[c] if summing else max(measure, row[c])
    if not measure > 0.0:
        return False
    for c in range(row.size):
        row[c] /= measure
    scale[0] += np.log(measure)
    return True


@exact_kernel
def weigh_before(trellis, j, choice, weight):
    """Fill ``weight`` with what each choice of word ``j`` is worth if the next word makes a choice (-1: if it is last).

    Null keeps the position; a link may come from anywhere.
    """
    value, jump = trellis.value[j], trellis.weights.jump
    states, nowhere = trellis.leave.size, 2 * trellis.leave.size
    if choice < 0:
        weight[: nowhere + 1] = value
    elif choice >= states:
        weight[: nowhere + 1] = 0.0
        weight[choice] = value[choice]
        if choice < nowhere:
            weight[choice - states] = value[choice - states]
    else:
        for i in range(states):
            distance = choice - i
            step = jump[distance + REACH] if -REACH <= distance <= REACH else jump[FAR]
            weight[i] = value[i] * (trellis.leave[i] * step)
            weight[states + i] = value[states + i] * (trellis.leave[i] * step)
        weight[nowhere] = value[nowhere] * trellis.entry[1, choice]


@exact_kernel
def best_of(weight, size):
    """The first of the largest of so many weights."""
    best = 0
    for c in range(1, size):
        if weight[c] > weight[best]:
            best = c
    return best


@exact_kernel
def list_best(trellis, logarithm, log_probability, choices):
    """Fill in the best alignments of a pair, and return how many there are.

    ``logarithm`` is that of the probability of the best one.
    """
    observed, size = trellis.value.shape
    ranking, weight = new_ranking(choices.shape[0]), np.empty(size + 1)
    found = 0
    while found < ranking.size[0]:
        known = inherit(ranking, found, choices)
        for j in range(known - 1, -1, -1):
            stop_if_asked()
            weigh_before(trellis, j, choices[found, j + 1] if j + 1 < observed else -1, weight)
            best = best_of(weight, size)
            choices[found, j] = best
            for c in range(size):
                if c != best and weight[c] > 0.0:
                    note(ranking, ranking.worth[found] * (weight[c] / weight[best]), found, j, c)
        log_probability[found] = logarithm + np.log(ranking.worth[found])
        found += 1
    return found


@exact_kernel
def best_chains(lattice, rows, paths):
    """Fill ``paths`` with the best alignments of each pair; ``rows`` has the weights of each pair, or one for all."""
    most = paths.log_probability.shape[1]
    for k in range(lattice.states.size):
        first, last = lattice.observed_start[k], lattice.observed_start[k + 1]
        begin, end = lattice.cell_start[k], lattice.cell_start[k + 1]
        emissions = (lattice.emission[begin:end], lattice.null_emission[first:last])
        trellis = new_trellis(weights_of(rows, k), np.int64(lattice.states[k]), last - first)
        if not fill_trellis(trellis, emissions, True):
            continue
        total = trellis.scale[0]
        fill_trellis(trellis, emissions, False)
        choices = np.empty((most, last - first), np.int32)
        paths.found[k] = list_best(trellis, trellis.scale[0] - total, paths.log_probability[k], choices)
        write_paths(paths, k, most * first, choices, trellis.leave.size)


@exact_kernel
def sample_chains(lattice, rows, draws, paths):
    """Fill ``paths`` with alignments drawn at random, from the last word to the first, by a number for each word."""
    most = paths.log_probability.shape[1]
    for k in range(lattice.states.size):
        first, last = lattice.observed_start[k], lattice.observed_start[k + 1]
        begin, end = lattice.cell_start[k], lattice.cell_start[k + 1]
        trellis = new_trellis(weights_of(rows, k), np.int64(lattice.states[k]), last - first)
        if not fill_trellis(trellis, (lattice.emission[begin:end], lattice.null_emission[first:last]), True):
            continue
        observed, size = trellis.value.shape
        choices, weight = np.empty((most, observed), np.int32), np.empty(size + 1)
        for r in range(most):
            logarithm = 0.0
            for j in range(observed - 1, -1, -1):
                stop_if_asked()
                weigh_before(trellis, j, choices[r, j + 1] if j + 1 < observed else -1, weight)
                choices[r, j] = chosen(weight, size, draws[most * first + r * observed + j])
                logarithm += np.log(weight[choices[r, j]] / weight[size])
            paths.log_probability[k, r] = logarithm
        paths.found[k] = most
        write_paths(paths, k, most * first, choices, trellis.leave.size)
