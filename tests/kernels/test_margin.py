"""What learners do for each labelled pair, against dense features and all sets of links."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from kernels.pairs import SEEDS, cells_of, lists_of_sizes, shapes_of
from oracles.naive_matching import (
    LabelledPair,
    Terms,
    best_value,
    further_links,
    nearest_point,
    perceptron_pass,
    value_of_links,
)
from pralign.kernels.arrays import LinkTerms, Point
from pralign.kernels.margin import (
    FORBIDDEN,
    Examples,
    climb,
    count_further_links,
    decode,
    difference,
    lost,
    perceive,
    value_of,
    worst_case,
)

NUMBERS, KINDS = 2, 4
WEIGHTS = NUMBERS + KINDS + 2
MISS_COST = 3.0


class Case(NamedTuple):
    """Labelled pairs, as kernels and as the oracles see them; some of them, in any order; and weights."""

    examples: Examples
    labelled: list[LabelledPair]
    some: np.ndarray
    weights: np.ndarray
    rng: np.random.Generator

    @property
    def shapes(self):
        return self.examples.shapes

    def point(self, draw):
        return Point(*(draw(start[-1]) for start in self.shapes))

    def part(self, point, k):
        """The part of a point that belongs to a pair, cells as a grid."""
        _, source, target = (slice(start[k], start[k + 1]) for start in self.shapes)
        return cells_of(point.cell, self.shapes, k), point.source[source], point.target[target]


def build(seed, sizes):
    rng = np.random.default_rng(seed)
    shapes = shapes_of(sizes)
    cells = int(shapes.cell_start[-1])
    numbers = rng.normal(size=(cells, NUMBERS)).astype(np.float32)
    # Two columns of kinds, of which the second shares a weight with the first; some cells are of no kind.
    kinds = np.stack((rng.integers(-1, 3, cells), rng.integers(1, KINDS, cells)), axis=1)
    kinds = np.where(kinds >= 0, kinds + NUMBERS, -1).astype(np.int32)
    kinds[rng.random(cells) < 0.3, 1] = -1
    scales = np.array([0.5, 2.0])
    gold, free = rng.random(cells) < 0.3, rng.random(cells) < 0.2
    gold &= ~free
    loss = np.where(gold, -MISS_COST, np.where(free, FORBIDDEN, 1.0))
    features = np.zeros((cells, NUMBERS + KINDS))
    features[:, :NUMBERS] = numbers
    for column, scale in enumerate(scales):
        for cell in range(cells):
            if kinds[cell, column] >= 0:
                features[cell, kinds[cell, column]] += scale
    labelled, further = [], ([], [])
    for k, size in enumerate(sizes):
        of_pair = slice(shapes.cell_start[k], shapes.cell_start[k + 1])
        parts = (loss[of_pair], free[of_pair], gold[of_pair])
        pair = LabelledPair(features[of_pair].reshape(*size, -1), *(part.reshape(size) for part in parts))
        labelled.append(pair)
        for side, counts in zip(further, further_links(pair.gold), strict=True):
            side.extend(counts)
    point = Point(gold.astype(float), *(np.array(side, float) for side in further))
    weights = rng.normal(size=WEIGHTS)
    weights[-2:] = np.abs(weights[-2:]) * rng.integers(0, 2, 2)
    some = rng.permutation(len(sizes))[: rng.integers(0, len(sizes) + 1)]
    return Case(Examples(numbers, kinds, scales, loss, shapes, point), labelled, some, weights, rng)


CASES = st.builds(build, SEEDS, lists_of_sizes(most=3))
CAPACITIES = st.integers(1, 3)


@quick(60)
@given(CASES, CAPACITIES)
def test_the_best_links_are_marked_in_some_pairs_and_no_others(case, capacity):
    before = case.rng.random(case.examples.loss.size) < 0.5
    chosen = before.copy()
    decode(case.examples, case.some, case.weights, capacity, chosen)
    terms = Terms(capacity, *case.weights[-2:])
    for k, pair in enumerate(case.labelled):
        links = cells_of(chosen, case.shapes, k)
        if k in case.some:
            scores = pair.scores(case.weights)
            assert value_of_links(scores, links, terms) == pytest.approx(best_value(scores, terms), abs=1e-7)
        else:
            assert links.tolist() == cells_of(before, case.shapes, k).tolist()


@quick(60)
@given(CASES, CAPACITIES)
def test_the_worst_case_is_that_of_all_sets_of_links(case, capacity):
    terms = Terms(capacity, *case.weights[-2:])
    values = [best_value(pair.scores(case.weights) + pair.loss, terms) for pair in case.labelled]
    found = worst_case(case.examples, case.some, case.weights, capacity)
    assert found == pytest.approx(sum(values[k] for k in case.some), abs=1e-6)


@quick(60)
@given(SEEDS, st.integers(0, 4), st.integers(0, 4), st.floats(0, 2), st.floats(0, 2))
def test_further_links_of_a_set_cost(seed, rows, columns, source_cost, target_cost):
    rng = np.random.default_rng(seed)
    scores, links = rng.normal(size=(rows, columns)), rng.random((rows, columns)) < 0.6
    found = value_of(scores, LinkTerms(4, source_cost, target_cost), links)
    assert found == pytest.approx(value_of_links(scores, links, Terms(4, source_cost, target_cost)), abs=1e-9)


@quick(60)
@given(CASES)
def test_links_lose_what_each_of_them_does(case):
    links = case.point(lambda size: case.rng.random(size) * (case.rng.random(size) < 0.7))
    links.cell[case.examples.loss == FORBIDDEN] = 0
    expected = sum(float((case.part(links, k)[0] * case.labelled[k].loss).sum()) for k in case.some)
    assert lost(case.examples, case.some, links) == pytest.approx(expected, abs=1e-9)


@quick(60)
@given(CASES)
def test_features_and_distances_of_two_points_are_compared(case):
    a, b = (case.point(lambda size: case.rng.integers(0, 3, size) / 2) for _ in range(2))
    features, distance = difference(case.examples, case.some, WEIGHTS, a, b)
    expected, squares = np.zeros(WEIGHTS), 0.0
    for k in case.some:
        changes = [ours - theirs for ours, theirs in zip(case.part(a, k), case.part(b, k), strict=True)]
        expected += case.labelled[k].sum_of_features(*changes)
        squares += sum(float((change**2).sum()) for change in changes)
    np.testing.assert_allclose(features, expected, rtol=0, atol=1e-9)
    assert distance == pytest.approx(squares, abs=1e-9)


@quick(40)
@given(CASES, CAPACITIES, st.sampled_from([0.01, 0.3, 1.0]))
def test_a_step_up_ends_at_the_closest_point_of_the_polytope(case, capacity, step):
    begin = case.point(case.rng.random)
    end = case.point(lambda size: np.full(size, -1.0))
    error = climb(case.examples, case.some, case.weights, step, capacity - 1.0, begin, end)
    assert 0 <= error <= 1e-9
    for k, pair in enumerate(case.labelled):
        found = np.concatenate([values.ravel() for values in case.part(end, k)])
        if k not in case.some:
            assert (found == -1).all()
            continue
        cells, source, target = case.part(begin, k)
        wanted = cells + step * (pair.scores(case.weights) + pair.loss)
        wanted[pair.free] = -1  # zero is closest to whatever is below it, and solvers do not like huge numbers
        source, target = source - step * case.weights[-2], target - step * case.weights[-1]
        np.testing.assert_allclose(found, nearest_point(wanted, source, target, capacity - 1.0), rtol=0, atol=1e-6)


@quick(60)
@given(CASES, CAPACITIES, st.booleans())
def test_a_perceptron_moves_from_wrong_links_to_right_ones(case, capacity, from_nothing):
    weights = np.zeros(WEIGHTS) if from_nothing else case.weights.copy()
    total = case.rng.random(WEIGHTS)
    before = total.copy()
    expected_mistakes, after = perceptron_pass([case.labelled[k] for k in case.some], weights.copy(), capacity)
    mistakes = perceive(case.examples, case.some, weights, total, capacity)
    assert mistakes == expected_mistakes
    if after:
        np.testing.assert_allclose(weights, after[-1], rtol=0, atol=1e-9)
    np.testing.assert_allclose(total, before + sum(after), rtol=0, atol=1e-9)


@quick(60)
@given(SEEDS, lists_of_sizes(least=0), st.sampled_from([0.2, 0.8]))
def test_links_beyond_the_first_are_counted(seed, sizes, part):
    shapes = shapes_of(sizes)
    links = np.random.default_rng(seed).random(shapes.cell_start[-1]) < part
    source, target = np.full(shapes.source_start[-1], np.nan), np.full(shapes.target_start[-1], np.nan)
    count_further_links(links, shapes, source, target)
    expected = [further_links(cells_of(links, shapes, k)) for k in range(len(sizes))]
    assert source.tolist() == [count for pair in expected for count in pair[0]]
    assert target.tolist() == [count for pair in expected for count in pair[1]]


def test_two_links_of_a_word_are_one_beyond_the_first():
    source, target = np.zeros(2), np.zeros(3)
    links = np.array([True, True, True, False, True, False])
    count_further_links(links, shapes_of([(2, 3)]), source, target)
    assert source.tolist() == [2, 0]
    assert target.tolist() == [0, 1, 0]
