"""The best links of a pair, against all sets of links and against another solver."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from kernels.lattices import quick
from kernels.pairs import SEEDS, cells_of, lists_of_sizes, ranges, shapes_of
from oracles.naive_matching import best_value, most_in_polytope, value_of_links
from pralign.kernels.arrays import LinkTerms
from pralign.kernels.assignment import assign, assign_pairs, positive_cells

# A path that gains less than 1e-9 is not taken, so that each link may be off by as much.
CLOSE = 1e-7

# All sets of up to twelve cells are few enough to be listed.
SIZES = st.sampled_from([(r, c) for r in range(1, 9) for c in range(1, 9) if r * c <= 12])
COSTS = st.sampled_from([0.0, 0.25, 0.7, 1.0, 5.0])
TERMS = st.builds(LinkTerms, st.integers(1, 3), COSTS, COSTS)
TYPES = st.sampled_from([np.float32, np.float64])


def draw_scores(seed, size, kind, dtype):
    rng = np.random.default_rng(seed)
    scores = {
        "any": lambda: rng.normal(0.4, 1, size),
        "ties": lambda: rng.integers(-1, 3, size),
        "all good": lambda: rng.random(size) + 1,
        "sparse": lambda: rng.normal(size=size) * (rng.random(size) < 0.3),
    }[kind]()
    return scores.astype(dtype)


SCORES = st.builds(draw_scores, SEEDS, SIZES, st.sampled_from(["any", "ties", "all good", "sparse"]), TYPES)


def links_of(scores, terms):
    chosen = np.ones(scores.shape, np.bool_)  # what was there before has no part in the result
    assign(scores, terms, chosen)
    return chosen


@quick(300)
@given(SCORES, TERMS)
@example(np.zeros((2, 3)), LinkTerms(2, 0.0, 0.0))
@example(-np.ones((3, 2), np.float32), LinkTerms(1, 0.0, 0.0))
@example(np.ones((3, 3)), LinkTerms(1, 0.0, 0.0))
@example(np.ones((3, 3)), LinkTerms(2, 1.0, 0.0))
@example(np.array([[2.0, 3.0], [1.0, 3.5]]), LinkTerms(1, 0.0, 0.0))
def test_no_other_links_are_worth_more(scores, terms):
    chosen = links_of(scores, terms)
    assert value_of_links(scores, chosen, terms) == pytest.approx(best_value(scores, terms), abs=CLOSE)
    assert (scores[chosen] > 0).all()


@quick(50)
@given(SEEDS, TERMS, TYPES)
def test_random_links_of_long_sentences_are_not_worth_more(seed, terms, dtype):
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 1, rng.integers(5, 25, 2)).astype(dtype)
    chosen = links_of(scores, terms)
    value = value_of_links(scores, chosen, terms)
    assert value > 0
    for greed in (0, 3):
        others = np.zeros(scores.shape, np.bool_)
        order = np.argsort(rng.random(scores.size) - greed * scores.ravel())
        for cell in order[: scores.size // 2]:
            others.flat[cell] = value_of_links(scores, others, terms) < _with(scores, others, cell, terms)
        assert value_of_links(scores, others, terms) <= value + CLOSE
    for cell in rng.choice(scores.size, 20):  # neither do other choices at a single cell
        changed = chosen.copy()
        changed.flat[cell] ^= True
        assert value_of_links(scores, changed, terms) <= value + CLOSE


def _with(scores, links, cell, terms):
    more = links.copy()
    more.flat[cell] = True
    return value_of_links(scores, more, terms)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [(40, 40), (40, 25), (25, 40)])
@pytest.mark.parametrize("kind", ["any", "ties", "all good", "sparse"])
def test_one_partner_each_is_the_assignment_problem(kind, size, dtype):
    scores = draw_scores(17, size, kind, dtype)
    chosen = links_of(scores, LinkTerms(1, 0.3, 0.3))  # no word has further links that could cost
    worth = np.maximum(scores.astype(float), 0)
    expected = worth[linear_sum_assignment(worth, maximize=True)].sum()
    assert value_of_links(scores, chosen, LinkTerms(1, 0.0, 0.0)) == pytest.approx(expected, abs=CLOSE)


@pytest.mark.parametrize("terms", [LinkTerms(1, 0.0, 0.0), LinkTerms(2, 0.3, 0.6), LinkTerms(3, 0.0, 0.25)])
@pytest.mark.parametrize("kind", ["any", "ties", "sparse"])
def test_fractions_of_links_would_not_be_worth_more(kind, terms):
    scores = draw_scores(5, (15, 18), kind, np.float64)
    costs = np.full(15, -terms.source_cost), np.full(18, -terms.target_cost)
    expected = most_in_polytope(scores, *costs, terms.capacity - 1)
    assert value_of_links(scores, links_of(scores, terms), terms) == pytest.approx(expected, abs=CLOSE)


@pytest.mark.parametrize(("columns", "links"), [(1, 1), (2, 2), (9, 3)])
def test_a_single_word_takes_its_best_partners(columns, links):
    scores = np.arange(1.0, columns + 1)[None]
    best = [False] * (columns - links) + [True] * links
    assert links_of(scores, LinkTerms(3, 0.5, 9.0))[0].tolist() == best
    assert links_of(scores.T, LinkTerms(3, 9.0, 0.5))[:, 0].tolist() == best


def test_further_links_have_to_be_worth_their_cost():
    scores = np.array([[1.0, 0.4, 0.6]])
    assert links_of(scores, LinkTerms(3, 0.5, 0.0)).tolist() == [[True, False, True]]
    assert links_of(scores, LinkTerms(3, 0.3, 0.0)).tolist() == [[True, True, True]]
    assert links_of(scores.T, LinkTerms(3, 0.0, 0.5)).tolist() == [[True], [False], [True]]
    assert links_of(scores.T, LinkTerms(3, 0.0, 0.7)).tolist() == [[True], [False], [False]]


def test_words_look_for_others_when_somebody_needs_their_partner_more():
    scores = np.array([[5.0, 4.0, 0.0], [4.0, 0.0, 3.0], [6.0, 1.0, 0.0]])
    assert np.argwhere(links_of(scores, LinkTerms(1, 0.0, 0.0))).tolist() == [[0, 1], [1, 2], [2, 0]]


def test_a_word_gives_up_its_partner_for_nothing_where_that_gains():
    scores = np.array([[1.0, 0.0], [3.0, 0.0]])
    assert links_of(scores, LinkTerms(1, 0.0, 0.0)).tolist() == [[False, False], [True, False]]


@pytest.mark.parametrize("size", [(0, 3), (3, 0), (0, 0)])
def test_nothing_is_linked_where_there_is_nothing(size):
    assert links_of(np.ones(size), LinkTerms(2, 0.0, 0.0)).shape == size


@quick(60)
@given(SEEDS, lists_of_sizes(least=0), TERMS, st.lists(st.integers(0, 5), max_size=3), TYPES)
def test_pairs_are_independent_and_may_be_split_into_any_ranges(seed, sizes, terms, cuts, dtype):
    shapes = shapes_of(sizes)
    scores = np.random.default_rng(seed).normal(0.3, 1, shapes.cell_start[-1]).astype(dtype)
    chosen = np.ones(scores.size, np.bool_)
    for first, last in ranges(len(sizes), cuts):
        assign_pairs(scores, shapes, terms, first, last, chosen)
    for k in range(len(sizes)):
        expected = links_of(cells_of(scores, shapes, k), terms)
        assert cells_of(chosen, shapes, k).tolist() == expected.tolist()


def test_other_pairs_are_left_alone():
    shapes = shapes_of([(2, 1), (1, 2), (2, 2)])
    chosen = np.zeros(8, np.bool_)
    assign_pairs(np.ones(8), shapes, LinkTerms(2, 0.0, 0.0), 1, 2, chosen)
    assert np.flatnonzero(chosen).tolist() == [2, 3]


@quick(60)
@given(SEEDS, st.integers(0, 5), st.integers(0, 5), TYPES)
def test_positive_cells_are_listed_row_by_row(seed, rows, columns, dtype):
    grid = np.random.default_rng(seed).integers(-1, 2, (rows, columns)).astype(dtype)
    row_start, column_of = positive_cells(grid)
    assert row_start.size == rows + 1
    assert row_start[0] == 0
    assert row_start[-1] == column_of.size
    for i in range(rows):
        assert column_of[row_start[i] : row_start[i + 1]].tolist() == [j for j in range(columns) if grid[i, j] > 0]
