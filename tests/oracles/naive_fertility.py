"""IBM Models 3 and 4 as they are written down: one alignment at a time, in plain Python, positions from one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, pairwise, product

NULL = 0
FARTHEST = 30
MOST_WORDS = 9


@dataclass(frozen=True)
class Pair:
    """A pair and what the parameters say of it. Positions, states and their words count from one; state 0 is null.

    ``translation[j][i]`` explains observed word j by state i. ``fertility[i][n]`` has the shares of 0 to 8 words and of
    9 or more.
    """

    states: int
    observed: int
    translation: list[list[float]]
    fertility: list[list[float]]
    null: float
    state_class: list[int]
    observed_class: list[int]

    def alignments(self):
        """Every way to give each observed word a state."""
        for states in product(range(self.states + 1), repeat=self.observed):
            yield (None, *states)

    def words(self, z, i):
        return [j for j in range(1, self.observed + 1) if z[j] == i]

    def has(self, i, n):
        shares = self.fertility[i]
        return shares[n] if n < MOST_WORDS else shares[MOST_WORDS] * 0.5 * 0.5 ** (n - MOST_WORDS)

    def without_places(self, z):
        """The factors that Models 3 and 4 share: null words, fertilities and translations."""
        empty = len(self.words(z, NULL))
        if 2 * empty > self.observed:
            return 0.0
        value = math.comb(self.observed - empty, empty)
        value *= (1 - self.null) ** (self.observed - 2 * empty) * self.null**empty
        for i in range(1, self.states + 1):
            value *= self.has(i, len(self.words(z, i)))
        for j in range(1, self.observed + 1):
            value *= self.translation[j][z[j]]
        return value


def model_3(pair: Pair, z, diagonal_distortion) -> float:
    """``diagonal_distortion(d)`` weighs a distance d from the diagonal."""
    value = pair.without_places(z)
    for i in range(1, pair.states + 1):
        value *= math.factorial(len(pair.words(z, i)))
        middle = math.floor((i - 0.5) * pair.observed / pair.states) + 1
        total = sum(diagonal_distortion(j - middle) for j in range(1, pair.observed + 1))
        for j in pair.words(z, i):
            value *= diagonal_distortion(j - middle) / total
    return value


def model_4(pair: Pair, z, head, other) -> float:
    """``head(class or None, class, distance)`` and ``other(class, distance)`` are probabilities."""
    value = pair.without_places(z)
    context, centre = None, 0
    for i in range(1, pair.states + 1):
        words = pair.words(z, i)
        if not words:
            continue
        value *= head(context, pair.observed_class[words[0]], words[0] - centre)
        for before, word in pairwise(words):
            value *= other(pair.observed_class[word], word - before)
        context, centre = pair.state_class[i], math.ceil(sum(words) / len(words))
    return value


def neighbours(pair: Pair, z) -> set[tuple[int | None, ...]]:
    """The alignment itself, all that give one word another state, and all that swap the states of two words."""
    found = {z}
    for j in range(1, pair.observed + 1):
        for i in range(pair.states + 1):
            found.add((*z[:j], i, *z[j + 1 :]))
    for j, k in combinations(range(1, pair.observed + 1), 2):
        swapped = list(z)
        swapped[j], swapped[k] = z[k], z[j]
        found.add(tuple(swapped))
    return found
