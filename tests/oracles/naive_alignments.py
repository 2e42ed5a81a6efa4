"""IBM 1, IBM 2 and the HMM by listing every alignment of a pair; slow and obvious.

A pair is ``emission[j][i]``, how well state ``i`` explains observed word ``j``, and ``null[j]``, how well null does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

Matrix = Sequence[Sequence[float]]
Choice = int | None
"""The state of an observed word; ``None`` for null."""


class Alignment(NamedTuple):
    """A complete alignment: the choice of each word, its joint probability, and the positions it went through."""

    choices: tuple[Choice, ...]
    probability: float
    positions: tuple[int, ...] = ()


class Marginals(NamedTuple):
    link: list[list[float]]
    null: list[float]
    log_likelihood: float
    best: float
    """The log-probability of the likeliest alignment."""


class Jumps(NamedTuple):
    """The parameters of the HMM: weights of the distances -5 to 5, of all others, of first positions, and p0."""

    near: dict[int, float]
    far: float
    first: Sequence[float]
    """Of the positions 0 to 5, then of any later one."""
    null: float

    def weight(self, origin: int, goal: int) -> float:
        return self.near.get(goal - origin, self.far)

    def initial(self, position: int, states: int) -> float:
        weights = [self.first[min(i, 6)] for i in range(states)]
        return weights[position] / math.fsum(weights)

    def move(self, origin: int, goal: int, states: int) -> float:
        normaliser = math.fsum(self.weight(origin, other) for other in range(states))
        return (1 - self.null) * self.weight(origin, goal) / normaliser


def independent_alignments(emission: Matrix, null: Sequence[float], prior: Matrix) -> Iterator[Alignment]:
    """IBM 1 and 2: ``prior[j]`` holds the probability of null and then of each state."""
    states = range(len(emission[0]))
    for choices in product([None, *states], repeat=len(emission)):
        factors = [
            prior[j][0] * null[j] if choice is None else prior[j][1 + choice] * emission[j][choice]
            for j, choice in enumerate(choices)
        ]
        yield Alignment(choices, math.prod(factors))


def hmm_paths(emission: Matrix, null: Sequence[float], jumps: Jumps) -> Iterator[Alignment]:
    """Every word has a position and is linked to it or not; a word that is not keeps the position before it."""
    states = len(emission[0])
    paths = []
    for i in range(states):
        start = jumps.initial(i, states)
        paths.append(Alignment((i,), start * (1 - jumps.null) * emission[0][i], (i,)))
        paths.append(Alignment((None,), start * jumps.null * null[0], (i,)))
    for j in range(1, len(emission)):
        longer = []
        for choices, probability, positions in paths:
            here = positions[-1]
            kept = probability * jumps.null * null[j]
            longer.append(Alignment((*choices, None), kept, (*positions, here)))
            for i in range(states):
                moved = probability * jumps.move(here, i, states) * emission[j][i]
                longer.append(Alignment((*choices, i), moved, (*positions, i)))
        paths = longer
    yield from paths


def marginals(alignments: list[Alignment], states: int) -> Marginals:
    total = math.fsum(alignment.probability for alignment in alignments)
    words = range(len(alignments[0].choices))

    def share(j: int, choice: Choice) -> float:
        return math.fsum(a.probability for a in alignments if a.choices[j] == choice) / total

    return Marginals(
        [[share(j, i) for i in range(states)] for j in words],
        [share(j, None) for j in words],
        math.log(total),
        math.log(max(a.probability for a in alignments)),
    )


def best_with_choices(alignments: list[Alignment], choices: Sequence[Choice]) -> float:
    """The log-probability of the likeliest path that makes these choices (leading nulls leave the start open)."""
    return math.log(max(a.probability for a in alignments if a.choices == tuple(choices)))


def jump_counts(paths: list[Alignment], states: int) -> Counter[tuple[object, ...]]:
    """Expected counts of everything the parameters of the HMM depend on."""
    total = math.fsum(path.probability for path in paths)
    counts: Counter[tuple[object, ...]] = Counter()
    for choices, probability, positions in paths:
        share = probability / total
        counts["initial", min(positions[0], 6)] += share
        for j, choice in enumerate(choices):
            if choice is None:
                counts["null",] += share
            elif j > 0:
                origin = positions[j - 1]
                counts[jump_key(choice - origin)] += share
                counts["departure", *neighbourhood(origin, states)] += share
    return counts


def jump_key(distance: int) -> tuple[object, ...]:
    return ("jump", distance) if abs(distance) <= 5 else ("far",)


def neighbourhood(position: int, states: int) -> tuple[int, int, int]:
    """How many states lie within five to the left and to the right, and how many beyond."""
    left = sum(1 for i in range(states) if position - 5 <= i < position)
    right = sum(1 for i in range(states) if position < i <= position + 5)
    return left, right, states - 1 - left - right
