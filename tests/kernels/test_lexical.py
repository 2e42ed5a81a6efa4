"""Looking up probabilities for text that was not trained on, adding up counts, and normalising them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from pralign.kernels.lexical import BOTH_UNKNOWN, SAME_UNKNOWN, UNSEEN, add_compressed, compress, sum_by_word
from pralign.models.bidirectional import BidirectionalModel
from pralign.models.estimators import EM, Collapsed
from pralign.models.ibm1 import IBM1
from training.corpora import build, encoded, included, maximised, sentences, trained, whole_table

# Two numbers that the table holds are rounded to single precision, 2^-24 of their size or less.
STORED = 2.0**-24


def lattices_of(lexicon, shard):
    """All pairs of a shard in one block, as a lexicon sees them."""
    (block,) = shard.blocks()
    return BidirectionalModel(lexicon.for_shard(shard), IBM1(), IBM1()).lattices(block)


@quick(40)
@given(sentences(most=6))
def test_text_looked_up_word_by_word_gives_the_same_bits_as_its_slots(pairs):
    model = trained(pairs, (("ibm1", 2),))
    shard, again = model.corpus.shard(0), encoded(model.corpus, included(model.corpus, pairs))
    (block,) = shard.blocks()
    known = model.shard_model().lattices(block)
    sought = lattices_of(model.lexicon, again)
    for one, other in zip(known[:2], sought[:2], strict=True):
        for array, found in zip(one[:-1], other[:-1], strict=True):
            assert array.dtype == found.dtype
            assert array.tobytes() == found.tobytes()


def test_what_was_never_seen():
    pairs = [(["a", "b"], ["x", "y"]), (["c"], ["z"]), (["d"] * 13, ["w"]), (["e"], ["z"])]  # 5 and 4 words
    model = trained(pairs, (("ibm1", 3),))
    corpus, lexicon = model.corpus, model.lexicon
    new = [(["a", "c", "new", "other", "x"], ["z", "other", "x", "new", "y"]), (["d"], ["w"])]
    forward, reverse, _ = lattices_of(lexicon, encoded(corpus, new))

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
    corpus = build([(["a", "b"], ["x"]), (["c"], ["y", "z"])])
    lexicon = maximised(corpus, (np.ones((4, 2)), np.zeros(3), np.zeros(3)), Collapsed())
    lattices = lattices_of(lexicon, encoded(corpus, [(["a", "new", "same"], ["y", "other", "same"])]))
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
    corpus = build(pairs)
    table = whole_table(corpus)
    size = table.source.size
    given_counts = (
        np.resize(values, (size, 2)),
        np.resize(values, len(corpus.target)),
        np.resize(values[::-1], len(corpus.source)),
    )
    learned = maximised(corpus, given_counts, EM(smoothing=smoothing))
    counts = [np.rint(part / STORED) * STORED for part in given_counts]  # counts are kept in units
    rows = np.repeat(np.arange(len(corpus.target)), np.diff(table.row_start))
    for direction, words in enumerate((table.source, rows)):
        for word in set(words.tolist()):
            raised = counts[0][words == word, direction] + smoothing
            found = learned.probability[words == word, direction]
            if raised.sum() > 0:
                np.testing.assert_allclose(found, raised / raised.sum(), rtol=0, atol=STORED)
                assert found.sum(dtype=float) == pytest.approx(1, rel=0, abs=STORED * found.size)
            assert (found >= np.float32(1e-30)).all()
    for null, tally, words in (
        (learned.words.null_to_target, counts[1], rows),
        (learned.words.null_to_source, counts[2], table.source),
    ):
        raised = tally + smoothing * np.isin(np.arange(tally.size), words)
        if raised.sum() > 1e-30:
            np.testing.assert_allclose(null, raised / raised.sum(), rtol=0, atol=STORED)


@quick(40)
@given(sentences(most=5))
def test_partners_are_the_words_that_occur_together(pairs):
    model = trained(pairs, (("ibm1", 1),))
    corpus, lexicon = model.corpus, model.lexicon
    text = included(corpus, pairs)
    for side, vocabulary, others in (
        ("source", corpus.source, corpus.target),
        ("target", corpus.target, corpus.source),
    ):
        for number, word in enumerate(vocabulary.words):
            together = {other for pair in text for other in pair[side == "source"] if word in pair[side == "target"]}
            partners, probabilities = lexicon.partners(number, side)
            assert sorted(others.words[k] for k in partners) == sorted(together)
            assert probabilities.size == len(together)
            if together:
                assert probabilities.sum(dtype=float) == pytest.approx(1, rel=0, abs=STORED * len(together))


# Sums

counts_in_units = st.one_of(
    st.just(0), st.integers(0, 2**24), st.integers(2**32 - 2, 2**32 + 2), st.integers(0, 2**62 - 1)
)


@quick(100)
@given(st.lists(st.tuples(counts_in_units, counts_in_units), max_size=12), st.randoms(use_true_random=False))
def test_what_is_compressed_and_added_is_what_was_counted(rows, random):
    counts = np.array(rows, np.int64).reshape(-1, 2)
    parts = compress(counts)
    row, low, large_row, high = parts
    named = [n for n, pair in enumerate(rows) if any(pair)]
    assert row.tolist() == (named if len(named) < len(rows) else [])
    assert large_row.tolist() == [n for n, pair in enumerate(rows) if max(pair) >= 2**32]
    assert (low.dtype, high.dtype) == (np.uint32, np.uint32)
    slots = list(range(len(rows) + 3))
    random.shuffle(slots)
    slots = np.array(slots[: len(rows)], np.int32)
    total = np.ones((len(rows) + 3, 2), np.int64)
    add_compressed(slots, parts, total)
    expected = np.ones_like(total)
    expected[slots] += counts
    assert total.tolist() == expected.tolist()


@quick(60)
@given(sentences(most=5), st.integers(0, 2**32 - 1))
def test_counts_are_summed_by_source_word_and_by_target_word(pairs, seed):
    corpus = build(pairs)
    table = whole_table(corpus)
    counts = np.random.default_rng(seed).integers(0, 2**40, (table.source.size, 2))
    by_source, by_target = np.ones(len(corpus.source), np.int64), np.ones(len(corpus.target), np.int64)
    sum_by_word(table, counts, by_source, by_target)
    rows = np.repeat(np.arange(len(corpus.target)), np.diff(table.row_start))
    for sums, words, column in ((by_source, table.source, 0), (by_target, rows, 1)):
        assert sums.tolist() == [1 + int(counts[words == word, column].sum()) for word in range(sums.size)]
