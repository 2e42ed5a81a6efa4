"""Made-up evidence: posteriors and best paths of a test's choosing, laid out as a model's would be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from hypothesis import strategies as st

from oracles.naive_decoding import Pair

# A few values, so that posteriors tie within and across pairs, some of them next to each other in single precision.
VALUES = np.array([0.0, 0.004, 0.0099, 0.011, 0.02, 0.3, 0.3 + 2.0**-25, 0.5, 0.77, 1 - 2.0**-24, 1.0], np.float32)


@dataclass(frozen=True)
class MadeUp:
    """Stands in for ``Evidence``; every grid has source words for rows and target words for columns."""

    grids: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]

    @property
    def source_lengths(self):
        return np.array([grid[0].shape[0] for grid in self.grids], np.int32)

    @property
    def target_lengths(self):
        return np.array([grid[0].shape[1] for grid in self.grids], np.int32)

    @property
    def cell_start(self):
        return np.cumsum([0, *(grid[0].size for grid in self.grids)])

    def _flat(self, place):
        return np.concatenate([grid[place].ravel() for grid in self.grids])

    @cached_property
    def forward(self):
        return self._flat(0)

    @cached_property
    def reverse(self):
        return self._flat(1)

    @cached_property
    def mean(self):
        return (self.forward + self.reverse) * np.float32(0.5)

    @cached_property
    def viterbi(self):
        return self._flat(2), self._flat(3)

    def pairs(self) -> list[Pair]:
        """The same for the oracle."""

        def links(grid):
            return frozenset(zip(*(axis.tolist() for axis in np.nonzero(grid)), strict=True))

        return [
            Pair(
                forward.tolist(),
                reverse.tolist(),
                ((forward + reverse) * np.float32(0.5)).tolist(),
                links(best_forward),
                links(best_reverse),
            )
            for forward, reverse, best_forward, best_reverse in self.grids
        ]


def _made_up(seed: int, shapes: list[tuple[int, int]], values: np.ndarray | None) -> MadeUp:
    rng = np.random.default_rng(seed)

    def posteriors(shape):
        return rng.random(shape, np.float32) if values is None else rng.choice(values, shape)

    def best(shape, axis):
        """At most one link for each word of one side."""
        grid = np.zeros(shape, np.bool_)
        for word in range(shape[1 - axis]):
            choice = int(rng.integers(-1, shape[axis]))
            if choice >= 0:
                grid[(choice, word) if axis == 0 else (word, choice)] = True
        return grid

    return MadeUp([(posteriors(s), posteriors(s), best(s, 0), best(s, 1)) for s in shapes])


def made_up(values: np.ndarray | None = None) -> st.SearchStrategy[MadeUp]:
    """Posteriors among ``values``, by default any number between zero and one."""
    shapes = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=3)
    return st.builds(_made_up, st.integers(0, 2**32 - 1), shapes, st.just(values))
