"""IBM 1 and IBM 2 against all alignments of small pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import answers, as_lattice, blocks, quick, summary_of
from oracles.naive_alignments import best_with_choices, independent_alignments, marginals
from pralign.kernels.units import UNIT
from pralign.models.ibm1 import IBM1
from pralign.models.ibm2 import IBM2

# Posteriors are stored in single precision: half of its spacing below 1, and twice that for safety.
STORED = 2.0**-24
# At most four words' logarithms, each below 1e3 in size, in double precision.
LOGARITHM = 1e-11

small_blocks = blocks(st.integers(1, 4), st.integers(1, 4))


def check(model, block, priors):
    lattice = as_lattice(block)
    posterior, rows = model.infer(lattice, model.zero_statistics())
    assert rows.shape == (len(block), 0)
    for answer, pair, prior in zip(answers(lattice, posterior, model.viterbi(lattice)), block, priors, strict=True):
        emission, null = pair.emission.astype(float).tolist(), pair.null.astype(float).tolist()
        alignments = list(independent_alignments(emission, null, prior))
        expected = marginals(alignments, len(emission[0]))
        np.testing.assert_allclose(answer.link, expected.link, rtol=0, atol=STORED)
        np.testing.assert_allclose(answer.null, expected.null, rtol=0, atol=STORED)
        assert answer.log_likelihood == pytest.approx(expected.log_likelihood, rel=0, abs=LOGARITHM)
        assert best_with_choices(alignments, answer.choices) == pytest.approx(expected.best, rel=0, abs=LOGARITHM)


@quick(100)
@given(small_blocks)
def test_ibm1_agrees_with_all_alignments(block):
    priors = [[[1 / (1 + pair.emission.shape[1])] * (1 + pair.emission.shape[1])] * pair.null.size for pair in block]
    check(IBM1(), block, priors)


def random_positions(seed, longest):
    """A table of IBM 2 with random distributions for so many observed words with each number of states."""
    rng = np.random.default_rng(seed)
    rows = {}
    for states, words in enumerate(longest):
        for j in range(words):
            values = 10.0 ** -(rng.integers(1, 12) * rng.random(states + 1))
            rows[states, j] = (values / values.sum()).tolist()
    sizes = [words * (states + 1) for states, words in enumerate(longest)]
    model = IBM2(np.cumsum([0, *sizes]), np.array([value for row in rows.values() for value in row]))
    return rows, model


@quick(100)
@given(small_blocks, st.integers(0, 2**32 - 1), st.lists(st.integers(0, 4), max_size=4).map(lambda tail: [0, *tail]))
def test_ibm2_agrees_with_all_alignments_within_and_beyond_its_table(block, seed, longest):
    rows, model = random_positions(seed, longest)
    priors = []
    for pair in block:
        observed, states = pair.emission.shape
        priors.append([rows.get((states, j), [1 / (states + 1)] * (states + 1)) for j in range(observed)])
    check(model, block, priors)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 6)), min_size=1, max_size=6))
@quick(50)
def test_ibm2_begins_uniform_with_room_for_exactly_the_positions_that_occur(sizes):
    states, observed = np.array(sizes).T
    model = IBM2.initial(summary_of(states, observed), None)
    expected = []
    for width in range(states.max() + 1):
        rows = max((words for number, words in sizes if number == width), default=0)
        assert model.start[width + 1] - model.start[width] == rows * (width + 1)
        expected += [1 / (width + 1)] * (rows * (width + 1))
    assert model.values.tolist() == expected


@quick(50)
@given(small_blocks, st.sampled_from([0.0, 0.3]))
def test_ibm2_learns_the_share_of_each_state_at_each_position(block, smoothing):
    lattice = as_lattice(block)
    model = IBM2.initial(summary_of(lattice.states.astype(np.int64), np.diff(lattice.observed_start)), None)
    counts = model.zero_statistics()
    inference = model.infer(lattice, counts)
    learned = model.maximise(counts, smoothing)
    tallies = {}
    for answer in answers(lattice, inference.posterior, model.viterbi(lattice)):
        observed, states = answer.link.shape
        for j in range(observed):
            row = tallies.setdefault((states, j), np.full(states + 1, smoothing))
            row += [float(answer.null[j]), *answer.link[j].astype(float)]
    for (states, j), row in tallies.items():
        begin = learned.start[states] + j * (states + 1)
        # Posteriors of up to three pairs, each rounded to a unit.
        np.testing.assert_allclose(learned.values[begin : begin + states + 1], row / row.sum(), rtol=0, atol=4 * UNIT)
    assert sum(row.size for row in tallies.values()) == learned.values.size
