"""Decoding made-up evidence link by link, and the evidence of real models word by word."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decoding.evidence import VALUES, made_up
from oracles.naive_decoding import decode
from oracles.naive_symmetrization import NAIVE
from pralign.decoding.decoder import SOFT_UNION, Decoder, Thresholds
from pralign.decoding.evidence import Evidence
from pralign.errors import UsageError
from pralign.links.alignment import Alignment
from pralign.models.bidirectional import Block
from training.corpora import build, random_sentences, trained, unindexed

threshold = st.sampled_from([*VALUES.tolist(), 0.1, 0.4, 0.999, 0.3])
thresholds = st.builds(Thresholds, threshold, threshold, threshold)
UNTIMED = settings(deadline=None)  # the first example may have to wait for the compiler


def expected(pair, decoder):
    scored = decode(pair, decoder.method, decoder.symmetrize, decoder.thresholds)
    return Alignment.of(scored, scores=scored.values())


@pytest.mark.parametrize("symmetrize", [SOFT_UNION, *NAIVE])
@UNTIMED
@given(evidence=made_up(VALUES), thresholds=thresholds)
def test_posterior_decoding_agrees_with_comparing_one_by_one(symmetrize, evidence, thresholds):
    decoder = Decoder("posterior", symmetrize, thresholds)
    assert list(decoder(evidence)) == [expected(pair, decoder) for pair in evidence.pairs()]


@pytest.mark.parametrize("symmetrize", NAIVE)
@UNTIMED
@given(evidence=made_up(VALUES), thresholds=thresholds)
def test_viterbi_decoding_combines_best_paths_and_scores_them_with_posteriors(symmetrize, evidence, thresholds):
    decoder = Decoder("viterbi", symmetrize, thresholds)
    assert list(decoder(evidence)) == [expected(pair, decoder) for pair in evidence.pairs()]


def test_settings_that_make_no_sense_are_refused():
    half = Thresholds.all(0.5)
    assert half == (0.5, 0.5, 0.5)
    with pytest.raises(UsageError, match="no way to decode called 'guess'"):
        Decoder("guess", SOFT_UNION, half)
    with pytest.raises(UsageError, match="no way to symmetrize called 'shrink'; there are soft-union, intersection"):
        Decoder("posterior", "shrink", half)
    with pytest.raises(UsageError, match="soft-union needs posteriors"):
        Decoder("viterbi", SOFT_UNION, half)


@pytest.mark.parametrize("name", ["ibm1", "ibm2", "hmm"])
def test_evidence_is_what_the_model_infers_of_each_pair_alone_source_words_first(name):
    pairs = random_sentences(7, pairs=30)
    corpus, index = build(pairs)
    model = trained(pairs, (("ibm1", 2), (name, 2)))
    block = Block(corpus.texts, index.cells, index.pairs)
    evidence = Evidence.of(model, block)
    forward_marks, reverse_marks = evidence.viterbi
    for k, n in enumerate(index.pairs):
        rows, columns = len(pairs[n][0]), len(pairs[n][1])
        assert (evidence.source_lengths[k], evidence.target_lengths[k]) == (rows, columns)
        lattices = model.lattices(Block(corpus.texts, unindexed(corpus), np.array([n])))
        forward, reverse = (inference.posterior for inference in model.infer(lattices))
        forward_best, reverse_best = model.viterbi(lattices)
        cells = slice(evidence.cell_start[k], evidence.cell_start[k + 1])
        shape = (rows, columns)
        expected_forward = forward.link.reshape(columns, rows).T
        expected_reverse = reverse.link.reshape(rows, columns)
        assert evidence.forward[cells].reshape(shape).tolist() == expected_forward.tolist()
        assert evidence.reverse[cells].reshape(shape).tolist() == expected_reverse.tolist()
        for i in range(rows):
            for j in range(columns):
                mean = (float(expected_forward[i, j]) + float(expected_reverse[i, j])) / 2
                # One rounding to single precision of a number below one, or two of smaller ones.
                assert evidence.mean[cells].reshape(shape)[i, j] == pytest.approx(mean, rel=0, abs=2.0**-24)
                assert forward_marks[cells].reshape(shape)[i, j] == (forward_best[j] == i)
                assert reverse_marks[cells].reshape(shape)[i, j] == (reverse_best[i] == j)
        score = (forward.log_likelihood[0] / columns + reverse.log_likelihood[0] / rows) / 2
        assert evidence.scores[k] == pytest.approx(score, rel=0, abs=1e-12)
    assert forward_marks.any()
    assert reverse_marks.any()
