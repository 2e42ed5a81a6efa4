"""Features, and where their cells lie in lattices."""

from __future__ import annotations

import math

import numpy as np
import pytest

from constraints.cases import MODELS, Case, Custom, CustomMixture, CustomProduct, cut, links, random_case
from pralign.constraints import Feature, at_least, at_most, exactly
from pralign.constraints.features import DIRECTIONS, assemble
from pralign.errors import UsageError

CUSTOM = [Custom, CustomMixture, CustomProduct]


def test_a_feature_counts_each_cell_once_or_as_much_as_a_mapping_says():
    assert at_most(2, forward=[(0, 0), (1, 2)], reverse=[(0, 1)]) == Feature({(0, 0): 1, (1, 2): 1}, {(0, 1): 1}, 2)
    assert at_most(0.5, forward={(0, 0): 3, (1, 0): -0.5}) == Feature({(0, 0): 3, (1, 0): -0.5}, {}, 0.5)
    assert at_most(1, forward=((i, 0) for i in range(2))) == Feature({(0, 0): 1, (1, 0): 1}, {}, 1)
    assert exactly(0.5, reverse={(0, 0): 2}) == Feature({}, {(0, 0): 2}, 0.5, equal=True)


def test_at_least_is_at_most_of_the_opposite():
    assert at_least(0.5, forward={(0, 0): 2}, reverse=[(1, 0)]) == Feature({(0, 0): -2}, {(1, 0): -1}, -0.5)


def test_the_cells_of_a_direction():
    feature = at_most(1, forward=[(0, 0)], reverse=[(1, 1)])
    assert feature.cells("forward") == {(0, 0): 1}
    assert feature.cells("reverse") == {(1, 1): 1}


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("make", [at_most, at_least, exactly])
def test_bounds_and_values_are_finite(make, number):
    for arguments in (
        {"bound": number, "forward": [(0, 0)]},
        {"bound": 1, "forward": {(0, 0): number}},
        {"bound": 1, "reverse": {(0, 0): 1, (0, 1): number}},
    ):
        with pytest.raises(UsageError, match="must be finite numbers"):
            make(**arguments)


def test_features_as_arrays():
    case = random_case(0, "ibm1", [(1, 2), (3, 2)], 1)
    first = [at_most(1.5, forward={(0, 1): 2.0}, reverse={(0, 0): -0.5, (0, 1): 1.0}), exactly(0, forward=[(0, 0)])]
    second = [at_least(0.25, forward=[(2, 1)], reverse=[(2, 1), (1, 0)])]
    arrays = assemble([first, second], case.lattices, ("forward", "reverse"), ("reverse", "forward"))
    # Forward cells go by target word: 2 of the first pair, then 6; then come the reverse ones, by source word.
    assert arrays.cells == 8
    assert arrays.first.tolist() == [0, 2, 3]
    assert arrays.start.tolist() == [0, 3, 4, 7]
    assert arrays.cell.tolist() == [1, 8, 9, 0, 2 + 1 * 3 + 2, 8 + 2 + 1 * 2 + 0, 8 + 2 + 2 * 2 + 1]
    assert arrays.value.tolist() == [2.0, -0.5, 1.0, 1.0, -1.0, -1.0, -1.0]
    assert arrays.bound.tolist() == [1.5, 0.0, -0.25]
    assert arrays.equal.tolist() == [False, True, False]
    assert arrays.scale.tolist() == [2.0, 1.0, 1.0]


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_features_are_listed_by_their_cells_in_the_leading_direction(direction):
    case = random_case(0, "ibm1", [(2, 2)], 1)
    cells = [(i, j) for j in (1, 0) for i in (1, 0)]
    features = [exactly(0, forward={cell: 1}, reverse={cell: -1}) for cell in cells]
    arrays = assemble([features], case.lattices, DIRECTIONS, [direction])
    places = arrays.cell.reshape(4, 2).tolist()
    leading = [place for pair in places for place in pair if (place >= 4) == (direction == "reverse")]
    assert leading == sorted(leading)


def test_features_of_one_direction_as_arrays():
    case = random_case(0, "ibm1", [(1, 2), (3, 2)], 1)
    arrays = assemble([[], [at_most(1, reverse=[(2, 0), (0, 1)])]], case.lattices, ("reverse",), ["reverse"] * 2)
    assert (arrays.first.tolist(), arrays.start.tolist()) == ([0, 0, 1], [0, 2])
    assert arrays.cell.tolist() == [2 + 0 * 2 + 1, 2 + 2 * 2 + 0]


@pytest.mark.parametrize("kind", CUSTOM)
@pytest.mark.parametrize("name", MODELS)
def test_the_cells_that_a_feature_names_are_those_that_change(name, kind):
    case = random_case(7, name, [(2, 1), (2, 3), (3, 2)], 1)
    before = links(case, case.lattices)
    given = [[], [], []]
    for k, cell in ((1, (1, 2)), (2, (2, 0))):
        given[k] = [
            exactly(0.3 * before[k][0][cell], forward=[cell]),
            exactly(0.4 * before[k][1][cell], reverse=[cell]),
        ]
    constraint = kind(given=tuple(map(tuple, given)), tolerance=1e-6, normalised=False)
    lattices, outcome = case.project(constraint)
    assert outcome.converged.all()
    for k, (one, other) in enumerate(case.pairs):
        cells = {0: [], 1: [(1, 2)], 2: [(2, 0)]}[k]
        changed = cut(lattices.forward, k).emission != one.emission
        assert [(int(i), int(j)) for j, i in np.argwhere(changed)] == cells
        changed = cut(lattices.reverse, k).emission != other.emission
        assert [(int(i), int(j)) for i, j in np.argwhere(changed)] == cells
    after = links(case, lattices)
    for k, cell in ((1, (1, 2)), (2, (2, 0))):
        weights = lattices.forward.weight[k], lattices.reverse.weight[k]
        shares = [weight / 2 for weight in weights] if kind is CustomMixture else [1.0, 1.0]
        assert shares[0] * after[k][0][cell] == pytest.approx(0.3 * before[k][0][cell], rel=0, abs=2e-6)
        assert shares[1] * after[k][1][cell] == pytest.approx(0.4 * before[k][1][cell], rel=0, abs=2e-6)


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (2, 0), (0, 3)])
@pytest.mark.parametrize("direction", ["forward", "reverse"])
@pytest.mark.parametrize("kind", CUSTOM)
def test_a_feature_cannot_name_words_that_are_not_there(kind, direction, cell):
    case = random_case(0, "ibm1", [(3, 3), (2, 3)], 1)
    given = (), (at_most(1, **{direction: [(0, 0), cell]}),)
    with pytest.raises(UsageError, match=rf"the cell \({cell[0]}, {cell[1]}\) of a pair of 2 by 3 words"):
        case.project(kind(given=given))


def test_a_feature_of_both_directions_cannot_be_projected_apart():
    case: Case = random_case(0, "ibm1", [(2, 2)], 1)
    both = exactly(0, forward=[(0, 0)], reverse={(0, 0): -1})
    with pytest.raises(UsageError, match="'custom' has cells of both directions, which are projected apart"):
        case.project(Custom(given=((both,),)))
    for kind in (CustomMixture, CustomProduct):
        assert case.project(kind(given=((both,),)))[1].converged.all()
