"""The constraints by name, their settings, and the features they stand for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from constraints.cases import Custom, CustomMixture, random_case
from pralign.constraints import (
    CONSTRAINTS,
    Agreement,
    Bijective,
    Constraint,
    Feature,
    Symmetric,
    at_most,
    exactly,
    get_constraint,
    register_constraint,
)
from pralign.constraints.projection import project
from pralign.errors import UsageError
from pralign.kernels.arrays import Texts
from pralign.text.shard import Block

ALL = [Bijective, Symmetric, Agreement]


def test_constraints_are_found_by_name():
    names = ["bijective", "symmetric", "agreement"]
    assert [get_constraint(name) for name in names] == ALL
    with pytest.raises(UsageError, match="no constraint called 'bijectiv'; there are none, bijective, symmetric, agr"):
        get_constraint("bijectiv")


def test_a_constraint_can_be_registered():
    with CONSTRAINTS.restored():
        assert register_constraint(Custom) is Custom
        assert get_constraint("custom") is Custom
    assert "custom" not in CONSTRAINTS


def test_how_exactly_constraints_hold_unless_told():
    assert (Bijective().tolerance, Bijective().slack) == (0.005, 0.0)
    for kind in (Symmetric, Agreement):
        assert (kind().tolerance, kind().slack) == (0.001, 0.001)
    assert all(kind().normalised for kind in ALL)


@pytest.mark.parametrize("tolerance", [0, -1e-3, math.inf, math.nan])
@pytest.mark.parametrize("kind", ALL)
def test_a_tolerance_is_above_zero(kind, tolerance):
    with pytest.raises(UsageError, match="a tolerance is a number above 0"):
        kind(tolerance=tolerance)


@pytest.mark.parametrize("slack", [-1e-3, math.inf, math.nan])
@pytest.mark.parametrize("kind", ALL)
def test_a_slack_is_not_below_zero(kind, slack):
    with pytest.raises(UsageError, match="a slack is a number from 0"):
        kind(slack=slack)


def test_bijective_bounds_the_links_of_each_word_where_it_explains_others():
    assert list(Bijective().features(["a", "b"], ["x", "y", "z"])) == [
        at_most(1, forward=[(0, 0), (0, 1), (0, 2)]),
        at_most(1, forward=[(1, 0), (1, 1), (1, 2)]),
        at_most(1, reverse=[(0, 0), (1, 0)]),
        at_most(1, reverse=[(0, 1), (1, 1)]),
        at_most(1, reverse=[(0, 2), (1, 2)]),
    ]


@pytest.mark.parametrize("kind", [Symmetric, Agreement])
def test_symmetric_compares_each_cell_with_itself(kind):
    assert list(kind().features(["a", "b"], ["x"])) == [
        exactly(0, forward={(0, 0): 1}, reverse={(0, 0): -1}),
        exactly(0, forward={(1, 0): 1}, reverse={(1, 0): -1}),
    ]


def described(problem):
    """All that a problem asks for, in whichever order."""
    features = problem.features
    found = set()
    for k in range(features.first.size - 1):
        for f in range(features.first[k], features.first[k + 1]):
            entries = slice(features.start[f], features.start[f + 1])
            cells = zip(features.cell[entries].tolist(), features.value[entries].tolist(), strict=True)
            key = k, frozenset(cells), float(features.bound[f]), bool(features.equal[f]), float(features.scale[f])
            assert key not in found
            found.add(key)
    return problem.directions, problem.settings, features.cells, found


@pytest.mark.parametrize("kind", ALL)
def test_features_made_by_kernels_are_those_made_from_words(kind):
    case = random_case(0, "ibm1", [(1, 1), (3, 2), (1, 3), (2, 2), (3, 1)], 1)
    constraint = kind(tolerance=0.02, slack=0.01)
    quick = constraint.problems(case.lattices, lambda: [], case.model)
    slow = Constraint.problems(constraint, case.lattices, lambda: [case.words(k) for k in range(5)], case.model)
    assert [described(problem) for problem in quick] == [described(problem) for problem in slow]
    counts = [problem.features.bound.size for problem in quick]
    assert counts == ([10, 9] if kind is Bijective else [1 + 6 + 3 + 4 + 3])


@dataclass(frozen=True, kw_only=True)
class Same(Constraint):
    """Words that are spelled the same are linked."""

    name = "same"

    def features(self, source: Sequence[str], target: Sequence[str]) -> Iterable[Feature]:
        self.seen.append((tuple(source), tuple(target)))
        for i, word in enumerate(source):
            for j, other in enumerate(target):
                if word == other:
                    yield exactly(0.9, forward=[(i, j)])

    seen = []  # noqa: RUF012


def test_features_are_made_from_the_words_of_each_pair_once():
    case = random_case(0, "hmm", [(2, 1), (2, 2)], 1)
    words = ["d", "c", "b", "a"], ["x", "d", "b"]
    texts = Texts(
        np.array([3, 2, 1, 1, 0], np.int32),
        np.array([0, 2, 3, 5]),
        np.array([2, 0, 1, 0], np.int32),
        np.array([0, 1, 2, 4]),
    )
    assert Same().needs_words
    Same.seen.clear()
    # The last pair of the shard and the first one; that in between is not asked for.
    block = Block(texts, np.array([2, 0]), np.empty(0, np.int32))
    swapped = case.alone(1).pairs + case.alone(0).pairs
    lattices = type(case)(swapped, case.models).lattices
    projected, outcome = project(Same(tolerance=1e-5), case.model, block, lattices, words)
    assert outcome.converged.all()
    assert Same.seen == [(("c", "d"), ("d", "x")), (("a", "b"), ("b",))]
    link = case.model.infer(projected)[0].posterior.link
    # Of (c d, d x), the cell of d and d; of (a b, b), that of b and b.
    np.testing.assert_allclose(link[[1, 5]], 0.9, rtol=0, atol=1e-4)


@pytest.mark.parametrize("kind", ALL)
def test_constraints_made_by_kernels_do_without_words(kind):
    case = random_case(1, "hmm", [(2, 1), (2, 2)], 1)
    assert not kind().needs_words
    without, _ = project(kind(), case.model, case.block, case.lattices)
    lattices, _ = case.project(kind())
    assert without.forward.emission.tobytes() == lattices.forward.emission.tobytes()


def test_a_constraint_that_looks_at_words_has_to_get_them():
    case = random_case(1, "hmm", [(2, 1)], 1)
    with pytest.raises(ValueError, match="looks at words needs them"):
        project(Same(), case.model, case.block, case.lattices)


def test_a_feature_that_a_model_satisfies_in_one_direction_leaves_the_other_alone():
    case = random_case(3, "hmm", [(2, 2)], 1)
    lattices, outcome = case.project(Custom(given=((at_most(0.01, reverse=[(0, 0)]),),)))
    assert lattices.forward.emission.tobytes() == case.lattices.forward.emission.tobytes()
    assert lattices.reverse.emission.tobytes() != case.lattices.reverse.emission.tobytes()
    assert outcome.calls[0] > 1
    # In a mixture, what is taken from one half goes to the other.
    lattices, outcome = case.project(CustomMixture(given=((at_most(0.01, reverse=[(0, 0)]),),)))
    assert lattices.forward.emission.tobytes() == case.lattices.forward.emission.tobytes()
    assert lattices.forward.weight[0] > 1 > lattices.reverse.weight[0]
