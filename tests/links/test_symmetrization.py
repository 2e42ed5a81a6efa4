"""Symmetrisation against sets of links."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernels.lattices import quick
from oracles.naive_symmetrization import NAIVE
from pralign.errors import UsageError
from pralign.links.alignment import Alignment
from pralign.links.symmetrization import SYMMETRIZERS, get_symmetrizer, register_symmetrizer, symmetrize

SIZE = 6
links = st.frozensets(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), max_size=14)
# Two directions of one pair have links in common, else nothing grows.
directions = st.tuples(links, links, links).map(lambda parts: (parts[0] | parts[2], parts[1] | parts[2]))


def grid(links, shape=(SIZE, SIZE)):
    marks = np.zeros(shape, np.bool_)
    for link in links:
        marks[link] = True
    return marks


def marked(grid):
    return frozenset(zip(*(axis.tolist() for axis in np.nonzero(grid)), strict=True))


@pytest.mark.parametrize("name", NAIVE)
@quick(100)
@given(both=directions)
@example(both=(frozenset(), frozenset()))
def test_each_heuristic_agrees_with_sets_of_links(name, both):
    forward, reverse = grid(both[0]), grid(both[1])
    expected = NAIVE[name](*both)
    assert marked(SYMMETRIZERS[name](forward, reverse)) == expected
    assert (marked(forward), marked(reverse)) == both  # what came in is left as it was
    combined = symmetrize(Alignment.of(both[0]), Alignment.of(both[1]), name)
    assert combined == Alignment.of(expected)


@pytest.mark.parametrize("name", sorted(NAIVE.keys() - {"forward", "reverse"}))
@quick(100)
@given(both=directions)
def test_results_lie_between_intersection_and_union(name, both):
    result = marked(SYMMETRIZERS[name](grid(both[0]), grid(both[1])))
    assert both[0] & both[1] <= result <= both[0] | both[1]


@quick(100)
@given(directions)
def test_heuristics_include_each_other(both):
    forward, reverse = grid(both[0]), grid(both[1])
    sizes = ["intersection", "grow-diag", "grow-diag-final-and"]
    results = [marked(SYMMETRIZERS[name](forward, reverse)) for name in sizes]
    assert results[0] <= results[1] <= results[2]
    assert results[1] <= marked(SYMMETRIZERS["grow-diag-final"](forward, reverse))


@pytest.mark.parametrize(
    ("name", "opposite"),
    [("intersection", "intersection"), ("union", "union"), ("forward", "reverse"), ("reverse", "forward")],
)
@quick(100)
@given(both=directions)
def test_transposing_both_directions_transposes_what_does_not_depend_on_an_order(name, opposite, both):
    forward, reverse = grid(both[0]), grid(both[1])
    turned = SYMMETRIZERS[opposite](reverse.T.copy(), forward.T.copy())
    assert marked(turned.T) == marked(SYMMETRIZERS[name](forward, reverse))


@quick(100)
@given(directions)
def test_final_leaves_no_link_out_that_has_a_free_word(both):
    result = marked(SYMMETRIZERS["grow-diag-final"](grid(both[0]), grid(both[1])))
    rows, columns = {i for i, _ in result}, {j for _, j in result}
    assert all(i in rows and j in columns for i, j in both[0] | both[1])


def test_a_link_that_was_passed_over_joins_when_a_neighbour_does():
    # Tried in order, (0, 2) has no neighbour until (1, 1) has joined.
    forward, reverse = frozenset([(2, 0), (1, 1), (0, 2)]), frozenset([(2, 0)])
    assert marked(SYMMETRIZERS["grow-diag"](grid(forward), grid(reverse))) == forward


def test_diagonal_growth_needs_only_one_free_word_and_at_least_one():
    forward, reverse = frozenset([(0, 0), (0, 1), (1, 1)]), frozenset([(0, 0), (1, 0)])
    # (0, 1) gives column 1 and (1, 0) row 1 their first link; then (1, 1) has no free word left.
    assert marked(SYMMETRIZERS["grow-diag"](grid(forward), grid(reverse))) == {(0, 0), (0, 1), (1, 0)}


def test_final_takes_forward_links_before_reverse_ones():
    forward, reverse = frozenset([(0, 5)]), frozenset([(0, 0), (0, 2)])
    result = marked(SYMMETRIZERS["grow-diag-final-and"](grid(forward), grid(reverse)))
    assert result == {(0, 5)}
    assert marked(SYMMETRIZERS["grow-diag-final"](grid(forward), grid(reverse))) == forward | reverse


def test_sentences_of_different_lengths_and_of_one_word():
    for shape in ((1, 1), (1, 5), (5, 1), (2, 7)):
        everything = np.ones(shape, np.bool_)
        first = np.zeros(shape, np.bool_)
        first[0, 0] = True
        for name in NAIVE:
            result = SYMMETRIZERS[name](everything, first)
            assert marked(result) == NAIVE[name](marked(everything), marked(first))


def test_an_unknown_heuristic_is_refused():
    with pytest.raises(UsageError, match="no heuristic 'shrink'; there are intersection, union"):
        get_symmetrizer("shrink")


@pytest.fixture
def registry():
    """Heuristics that are registered here are forgotten afterwards."""
    with SYMMETRIZERS.restored():
        yield


@pytest.mark.usefixtures("registry")
def test_a_new_heuristic_is_found_by_its_name():
    @register_symmetrizer("either")
    def either(forward, reverse):
        return forward ^ reverse

    one, other = Alignment.of([(0, 0), (1, 1)]), Alignment.of([(0, 0)])
    assert get_symmetrizer("either") is either
    assert symmetrize(one, other, "either").links == ((1, 1),)
