"""Learning with a large margin, against a solution found without it."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from matching.cases import every, random_problem
from oracles.naive_margin import all_sets, naive_hinge, smallest_hinge
from pralign.engine import ThreadEngine
from pralign.kernels.arrays import Point, Shapes
from pralign.kernels.margin import FORBIDDEN, Examples, decode
from pralign.matching.extragradient import Extragradient, RecentMean, Search
from pralign.matching.problem import LearningProblem

pytestmark = pytest.mark.slow


def search(problem, radius=5.0, threads=1, iterations=0):
    found = Search(problem, every(problem), radius, ThreadEngine(threads))
    for _ in range(iterations):
        found.iterate()
    return found


@pytest.mark.parametrize("capacity", [1, 2])
@pytest.mark.parametrize("radius", [0.5, 5.0])
@pytest.mark.parametrize("seed", [0, 2, 4])
def test_the_loss_becomes_the_smallest_there_is(seed, radius, capacity):
    problem = random_problem(seed, pairs=5, most=3, capacity=capacity)
    sets = all_sets(problem)
    best = smallest_hinge(sets, problem.size, radius)
    first = search(problem, radius).gap()
    found = search(problem, radius, iterations=400)
    gap = found.gap()
    assert gap.primal == pytest.approx(best, abs=1e-3 * first.primal)
    assert gap.dual <= best + 1e-6
    assert naive_hinge(sets, found.weights) == pytest.approx(gap.primal, abs=1e-9)
    assert first.primal > best + 1


@pytest.mark.parametrize("capacity", [1, 2])
def test_the_hinge_loss_is_that_of_all_sets_of_links(capacity):
    problem = random_problem(7, pairs=5, most=3, capacity=capacity, possible=0.3)
    sets = all_sets(problem)
    found = search(problem)
    rng = np.random.default_rng(0)
    for _ in range(20):
        found.weights = rng.normal(size=problem.size)
        found.weights[-2:] = abs(found.weights[-2:])
        expected = naive_hinge(sets, found.weights)
        assert found.gap().primal == pytest.approx(expected, rel=1e-6)
        assert expected > 0


@pytest.mark.parametrize("capacity", [1, 2, 3])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_gap_is_never_negative_and_becomes_small(seed, capacity):
    problem = random_problem(seed, pairs=12, most=5, capacity=capacity)
    found = search(problem)
    first = found.gap()
    assert first.dual == 0
    assert first.primal > 10
    sizes = []
    for _ in range(150):
        found.iterate()
        gap = found.gap()
        sizes.append(gap.size)
        assert gap.size >= -1e-6 * first.primal
        assert gap.primal >= -1e-9 * first.primal
        assert gap.error <= 1e-6
    assert sizes[-1] < 0.01 * first.size


def test_links_stay_in_the_polytope_and_possible_ones_at_zero():
    problem = random_problem(3, pairs=10, most=5, capacity=2, possible=0.3)
    forbidden = problem.examples.loss == FORBIDDEN
    found = search(problem)
    start, rows, columns = problem.examples.shapes
    moved = False
    for _ in range(30):
        found.iterate()
        cell, source, target = found.links
        assert np.all((cell >= 0) & (cell <= 1))
        assert not cell[forbidden].any()
        assert np.all((source >= 0) & (source <= 1))
        assert np.all((target >= 0) & (target <= 1))
        for k in every(problem):
            grid = cell[start[k] : start[k + 1]].reshape(rows[k + 1] - rows[k], -1)
            assert np.all(grid.sum(axis=1) <= 1 + source[rows[k] : rows[k + 1]] + 1e-7)
            assert np.all(grid.sum(axis=0) <= 1 + target[columns[k] : columns[k + 1]] + 1e-7)
        moved |= not np.array_equal(cell, problem.examples.gold.cell)
    assert moved
    assert forbidden.any()


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_give_the_same_bits(threads, monkeypatch):
    monkeypatch.setattr("pralign.matching.extragradient._BLOCK", 60)
    problem = random_problem(0, pairs=20, most=5)
    one, several = (search(problem, threads=number, iterations=40) for number in (1, threads))
    assert len(one._blocks) > 5
    assert one.weights.tolist() == several.weights.tolist()
    assert one.links.cell.tolist() == several.links.cell.tolist()
    assert one.gap() == several.gap()
    assert np.any(one.weights)


@pytest.mark.parametrize("radius", [0.1, 1.0])
def test_weights_stay_in_the_ball(radius):
    problem = random_problem(0, pairs=12, most=5)
    found = search(problem, radius)
    norms = []
    for _ in range(60):
        found.iterate()
        norms.append(np.linalg.norm(found.weights))
    assert max(norms) <= radius * (1 + 1e-12)
    assert max(norms) == pytest.approx(radius)


def test_costs_of_further_links_are_never_below_zero():
    # Without them, further links of right words would be rewarded: all words here have two where they can.
    problem = random_problem(1, pairs=12, most=5, noise=3.0, capacity=2)
    problem.examples.gold.cell[:] = 0
    problem.examples.gold.source[:] = 0
    problem.examples.gold.target[:] = 0
    start, rows, columns = problem.examples.shapes
    problem.examples.loss[:] = 1
    for k in every(problem):
        width = int(columns[k + 1] - columns[k])
        both = min(width, 2)
        problem.examples.gold.cell[start[k] : start[k] + both] = 1
        problem.examples.loss[start[k] : start[k] + both] = -3
        problem.examples.gold.source[rows[k]] = both - 1
    found = search(problem)
    touched = 0
    for _ in range(60):
        found.iterate()
        assert np.all(found.weights[-2:] >= 0)
        touched += found.weights[-2] == 0
    assert touched > 10


def test_costs_below_zero_are_no_part_of_the_gap():
    problem = random_problem(1, pairs=12, most=5, capacity=2)
    found = search(problem, radius=5.0)
    cell, source, target = problem.examples.gold
    assert source.sum() > 0
    found.links = Point(cell, np.zeros_like(source), target)  # only a cost below zero would gain by these
    assert found.gap().dual == 0
    found.links = Point(cell, source + 1, target)  # and by these one above it: the whole radius
    assert found.gap().dual == pytest.approx(-5.0 * source.size)


def test_costs_are_learned_where_further_links_are_wrong():
    # Rivals of right links score more than right links without rivals, so that no threshold tells them apart.
    shapes = Shapes(np.array([0, 1, 3, 5]), np.array([0, 1, 2, 4]), np.array([0, 1, 3, 4]))
    right = np.array([1.0, 1, 0, 0, 1])
    numbers = np.array([[0.5], [2], [1], [1], [2]], np.float32)
    no_kinds = np.empty((5, 0), np.int32), np.empty(0)
    point = Point(right, np.zeros(4), np.zeros(4))
    examples = Examples(numbers, *no_kinds, np.where(right, -3.0, 1.0), shapes, point)
    problem = LearningProblem(examples, right > 0, right > 0, 3, 2, None)
    found = search(problem, radius=20.0, iterations=200)
    marks = np.zeros(5, np.bool_)
    decode(examples, every(problem), found.weights, 2, marks)
    assert marks.tolist() == (right > 0).tolist()
    assert np.all(found.weights[-2:] > found.weights[0])
    assert found.gap().primal == pytest.approx(0, abs=1e-6)


def test_only_the_pairs_asked_for_are_learned_from():
    problem = random_problem(0, pairs=8)
    some = np.array([0, 2, 5])
    learner = Extragradient(2.0, ThreadEngine(1))
    before = next(islice(learner.rounds(problem, some), 29, None))
    start = problem.examples.shapes.cell_start
    others = np.repeat(~np.isin(every(problem), some), np.diff(start))
    problem.examples.numbers[others] = 1e6
    problem.examples.loss[others] = 77
    problem.examples.gold.cell[others] = 1
    after = next(islice(learner.rounds(problem, some), 29, None))
    assert before.tolist() == after.tolist()
    assert np.any(before)


def test_the_gaps_of_the_last_run_are_kept():
    problem = random_problem(0)
    learner = Extragradient(5.0, ThreadEngine(1))
    list(islice(learner.rounds(problem, every(problem)), 35))
    assert list(learner.gaps) == [0, 10, 20, 30]
    assert learner.gaps[30] == search(problem, iterations=30).gap()
    assert learner.gaps[0].size > learner.gaps[30].size
    list(islice(learner.rounds(problem, every(problem)), 5))
    assert list(learner.gaps) == [0]


@pytest.mark.parametrize("radius", [0.3, 5.0])
def test_rounds_give_the_mean_of_the_latest_weights(radius):
    problem = random_problem(0)
    found = search(problem, radius)
    seen = []
    for weights in islice(Extragradient(radius, ThreadEngine(1)).rounds(problem, every(problem)), 70):
        found.iterate()
        seen.append(found.weights)
        means = [np.mean(seen[first:], axis=0) for first in range(len(seen))]
        [first, *_] = [k for k, mean in enumerate(means) if np.allclose(weights, mean, rtol=1e-12, atol=1e-12)]
        assert len(seen) < 8 or 0.5 <= (len(seen) - first) / len(seen) <= 0.8
        assert np.linalg.norm(weights) <= radius * (1 + 1e-12)
        assert np.all(weights[-2:] >= 0)
    assert not np.array_equal(seen[-1], weights)


def test_the_recent_mean_forgets_what_came_before_the_last_power_of_two_but_one():
    mean = RecentMean(2)
    numbers = np.random.default_rng(0).normal(size=(70, 2))
    for count, row in enumerate(numbers, start=1):
        power = 2 ** (count.bit_length() - 1)
        first = max(power // 2, 1)
        np.testing.assert_allclose(mean.add(row), numbers[first - 1 : count].mean(axis=0), rtol=1e-12)
