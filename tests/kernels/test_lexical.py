"""Looking up probabilities for text that was not trained on, and normalising counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from pralign.kernels.arrays import PairTable
from pralign.kernels.lexical import BOTH_UNKNOWN, SAME_UNKNOWN, UNSEEN, find_slot
from pralign.models.estimation import Estimation
from pralign.models.lexicon import LexicalCounts, Lexicon
from pralign.text.corpus import Corpus
from pralign.text.normalisation import Normalisation
from training.corpora import build, sentences, trained, unindexed

# Two numbers that the table holds are rounded to single precision, 2^-24 of their size or less.
STORED = 2.0**-24


@quick(60)
@given(st.lists(st.sets(st.integers(0, 9)), max_size=5), st.integers(0, 10))
def test_binary_search_finds_what_a_scan_finds(rows, target):
    partners = [sorted(row) for row in rows]
    table = PairTable(
        np.cumsum([0, *(len(row) for row in partners)]),
        np.array([t for row in partners for t in row], np.int32),
    )
    slots = [(s, t) for s, row in enumerate(partners) for t in row]
    for s in range(len(partners)):
        expected = slots.index((s, target)) if (s, target) in slots else -1
        assert find_slot(table, s, target) == expected


@quick(40)
@given(sentences(most=6))
def test_text_looked_up_word_by_word_gives_the_same_bits_as_its_slots(pairs):
    corpus, index = build(pairs)
    lexicon = trained(pairs, (("ibm1", 2),)).lexicon
    again = Corpus.encode(pairs, Normalisation(), corpus.source, corpus.target)
    for one, other in zip(corpus.texts, again.texts, strict=True):
        assert one.tolist() == other.tolist()
    known = lexicon.lattices(corpus.texts, index.cells, index.pairs)
    sought = lexicon.lattices(again.texts, unindexed(again), index.pairs)
    for one, other in zip(known[:2], sought[:2], strict=True):
        for array, found in zip(one[:-1], other[:-1], strict=True):
            assert array.dtype == found.dtype
            assert array.tobytes() == found.tobytes()


def test_what_was_never_seen():
    pairs = [(["a", "b"], ["x", "y"]), (["c"], ["z"]), (["d"] * 13, ["w"]), (["e"], ["z"])]  # 5 and 4 words
    corpus, _ = build(pairs)
    lexicon = trained(pairs, (("ibm1", 3),)).lexicon
    new = [(["a", "c", "new", "other", "x"], ["z", "other", "x", "new", "y"]), (["d"], ["w"])]
    text = Corpus.encode(new, Normalisation(), corpus.source, corpus.target)
    forward, reverse, _ = lexicon.lattices(text.texts, unindexed(text), np.arange(2))

    def given_source(s, t):
        partners, values = lexicon.partners(corpus.source.number(s), "source")
        return values[partners.tolist().index(corpus.target.number(t))]

    def given_target(s, t):
        partners, values = lexicon.partners(corpus.target.number(t), "target")
        return values[partners.tolist().index(corpus.source.number(s))]

    unseen, both, same = UNSEEN, BOTH_UNKNOWN, SAME_UNKNOWN
    assert unseen < both < same < 1
    expected = {  # target words by source words: a, c, new, other, x (which only the target side knows)
        "z": [unseen, given_source("c", "z"), unseen, unseen, unseen],
        "other": [unseen, unseen, both, same, both],
        "x": [given_source("a", "x"), unseen, unseen, unseen, unseen],
        "new": [unseen, unseen, same, both, both],
        "y": [given_source("a", "y"), unseen, unseen, unseen, unseen],
    }
    assert forward.emission[:25].reshape(5, 5).tolist() == np.array(list(expected.values())).tolist()
    backward = reverse.emission[:25].reshape(5, 5)
    assert backward[1, 0] == given_target("c", "z")
    assert backward[0, 2] == given_target("a", "x")
    assert backward[0, 4] == given_target("a", "y")
    seen = [(1, 0), (0, 2), (0, 4)]
    for i in range(5):
        for j in range(5):
            assert (i, j) in seen or backward[i, j] == list(expected.values())[j][i]
    # A pair that was too long to be trained on has no slots: its words are known, their combination is not.
    assert forward.emission[25:].tolist() == reverse.emission[25:].tolist() == [unseen]
    # Null: what it explains is learned, and nothing is worth less than an unseen combination.
    null = lexicon.translations.null_to_target
    numbers = [corpus.target.number(word) for word in ("z", "x", "y")]
    learned = forward.null_emission[[0, 2, 4]]
    assert learned.tolist() == null[numbers].tolist()
    assert (learned > unseen).all()
    assert forward.null_emission[[1, 3, 5]].tolist() == [unseen] * 3  # "w" is known, but null never explained it
    assert null[corpus.target.number("w")] == 0.0
    assert reverse.null_emission[[2, 3, 4, 5]].tolist() == [unseen] * 4


def test_a_prior_says_what_to_expect_of_words_that_were_never_seen_together():
    corpus, index = build([(["a", "b"], ["x"]), (["c"], ["y", "z"])])
    uniform = Lexicon.uniform(index.table, len(corpus.target))
    lexicon = uniform.maximise(LexicalCounts(np.ones((4, 2)), np.zeros(3), np.zeros(3)), Estimation("collapsed"))
    text = Corpus.encode(
        [(["a", "new", "same"], ["y", "other", "same"])], Normalisation(), corpus.source, corpus.target
    )
    lattices = lexicon.lattices(text.texts, unindexed(text), np.array([0]))
    # a was counted once, y once, and the prior adds 0.001 to each pair and 1 to each word.
    a, unknown = 0.001 / 2, 0.001
    assert lattices.forward.emission.reshape(3, 3).tolist() == pytest.approx(
        np.array([[a, unknown, unknown], [a, unknown, unknown], [a, unknown, 0.5]])
    )
    assert lattices.reverse.emission.reshape(3, 3).tolist() == pytest.approx(
        np.array([[a, unknown, unknown], [a, unknown, unknown], [a, unknown, 0.5]])
    )


counts_of_pairs = st.lists(st.sampled_from([0.0, 1e-40, 1e-12, 0.5, 1.0, 7.25, 1e6]), min_size=40, max_size=40)


@quick(60)
@given(sentences(most=5), counts_of_pairs, st.sampled_from([0.0, 0.01, 2.0]))
def test_counts_are_normalised_by_source_word_and_by_target_word(pairs, values, smoothing):
    corpus, index = build(pairs)
    lexicon = Lexicon.uniform(index.table, len(corpus.target))
    size = index.table.target.size
    counts = LexicalCounts(
        np.resize(values, (size, 2)), np.resize(values, len(corpus.target)), np.resize(values[::-1], len(corpus.source))
    )
    learned = lexicon.maximise(counts, Estimation(smoothing=smoothing))
    rows = np.repeat(np.arange(len(corpus.source)), np.diff(index.table.row_start))
    for direction, words in enumerate((rows, index.table.target)):
        for word in set(words.tolist()):
            raised = counts.pair[words == word, direction] + smoothing
            found = learned.translations.probability[words == word, direction]
            if raised.sum() > 0:
                np.testing.assert_allclose(found, raised / raised.sum(), rtol=0, atol=STORED)
                assert found.sum(dtype=float) == pytest.approx(1, rel=0, abs=STORED * found.size)
            assert (found >= np.float32(1e-30)).all()
    for null, tally, words in (
        (learned.translations.null_to_target, counts.null_to_target, index.table.target),
        (learned.translations.null_to_source, counts.null_to_source, rows),
    ):
        raised = tally + smoothing * np.isin(np.arange(tally.size), words)
        if raised.sum() > 1e-30:
            np.testing.assert_allclose(null, raised / raised.sum(), rtol=0, atol=STORED)


@quick(40)
@given(sentences(most=5))
def test_partners_are_the_words_that_occur_together(pairs):
    corpus, index = build(pairs)
    lexicon = trained(pairs, (("ibm1", 1),)).lexicon
    included = [pairs[n] for n in index.pairs]
    for side, vocabulary, others in (
        ("source", corpus.source, corpus.target),
        ("target", corpus.target, corpus.source),
    ):
        for number, word in enumerate(vocabulary.words):
            together = {
                other for pair in included for other in pair[side == "source"] if word in pair[side == "target"]
            }
            partners, probabilities = lexicon.partners(number, side)
            assert sorted(others.words[k] for k in partners) == sorted(together)
            assert probabilities.size == len(together)
            if together:
                assert probabilities.sum(dtype=float) == pytest.approx(1, rel=0, abs=STORED * len(together))
