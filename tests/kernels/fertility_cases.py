"""Small pairs with made-up parameters, as arrays for the kernels and as lists for the oracle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from oracles.naive_fertility import Pair, model_3, model_4
from pralign.kernels.arrays import Lattice, Texts
from pralign.kernels.cepts import FALL, FARTHEST, HALVING, MOST_WORDS, Tables
from pralign.kernels.neighbourhood import Classes, Surroundings

CLASSES = 3


@dataclass(frozen=True)
class Case:
    """Some pairs, seen by a fertility model with random parameters."""

    lattice: Lattice
    around: Surroundings
    tables: Tables
    pairs: list[Pair]
    head: np.ndarray
    other: np.ndarray
    diagonal_distortion: np.ndarray

    def probability(self, k, z):
        """What the oracle says of an alignment of pair ``k``."""
        if self.tables.ordered:
            return model_4(self.pairs[k], z, self._head, self._other)
        return model_3(
            self.pairs[k], z, lambda d: self.diagonal_distortion[min(max(d, -FARTHEST), FARTHEST) + FARTHEST]
        )

    def _head(self, context, observed, distance):
        row = self.head[CLASSES if context is None else context, observed]
        return _with_tail(row[min(max(distance, -FARTHEST), FARTHEST) + FARTHEST], distance)

    def _other(self, observed, distance):
        return _with_tail(self.other[observed, min(distance, FARTHEST)], distance)


def _with_tail(share, distance):
    beyond = abs(distance) - FARTHEST
    return share * (1 - FALL) * FALL**beyond if beyond >= 0 else share


def make_case(seed, sizes, ordered, sharp=1.0):
    """Pairs of so many states and observed words; the higher ``sharp``, the more probabilities differ."""
    random = np.random.default_rng(seed)
    words = 6

    def shares(*shape):
        raw = random.random(shape) ** (4 * sharp) + 1e-6
        return raw / raw.sum(axis=-1, keepdims=True)

    fertility, null = shares(words + 1, MOST_WORDS + 1), random.uniform(0.05, 0.4)
    head, other = shares(CLASSES + 1, CLASSES, 2 * FARTHEST + 1), shares(CLASSES, FARTHEST + 1)
    diagonal_distortion = shares(2 * FARTHEST + 1)
    state_class, observed_class = random.integers(0, CLASSES, (2, words + 1)).astype(np.int32)
    states, observed = (np.array(side) for side in zip(*sizes, strict=True))
    texts = Texts(
        random.integers(0, words + 2, states.sum()).astype(np.int32),
        _starts(states),
        random.integers(0, words + 2, observed.sum()).astype(np.int32),
        _starts(observed),
    )
    lattice = Lattice(
        (random.random(int((states * observed).sum())) ** (3 * sharp) + 1e-7).astype(np.float32),
        (random.random(int(observed.sum())) * 0.3 + 1e-3).astype(np.float32),
        states.astype(np.int32),
        _starts(observed),
        _starts(states * observed),
        random.uniform(0.5, 1.5, len(sizes)),
    )
    around = Surroundings(texts, np.arange(len(sizes)), Classes(state_class, observed_class))
    tables = _tables(fertility, head, other, diagonal_distortion, null, ordered)
    pairs = [_pair(lattice, around, fertility, null, k) for k in range(len(sizes))]
    return Case(lattice, around, tables, pairs, head, other, diagonal_distortion)


def _tables(fertility, head, other, diagonal_distortion, null, ordered):
    def tailed(table, *places):
        table = table.copy()
        for place in places:
            table[..., place] *= 1 - FALL
        return np.log(table)

    shares = fertility.copy()
    shares[:, MOST_WORDS] *= 1 - HALVING
    forward_only = np.pad(tailed(other, -1), ((0, 0), (FARTHEST, 0)), constant_values=-np.inf)
    place = np.concatenate([tailed(head, 0, -1), forward_only[None]])
    return Tables(np.log(shares), place, diagonal_distortion, np.log([1 - null, null]), ordered)


def _pair(lattice, around, fertility, null, k):
    texts, unknown = around.texts, fertility.shape[0] - 1
    states = np.minimum(texts.source[texts.source_start[k] : texts.source_start[k + 1]], unknown)
    observed = np.minimum(texts.target[texts.target_start[k] : texts.target_start[k + 1]], unknown)
    cells = lattice.emission[lattice.cell_start[k] : lattice.cell_start[k + 1]].reshape(observed.size, states.size)
    empty = lattice.null_emission[lattice.observed_start[k] : lattice.observed_start[k + 1]]
    translation = [[float(value) for value in (empty[j], *cells[j])] for j in range(observed.size)]
    return Pair(
        states.size,
        observed.size,
        [[], *translation],
        [[], *fertility[states].tolist()],
        float(null),
        [-1, *around.classes.states[states].tolist()],
        [-1, *around.classes.observed[observed].tolist()],
    )


def _starts(sizes):
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def as_oracle(path, states):
    """An alignment of the kernels (null last) as one of the oracle (null first, positions from one)."""
    return (None, *(0 if i == states else int(i) + 1 for i in path))


def as_kernel(z, states):
    """An alignment of the oracle as one of the kernels."""
    return np.array([states if i == 0 else i - 1 for i in z[1:]], np.int32)
