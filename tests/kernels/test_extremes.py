"""Long sentences and tiny numbers: nothing overflows, underflows or turns into NaN."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.hmms import as_model
from kernels.lattices import Pair, answers, as_lattice
from oracles.naive_alignments import Jumps
from pralign.models.base import CorpusSummary
from pralign.models.ibm1 import IBM1
from pralign.models.ibm2 import IBM2

LENGTH = 300
TINY = 1e-30  # the smallest probability in a translation table
SMALLEST = 1e-12  # the smallest weight of a jump
# Only pairs of one size are trained on.
LONGEST_OBSERVED = np.where(np.arange(LENGTH + 1) == LENGTH, LENGTH, 0)
# Posteriors are rounded to single precision, each by 2^-25 or less; a word has 301 of them.
SUM = 301 * 2.0**-25
# The same for the sums of which the logarithms of 300 words are taken.
LOGARITHM = 300 * 2.0**-25

WEIGHTS = {
    "even": Jumps(dict.fromkeys(range(-5, 6), 1.0), 1.0, [1.0] * 7, 0.2),
    "near": Jumps(dict.fromkeys(range(-5, 6), SMALLEST) | {1: 1.0}, SMALLEST, [1.0, *[SMALLEST] * 6], 1e-6),
    "far": Jumps(dict.fromkeys(range(-5, 6), SMALLEST), 1.0, [*[SMALLEST] * 6, 1.0], 1e-6),
    "null": Jumps(dict.fromkeys(range(-5, 6), 1.0), SMALLEST, [1.0] * 7, 1 - 1e-6),
}


def emissions(kind):
    rng = np.random.default_rng(4)
    emission = {
        "tiny": np.full((LENGTH, LENGTH), TINY),
        "diagonal": np.where(np.eye(LENGTH), 1.0, TINY),
        "against": np.where(np.eye(LENGTH)[::-1], 1.0, TINY),
        "one column": np.where(np.arange(LENGTH) == 7, 1.0, TINY) * np.ones((LENGTH, 1)),
        "scattered": 10.0 ** -(30 * rng.random((LENGTH, LENGTH))),
        "certain": np.ones((LENGTH, LENGTH)),
    }[kind]
    return emission.astype(np.float32)


def check(model, pair):
    lattice = as_lattice([pair])
    counts = model.zero_statistics()
    inference = model.infer(lattice, counts)
    (answer,) = answers(lattice, inference.posterior, model.viterbi(lattice))
    assert np.isfinite(answer.log_likelihood)
    assert answer.log_likelihood < LOGARITHM
    for values in (answer.link, answer.null):
        assert (values >= 0).all()  # which NaN is not
        assert (values <= 1 + SUM).all()
    sums = answer.link.sum(axis=1, dtype=float) + answer.null
    np.testing.assert_allclose(sums, 1, rtol=0, atol=SUM)
    assert all(choice is None or 0 <= choice < pair.emission.shape[1] for choice in answer.choices)
    for part in (*counts.values(), inference.rows):
        assert (part >= 0).all()
    return answer, counts


KINDS = ["tiny", "diagonal", "against", "one column", "scattered", "certain"]
NULLS = [TINY, 1e-9, 1.0]


@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", WEIGHTS)
def test_the_hmm_survives(name, kind, null):
    pair = Pair(emissions(kind), np.full(LENGTH, null, np.float32))
    model = as_model(WEIGHTS[name], LENGTH)
    _, counts = check(model, pair)
    weights = model.maximise(counts, 0.0).weights
    for part in weights:
        assert (part > 0).all()
        assert np.isfinite(part).all()


@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_mixtures_survive(kind, null):
    pair = Pair(emissions(kind), np.full(LENGTH, null, np.float32))
    for model in (IBM1(), IBM2.initial(CorpusSummary(LONGEST_OBSERVED), None)):
        check(model, pair)


def test_certainty_on_the_diagonal_is_found():
    pair = Pair(emissions("diagonal"), np.full(LENGTH, TINY, np.float32))
    diagonal = list(range(LENGTH))
    for model in (IBM1(), IBM2.initial(CorpusSummary(LONGEST_OBSERVED), None), as_model(WEIGHTS["near"], LENGTH)):
        answer, _ = check(model, pair)
        assert answer.choices == diagonal
        assert np.diagonal(answer.link) == pytest.approx(1, rel=0, abs=2.0**-24)
