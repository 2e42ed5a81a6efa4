"""What is known before training is added to the counts of every iteration, however the text is cut."""

from __future__ import annotations

import numpy as np
import pytest

from pralign.engine import ThreadEngine
from pralign.models import MODELS
from pralign.models.estimators import ESTIMATORS, make_estimator
from pralign.priors import gather_priors
from pralign.text.normalisation import Normalisation
from training.corpora import WHOLE, Trained, build, cut_into, random_sentences, train
from training.test_trainer import same_bits

PAIRS = random_sentences(95, 30, words=10, most=9)
WORD_PAIRS = "LEX\ts1\tt2\t4\nLEX\ts3\tt3\t1.5\nLEX\ts0\tunheard\t9\n"
POSITIONS = "HMMF\t1\t30\nHMMR\t-1\t20\nFERF\ts1\t2\t50\nFERR\tt0\t0\t9\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "known"
    path.write_text(WORD_PAIRS + POSITIONS, encoding="utf-8")
    return path


def trained(name, file, estimator="em", sizes=WHOLE, threads=1) -> Trained:
    corpus = build(PAIRS, sizes=sizes)
    prior = gather_priors([file], 0.5, corpus, Normalisation(), ThreadEngine(threads))
    stages = (("ibm1", 1), (name, 2)) if name != "ibm1" else (("ibm1", 2),)
    return train(corpus, stages, make_estimator(estimator), threads, prior=prior)


@pytest.mark.parametrize("estimator", list(ESTIMATORS))
@pytest.mark.parametrize("name", list(MODELS))
def test_no_bit_depends_on_how_the_text_is_cut(name, estimator, file):
    whole = trained(name, file, estimator)
    for sizes, threads in ((cut_into(3, piece=30), 2), (cut_into(7, piece=9), 3)):
        assert same_bits(whole, trained(name, file, estimator, sizes, threads))


def test_a_pair_that_counts_more_is_likelier(file):
    with_prior, without = trained("ibm1", file), train(build(PAIRS), (("ibm1", 2),))
    s, t = with_prior.corpus.source.number("s1"), with_prior.corpus.target.number("t2")
    values = []
    for model in (with_prior, without):
        partners, probabilities = model.lexicon.partners(s, "source")
        values.append(float(probabilities[partners.tolist().index(t)]))
    assert values[0] > values[1] + 0.1


def test_a_pair_that_never_occurs_together_takes_its_share(file):
    model = trained("ibm1", file)
    s0 = model.corpus.source.number("s0")
    normalizer = model.state.words.normalizers.source[s0]
    partners, probabilities = model.lexicon.partners(s0, "source")
    assert partners.size
    # Of what is known of s0, nine counts are of a word that is not in the text.
    assert float(np.sum(probabilities, dtype=float)) == pytest.approx((normalizer - 9) / normalizer, rel=1e-5)


@pytest.mark.parametrize("jump", [-1, 1])
def test_jumps_move_the_weights(tmp_path, jump):
    file = tmp_path / "jumps"
    file.write_text(f"HMMF\t{jump}\t5000\nHMMR\t{jump}\t5000\n", encoding="utf-8")
    model = trained("hmm", file)
    for weights in (model.forward.weights.jump, model.reverse.weights.jump):
        assert int(np.argmax(weights)) == 5 + jump


def test_fertilities_add_to_those_of_the_text(file):
    model = trained("fhmm", file)
    for side, directional, word, fertility, count in (
        ("source", model.forward, "s1", 2, 50),
        ("target", model.reverse, "t0", 0, 9),
    ):
        words = getattr(model.corpus, side).words
        rows = dict(zip(words, directional.fertilities.table[:-1].copy(), strict=True))
        rows[word][fertility] -= count
        texts, shard = model.corpus.texts(), model.corpus.shard(0)
        start = getattr(texts, f"{side}_start")
        occurs = np.zeros(len(words))
        for pair in shard.pairs:
            np.add.at(occurs, getattr(texts, side)[start[pair] : start[pair + 1]], 1)
        for number, row in enumerate(rows.values()):  # every word explains some number of words wherever it occurs
            assert row.min() >= -1e-6
            assert row.sum() == pytest.approx(occurs[number], abs=1e-5)
