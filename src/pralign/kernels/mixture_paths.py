"""The best alignments, and samples, of the models whose words choose their states by themselves: IBM 1 and IBM 2."""

import numpy as np

from pralign.kernels.compile import exact_kernel
from pralign.kernels.mixture import row_of
from pralign.kernels.paths import chosen, inherit, new_ranking, note, write_paths
from pralign.kernels.stopping import stop_if_asked


@exact_kernel
def weigh_choices(lattice, k, table):
    """What each choice of each word of a pair weighs, null last; behind that there is room for one number more.

    ``table`` is ``(start, values)`` as for :func:`~pralign.kernels.mixture.row_of`.
    """
    states, begin, values = np.int64(lattice.states[k]), lattice.cell_start[k], table[1]
    first, last = lattice.observed_start[k], lattice.observed_start[k + 1]
    weight = np.empty((last - first, states + 2))
    for j in range(last - first):
        row = row_of(table, states, j)
        for i in range(states):
            prior = values[row + 1 + i] if row >= 0 else 1.0
            weight[j, i] = np.float64(lattice.emission[begin + j * states + i]) * prior
        weight[j, states] = np.float64(lattice.null_emission[first + j]) * (values[row] if row >= 0 else 1.0)
    return weight


@exact_kernel
def likeliest(weight, size):
    """The likeliest of the first ``size`` choices of each word, the first of those that are equal; as :func:`chosen`.

    Returns them with the logarithm of the probability that all words choose them.
    """
    best = np.zeros(weight.shape[0], np.int32)
    logarithm = 0.0
    for j in range(weight.shape[0]):
        total = 0.0
        for c in range(size):
            total += weight[j, c]
            if weight[j, c] > weight[j, best[j]]:
                best[j] = c
        logarithm += np.log(weight[j, best[j]] / total) if total > 0.0 else -np.inf
    return best, logarithm


@exact_kernel
def best_mixtures(lattice, table, paths):
    """Fill ``paths`` with the best alignments of each pair."""
    most = paths.log_probability.shape[1]
    for k in range(lattice.states.size):
        weight, size = weigh_choices(lattice, k, table), np.int64(lattice.states[k]) + 1
        best, logarithm = likeliest(weight, size)
        if logarithm == -np.inf:
            continue
        ranking, choices = new_ranking(most), np.empty((most, best.size), np.int32)
        while paths.found[k] < ranking.size[0]:
            stop_if_asked()
            r = paths.found[k]
            known = inherit(ranking, r, choices)
            for j in range(known - 1, -1, -1):
                choices[r, j] = best[j]
                for c in range(size):
                    if c != best[j]:
                        note(ranking, ranking.worth[r] * (weight[j, c] / weight[j, best[j]]), r, j, c)
            paths.log_probability[k, r] = logarithm + np.log(ranking.worth[r])
            paths.found[k] += 1
        write_paths(paths, k, most * lattice.observed_start[k], choices, size - 1)


@exact_kernel
def sample_mixtures(lattice, table, draws, paths):
    """Fill ``paths`` with alignments drawn at random, by one number of ``draws`` for each of their words."""
    most = paths.log_probability.shape[1]
    for k in range(lattice.states.size):
        weight, size = weigh_choices(lattice, k, table), np.int64(lattice.states[k]) + 1
        if likeliest(weight, size)[1] == -np.inf:
            continue
        observed, begin = weight.shape[0], most * lattice.observed_start[k]
        choices = np.empty((most, observed), np.int32)
        for r in range(most):
            stop_if_asked()
            logarithm = 0.0
            for j in range(observed):
                choices[r, j] = chosen(weight[j], size, draws[begin + r * observed + j])
                logarithm += np.log(weight[j, choices[r, j]] / weight[j, size])
            paths.log_probability[k, r] = logarithm
        paths.found[k] = most
        write_paths(paths, k, begin, choices, size - 1)
