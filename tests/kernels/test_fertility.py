"""Models 3 and 4 against their formulas, and expectations over neighbourhoods against enumeration."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest

from kernels.fertility_cases import CLASSES, as_kernel, as_oracle, make_case
from oracles.naive_fertility import neighbours
from pralign.kernels.arrays import Posterior
from pralign.kernels.cepts import (
    FARTHEST,
    FERTILITY,
    FOLLOWING,
    MOST_WORDS,
    PRECEDING,
    STATE,
    attach,
    exchange,
    new_cepts,
    score,
)
from pralign.kernels.climbing import FEWER, MORE, climb, look_out, new_changes, survey
from pralign.kernels.displacement import leaving, moving, swapping
from pralign.kernels.fertility_counts import FertilityCounts, count_alignments
from pralign.kernels.neighbourhood import begin, describe, explore, likeliest, weigh
from pralign.kernels.units import UNIT

SIZES = [(3, 3), (1, 4), (4, 1), (2, 4), (4, 3), (1, 1)]
# Both sides are sums and products of the same numbers in double precision, in another order.
EXACT = 1e-9
# Words that fertilities are counted for; the texts have two more.
WORDS = 6

both_models = pytest.mark.parametrize("ordered", [False, True], ids=["model 3", "model 4"])
seeds = pytest.mark.parametrize("seed", range(6))


def cepts_of(path, states):
    cepts = new_cepts(path.size, states)
    for j, i in enumerate(path):
        attach(cepts, j, i)
    return cepts


def possible(case, k):
    """All alignments of a pair that are not impossible, in the kernels' form."""
    pair = case.pairs[k]
    for z in pair.alignments():
        if case.probability(k, z) > 0:
            yield z, as_kernel(z, pair.states)


@both_models
@seeds
def test_the_score_of_every_alignment_is_that_of_the_formula(ordered, seed):
    case = make_case(seed, SIZES, ordered)
    for k, pair in enumerate(case.pairs):
        sentence = describe(case.lattice, k, case.around, case.tables)
        for z, path in possible(case, k):
            found = score(cepts_of(path, pair.states), sentence, case.tables)
            assert found == pytest.approx(math.log(case.probability(k, z)), rel=0, abs=EXACT)


@both_models
@pytest.mark.parametrize("sizes", [[(2, 14)], [(40, 2)], [(3, 70)], [(2, 25)]], ids=str)
def test_long_distances_and_high_fertilities_follow_the_formula_too(ordered, sizes):
    case = make_case(3, sizes, ordered, sharp=0.3)
    random = np.random.default_rng(1)
    pair, sentence = case.pairs[0], describe(case.lattice, 0, case.around, case.tables)
    for _ in range(50):
        path = random.integers(0, pair.states, pair.observed).astype(np.int32)
        expected = math.log(case.probability(0, as_oracle(path, pair.states)))
        assert score(cepts_of(path, pair.states), sentence, case.tables) == pytest.approx(expected, rel=1e-12)


@both_models
@seeds
def test_a_change_costs_what_the_whole_score_says(ordered, seed):
    case = make_case(seed, [(3, 3), (4, 3)], ordered)
    for k, pair in enumerate(case.pairs):
        sentence = describe(case.lattice, k, case.around, case.tables)
        for _, path in possible(case, k):
            cepts = cepts_of(path, pair.states)
            places, outlook = look_out(cepts, sentence, case.tables)
            whole = score(cepts, sentence, case.tables)
            for j in range(pair.observed):
                for i in range(pair.states + 1):
                    old = path[j]
                    if i == old or not np.isfinite(outlook[MORE, i]):
                        continue
                    gain = outlook[FEWER, old] + outlook[MORE, i] + sentence.link[j, i] - sentence.link[j, old]
                    if ordered:
                        left = leaving(cepts, sentence.classes, case.tables.place, j)
                        gain += moving(cepts, places, sentence.classes, case.tables.place, j, i, left)
                    changed = path.copy()
                    changed[j] = i
                    after = score(cepts_of(changed, pair.states), sentence, case.tables)
                    assert gain == pytest.approx(after - whole, rel=0, abs=EXACT)
            for j, other in combinations(range(pair.observed), 2):
                if path[j] == path[other]:
                    continue
                changed = path.copy()
                changed[j], changed[other] = path[other], path[j]
                gain = sum(sentence.link[w, changed[w]] - sentence.link[w, path[w]] for w in (j, other))
                gain += swapping(cepts, places, sentence.classes, case.tables.place, j, other) if ordered else 0
                after = score(cepts_of(changed, pair.states), sentence, case.tables)
                assert gain == pytest.approx(after - whole, rel=0, abs=EXACT)
            assert np.array_equal(cepts[STATE, : pair.observed], path)


@both_models
@pytest.mark.parametrize("seed", range(20))
def test_cepts_stay_whole_through_any_changes(ordered, seed):
    random = np.random.default_rng(seed)
    states, observed = 5, 9
    path = random.integers(0, states + 1, observed).astype(np.int32)
    cepts = cepts_of(path, states)
    for _ in range(200):
        j, other = random.choice(observed, 2, replace=False)
        if random.random() < 0.5 or path[j] == path[other]:
            i = random.integers(0, states + 1)
            exchange(cepts, j, i, -1)
            path[j] = i
        else:
            exchange(cepts, j, path[other], other)
            path[j], path[other] = path[other], path[j]
        fresh = cepts_of(path, states)
        # The neighbours of a null word in its cept mean nothing.
        linked = np.append(path < states, np.zeros(cepts.shape[1] - observed, bool))
        for row in (PRECEDING, FOLLOWING):
            assert np.array_equal(cepts[row, linked], fresh[row, linked])
        others = np.delete(np.arange(len(cepts)), [PRECEDING, FOLLOWING])
        assert np.array_equal(cepts[others], fresh[others])


def explored(case, seed, pegging=False):
    random = np.random.default_rng(seed)
    starts = [random.integers(-1, pair.states, pair.observed) for pair in case.pairs]
    return explore(case.lattice, case.around, case.tables, np.concatenate(starts).astype(np.int32), pegging)


def weighed(case, neighbourhood):
    posterior = Posterior(
        np.empty_like(case.lattice.emission), np.empty_like(case.lattice.null_emission), np.empty(len(case.pairs))
    )
    weight = np.empty_like(neighbourhood.score)
    weigh(case.lattice, neighbourhood, posterior, weight)
    return posterior, weight


def peak(case, neighbourhood, k):
    first = neighbourhood.path_start[k]
    return as_oracle(neighbourhood.path[first : first + case.pairs[k].observed], case.pairs[k].states)


def around_peak(case, neighbourhood, k):
    """The neighbours of a peak and their probabilities."""
    found = {z: case.probability(k, z) for z in neighbours(case.pairs[k], peak(case, neighbourhood, k))}
    return {z: value for z, value in found.items() if value > 0}


@both_models
@seeds
def test_climbing_ends_where_no_neighbour_is_better(ordered, seed):
    case = make_case(seed, SIZES, ordered)
    neighbourhood = explored(case, seed)
    for k in range(len(case.pairs)):
        near = around_peak(case, neighbourhood, k)
        assert max(near.values()) <= near[peak(case, neighbourhood, k)] * (1 + 1e-6)


@both_models
@seeds
def test_posteriors_are_those_of_the_enumerated_neighbourhood(ordered, seed):
    case = make_case(seed, SIZES, ordered, sharp=0.5)
    neighbourhood = explored(case, seed)
    posterior, _ = weighed(case, neighbourhood)
    for k, pair in enumerate(case.pairs):
        near = around_peak(case, neighbourhood, k)
        total = sum(near.values())
        assert posterior.log_likelihood[k] == pytest.approx(math.log(total), rel=0, abs=EXACT)
        begin_cell = case.lattice.cell_start[k]
        for j in range(pair.observed):
            linked = [sum(p for z, p in near.items() if z[j + 1] == i) / total for i in range(pair.states + 1)]
            found = posterior.link[begin_cell + j * pair.states : begin_cell + (j + 1) * pair.states]
            # Posteriors are kept in single precision.
            assert found == pytest.approx(linked[1:], abs=1e-7)
            assert posterior.null[case.lattice.observed_start[k] + j] == pytest.approx(linked[0], abs=1e-7)


@both_models
@seeds
def test_the_weights_of_alignments_are_their_probabilities(ordered, seed):
    case = make_case(seed, SIZES, ordered, sharp=0.5)
    neighbourhood = explored(case, seed)
    _, weight = weighed(case, neighbourhood)
    for k in range(len(case.pairs)):
        near = around_peak(case, neighbourhood, k)
        own = slice(neighbourhood.change_start[k], neighbourhood.change_start[k + 1])
        expected = sorted(value / sum(near.values()) for value in near.values())
        found = sorted(weight[own])
        assert found == pytest.approx(expected[-len(found) :], rel=0, abs=EXACT)
        assert sum(expected[: -len(found)]) < EXACT


@both_models
@seeds
def test_counts_are_those_of_the_enumerated_neighbourhood(ordered, seed):
    case = make_case(seed, SIZES, ordered, sharp=0.5)
    neighbourhood = explored(case, seed)
    _, weight = weighed(case, neighbourhood)
    longest = max(pair.observed for pair in case.pairs) + 1
    counts = FertilityCounts(
        np.zeros((WORDS, MOST_WORDS + 1)),
        np.zeros((CLASSES + 1, CLASSES, 2 * FARTHEST + 1) if ordered else (0, 0, 0)),
        np.zeros((CLASSES, FARTHEST + 1) if ordered else (0, 0)),
        np.zeros(0 if ordered else 2 * FARTHEST + 1),
        np.zeros((0, 0) if ordered else (longest, longest)),
        np.zeros(2),
    )
    expected = FertilityCounts(*(part.copy() for part in counts))
    units = FertilityCounts(*(part.astype(np.int64) for part in counts))
    count_alignments(case.lattice, case.around, neighbourhood, weight, units)
    texts = case.around.texts
    for k, pair in enumerate(case.pairs):
        near = around_peak(case, neighbourhood, k)
        words = texts.source[texts.source_start[k] : texts.source_start[k + 1]]
        for z, value in near.items():
            count_naively(pair, z, case.lattice.weight[k] * value / sum(near.values()), expected, words)
    for found, wanted in zip(units, expected, strict=True):
        # Neighbours less probable than 1e-6 count as their centre.
        assert found * UNIT == pytest.approx(wanted, rel=0, abs=2e-5)


def count_naively(pair, z, weight, counts, words_of_states):
    context, centre = CLASSES, 0
    empty = len(pair.words(z, 0))
    counts.null[:] += [weight * (pair.observed - 2 * empty), weight * empty]
    for i in range(1, pair.states + 1):
        words = pair.words(z, i)
        word = min(int(words_of_states[i - 1]), WORDS - 1)  # words past the table are unknown
        counts.fertility[word, min(len(words), MOST_WORDS)] += weight
        middle = math.floor((i - 0.5) * pair.observed / pair.states) + 1
        for j in words if counts.diagonal_distortion.size else ():
            counts.diagonal_distortion[j - middle + FARTHEST] += weight
            counts.diagonal_positions[middle - 1, pair.observed] += weight
        if not words or not counts.head.size:
            continue
        counts.head[context, pair.observed_class[words[0]], words[0] - centre + FARTHEST] += weight
        for before, word in pairwise(words):
            counts.other[pair.observed_class[word], word - before] += weight
        context, centre = pair.state_class[i], math.ceil(sum(words) / len(words))


@both_models
@seeds
def test_the_best_of_a_neighbourhood_follows_the_emissions(ordered, seed):
    """A neighbourhood found with some emissions is weighed with others, as projections do."""
    case = make_case(seed, SIZES, ordered)
    neighbourhood = explored(case, seed)
    random = np.random.default_rng(seed + 100)
    factor = np.exp(random.normal(0, 2, case.lattice.emission.size)).astype(np.float32)
    changed = case.lattice._replace(emission=case.lattice.emission * factor)
    states = np.empty(case.lattice.null_emission.size, np.int32)
    likeliest(changed, neighbourhood, states)
    for k, pair in enumerate(case.pairs):
        near = {}
        for z, value in around_peak(case, neighbourhood, k).items():
            cells = [(j, i - 1) for j, i in enumerate(z[1:]) if i > 0]
            tilt = math.prod(float(factor[case.lattice.cell_start[k] + j * pair.states + i]) for j, i in cells)
            near[z] = value * tilt
        own = states[case.lattice.observed_start[k] : case.lattice.observed_start[k + 1]]
        found = (None, *(int(i) + 1 for i in own))
        assert near[found] == pytest.approx(max(near.values()), rel=1e-5)


def test_a_start_with_too_many_null_words_is_made_possible():
    case = make_case(0, [(3, 5)], True)
    sentence = describe(case.lattice, 0, case.around, case.tables)
    cepts = begin(np.full(5, -1, np.int32), sentence)
    assert cepts[FERTILITY, 3] == 2
    assert np.isfinite(score(cepts, sentence, case.tables))


def test_a_pegged_word_keeps_its_state():
    case = make_case(1, [(4, 6)], True)
    sentence = describe(case.lattice, 0, case.around, case.tables)
    for i in range(4):
        cepts = begin(np.full(6, i, np.int32), sentence)
        climb(cepts, sentence, case.tables, 2)
        assert cepts[STATE, 2] == i


def test_a_survey_leaves_the_alignment_as_it_was():
    case = make_case(2, [(4, 6)], True)
    sentence = describe(case.lattice, 0, case.around, case.tables)
    cepts = begin(np.array([0, 1, 2, 3, 1, 0], np.int32), sentence)
    before = cepts.copy()
    assert survey(cepts, sentence, case.tables, new_changes(100)) > 0
    assert np.array_equal(cepts, before)


@both_models
@seeds
def test_pegging_takes_each_alignment_of_several_neighbourhoods_once(ordered, seed):
    case = make_case(seed, [(4, 5), (3, 3), (5, 4)], ordered, sharp=0.5)
    neighbourhood = explored(case, seed, pegging=True)
    posterior, weight = weighed(case, neighbourhood)
    for k, pair in enumerate(case.pairs):
        near = {}
        rows = range(neighbourhood.centre_start[k], neighbourhood.centre_start[k + 1])
        for row in rows:
            own = slice(neighbourhood.path_start[row], neighbourhood.path_start[row + 1])
            centre = as_oracle(neighbourhood.path[own], pair.states)
            near |= {z: case.probability(k, z) for z in neighbours(pair, centre)}
        total = sum(near.values())
        assert posterior.log_likelihood[k] == pytest.approx(math.log(total), rel=0, abs=EXACT)
        own = slice(neighbourhood.change_start[rows[0]], neighbourhood.change_start[rows[-1] + 1])
        possible = sorted(value / total for value in near.values() if value > 0)
        assert sorted(weight[own]) == pytest.approx(possible[-weight[own].size :], rel=0, abs=EXACT)


def test_pegging_finds_more_peaks():
    case = make_case(0, [(5, 6)] * 30, True, sharp=0.5)
    assert explored(case, 0, pegging=True).centre_score.size > 30
    assert explored(case, 0, pegging=False).centre_score.size == 30
