"""Projections against a general optimiser over all alignments of small pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from constraints.cases import (
    MODELS,
    MOST,
    Case,
    Custom,
    CustomMixture,
    CustomProduct,
    Explained,
    cases,
    cut,
    distributions,
    expected,
    few,
    links,
    random_case,
)
from kernels.lattices import Pair
from pralign.constraints import Agreement, Bijective, Symmetric, at_least, at_most, exactly
from pralign.constraints.base import Constraint
from pralign.constraints.projection import project
from pralign.constraints.solver import MOST_CALLS, ProjectionCost, solve
from pralign.kernels.units import LOG_UNIT
from pralign.models.base import DirectionalModel
from pralign.models.ibm1 import IBM1

CONSTRAINTS = [Bijective, Symmetric, Agreement]
CUSTOM = [Custom, CustomMixture, CustomProduct]
SLACKS = [0.0, 0.001, 0.05, 0.3]
# As much as single precision can satisfy: a handful of posteriors, each rounded by 2^-25 or less, and their sums.
TIGHT = 1e-6


def name_of(value):
    return value.__name__ if isinstance(value, type) else None


def assert_projected(case, constraint):
    """Compare the projection of a block, which is to stop at ``TIGHT``, with what the optimiser finds."""
    lattices, outcome = case.project(constraint)
    for k, found in enumerate(links(case, lattices)):
        best = expected(case, constraint, k)
        assert outcome.converged[k]
        assert outcome.residual[k] <= math.sqrt(2) * TIGHT  # of both directions together
        assert outcome.dual[k] == pytest.approx(best.dual, rel=0, abs=1e-6)
        # The dual is flat at its maximum, the divergence is not: it falls by a multiplier for what a bound gives way.
        assert outcome.divergence[k] == pytest.approx(best.divergence, rel=0, abs=2e-6 * (1 + best.effort))
        for one, other in zip(found, best.links, strict=True):
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-5)
        assert lattices.forward.weight[k] == pytest.approx(best.weights[0], rel=0, abs=1e-5)
        assert lattices.reverse.weight[k] == pytest.approx(best.weights[1], rel=0, abs=1e-5)


# Against the oracle


@pytest.mark.parametrize("slack", SLACKS)
@pytest.mark.parametrize("kind", CONSTRAINTS, ids=name_of)
@pytest.mark.parametrize("name", MODELS)
@few(10)
@given(data=st.data())
def test_projections_agree_with_an_optimiser_over_all_alignments(name, kind, slack, data):
    assert_projected(data.draw(cases(name)), kind(tolerance=TIGHT, slack=slack, normalised=False))


def distinct(case, kind, features):
    """Whether features of a single pair are no near combinations of each other, which would leave multipliers open."""
    for oracle in case.oracles(kind(given=(features,)), 0):
        covariance = np.zeros((oracle.bound.size, oracle.bound.size))
        for log_p, values in zip(oracle.log_p, oracle.features, strict=True):
            covariance += np.cov(values.T, aweights=np.exp(log_p), ddof=0)
        deviation = np.sqrt(np.diag(covariance))
        if (deviation < 0.05).any():
            return False
        if deviation.size and np.linalg.eigvalsh(covariance / np.outer(deviation, deviation))[0] < 0.1:
            return False
    return True


def random_features(seed, case, kind):
    """Random features of each pair, with bounds that some other distribution of full support satisfies."""
    rng = np.random.default_rng(seed)
    sizes = [(one.emission.shape[1], one.emission.shape[0]) for one, _ in case.pairs]
    other = random_case(int(rng.integers(2**32)), case.models[0].model.name, sizes, 1)
    share = float(rng.uniform(0.3, 0.7))
    shares = (share, 1 - share) if kind is CustomMixture else (1.0, 1.0)
    given = []
    for k, size in enumerate(sizes):
        expected_links = [
            part * np.tensordot(np.exp(listed.log_p), listed.link, 1)
            for part, listed in zip(shares, other.listed(k), strict=True)
        ]
        features = ()
        for _ in range(rng.integers(1, 5)):
            sides = [{}, {}]
            for side in [int(rng.integers(2))] if kind is Custom else [0, 1]:
                for cell in np.ndindex(size):
                    if rng.random() < 0.6:
                        sides[side][cell] = float(rng.choice([1.0, 1.0, -1.0, 0.5, 2.0, -0.3, 0.1]))
            total = sum(
                value * float(links[cell])
                for cells, links in zip(sides, expected_links, strict=True)
                for cell, value in cells.items()
            )
            make, room = [(at_most, 0.1), (at_least, -0.1), (exactly, 0.0)][rng.integers(3)]
            more = (*features, make(total + room * rng.random(), forward=sides[0], reverse=sides[1]))
            if distinct(case.alone(k), kind, more):
                features = more
        given.append(features)
    return tuple(given)


@pytest.mark.parametrize("slack", [0.0, 0.05])
@pytest.mark.parametrize("kind", CUSTOM, ids=name_of)
@pytest.mark.parametrize("name", MODELS)
@few(10)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_any_features_agree_with_an_optimiser_over_all_alignments(name, kind, slack, data, seed):
    case = data.draw(cases(name))
    given = random_features(seed, case, kind)
    constraint = kind(tolerance=TIGHT, slack=slack, normalised=False, given=given)
    # Features that nearly depend on each other can take too many calls; what it says it reached must be right.
    assume(case.project(constraint)[1].converged.all())
    assert_projected(case, constraint)


@pytest.mark.parametrize("slack", [0.0, 0.05, 0.3])
@pytest.mark.parametrize("kind", CONSTRAINTS, ids=name_of)
@pytest.mark.parametrize("name", MODELS)
def test_the_oracle_finds_the_same_by_searching_among_distributions(name, kind, slack):
    case = random_case(5, name, [(2, 1), (1, 2)], 1)
    constraint = kind(slack=slack)
    for k in range(2):
        for oracle in case.oracles(constraint, k):
            found = oracle.solve()
            assert found.dual == pytest.approx(found.divergence, rel=0, abs=1e-7)  # no gap: it is the optimum
            assert oracle.excess(oracle.distributions(found.multiplier)) < 1e-7
            assert found.dual == pytest.approx(oracle.primal(), rel=0, abs=1e-6)


# By hand


def pair(emission, null):
    return Pair(np.array(emission, np.float32), np.array(null, np.float32))


def ibm1(*pairs):
    return Case(list(pairs), (Explained(IBM1()), Explained(IBM1())))


def test_a_word_that_explains_two_is_shared_between_them():
    # Alone, either target word is explained by the one source word with probability 3/4, which makes 3/2 links. With
    # the factor x = 1/3 on both emissions it is 1/2 each; KL = 2 (1/2 log(1/2 / 3/4) + 1/2 log(1/2 / 1/4)).
    case = ibm1((pair([[0.75], [0.75]], [0.25, 0.25]), pair([[0.1, 0.1]], [0.8])))
    lattices, outcome = case.project(Bijective(tolerance=TIGHT, normalised=False))
    forward, reverse = links(case, lattices)[0]
    np.testing.assert_allclose(forward, [[0.5, 0.5]], rtol=0, atol=1e-6)
    np.testing.assert_allclose(reverse, [[0.1, 0.1]], rtol=0, atol=1e-6)
    np.testing.assert_allclose(cut(lattices.forward, 0).emission, [[0.25], [0.25]], rtol=0, atol=1e-6)
    assert outcome.divergence[0] == pytest.approx(math.log(4 / 3), rel=0, abs=1e-5)
    assert outcome.dual[0] == pytest.approx(math.log(4 / 3), rel=0, abs=1e-6)


def test_directions_that_agree_meet_at_the_mean_of_their_logits():
    # Links of probability 4/5 and 1/5: the emissions are multiplied by x and 1/x, so both become 1/2 with x = 1/4.
    case = ibm1((pair([[0.8]], [0.2]), pair([[0.2]], [0.8])))
    lattices, outcome = case.project(Agreement(tolerance=TIGHT, slack=0, normalised=False))
    forward, reverse = links(case, lattices)[0]
    assert [forward.item(), reverse.item()] == pytest.approx([0.5, 0.5], rel=0, abs=1e-6)
    assert [lattices.forward.weight[0], lattices.reverse.weight[0]] == [1.0, 1.0]
    cost = 0.5 * math.log(0.5 / 0.8) + 0.5 * math.log(0.5 / 0.2)
    assert outcome.dual[0] == pytest.approx(2 * cost, rel=0, abs=1e-6)


def test_the_halves_of_a_mixture_exchange_weight():
    # The mixture has four outcomes: 0.4 and 0.1 (forward, linked or not), 0.1 and 0.4 (reverse). Linked outcomes are
    # multiplied by x and 1/x and have to be equal: 0.4 x = 0.1 / x, so x = 1/2, and all that stays of 1.0 is 0.9.
    case = ibm1((pair([[0.8]], [0.2]), pair([[0.2]], [0.8])))
    lattices, outcome = case.project(Symmetric(tolerance=TIGHT, slack=0, normalised=False))
    forward, reverse = links(case, lattices)[0]
    assert [forward.item(), reverse.item()] == pytest.approx([2 / 3, 1 / 3], rel=0, abs=1e-5)
    assert lattices.forward.weight[0] == pytest.approx(2 * 0.3 / 0.9, rel=0, abs=1e-5)
    assert lattices.reverse.weight[0] == pytest.approx(2 * 0.6 / 0.9, rel=0, abs=1e-5)
    assert outcome.dual[0] == pytest.approx(-math.log(0.9), rel=0, abs=1e-6)


def test_slack_leaves_a_bound_open_by_as_much():
    # One feature, so that slack only moves its bound: from 1 link to 1.2.
    case = ibm1((pair([[0.75], [0.75]], [0.25, 0.25]), pair([[0.1, 0.1]], [0.8])))
    lattices, _ = case.project(Bijective(tolerance=TIGHT, slack=0.2, normalised=False))
    np.testing.assert_allclose(links(case, lattices)[0][0], [[0.6, 0.6]], rtol=0, atol=2e-6)


def test_a_slack_only_just_too_small_still_allows_a_step():
    """Near the kink that slack makes in the dual at the origin, few directions lead uphill."""
    case = random_case(3, "ibm1", [(3, 2)], 2)
    strict = Symmetric(tolerance=TIGHT, slack=0, normalised=False)
    forward, reverse = links(case, case.lattices)[0]
    needed = float(np.linalg.norm(forward / 2 - reverse / 2))
    for share in (0.5, 0.9, 0.99):
        assert_projected(case, Symmetric(tolerance=TIGHT, slack=share * needed, normalised=False))
    assert_projected(case, strict)
    assert case.project(Symmetric(slack=1.01 * needed, tolerance=TIGHT))[1].calls.tolist() == [1.0]


# Wherever it stops


def test_directions_agree_even_if_that_takes_unlikely_links():
    # Three links one way and two the other give the halves unequal weights, but the last words are sure of each other.
    no = 1e-8
    forward = Pair(np.array([[0.5, no], [0.4, no], [no, 0.7]], np.float32), np.full(3, no, np.float32))
    reverse = Pair(np.array([[0.4, 0.4, no], [no, no, 0.9]], np.float32), np.full(2, no, np.float32))
    model = Explained(IBM1())
    _, outcome = Case([(forward, reverse)], (model, model)).project(Symmetric())
    assert outcome.converged.all()
    assert outcome.calls[0] < 40


@pytest.mark.parametrize("slack", SLACKS)
@pytest.mark.parametrize("kind", CONSTRAINTS, ids=name_of)
@pytest.mark.parametrize("name", MODELS)
def test_every_projection_gets_there(name, kind, slack):
    rng = np.random.default_rng(9)
    case = random_case(9, name, rng.integers(1, MOST + 1, (1500, 2)).tolist(), 2)
    _, outcome = case.project(kind(tolerance=TIGHT, slack=slack, normalised=False))
    if slack < 0.3:
        assert outcome.converged.all()
        assert outcome.calls.max() <= 60
    else:
        # Slack that is nearly enough leaves multipliers close to the kink, where a pair in some hundreds gets stuck.
        assert np.mean(~outcome.converged) < 0.004


@pytest.mark.parametrize("kind", CONSTRAINTS, ids=name_of)
@pytest.mark.parametrize("name", MODELS)
@few(6)
@given(data=st.data())
def test_what_is_said_of_a_projection_is_true_of_its_lattices(name, kind, data):
    case = data.draw(cases(name))
    tolerance, slack = data.draw(st.sampled_from([(0.3, 0.0), (0.03, 0.0), (0.03, 0.01), (1e-4, 0.0)]))
    constraint = kind(tolerance=tolerance, slack=slack, normalised=False)
    lattices, outcome = case.project(constraint)
    for k in range(len(case.pairs)):
        oracles = case.oracles(constraint, k)
        reached = distributions(case, lattices, constraint, k)
        divergence = sum(oracle.divergence(q) for oracle, q in zip(oracles, reached, strict=True))
        assert outcome.divergence[k] == pytest.approx(divergence, rel=0, abs=5e-6)
        excess = [oracle.excess(q) for oracle, q in zip(oracles, reached, strict=True)]
        assert np.linalg.norm(excess) <= outcome.residual[k] + 1e-6
        assert outcome.residual[k] <= tolerance * math.sqrt(len(oracles)) + 1e-6
        assert outcome.dual[k] <= sum(oracle.solve().dual for oracle in oracles) + 1e-6


def pull_of(constraint, case):
    """The residual of each pair before anything is done."""
    found = []
    for k in range(len(case.pairs)):
        gradients = []
        for oracle in case.oracles(constraint, k):
            gradient = oracle.dual(np.zeros(oracle.bound.size))[1]
            gradients.append(np.linalg.norm(np.where(oracle.equal, gradient, np.maximum(gradient, 0))))
        found.append((len(oracle.bound), gradients))
    return found


@pytest.mark.parametrize("kind", CONSTRAINTS, ids=name_of)
def test_a_normalised_tolerance_is_one_for_each_feature(kind):
    case = random_case(1, "hmm", [(2, 3), (3, 1), (3, 3)], 2)
    for k, (size, gradients) in enumerate(pull_of(kind(slack=0), case)):
        alone = case.alone(k)
        if kind is Bijective:
            continue  # the two directions differ in size; the others say it all
        least = gradients[0] / size
        assert alone.project(kind(slack=0, tolerance=1.01 * least))[1].calls.tolist() == [1.0]
        assert alone.project(kind(slack=0, tolerance=0.99 * least))[1].calls[0] > 1
        assert alone.project(kind(slack=0, tolerance=1.01 * least * size, normalised=False))[1].calls.tolist() == [1.0]
        assert alone.project(kind(slack=0, tolerance=0.99 * least * size, normalised=False))[1].calls[0] > 1


@pytest.mark.parametrize("constraint", [Bijective(), Symmetric(slack=2), Agreement(slack=3), Custom(given=((), ()))])
@pytest.mark.parametrize("name", MODELS)
def test_a_pair_that_satisfies_the_constraint_stays_as_it_is(name, constraint):
    # No word is worth more than a tenth of null, or slack is more than posteriors can differ, or nothing is asked for.
    case = random_case(8, name, [(1, 2), (3, 3)], 1)
    weak = Case([(pair(a.emission / 99, a.null), pair(b.emission / 99, b.null)) for a, b in case.pairs], case.models)
    lattices, outcome = weak.project(constraint)
    assert outcome.calls.tolist() == [1.0, 1.0]
    assert outcome.converged.all()
    assert not outcome.residual.any()
    np.testing.assert_allclose([outcome.dual, outcome.divergence], 0, rtol=0, atol=1e-15)
    for one, other in zip(lattices[:2], weak.lattices[:2], strict=True):
        assert one.emission.tobytes() == other.emission.tobytes()
        np.testing.assert_allclose(one.weight, 1, rtol=0, atol=1e-15)


class Counting(DirectionalModel):
    """IBM 1, counting how many pairs it is asked about."""

    name = "counting"
    initial = maximise = tensors = from_tensors = viterbi = zero_statistics = None

    def __init__(self):
        self.asked = 0

    def infer(self, lattice, statistics=None):
        self.asked += lattice.states.size
        return IBM1().infer(lattice, statistics)


@pytest.mark.parametrize("kind", CONSTRAINTS, ids=name_of)
def test_calls_are_what_the_models_were_asked(kind):
    case = random_case(2, "ibm1", [(3, 3), (1, 2), (2, 2), (1, 1)], 2)
    counting = Case(case.pairs, (Explained(Counting()), Explained(Counting())))
    _, outcome = counting.project(kind(tolerance=1e-4))
    forward, reverse = (explained.model.asked for explained in counting.models)
    assert outcome.calls.sum() == (forward + reverse) / 2
    assert len(set(outcome.calls)) > 1  # who has arrived is not asked again
    if kind is not Bijective:
        assert forward == reverse


@pytest.mark.parametrize("kind", CUSTOM, ids=name_of)
@pytest.mark.parametrize("name", MODELS)
def test_what_cannot_be_satisfied_is_reported(name, kind):
    case = random_case(4, name, [(2, 2), (2, 2), (3, 1)], 1)
    possible = (at_most(0.2, forward=[(0, 0)]),)
    given = possible, (at_least(2, forward=[(0, 0)]),), possible
    constraint = kind(given=given, tolerance=1e-4)
    lattices, outcome = case.project(constraint)
    assert outcome.converged.tolist() == [True, False, True]
    assert outcome.calls[1] == (MOST_CALLS if kind is not Custom else (MOST_CALLS + 1) / 2)
    # As close as it can be: a link is certain at best, and half as likely in a mixture of which it is all.
    assert outcome.residual[1] >= 1 - 1e-6
    for values in (*outcome.dual, *outcome.divergence, *outcome.residual):
        assert np.isfinite(values).all()
    for lattice, inference in zip(lattices[:2], case.model.infer(lattices), strict=True):
        assert np.isfinite(lattice.emission).all()
        assert np.isfinite(lattice.weight).all()
        for values in inference.posterior:
            assert np.isfinite(values).all()
    neighbours = case.alone(0).project(kind(given=(possible,), tolerance=1e-4))
    np.testing.assert_allclose(links(case, lattices)[0], links(case.alone(0), neighbours[0])[0], rtol=0, atol=1e-6)


@pytest.mark.parametrize("kind", CONSTRAINTS, ids=name_of)
@pytest.mark.parametrize("name", MODELS)
@few(5)
@given(data=st.data())
def test_a_pair_is_projected_as_if_it_were_alone(name, kind, data):
    case = data.draw(cases(name))
    lattices, outcome = case.project(kind())
    together = links(case, lattices)
    for k in range(len(case.pairs)):
        alone = case.alone(k)
        own_lattices, own = alone.project(kind())
        np.testing.assert_allclose(together[k], links(alone, own_lattices)[0], rtol=0, atol=1e-6)
        for one, other in zip(lattices[:2], own_lattices[:2], strict=True):
            assert one.weight[k] == pytest.approx(other.weight[0], rel=0, abs=1e-6)
        assert outcome.calls[k] == own.calls[0]
        for field in ("dual", "divergence", "residual"):
            assert getattr(outcome, field)[k] == pytest.approx(getattr(own, field)[0], rel=0, abs=1e-6)


@pytest.mark.parametrize("kind", CONSTRAINTS, ids=name_of)
@pytest.mark.parametrize("name", MODELS)
def test_projected_lattices_remember_the_likelihood(name, kind):
    case = random_case(6, name, [(3, 2), (2, 3), (1, 1)], 2)
    before = [inference.posterior.log_likelihood for inference in case.model.infer(case.lattices)]
    lattices, outcome = case.project(kind(tolerance=1e-4))
    assert outcome.divergence.max() > 0.01
    after = [inference.posterior.log_likelihood for inference in case.model.infer(lattices)]
    for remembered, one, other in zip(lattices.log_likelihood, before, after, strict=True):
        assert remembered.tobytes() == other.tobytes()
        assert remembered == pytest.approx(one, abs=1e-5)  # which is in single precision
    for one, other in zip(lattices[:2], case.lattices[:2], strict=True):
        assert one.null_emission.tobytes() == other.null_emission.tobytes()
        for field in ("states", "observed_start", "cell_start"):
            assert getattr(one, field).tolist() == getattr(other, field).tolist()


@pytest.mark.parametrize("kind", CONSTRAINTS, ids=name_of)
def test_the_given_lattices_are_not_changed(kind):
    case = random_case(6, "hmm", [(3, 2), (2, 3)], 2)
    given = case.lattices
    emissions = given.forward.emission.copy(), given.reverse.emission.copy()
    project(kind(), case.model, case.block, given)
    assert (given.forward.emission.tolist(), given.reverse.emission.tolist()) == tuple(e.tolist() for e in emissions)


@pytest.mark.parametrize("kind", CONSTRAINTS, ids=name_of)
@pytest.mark.parametrize("name", MODELS)
@few(5)
@given(data=st.data())
def test_features_made_by_kernels_have_the_same_projections_as_those_made_from_words(name, kind, data):
    case = data.draw(cases(name))
    constraint = kind(tolerance=TIGHT, normalised=False)
    lattices, outcome = case.project(constraint)
    slow, dual = case.lattices, np.zeros(len(case.pairs))
    words = [case.words(k) for k in range(len(case.pairs))]
    for problem in Constraint.problems(constraint, slow, lambda: words, case.model):
        slow, other = solve(problem, case.model, slow)
        dual += other.dual
    np.testing.assert_allclose(outcome.dual, dual, rtol=0, atol=1e-6)
    for one, other in zip(links(case, lattices), links(case, slow), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-5)
    for one, other in zip(lattices[:2], slow[:2], strict=True):
        np.testing.assert_allclose(one.weight, other.weight, rtol=0, atol=1e-5)


def test_the_cost_is_the_sum_over_pairs_and_one_call_more_each():
    case = random_case(4, "ibm1", [(2, 2), (2, 2)], 1)
    _, one = case.project(Custom(given=((at_least(2, forward=[(0, 0)]),), (at_most(0.1, forward=[(0, 0)]),))))
    _, two = case.project(Bijective())
    cost = ProjectionCost().plus(ProjectionCost.of(one)).plus(ProjectionCost.of(two))
    assert cost == ProjectionCost.of(two).plus(ProjectionCost.of(one))
    assert cost.pairs == 4
    assert cost.unconverged == 1
    # Of each pair, rounded to a whole number of units.
    assert cost.divergence == pytest.approx(one.divergence.sum() + two.divergence.sum(), rel=0, abs=4 * LOG_UNIT / 2)
    assert cost.calls == one.calls.sum() + two.calls.sum() + 4
