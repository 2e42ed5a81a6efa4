"""Labelled pairs as a problem to learn from."""

from __future__ import annotations

import numpy as np
import pytest

from matching.cases import TEXT, all_cells, built, every, extractor, gold_of, random_problem
from pralign import Alignment
from pralign.evaluation.counts import LinkCounts, count_links
from pralign.kernels.margin import FORBIDDEN, decode

PAIRS = [TEXT[0], TEXT[5], TEXT[1], TEXT[6]]  # the second and the last have an empty side
GOLDS = [gold_of((0, 0), (1, 1)), gold_of(), gold_of((1, 1), (3, 3), possible=[(0, 0), (2, 0)]), gold_of()]


def test_wrong_links_cost_one_and_missing_ones_what_they_are_told():
    problem, _ = built(extractor("dice", "distance"), PAIRS, GOLDS, miss_cost=2.5)
    loss = np.ones((4, 4))
    loss[[1, 3], [1, 3]] = -2.5
    loss[[0, 2], [0, 0]] = FORBIDDEN
    assert problem.examples.loss.tolist() == [-2.5, 1, 1, -2.5, *loss.ravel().tolist()]
    assert problem.examples.gold.cell.tolist() == (problem.examples.loss == -2.5).tolist()
    assert np.flatnonzero(problem.sure).tolist() == [0, 3, 9, 19]
    assert np.flatnonzero(problem.possible).tolist() == [0, 3, 4, 9, 12, 19]


def test_pairs_with_an_empty_side_are_left_out():
    features = extractor("dice", "distance", "common")
    problem, _ = built(features, PAIRS, GOLDS)
    assert problem.examples.shapes.cell_start.tolist() == [0, 4, 20]
    assert problem.examples.shapes.source_start.tolist() == [0, 2, 6]
    assert problem.examples.numbers.shape == (20, features.number_count)
    assert problem.size == len(features.columns) + 2
    assert problem.bias == features.bias


def test_numbers_are_scaled_and_kinds_have_their_places():
    features = extractor("common", "dice", "distance")
    problem, scaling = built(features, PAIRS, GOLDS)
    cells = all_cells(features, PAIRS)
    numbers = np.stack(list(features.values(cells)), axis=1)
    np.testing.assert_allclose(problem.examples.numbers, (numbers - scaling.mean) / scaling.deviation, atol=1e-5)
    kinds = features.kinds[0].kinds(cells)
    expected = np.where(kinds >= 0, kinds + features.number_count, -1)
    assert problem.examples.kinds[:, 0].tolist() == expected.tolist()
    assert expected.max() > 0
    assert problem.examples.scales.tolist() == [features.kinds[0].scale]


@pytest.mark.parametrize("capacity", [1, 2, 3])
def test_of_too_many_sure_links_as_many_as_possible_are_kept(capacity):
    pair = ["s", "a"], ["t", "b", "c"]
    # The first word has three links. With one each, it must leave the first target word to the other.
    gold = gold_of((0, 0), (0, 1), (0, 2), (1, 0))
    problem, _ = built(extractor("distance"), [pair], [gold], capacity)
    kept = problem.examples.gold.cell.reshape(2, 3)
    assert kept.sum() == {1: 2, 2: 3, 3: 4}[capacity]
    assert kept[1, 0] == 1
    assert kept.sum(axis=0).max() <= capacity
    assert kept.sum(axis=1).max() <= capacity
    assert problem.sure.sum() == 4
    # Those that are not kept can be neither won nor lost.
    dropped = problem.sure & (problem.examples.gold.cell == 0)
    assert np.all(problem.examples.loss[dropped] == FORBIDDEN)
    assert np.all(problem.examples.loss[problem.sure & ~dropped] == -3)
    assert problem.examples.loss[4:].tolist() == [1, 1]
    assert problem.examples.gold.source.tolist() == np.maximum(kept.sum(axis=1) - 1, 0).tolist()
    assert problem.examples.gold.target.tolist() == np.maximum(kept.sum(axis=0) - 1, 0).tolist()


def test_of_equally_many_links_those_of_words_that_go_together_are_kept():
    pair = ["house", "is"], ["zorro", "maison"]
    gold = gold_of((0, 0), (0, 1))
    problem, _ = built(extractor("distance"), [pair], [gold])
    assert problem.examples.gold.cell.tolist() == [0, 1, 0, 0]


def test_of_equally_many_links_the_closest_are_kept():
    problem, _ = built(extractor("distance"), [(["x", "y", "z"], ["u", "v", "w"])], [gold_of((1, 0), (1, 1), (1, 2))])
    assert np.flatnonzero(problem.examples.gold.cell).tolist() == [4]


def test_links_are_counted_as_evaluation_does():
    problem = random_problem(4, pairs=8, possible=0.3)
    rng = np.random.default_rng(0)
    marks = rng.random(problem.sure.size) < 0.5
    chosen = np.array([1, 4, 6])
    start = problem.examples.shapes.cell_start

    def alignment(cells, k, possible=None):
        inside = np.flatnonzero(cells[start[k] : start[k + 1]]).tolist()
        maybe = [] if possible is None else np.flatnonzero(possible[start[k] : start[k + 1]]).tolist()
        return Alignment.of([(0, cell) for cell in inside], possible=[(0, cell) for cell in maybe])

    golds = {k: alignment(problem.sure, k, problem.possible & ~problem.sure) for k in chosen}
    expected = sum((count_links(alignment(marks, k), golds[k]) for k in chosen), LinkCounts())
    assert problem.count(marks, chosen) == expected
    assert expected.links_sure > 0
    assert expected.links_possible > expected.links_sure


def test_decoding_respects_capacity_and_costs():
    problem = random_problem(5, pairs=10, capacity=2)
    marks = np.zeros(problem.sure.size, np.bool_)
    weights = np.zeros(problem.size)
    weights[0] = 1.0  # every link is worth one
    start, rows, columns = problem.examples.shapes
    for cost, most in ((0.0, 2), (5.0, 1)):
        weights[-2:] = cost
        decode(problem.examples, every(problem), weights, 2, marks)
        for k in every(problem):
            shape = int(rows[k + 1] - rows[k]), int(columns[k + 1] - columns[k])
            grid = marks[start[k] : start[k + 1]].reshape(shape)
            assert max(grid.sum(axis=0).max(), grid.sum(axis=1).max()) <= most
            assert grid.sum() == min(most * shape[0], most * shape[1], shape[0] * shape[1])
