"""The M-step of the HMM against a general optimiser.

Moves are counted here as (number of states, from, to): all that the likelihood of the jumps depends on.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from kernels.lattices import hmm_of
from oracles.naive_alignments import Jumps, neighbourhood
from pralign.kernels.hmm import JumpWeights
from pralign.kernels.units import UNIT, UNITS

LONGEST = 14


def whole(count):
    """A count that is a whole number of units, as all counts are."""
    return max(round(count * UNITS), 1) * UNIT


def some_moves(seed, kinds, most_states):
    """So many different random moves with random, fractional counts."""
    rng = np.random.default_rng(seed)
    moves: Counter[tuple[int, int, int]] = Counter()
    for _ in range(kinds):
        states = int(rng.integers(1, most_states + 1))
        moves[states, int(rng.integers(states)), int(rng.integers(states))] += whole(float(10 * rng.random() ** 4))
    return moves


moves = st.builds(some_moves, st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(2, LONGEST))
starts = st.dictionaries(
    st.integers(1, LONGEST).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))),
    st.floats(0.01, 10).map(whole),
    min_size=1,
)


def counted(moves, starts, null=(0.0, 0.0)):
    """The sums over moves and first positions that the model keeps."""
    zero = model(np.ones(12), np.ones(7)).zero_statistics()
    counts = {name: part.astype(float) for name, part in zero.items()}
    for (states, origin, goal), count in moves.items():
        counts["departure"][neighbourhood(origin, states)] += count
        if abs(goal - origin) <= 5:
            counts["jump"][goal - origin + 5] += count
    for (states, first), count in starts.items():
        counts["initial"][min(first, 6)] += count
        counts["start"][states] += count
    counts["null"][:] = null
    return {name: np.rint(part * UNITS).astype(np.int64) for name, part in counts.items()}


def model(jump, initial):
    return hmm_of(JumpWeights(np.array(jump, float), np.array(initial, float), np.array([0.2])), LONGEST)


def as_jumps(weights):
    near = {distance: float(weights.jump[distance + 5]) for distance in range(-5, 6)}
    return Jumps(near, float(weights.jump[11]), weights.initial.tolist(), 0.0)


def jump_value(weights, moves):
    """The expected complete log-likelihood of the moves; p0 is left out of it."""
    jumps = as_jumps(weights)
    return math.fsum(count * math.log(jumps.move(i, k, states)) for (states, i, k), count in moves.items())


def start_value(weights, starts):
    jumps = as_jumps(weights)
    return math.fsum(count * math.log(jumps.initial(i, states)) for (states, i), count in starts.items())


random_weights = st.lists(st.floats(-6, 0).map(lambda x: 10.0**x), min_size=12, max_size=12)
moderate_weights = st.lists(st.floats(0.1, 1), min_size=12, max_size=12)


@settings(deadline=None, max_examples=100)
@given(moves, starts, random_weights, random_weights)
def test_an_m_step_never_lowers_the_expected_log_likelihood(moves, starts, jump, initial):
    before = model(jump, initial[:7])
    after = before.maximise(counted(moves, starts), 0.0)
    # Sums of at most sixty terms below 1e3 in double precision; and no weight may fall below 1e-12, which takes at
    # most 12 * 1e-12 of the probability from the others at each move.
    rounding = 1e-11 + 12e-12 * (sum(moves.values()) + sum(starts.values()))
    assert jump_value(after.weights, moves) >= jump_value(before.weights, moves) - rounding
    assert start_value(after.weights, starts) >= start_value(before.weights, starts) - rounding


def best_value(choices, counts, times):
    """The maximum, by a quasi-Newton method on the logarithms of the weights, in which the value is concave."""
    used = (choices[times > 0].sum(axis=0) > 0) | (counts > 0)
    choices, counts = choices[:, used][times > 0], counts[used]
    times = times[times > 0]

    def loss(logarithms):
        weights = np.exp(logarithms)
        totals = choices @ weights
        gradient = counts - weights * ((times / totals) @ choices)
        return times @ np.log(totals) - counts @ logarithms, -gradient

    bounds = [(-25, 25)] * int(used.sum())  # where a count is zero the best weight is zero
    found = minimize(loss, np.zeros(used.sum()), jac=True, bounds=bounds, method="L-BFGS-B", options={"ftol": 1e-14})
    return -found.fun


def jump_choices(moves):
    """For each state that was left: how many states each weight leads to, and how often it was left."""
    left: Counter[tuple[int, int]] = Counter()
    for (states, origin, _), count in moves.items():
        left[states, origin] += count
    rows = np.zeros((len(left), 12))
    for row, (states, origin) in zip(rows, left, strict=True):
        for goal in range(states):
            row[goal - origin + 5 if abs(goal - origin) <= 5 else 11] += 1
    counts = np.zeros(12)
    for (_, origin, goal), count in moves.items():
        counts[goal - origin + 5 if abs(goal - origin) <= 5 else 11] += count
    return rows, counts, np.array(list(left.values()))


def start_choices(starts):
    rows = np.array([[states > i for i in range(6)] + [max(states - 6, 0)] for states, _ in starts], float)
    counts = np.zeros(7)
    for (_, first), count in starts.items():
        counts[min(first, 6)] += count
    return rows, counts, np.array(list(starts.values()))


def all_moves(seed, sizes):
    """Every move and every start in sentences of these lengths, none of them rare: the maximum is well inside."""
    rng = np.random.default_rng(seed)
    moves = {(n, i, k): whole(float(0.1 + rng.random())) for n in sizes for i in range(n) for k in range(n)}
    starts = {(n, i): whole(float(0.1 + rng.random())) for n in sizes for i in range(n)}
    return moves, starts


@settings(deadline=None, max_examples=20)
@given(
    st.builds(all_moves, st.integers(0, 2**32 - 1), st.sets(st.integers(2, LONGEST), min_size=1, max_size=3)),
    moderate_weights,
    moderate_weights,
)
def test_m_steps_reach_the_maximum_that_an_optimiser_finds(counts, jump, initial):
    moves, starts = counts
    before = model(jump, initial[:7])
    highest = best_value(*jump_choices(moves)), best_value(*start_choices(starts))
    learned = before.maximise(counted(moves, starts), 0.0).weights
    # The optimiser stops when a step gains 1e-14 of a value of about 1e3; the M-step comes closer by a constant factor
    # in each of its rounds, which mostly leaves about 1e-8, and up to 1e-5 where few counts share many choices.
    assert (jump_value(learned, moves), start_value(learned, starts)) == pytest.approx(highest, rel=0, abs=1e-4)


@settings(deadline=None, max_examples=50)
@given(st.floats(0, 100).map(whole), st.floats(0, 100).map(whole))
def test_the_share_of_null_is_its_relative_frequency_within_limits(nulls, others):
    assume(nulls + others >= 1)
    learned = model([1.0] * 12, [1.0] * 7).maximise(
        counted({(1, 0, 0): 1.0}, {(1, 0): 1.0}, (nulls, nulls + others)), 0
    )
    assert learned.weights.null.tolist() == [min(max(nulls / (nulls + others), 1e-6), 1 - 1e-6)]


def test_nothing_counted_changes_no_jump():
    before = model(np.arange(1, 13) / 78, np.arange(1, 8) / 28)
    after = before.maximise(before.zero_statistics(), 0.0)
    np.testing.assert_allclose(after.weights.jump, before.weights.jump, rtol=1e-12)
    np.testing.assert_allclose(after.weights.initial, before.weights.initial, rtol=1e-12)
    assert after.weights.null.tolist() == [1e-6]


def test_sentences_of_one_length_give_relative_frequencies_of_first_positions():
    starts = {(6, 0): 3.0, (6, 2): 1.0, (6, 5): 4.0}
    learned = model([1.0] * 12, [1.0] * 7).maximise(counted({}, starts), 0.0)
    shares = [as_jumps(learned.weights).initial(i, 6) for i in range(6)]
    assert shares == pytest.approx([3 / 8, 0, 1 / 8, 0, 0, 4 / 8], rel=0, abs=1e-11)


def test_a_move_that_competes_with_more_others_needs_more_weight():
    # From the middle of three states three moves are open, from the only state of one just the move to itself.
    # 2 of 4 moves from the middle stay; the 100 that had no choice say nothing.
    moves = {(3, 1, 0): 1.0, (3, 1, 1): 2.0, (3, 1, 2): 1.0, (1, 0, 0): 100.0}
    learned = model([1.0] * 12, [1.0] * 7)
    for _ in range(50):
        learned = learned.maximise(counted(moves, {}), 0.0)
    jumps = as_jumps(learned.weights)
    assert [jumps.move(1, k, 3) for k in range(3)] == pytest.approx([0.25, 0.5, 0.25], rel=0, abs=1e-6)


@pytest.mark.parametrize("smoothing", [0.3, 1.0])
def test_even_counts_with_smoothing_leave_even_weights(smoothing):
    # Every move and start as often as even weights would make it, in sentences of one and of seven states.
    moves = {(n, i, k): 10 / n for n in (1, 7) for i in range(n) for k in range(n)}
    starts = {(n, i): 10 / n for n in (1, 7) for i in range(n)}
    learned = model([1.0] * 12, [1.0] * 7)
    for _ in range(20):
        learned = learned.maximise(counted(moves, starts), smoothing)
    jumps = as_jumps(learned.weights)
    for i in range(7):
        assert [jumps.move(i, k, 7) for k in range(7)] == pytest.approx([1 / 7] * 7, rel=0, abs=0.05)
    assert [jumps.initial(i, 7) for i in range(7)] == pytest.approx([1 / 7] * 7, rel=0, abs=0.05)
