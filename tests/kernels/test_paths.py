"""Lists of alignments against all alignments of small pairs; samples against what they are drawn by."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.fertility_cases import make_case
from kernels.lattices import (
    HINDERED,
    INTERPRETED,
    as_lattice,
    as_weights,
    blocks,
    hmm_of,
    jump_weights,
    quick,
    random_pair,
    summary_of,
)
from oracles.naive_alignments import Jumps, hmm_paths, independent_alignments
from oracles.naive_lists import best_probabilities, posterior
from oracles.naive_lists import best_products as naive_products
from pralign.kernels.arrays import Posterior
from pralign.kernels.hmm_paths import fill_trellis, new_trellis
from pralign.kernels.neighbourhood import explore, weigh
from pralign.kernels.neighbourhood_paths import best_neighbours, sample_neighbours
from pralign.kernels.paths import best_products
from pralign.models.base import no_paths, no_states
from pralign.models.ibm1 import IBM1
from pralign.models.ibm2 import IBM2

# All is in double precision: at most five words, each of whose sums over at most four states loses a few last digits.
EXACT = 1e-12
JUMPS = Jumps({d: 0.1 + 0.03 * (d + 5) % 0.2 for d in range(-5, 6)}, 0.02, [0.5, 0.2, 0.1, 0.1, 0.05, 0.03, 0.02], 0.2)
small_blocks = blocks(st.integers(1, 3), st.integers(1, 4), pairs=2)
sizes = st.sampled_from([1, 2, 5, 40, 1000])


def listed(paths, lattice, k):
    """The alignments of a pair and their probabilities, in order."""
    first, last = lattice.observed_start[k : k + 2]
    found = []
    for r in range(paths.found[k]):
        begin = paths.most * first + r * (last - first)
        states = paths.state[begin : begin + last - first].tolist()
        found.append((tuple(None if i < 0 else i for i in states), math.exp(paths.log_probability[k, r])))
    return found


def check_best(found, expected, n):
    """The best alignments, all different, in order, each with its own probability."""
    assert len({choices for choices, _ in found}) == len(found) == min(n, sum(p > 0 for p in expected.values()))
    probabilities = [probability for _, probability in found]
    assert probabilities == sorted(probabilities, reverse=True)
    np.testing.assert_allclose(probabilities, best_probabilities(expected.values(), n)[: len(found)], atol=EXACT)
    np.testing.assert_allclose(probabilities, [expected[choices] for choices, _ in found], rtol=0, atol=EXACT)


def check_samples(found, expected, n):
    """Samples that are possible, with their probabilities."""
    assert len(found) == n
    np.testing.assert_allclose([p for _, p in found], [expected[choices] for choices, _ in found], rtol=0, atol=EXACT)


def check(model, block, enumerated, n):
    lattice = as_lattice(block)
    best = model.nbest(lattice, n)
    draws = np.random.default_rng(n).random(5 * lattice.null_emission.size)
    samples = model.sample(lattice, 5, draws)
    for k, pair in enumerate(block):
        expected = posterior(enumerated(pair.emission.astype(float).tolist(), pair.null.astype(float).tolist()))
        check_best(listed(best, lattice, k), expected, n)
        check_samples(listed(samples, lattice, k), expected, 5)


@quick(60)
@given(small_blocks, jump_weights(3), sizes)
def test_the_hmm_lists_its_best_alignments(block, jumps, n):
    check(hmm_of(as_weights(jumps), 4), block, lambda *pair: hmm_paths(*pair, jumps), n)


@quick(60)
@given(small_blocks, sizes)
def test_ibm1_lists_its_best_alignments(block, n):
    def enumerated(emission, null):
        return independent_alignments(emission, null, [[1.0] * (1 + len(emission[0]))] * len(null))

    check(IBM1(), block, enumerated, n)


@quick(60)
@given(small_blocks, sizes, st.integers(0, 99))
def test_ibm2_lists_its_best_alignments(block, n, seed):
    lattice = as_lattice(block)
    model = IBM2.initial(summary_of(lattice.states.astype(np.int64), np.diff(lattice.observed_start)), None)
    counts = np.random.default_rng(seed).integers(0, 2**26, model.values.size)
    model = model.maximise({"positions": counts}, 0.1)

    def enumerated(emission, null):
        states, rows = len(emission[0]), []
        for j in range(len(null)):
            begin = model.start[states] + j * (states + 1)
            rows.append(model.values[begin : begin + states + 1].tolist())
        return independent_alignments(emission, null, rows)

    check(model, block, enumerated, n)


@quick(30)
@given(blocks(st.integers(7, 9), st.integers(2, 2), pairs=1), jump_weights(3))
def test_jumps_beyond_reach_count_too(block, jumps):
    check(hmm_of(as_weights(jumps), 9), block, lambda *pair: hmm_paths(*pair, jumps), 30)


def test_the_likelihood_of_the_hmm_is_that_of_the_forward_pass():
    rng = np.random.default_rng(3)
    lattice = as_lattice([random_pair(rng, 23, 17, 3)])
    model = hmm_of(as_weights(JUMPS), 23)
    trellis = new_trellis(model.weights, 23, 17)
    assert fill_trellis(trellis, (lattice.emission, lattice.null_emission), True)
    expected = model.precise().infer(lattice).posterior.log_likelihood[0]
    assert trellis.scale[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("ordered", [False, True])
def test_neighbourhoods_are_listed_by_weight(ordered):
    case = make_case(5, [(2, 3), (4, 4), (1, 1)], ordered)
    start = no_states(case.lattice)
    start[:] = 0
    around = explore(case.lattice, case.around, case.tables, start, False)
    weight = np.empty(around.score.size)
    lattice = case.lattice
    room = Posterior(np.empty_like(lattice.emission), np.empty_like(lattice.null_emission), np.empty(3))
    weigh(lattice, around, room, weight)
    everything, some, samples = (no_paths(lattice, n) for n in (200, 3, 50))
    best_neighbours(lattice, around, weight, everything)
    best_neighbours(lattice, around, weight, some)
    draws = np.random.default_rng(1).random(50 * lattice.null_emission.size)
    sample_neighbours(lattice, around, weight, draws, samples)
    for k in range(3):
        all_of_pair = listed(everything, lattice, k)
        assert math.fsum(p for _, p in all_of_pair) == pytest.approx(1, abs=EXACT)
        assert listed(some, lattice, k) == all_of_pair[:3]
        whole = [case.probability(k, oracle(choices)) for choices, _ in all_of_pair]
        shares = np.array(whole) / math.fsum(whole)
        np.testing.assert_allclose([p for _, p in all_of_pair], shares, rtol=0, atol=1e-9)
        check_samples(listed(samples, lattice, k), dict(all_of_pair), 50)


def oracle(choices):
    """An alignment as the oracle of fertility models takes it, from one, with 0 for null."""
    return (None, *(0 if i is None else i + 1 for i in choices))


@pytest.mark.skipif(HINDERED, reason="many samples take long")
def test_samples_come_as_often_as_they_are_probable():
    rng, n = np.random.default_rng(8), 40_000
    pair = random_pair(rng, 2, 3, 1)
    lattice = as_lattice([pair])
    samples = hmm_of(as_weights(JUMPS), 2).sample(lattice, n, rng.random(n * 3))
    counts = Counter(choices for choices, _ in listed(samples, lattice, 0))
    expected = posterior(hmm_paths(pair.emission.astype(float).tolist(), pair.null.astype(float).tolist(), JUMPS))
    for choices, probability in expected.items():
        # Five standard deviations of a share; there are 27 of them.
        assert counts[choices] / n == pytest.approx(probability, abs=5 * math.sqrt(probability / n) + 1 / n)


def test_what_is_impossible_is_not_listed():
    lattice = as_lattice([random_pair(np.random.default_rng(1), 2, 2, 1)] * 2)
    lattice.emission[:4] = 0
    lattice.null_emission[0] = 0
    lattice.emission[4] = 0
    for model in (IBM1(), hmm_of(as_weights(JUMPS), 2)):
        assert model.nbest(lattice, 20).found.tolist() == [0, 6]
        assert model.sample(lattice, 20, np.full(80, 0.999999)).found.tolist() == [0, 20]


@quick(60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
def test_the_best_products_are_found(seed, n):
    rng = np.random.default_rng(seed)
    sides = []
    for _ in range(2):
        found = rng.integers(0, n + 1, 3)
        sides.append((found, np.log(np.sort(rng.random((3, n)).round(rng.integers(1, 9)) + 1e-9, axis=1)[:, ::-1])))
    partners = np.empty((3, n, 2), np.int32)
    size = best_products(*sides, n, partners)
    for k in range(3):
        forward, reverse = (np.exp(values[k, : found[k]]) for found, values in sides)
        pairs = [tuple(pair) for pair in partners[k, : size[k]].tolist()]
        assert len(set(pairs)) == len(pairs)
        products = [forward[a] * reverse[b] for a, b in pairs]
        np.testing.assert_allclose(products, naive_products(forward, reverse, n), rtol=1e-9)


@pytest.mark.skipif(INTERPRETED, reason="long sentences take long")
def test_long_sentences_whose_probabilities_vanish_are_listed_in_order():
    rng = np.random.default_rng(2)
    lattice = as_lattice([random_pair(rng, 150, 600, 1)])
    for model in (IBM1(), hmm_of(as_weights(JUMPS), 150)):
        paths = model.nbest(lattice, 30)
        logarithms = paths.log_probability[0]
        assert paths.found[0] == 30
        assert np.all(np.isfinite(logarithms))
        assert np.all(np.diff(logarithms) <= 0)
        assert logarithms[0] < -745  # below what a number in double precision can say
