"""The HMM as a textbook HMM: 2 I states, a dense transition matrix, logarithms throughout.

State ``i`` is a link to position ``i``, state ``I + i`` is null at position ``i``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from oracles.naive_alignments import Choice, Jumps, Marginals, Matrix, jump_key, neighbourhood

Array = NDArray[np.float64]


def log_sum(values: Array, axis: int) -> Array:
    highest = np.max(values, axis=axis, keepdims=True)
    return np.squeeze(highest, axis) + np.log(np.sum(np.exp(values - highest), axis=axis))


class DenseHMM:
    def __init__(self, emission: Matrix, null: Sequence[float], jumps: Jumps) -> None:
        words, states = len(emission), len(emission[0])
        self.states = states
        self.transition = np.full((2 * states, 2 * states), -np.inf)
        for i in range(states):
            for kind in (0, states):
                self.transition[kind + i, states + i] = np.log(jumps.null)
                for other in range(states):
                    self.transition[kind + i, other] = np.log(jumps.move(i, other, states))
        initial = np.log([jumps.initial(i, states) for i in range(states)])
        self.initial = np.concatenate([np.log(1 - jumps.null) + initial, np.log(jumps.null) + initial])
        self.emission = np.log([[*emission[j], *([null[j]] * states)] for j in range(words)])

    def forward(self) -> Array:
        rows = [self.initial + self.emission[0]]
        for emission in self.emission[1:]:
            rows.append(log_sum(rows[-1][:, None] + self.transition, 0) + emission)
        return np.array(rows)

    def backward(self) -> Array:
        rows = [np.zeros(2 * self.states)]
        for emission in self.emission[:0:-1]:
            rows.append(log_sum(self.transition + emission + rows[-1], 1))
        return np.array(rows[::-1])

    def marginals(self) -> Marginals:
        alpha, beta = self.forward(), self.backward()
        log_likelihood = float(log_sum(alpha[-1], 0))
        posterior = np.exp(alpha + beta - log_likelihood)
        link, null = posterior[:, : self.states], posterior[:, self.states :].sum(axis=1)
        return Marginals(link.tolist(), null.tolist(), log_likelihood, self.best())

    def jump_counts(self) -> Counter[tuple[object, ...]]:
        alpha, beta = self.forward(), self.backward()
        log_likelihood = log_sum(alpha[-1], 0)
        posterior = np.exp(alpha + beta - log_likelihood)
        counts: Counter[tuple[object, ...]] = Counter()
        counts["null",] = float(posterior[:, self.states :].sum())
        for i in range(self.states):
            counts["initial", min(i, 6)] += float(posterior[0, i] + posterior[0, self.states + i])
        for j in range(1, len(alpha)):
            arriving = self.emission[j] + beta[j]
            moved = np.exp(alpha[j - 1][:, None] + self.transition + arriving - log_likelihood)
            for i in range(self.states):
                for other in range(self.states):
                    count = float(moved[i, other] + moved[self.states + i, other])
                    counts[jump_key(other - i)] += count
                    counts["departure", *neighbourhood(i, self.states)] += count
        return counts

    def best(self, choices: Sequence[Choice] | None = None) -> float:
        """The log-probability of the likeliest path, or of the likeliest one that makes these choices."""
        barred = np.zeros_like(self.emission)
        for j, choice in enumerate(choices or ()):
            barred[j] = -np.inf
            barred[j, slice(self.states, None) if choice is None else choice] = 0.0
        row = self.initial + self.emission[0] + barred[0]
        for j in range(1, len(self.emission)):
            row = np.max(row[:, None] + self.transition, axis=0) + self.emission[j] + barred[j]
        return float(row.max())
