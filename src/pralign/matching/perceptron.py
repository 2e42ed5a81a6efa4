"""The averaged perceptron: the simplest way to learn from mistakes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pralign.kernels.margin import perceive
from pralign.matching.problem import LearningProblem, Pairs, Weights


class Perceptron:
    """Goes through the pairs again and again; a pair whose best links are wrong moves the weights to the right ones.

    The mean of the weights after each pair is what is learned. Possible links are neither right nor wrong.
    """

    def rounds(self, problem: LearningProblem, pairs: Pairs) -> Iterator[Weights]:
        """Yield the weights after each pass through the pairs, without end."""
        weights, total = np.zeros(problem.size), np.zeros(problem.size)
        passes = 0
        while True:
            perceive(problem.examples, pairs, weights, total, problem.capacity)
            passes += 1
            yield total / (passes * pairs.size)
