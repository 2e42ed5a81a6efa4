"""The HMM against all paths of small pairs, and against a dense HMM in logarithms for larger ones."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernels.lattices import Pair, answers, as_lattice, as_weights, blocks, hmm_of, jump_weights, quick
from oracles.dense_hmm import DenseHMM
from oracles.naive_alignments import Jumps, best_with_choices, hmm_paths, jump_counts, marginals
from pralign.kernels.hmm import BAND, FIRST, NULL, JumpCounts
from pralign.kernels.units import UNIT

# The passes are in single precision: each of up to twelve words and fifteen states may lose half of its spacing, in the
# forward pass and in the backward pass, so that both together lose up to 27 halves.
PASSES = 27 * 2.0**-24
LOGARITHM = 12 * 2.0**-20
# The search for best paths is in double precision.
BEST = 1e-11


def tally(counts: JumpCounts) -> Counter:
    """Expected counts by name, as the oracles give them."""
    found = Counter({("jump", k - 5): count for k, count in enumerate(counts.jump.tolist())})
    found.update({("initial", i): count for i, count in enumerate(counts.initial.tolist())})
    for kind in zip(*np.nonzero(counts.departure), strict=True):
        found["departure", *(int(k) for k in kind)] = float(counts.departure[kind])
    found["far",] = float(counts.departure.sum() - counts.jump.sum())
    found["null",] = float(counts.null[0])
    return found


def check(block, jumps, oracle):
    """Compare posteriors, likelihoods, best paths and expected counts of a block with those of ``oracle``."""
    lattice = as_lattice(block)
    model = hmm_of(as_weights(jumps), int(lattice.states.max()))
    units = model.zero_statistics()
    posterior, rows = model.infer(lattice, units)
    counts = JumpCounts(*(units[name] * UNIT for name in JumpCounts._fields))
    expected_counts = Counter()
    for answer, pair in zip(answers(lattice, posterior, model.viterbi(lattice)), block, strict=True):
        expected, counted, score = oracle(pair, jumps)
        np.testing.assert_allclose(answer.link, expected.link, rtol=0, atol=PASSES)
        np.testing.assert_allclose(answer.null, expected.null, rtol=0, atol=PASSES)
        assert answer.log_likelihood == pytest.approx(expected.log_likelihood, rel=0, abs=LOGARITHM)
        # Of paths that tie any will do.
        assert score(answer.choices) == pytest.approx(expected.best, rel=0, abs=BEST)
        expected_counts.update(counted)
    found = tally(counts)
    words, states = sum(pair.null.size for pair in block), sum(pair.emission.shape[1] for pair in block)
    for key in found | expected_counts:
        # Everything is rounded to units once a state or less; far jumps are what is left of the others.
        tolerance = words * PASSES + states * UNIT * (BAND if key == ("far",) else 1)
        assert found[key] == pytest.approx(expected_counts[key], rel=0, abs=tolerance), key
    check_rows(rows, counts, len(block))
    assert counts.null[1] == words
    sizes = Counter(pair.emission.shape[1] for pair in block)
    assert {n: count for n, count in enumerate(counts.start) if count} == sizes


def check_rows(rows, counts, pairs):
    """What pairs have counted by themselves adds up to the counts, but for single precision and units."""
    total = rows.sum(axis=0, dtype=float)
    assert rows.shape[0] == pairs
    np.testing.assert_allclose(total[: FIRST - 1], counts.jump, rtol=1e-6, atol=pairs * UNIT)
    np.testing.assert_allclose(total[:FIRST].sum(), counts.departure.sum(), rtol=1e-6, atol=15 * pairs * UNIT)
    np.testing.assert_allclose(total[FIRST:NULL], counts.initial, rtol=1e-6, atol=15 * pairs * UNIT)
    np.testing.assert_allclose(total[NULL:], counts.null, rtol=1e-6, atol=pairs * UNIT)


def enumerated(pair: Pair, jumps: Jumps):
    emission, null = pair.emission.astype(float).tolist(), pair.null.astype(float).tolist()
    states = len(emission[0])
    paths = list(hmm_paths(emission, null, jumps))
    return marginals(paths, states), jump_counts(paths, states), lambda choices: best_with_choices(paths, choices)


def dense(pair: Pair, jumps: Jumps):
    hmm = DenseHMM(pair.emission.astype(float).tolist(), pair.null.astype(float).tolist(), jumps)
    return hmm.marginals(), hmm.jump_counts(), hmm.best


UNIFORM = Jumps(dict.fromkeys(range(-5, 6), 1.0), 1.0, [1.0] * 7, 0.5)
TIED = Pair(np.full((3, 8), 0.5, np.float32), np.full(3, 0.5, np.float32))

small_blocks = blocks(st.integers(1, 4), st.integers(1, 4), pairs=2)
wide_blocks = blocks(st.integers(7, 9), st.integers(2, 3), pairs=2)
long_blocks = blocks(st.integers(1, 15), st.integers(1, 12))


@quick(80)
@given(small_blocks, jump_weights(orders=3))
def test_small_pairs_agree_with_all_paths(block, jumps):
    check(block, jumps, enumerated)


@quick(50)
@given(wide_blocks, jump_weights(orders=3))
@example([TIED], UNIFORM)
def test_jumps_beyond_reach_agree_with_all_paths(block, jumps):
    check(block, jumps, enumerated)


@quick(120)
@given(long_blocks, jump_weights(orders=3))
def test_long_pairs_agree_with_a_dense_hmm(block, jumps):
    check(block, jumps, dense)


@quick(120)
@given(long_blocks, jump_weights(orders=12))
def test_weights_near_zero_agree_with_a_dense_hmm(block, jumps):
    check(block, jumps, dense)


@pytest.mark.parametrize("states", [1, 4, 6])
def test_the_weight_of_far_jumps_does_not_matter_where_there_are_none(states):
    rng = np.random.default_rng(states)
    near = {distance: 1e-12 * (1 + abs(distance)) for distance in range(-5, 6)}
    pairs = [Pair(*(rng.random(shape, np.float32) for shape in ((8, states), 8))) for _ in range(20)]
    lattice = as_lattice(pairs)
    results = []
    for far in (1.0, 1e-12):
        model = hmm_of(as_weights(Jumps(near, far, [1.0] * 7, 0.2)), states)
        results.append(model.infer(lattice).posterior)
    np.testing.assert_allclose(results[0].log_likelihood, results[1].log_likelihood, rtol=0, atol=LOGARITHM)
    np.testing.assert_allclose(results[0].link, results[1].link, rtol=0, atol=PASSES)
    np.testing.assert_allclose(results[0].null, results[1].null, rtol=0, atol=PASSES)


@pytest.mark.parametrize("states", [7, 9, 11])
def test_light_jumps_are_not_lost_among_heavy_far_ones(states):
    rng = np.random.default_rng(states)
    jumps = Jumps({distance: 1e-12 * (1 + abs(distance)) for distance in range(-5, 6)}, 1.0, [1.0] * 7, 0.2)
    block = [Pair(*(rng.random(shape, np.float32) for shape in ((8, states), 8))) for _ in range(20)]
    lattice = as_lattice(block)
    posterior = hmm_of(as_weights(jumps), states).infer(lattice).posterior
    expected = [dense(pair, jumps)[0] for pair in block]
    log_likelihoods = [marginals.log_likelihood for marginals in expected]
    np.testing.assert_allclose(posterior.log_likelihood, log_likelihoods, rtol=0, atol=LOGARITHM)
    links = np.array([marginals.link for marginals in expected]).ravel()
    np.testing.assert_allclose(posterior.link, links, rtol=0, atol=PASSES)


@quick(20)
@given(small_blocks, jump_weights(orders=3))
def test_the_dense_hmm_agrees_with_all_paths(block, jumps):
    for pair in block:
        (one, one_counts, one_score), (other, other_counts, other_score) = enumerated(pair, jumps), dense(pair, jumps)
        # Logarithms as large as 300 lose 2^-44 each; a few of them add up.
        np.testing.assert_allclose(one.link, other.link, rtol=0, atol=1e-11)
        np.testing.assert_allclose(one.null, other.null, rtol=0, atol=1e-11)
        assert (one.log_likelihood, one.best) == pytest.approx((other.log_likelihood, other.best), rel=0, abs=1e-11)
        for key in one_counts | other_counts:
            assert one_counts[key] == pytest.approx(other_counts[key], rel=0, abs=1e-11), key
        choices = [None if j % 2 else 0 for j in range(pair.null.size)]
        assert one_score(choices) == pytest.approx(other_score(choices), rel=0, abs=1e-11)


@quick(20)
@given(long_blocks, jump_weights(orders=6))
def test_counting_changes_nothing_else_and_pairs_do_not_touch_each_other(block, jumps):
    weights = as_weights(jumps)
    lattice = as_lattice(block)
    model = hmm_of(weights, int(lattice.states.max()))
    counted = model.infer(lattice, model.zero_statistics())
    together = answers(lattice, counted.posterior, model.viterbi(lattice))
    silent = model.infer(lattice)
    assert counted.rows.shape[0] == len(block)
    assert silent.rows.size == 0
    quiet = answers(lattice, silent.posterior, model.viterbi(lattice))
    for k, pair in enumerate(block):
        alone = as_lattice([pair])
        (answer,) = answers(alone, model.infer(alone).posterior, model.viterbi(alone))
        for other in (together[k], quiet[k]):
            assert answer.link.tobytes() == other.link.tobytes()
            assert answer.null.tobytes() == other.null.tobytes()
            assert (answer.log_likelihood, answer.choices) == (other.log_likelihood, other.choices)
