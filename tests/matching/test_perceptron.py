"""The averaged perceptron."""

from __future__ import annotations

from itertools import islice

import numpy as np

from matching.cases import every, random_problem
from pralign.kernels.margin import decode, perceive
from pralign.matching.perceptron import Perceptron


def separable(**settings):
    """A problem whose second number is high where a link is right, and low elsewhere."""
    problem = random_problem(0, **{"pairs": 10, "noise": 0.3, "possible": 0.0, **settings})
    right = problem.examples.gold.cell > 0
    problem.examples.numbers[:, 1] = np.where(right, 1.0, -1.0)
    return problem


def test_what_can_be_separated_is_learned_without_mistakes():
    for capacity in (1, 2):
        problem = separable(capacity=capacity)
        marks = np.zeros(problem.sure.size, np.bool_)
        weights = next(islice(Perceptron().rounds(problem, every(problem)), 29, None))
        decode(problem.examples, every(problem), weights, capacity, marks)
        assert np.array_equal(marks, problem.sure)
        assert problem.sure.any()


def test_mistakes_end():
    problem = separable()
    weights, total = np.zeros(problem.size), np.zeros(problem.size)
    mistakes = [perceive(problem.examples, every(problem), weights, total, problem.capacity) for _ in range(30)]
    assert mistakes[0] > 0
    assert mistakes[-1] == 0


def test_the_first_mistake_moves_weights_to_the_right_links():
    problem = separable(capacity=1)
    examples = problem.examples
    first = np.array([0])
    end = int(examples.shapes.cell_start[1])
    # Without weights there are no links, so that the features of all right ones are added.
    right = examples.gold.cell[:end]
    expected = np.zeros(problem.size)
    expected[: examples.numbers.shape[1]] = right @ examples.numbers[:end]
    for cell in np.flatnonzero(right):
        kind = examples.kinds[cell, 0]
        if kind >= 0:
            expected[kind] += examples.scales[0]
    assert right.any()
    np.testing.assert_allclose(next(Perceptron().rounds(problem, first)), expected, rtol=1e-6)


def test_weights_are_the_mean_over_all_steps():
    problem = random_problem(2, pairs=4)
    weights, seen = np.zeros(problem.size), []
    for _ in range(5):
        for k in every(problem):
            perceive(problem.examples, np.array([k]), weights, np.zeros(problem.size), problem.capacity)
            seen.append(weights.copy())
    found = next(islice(Perceptron().rounds(problem, every(problem)), 4, None))
    np.testing.assert_allclose(found, np.mean(seen, axis=0), rtol=1e-12)
    assert np.any(found)


def test_possible_links_move_nothing():
    problem = separable(possible=0.4, pairs=40, most=2)
    maybe = problem.possible & ~problem.sure
    assert maybe.any()
    # Links that the first weights make there anyway, which would be mistakes if they counted.
    problem.examples.numbers[maybe, 1] = 0.9
    weights, total = np.zeros(problem.size), np.zeros(problem.size)
    weights[1] = 10.0
    single = np.array([k for k in every(problem) if _only_possible(problem, k)])
    assert single.size
    assert perceive(problem.examples, single, weights, total, problem.capacity) == 0
    assert weights.tolist() == [0, 10, *[0] * (problem.size - 2)]


def _only_possible(problem, k):
    """Whether a pair has possible links, and none that are sure and could be in their way."""
    start = problem.examples.shapes.cell_start
    cells = slice(start[k], start[k + 1])
    return problem.possible[cells].any() and not problem.sure[cells].any()


def test_costs_are_never_below_zero():
    problem = random_problem(1, pairs=12, most=5, noise=3.0)
    for weights in islice(Perceptron().rounds(problem, every(problem)), 20):
        assert np.all(weights[-2:] >= 0)
    assert weights[-2:].any()
