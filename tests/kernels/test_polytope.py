"""The closest point of the matching polytope, against a solver for any problem and against what makes it closest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernels.lattices import INTERPRETED, quick
from kernels.pairs import SEEDS
from oracles.naive_matching import most_in_polytope, nearest_point, word_sums
from pralign.kernels.arrays import Point
from pralign.kernels.polytope import project

MOST_ERROR = 1e-9
MOST_EXCESS = 1e-9
SIZES = st.tuples(st.integers(1, 4), st.integers(1, 4))
EXTRAS = st.sampled_from([0.0, 1.0, 2.0, 0.5])
KINDS = st.sampled_from(["any", "small", "ties", "above one", "sparse"])


def draw_point(seed, size, kind):
    rng = np.random.default_rng(seed)

    def draw(*shape):
        return {
            "any": lambda: rng.normal(0.3, 1, shape),
            "small": lambda: rng.random(shape),
            "ties": lambda: rng.integers(-2, 5, shape) / 2,
            "above one": lambda: 1 + 2 * rng.random(shape),
            "sparse": lambda: rng.normal(size=shape) * (rng.random(shape) < 0.3),
        }[kind]()

    rows, columns = size
    return Point(draw(rows, columns), draw(rows) - 0.5, draw(columns) - 0.5)


POINTS = st.builds(draw_point, SEEDS, SIZES, KINDS)


def projected(point, most_extra):
    found = Point(*(np.full(values.shape, np.nan) for values in point))
    error = project(*point, most_extra, *found)
    assert 0 <= error <= MOST_ERROR
    return found


def flat(point):
    return np.concatenate([values.ravel() for values in point])


def check_constraints(point, most_extra):
    for values, most in zip(point, (1.0, most_extra, most_extra), strict=True):
        assert (values >= 0).all()
        assert (values <= most).all()
    assert (word_sums(*point.cell.shape) @ flat(point) <= 1 + MOST_EXCESS).all()


def check_nearest(point, found, most_extra, close=1e-7):
    """Seen from the closest point, none of the polytope lies in the direction of what was to be projected."""
    direction = Point(*(wanted - values for wanted, values in zip(point, found, strict=True)))
    here = flat(direction) @ flat(found)
    assert most_in_polytope(*direction, most_extra) <= here + close


@quick(60)
@given(POINTS, EXTRAS)
@example(Point(np.array([[3.0]]), np.array([-1.0]), np.array([5.0])), 2.0)
@example(Point(np.full((3, 4), 2.0), np.zeros(3), np.zeros(4)), 1.0)
@example(Point(np.full((3, 2), -1.0), np.full(3, 9.0), np.full(2, -9.0)), 2.0)
@example(Point(np.array([[-1.0, 1.0]]), np.array([-1.5]), np.zeros(2)), 1.0)
def test_a_solver_for_any_problem_agrees(point, most_extra):
    found = projected(point, most_extra)
    check_constraints(found, most_extra)
    np.testing.assert_allclose(flat(found), nearest_point(*point, most_extra), rtol=0, atol=1e-6)


@quick(60)
@given(SEEDS, st.tuples(st.integers(1, 12), st.integers(1, 12)), KINDS, EXTRAS)
def test_nothing_of_the_polytope_is_closer(seed, size, kind, most_extra):
    point = draw_point(seed, size, kind)
    found = projected(point, most_extra)
    check_constraints(found, most_extra)
    check_nearest(point, found, most_extra)


@quick(100)
@given(POINTS, POINTS, EXTRAS, st.floats(0, 1))
def test_random_points_of_the_polytope_are_not_closer(point, other, most_extra, part):
    found = projected(point, most_extra)
    if other.cell.shape != point.cell.shape:
        other = Point(*(np.resize(values, wanted.shape) for values, wanted in zip(other, point, strict=True)))
    inside = flat(projected(other, most_extra))
    between = part * flat(found) + (1 - part) * inside
    assert np.linalg.norm(flat(found) - flat(point)) <= np.linalg.norm(between - flat(point)) + 1e-8


@quick(100)
@given(POINTS, EXTRAS)
def test_points_of_the_polytope_stay(point, most_extra):
    inside = projected(point, most_extra)
    np.testing.assert_allclose(flat(projected(inside, most_extra)), flat(inside), rtol=0, atol=1e-9)
    scaled = Point(inside.cell * 0.5, inside.source, inside.target)  # in its interior as well
    np.testing.assert_allclose(flat(projected(scaled, most_extra)), flat(scaled), rtol=0, atol=1e-12)


@quick(60)
@given(POINTS, EXTRAS)
def test_source_and_target_may_change_places(point, most_extra):
    found = projected(point, most_extra)
    turned = projected(Point(np.ascontiguousarray(point.cell.T), point.target, point.source), most_extra)
    np.testing.assert_allclose(turned.cell.T, found.cell, rtol=0, atol=1e-8)
    np.testing.assert_allclose(turned.source, found.target, rtol=0, atol=1e-8)
    np.testing.assert_allclose(turned.target, found.source, rtol=0, atol=1e-8)


def test_small_cases_by_hand():
    def of(cells, source, target, most_extra):
        point = Point(*(np.array(values, float) for values in (cells, source, target)))
        return [values.tolist() for values in projected(point, most_extra)]

    # Two links share what a word can have.
    assert of([[0.8, 0.6]], [0], [0, 0], 0.0) == [[[pytest.approx(0.6), pytest.approx(0.4)]], [0], [0, 0]]
    # With room for more, each of three numbers moves by a third of what is too much.
    cells, source, target = of([[0.9, 0.7]], [0], [0, 0], 1.0)
    assert cells[0] == pytest.approx([0.7, 0.5])
    assert source == pytest.approx([0.2])
    assert target == [0, 0]
    # Extras are kept within bounds, needed or not.
    assert of([[0.5]], [3], [-3], 2.0) == [[[0.5]], [2], [0]]
    assert of([[-0.5, 0.0]], [0.5], [-1, 1], 1.0) == [[[0, 0]], [0.5], [0, 1]]


@pytest.mark.parametrize("most_extra", [0.0, 1.0, 2.0])
@pytest.mark.parametrize("kind", ["any", "small", "ties", "sparse"])
def test_long_sentences_are_projected_exactly(kind, most_extra):
    size = (9, 8) if INTERPRETED else (60, 60)
    point = draw_point(7, size, kind)
    found = projected(point, most_extra)
    check_constraints(found, most_extra)
    check_nearest(point, found, most_extra, close=1e-6)


# With nothing to give way, prices may be moved from one side to the other without any change, and take long to settle.
@pytest.mark.parametrize("size", [(13, 12), (12, 13), (7, 4)])
@pytest.mark.parametrize("kind", ["equal", "nearly equal", "far above one"])
def test_prices_settle_where_only_their_sums_matter(kind, size):
    rng = np.random.default_rng(2)
    cell = {
        "equal": np.full(size, 2.0),
        "nearly equal": 2 + 1e-3 * rng.random(size),
        "far above one": 100 * rng.normal(size=size),
    }[kind]
    point = Point(cell, np.zeros(size[0]), np.zeros(size[1]))
    found = Point(*(np.full(values.shape, np.nan) for values in point))
    error = project(*point, 0.0, *found)
    check_constraints(found, 0.0)
    check_nearest(point, found, 0.0, close=1e-6)
    assert error <= MOST_ERROR


@pytest.mark.parametrize("size", [(0, 3), (3, 0), (0, 0)])
def test_extras_are_clipped_where_there_are_no_cells(size):
    point = Point(np.zeros(size), np.full(size[0], 5.0), np.full(size[1], -5.0))
    found = projected(point, 2.0)
    assert found.source.tolist() == [2.0] * size[0]
    assert found.target.tolist() == [0.0] * size[1]
