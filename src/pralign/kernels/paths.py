"""Lists of alignments of each pair of a block, and how the best of very many are found.

Alignments are looked at from their last word to the first. One that is not the best of all differs from a better one,
its *parent*, at some word: after that word both are the same, and before it each is as good as it can be. So when the
best alignment of those that are left is taken, all that differ from it like this are noted, with what they are worth,
and the next best is among those that were noted. Only as many as are still wanted are kept.
"""

from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Double, Int, Long
from pralign.kernels.compile import exact_kernel


class Paths(NamedTuple):
    """Some alignments of each pair of a block, with their probabilities given the pair.

    There is room for ``most`` alignments of each pair, of which ``found[k]`` are there. ``state`` holds one after the
    other, a state for each observed word and -1 for null; that of alignment ``r`` of pair ``k`` begins at
    ``most * observed_start[k] + r * observed``. The logarithm of its probability is ``log_probability[k, r]``.
    """

    found: Long
    state: Int
    log_probability: Double

    @property
    def most(self) -> int:
        """For how many alignments of a pair there is room."""
        return int(self.log_probability.shape[1])


class Ranking(NamedTuple):
    """The best alignments so far, best first: ``size[0]`` of them, of at most as many as there is room for.

    Each is told by its parent, the last word where it differs from it, and what that word chooses instead; ``worth`` is
    its probability relative to the best of all.
    """

    size: Long
    worth: Double
    parent: Int
    word: Int
    choice: Int


@exact_kernel
def new_ranking(most):
    """A ranking with the best alignment of all, which has no parent, and room for others."""
    none = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.int32)
    ranking = Ranking(np.ones(1, np.int64), np.empty(most), none[0], none[1], none[2])
    ranking.worth[0] = 1.0
    ranking.parent[0] = ranking.word[0] = ranking.choice[0] = -1
    return ranking


@exact_kernel
def note(ranking, worth, parent, word, choice):
    """Put an alignment where it belongs, unless enough are better or as good; nothing that is impossible is kept."""
    size, room = ranking.size[0], ranking.worth.size
    if worth <= 0.0 or (size == room and worth <= ranking.worth[room - 1]):
        return
    place = min(size, room - 1)
    while place > parent + 1 and ranking.worth[place - 1] < worth:
        ranking.worth[place] = ranking.worth[place - 1]
        ranking.parent[place] = ranking.parent[place - 1]
        ranking.word[place] = ranking.word[place - 1]
        ranking.choice[place] = ranking.choice[place - 1]
        place -= 1
    ranking.worth[place] = worth
    ranking.parent[place], ranking.word[place], ranking.choice[place] = parent, word, choice
    ranking.size[0] = min(size + 1, room)


@exact_kernel
def inherit(ranking, rank, choices):
    """Copy what an alignment has of its parent, with the choice in which it differs; from which word on it is known."""
    observed = choices.shape[1]
    parent, word = ranking.parent[rank], np.int64(ranking.word[rank])
    if parent < 0:
        return observed
    for j in range(word + 1, observed):
        choices[rank, j] = choices[parent, j]
    choices[rank, word] = ranking.choice[rank]
    return word


@exact_kernel
def chosen(weight, size, draw):
    """Which of the first ``size`` outcomes a number between 0 and 1 stands for, each as often as it weighs; -1 if none.

    ``weight[size]`` becomes the sum of their weights.
    """
    total = 0.0
    for c in range(size):
        total += weight[c]
    weight[size] = total
    bar, below, last = draw * total, 0.0, -1
    for c in range(size):
        if weight[c] > 0.0:
            last = c
            below += weight[c]
            if below > bar:
                break
    return last


@exact_kernel
def write_paths(paths, k, begin, choices, states):
    """Write the alignments of pair ``k``, whose first ``states`` choices are states, to where they belong."""
    for r in range(paths.found[k]):
        for j in range(choices.shape[1]):
            choice = choices[r, j]
            paths.state[begin + r * choices.shape[1] + j] = choice if choice < states else -1


@exact_kernel
def best_products(forward, reverse, most, pairs):
    """The best pairs of a forward and a reverse alignment, by the product of their probabilities.

    ``forward`` and ``reverse`` hold how many alignments there are of each pair, and the logarithms of their
    probabilities, best first. ``pairs[k]`` gets the numbers of both, best first, and how many there are is returned.
    The best ``most`` pairs are among those of which fewer than ``most`` others are as good in both.
    """
    size = np.zeros(forward[0].size, np.int64)
    for k in range(size.size):
        ranking = new_ranking(most)
        ranking.size[0] = 0
        for a in range(min(forward[0][k], most)):
            for b in range(min(reverse[0][k], most // (a + 1))):
                loss = (forward[1][k, a] - forward[1][k, 0]) + (reverse[1][k, b] - reverse[1][k, 0])
                # Losses, unlike their exponentials, do not vanish; larger is better, and all are above zero.
                note(ranking, 1.0 / (1.0 - loss), -1, a, b)
        size[k] = ranking.size[0]
        for r in range(size[k]):
            pairs[k, r, 0], pairs[k, r, 1] = ranking.word[r], ranking.choice[r]
    return size
