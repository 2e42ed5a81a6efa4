"""Words lean on their relatives: the M-step against the plain formula, in one piece and in many."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import pytest
from scipy.special import digamma

from oracles.naive_relatives import NaiveRelatives
from pralign.engine import ThreadEngine
from pralign.kernels.relatives import LEAST_KEPT
from pralign.kernels.units import UNITS
from pralign.models.estimators import EM, Collapsed, VariationalBayes
from pralign.models.ibm1 import IBM1
from pralign.models.relatives import BaseMeasure, Relatives
from pralign.text.forms import Forms, spelling_keys
from pralign.training.m_step import PieceCounts, PieceMStep, save_pair_counts, word_tables
from pralign.training.relatives import RelativesStep, kept_levels, save_classes
from pralign.training.totals import Totals
from training.corpora import build, cut_into, lexicon_of, train

STEMS = ("walk", "talker", "wax", "大学", "大人", "人", "학교", "3")
ENDINGS = ("", "s", "ed", "者", "人", "에서")
LEMMAS = {"walked": "go", "wax": "go", "大人": "人"}


def text(seed, pairs=30):
    """Sentences of words that have relatives, in several scripts."""
    rng = np.random.default_rng(seed)

    def draw():
        size = rng.integers(1, 8)
        return [str(rng.choice(STEMS)) + str(rng.choice(ENDINGS)) for _ in range(size)]

    return [(draw(), draw()) for _ in range(pairs)]


def made_up_counts(corpus, seed):
    """Counts of word pairs, one in three zero, put into the store as those of the only shard."""
    rng = np.random.default_rng(seed)
    shard = corpus.shard(0)
    counts = np.rint(rng.gamma(0.5, 1.0, (shard.table.source.size, 2)) * UNITS).astype(np.int64)
    counts[rng.random(counts.shape[0]) < 1 / 3] = 0
    save_pair_counts(corpus.store, "counts/0", shard, counts, corpus.piece_words)
    of_source, of_target = np.zeros(len(corpus.source), np.int64), np.zeros(len(corpus.target), np.int64)
    rows = np.repeat(np.arange(len(corpus.target)), np.diff(shard.table.row_start))
    np.add.at(of_source, shard.table.source, counts[:, 0])
    np.add.at(of_target, rows, counts[:, 1])
    words = zip(shard.table.source.tolist(), rows.tolist(), strict=True)
    spelled = [(corpus.source.words[s], corpus.target.words[t]) for s, t in words]
    named = {pair: tuple((row / UNITS).tolist()) for pair, row in zip(spelled, counts, strict=True)}
    return spelled, named, (of_source, of_target)


def keys_of(listed):
    keys_of_word = cache(spelling_keys)
    keys = [partial(lambda level, word: keys_of_word(word)[level], level) for level in range(4)]
    if listed is not None:
        keys.append(lambda word: listed.get(word, word))
    return [(key, key) for key in keys]


def relatives_of(corpus, strength=1.0, listed=None):
    return Relatives(strength, Forms(corpus.source.words, listed), Forms(corpus.target.words, listed))


@cache
def naive_relatives(counts, listed):
    return NaiveRelatives(dict(counts), 0.7, keys_of(None if listed is None else dict(listed)))


@pytest.mark.parametrize("piece", [1, 60, 2_000_000])
@pytest.mark.parametrize("listed", [None, {}, LEMMAS])
@pytest.mark.parametrize("kind", [EM, Collapsed, VariationalBayes])
def test_the_m_step_and_the_base_measure_are_the_formula(piece, listed, kind):
    corpus = build(text(5), sizes=cut_into(1, piece))
    spelled, counts, totals = made_up_counts(corpus, 6)
    relatives = relatives_of(corpus, 0.7, listed)
    naive = naive_relatives(tuple(counts.items()), None if listed is None else tuple(listed.items()))
    levels = save_classes(corpus.store, relatives, corpus.piece_words)
    assert any(level.spread for level in levels) == (corpus.pieces > 1)
    step = RelativesStep(corpus.store, levels, 0.7, "classes/1", corpus.piece_words, True)
    summed = PieceCounts(corpus.store, ["0"], "counts", has_prior=False)
    masses = step.count(totals, summed, ThreadEngine(2))
    for side, words in enumerate((corpus.source.words, corpus.target.words)):
        assert masses[side] == pytest.approx([naive.mass(word, side) for word in words], rel=1e-9)

    estimator = kind()
    zero = Totals.zero(len(corpus.source), len(corpus.target), (IBM1(), IBM1()))
    single = zero._replace(source=totals[0], target=totals[1])
    partners = corpus.source_partners, corpus.target_partners
    words = word_tables(single, estimator, partners, None, masses)
    corpus.store.save("words/1", words.to_arrays())
    task = PieceMStep(summed, (), 1, corpus.piece_words, estimator, step)
    for number in range(corpus.pieces):
        task(number)
    found = np.concatenate([corpus.store.load(f"parameters/1/{n}")["0"] for n in range(corpus.pieces)])
    added = np.array([naive.added(*pair) for pair in spelled])
    raised = np.array([counts[pair] for pair in spelled]) + added + estimator.lexical
    places = [(corpus.source.number(s), corpus.target.number(t)) for s, t in spelled]
    normalizers = words.normalizers
    divided_by = np.array([(normalizers.source[s], normalizers.target[t]) for s, t in places])
    expected = raised / divided_by
    if kind is VariationalBayes:
        expected = np.exp(digamma(raised) - digamma(divided_by))
    assert found == pytest.approx(np.maximum(expected, 1e-12), rel=1e-5, abs=1e-11)

    base = BaseMeasure(0.0, relatives, tuple(kept_levels(corpus.store, "classes/1", relatives.levels, corpus.pieces)))
    sources, targets = ["walking", "talkery", "大学校", "unrelated"], ["walky", "人々", "학교가", "new"]
    everything = np.repeat(np.arange(4), 4), np.tile(np.arange(4), 4)
    expected = base.expected(sources, targets, everything)
    # Pairs of classes with few counts are not kept; single precision has six digits.
    least = 5 * LEAST_KEPT / UNITS
    for row, (s, t) in zip(expected.counts, zip(*everything, strict=True), strict=True):
        assert row.tolist() == pytest.approx(naive.added(sources[s], targets[t]), abs=least, rel=1e-5)
    assert expected.counts.any()
    assert expected.source_mass == pytest.approx([naive.mass(word, 0) for word in sources])
    assert expected.target_mass == pytest.approx([naive.mass(word, 1) for word in targets])


@pytest.mark.parametrize("name", ["ibm1", "ibm2", "hmm", "fhmm", "ibm4"])
def test_any_cut_and_number_of_threads_gives_the_same_bits(name):
    pairs = text(8, 25)
    found = []
    for sizes, threads in ((cut_into(1), 1), (cut_into(5, piece=40), 2), (cut_into(3, piece=1), 1)):
        corpus = build(pairs, sizes=sizes)
        relatives = relatives_of(corpus, listed=LEMMAS)
        schedule = (("ibm1", 2), (name, 2)) if name != "ibm1" else (("ibm1", 3),)
        model = train(corpus, schedule, Collapsed(), threads, relatives=relatives)
        parts = kept_levels(corpus.store, f"classes/{model.state.parameters}", 5, corpus.pieces)
        levels = [array.tobytes() for level in parts for array in (*level.counts[:3], *level.totals)]
        found.append((lexicon_of(corpus, model.state).probability.tobytes(), levels))
    assert found[0] == found[1] == found[2]


def test_a_strength_of_zero_changes_nothing():
    pairs = text(4, 20)
    alone = train(build(pairs), (("ibm1", 2),), Collapsed()).lexicon.probability
    corpus = build(pairs)
    again = train(corpus, (("ibm1", 2),), Collapsed(), relatives=relatives_of(corpus, 0.0)).lexicon.probability
    leaning = train(corpus, (("ibm1", 2),), Collapsed(), relatives=relatives_of(corpus, 1.0)).lexicon.probability
    assert alone.tobytes() == again.tobytes() != leaning.tobytes()


def test_relatives_help_a_word_that_was_seen_once():
    """*walks* is seen once, between two words that could both be it; *walk* and *walked* tell which."""
    pairs = [(["walk"], ["gehe"])] * 3 + [(["walked"], ["gehst"])] * 3 + [(["tea", "walks"], ["kanne", "geht"])]
    shares = {}
    for strength in (0.0, 5.0):
        corpus = build(pairs)
        model = train(
            corpus, (("ibm1", 4),), Collapsed(), relatives=relatives_of(corpus, strength) if strength else None
        )
        source, target = corpus.source.number("walks"), corpus.target
        partners, probabilities = model.lexicon.partners(source, "source")
        by_word = {target.words[t]: p for t, p in zip(partners.tolist(), probabilities.tolist(), strict=True)}
        shares[strength] = by_word["geht"] / (by_word["geht"] + by_word["kanne"])
    assert shares[0.0] == pytest.approx(0.5, abs=0.01)
    assert shares[5.0] > 0.8
