"""The best alignments of neighbourhoods, and samples of them; the models are IBM 3 and IBM 4."""

import numpy as np

from pralign.kernels.compile import exact_kernel
from pralign.kernels.paths import new_ranking, note
from pralign.kernels.stopping import stop_if_asked


@exact_kernel
def write_neighbour(lattice, k, around, n, state):
    """Write alignment number ``n`` of a neighbourhood, -1 for null."""
    centre = around.centre_start[around.pair[k]]
    while around.change_start[centre + 1] <= n:
        centre += 1
    path = around.path[around.path_start[centre] : around.path_start[centre + 1]]
    state[:] = path
    if around.word[n] >= 0:
        state[around.word[n]] = around.state[n]
    if around.other[n] >= 0:
        state[around.other[n]] = path[around.word[n]]
    for j in range(state.size):
        if state[j] == lattice.states[k]:
            state[j] = -1


@exact_kernel
def best_neighbours(lattice, around, weight, paths):
    """Fill ``paths`` with the alignments of each neighbourhood that weigh most; weights are probabilities."""
    most = paths.log_probability.shape[1]
    for k in range(lattice.states.size):
        stop_if_asked()
        centres = around.centre_start[around.pair[k]], around.centre_start[around.pair[k] + 1]
        ranking = new_ranking(most)
        ranking.size[0] = 0
        for n in range(around.change_start[centres[0]], around.change_start[centres[1]]):
            note(ranking, weight[n], -1, n - around.change_start[centres[0]], -1)
        paths.found[k] = ranking.size[0]
        first, last = lattice.observed_start[k], lattice.observed_start[k + 1]
        for r in range(paths.found[k]):
            begin = most * first + r * (last - first)
            n = around.change_start[centres[0]] + ranking.word[r]
            write_neighbour(lattice, k, around, n, paths.state[begin : begin + last - first])
            paths.log_probability[k, r] = np.log(weight[n])


@exact_kernel
def sample_neighbours(lattice, around, weight, draws, paths):
    """Fill ``paths`` with alignments of each neighbourhood drawn at random, by the first number of each of them."""
    most = paths.log_probability.shape[1]
    for k in range(lattice.states.size):
        centres = around.centre_start[around.pair[k]], around.centre_start[around.pair[k] + 1]
        start = around.change_start[centres[0]]
        sums = running_sums(weight[start : around.change_start[centres[1]]])
        first, last = lattice.observed_start[k], lattice.observed_start[k + 1]
        for r in range(most):
            stop_if_asked()
            begin = most * first + r * (last - first)
            n = start + first_above(sums, draws[begin] * sums[-1])
            write_neighbour(lattice, k, around, n, paths.state[begin : begin + last - first])
            paths.log_probability[k, r] = np.log(weight[n])
        paths.found[k] = most


@exact_kernel
def running_sums(values):
    """The sums of the first number, of the first two, and so on."""
    sums, total = np.empty(values.size), 0.0
    for n in range(values.size):
        total += values[n]
        sums[n] = total
    return sums


@exact_kernel
def first_above(sums, bar):
    """Which of some numbers that do not fall is the first above a bar, or else the first of the largest."""
    low, high = 0, sums.size - 1
    while high > 0 and sums[high - 1] == sums[high]:
        high -= 1
    while low < high:
        middle = (low + high) // 2
        if sums[middle] > bar:
            high = middle
        else:
            low = middle + 1
    return low
