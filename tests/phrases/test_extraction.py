"""Phrase pairs as they are found, against their definition."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import naive_phrases
from phrases.corpora import random_aligned
from pralign import phrases
from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment


def flat(found):
    return [(each.source, each.target, each.alignment.links, each.before, each.after) for each in found]


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 9), st.sampled_from([0.02, 0.1, 0.3, 0.8]))
def test_they_are_all_consistent_boxes_in_the_order_of_moses(seed, most, density):
    corpus = random_aligned(seed, pairs=4, density=density)
    found = phrases.extract(corpus.pairs, corpus.alignments, max_length=most, reordering=True, threads=1)
    expected = [
        phrase
        for (source, target), links in zip(corpus.pairs, corpus.links, strict=True)
        for phrase in naive_phrases.phrases(source.split(), target.split(), links, most)
    ]
    assert flat(found) == [tuple(phrase) for phrase in expected]


def test_pairs_are_numbered_across_chunks():
    corpus = random_aligned(1, pairs=700)
    found = list(phrases.extract(corpus.pairs, corpus.alignments, max_length=2))
    assert max(each.pair for each in found) > 600  # more than are looked at together
    for each in found:
        assert " ".join(each.source) in corpus.pairs[each.pair][0]
        assert " ".join(each.target) in corpus.pairs[each.pair][1]


def test_words_without_links_stand_at_the_edges_only_beside_others():
    found = phrases.extract([("a b c", "x y")], ["1-0"], max_length=3)
    assert {(" ".join(each.source), " ".join(each.target)) for each in found} == {
        ("b", "x"),
        ("b c", "x"),
        ("a b", "x"),
        ("a b c", "x"),
        ("b", "x y"),
        ("b c", "x y"),
        ("a b", "x y"),
        ("a b c", "x y"),
    }


def test_links_of_long_phrases_are_kept():
    words = " ".join(map(str, range(40)))
    alignment = Alignment.of([(i, (7 * i) % 40) for i in range(40)])
    [*_, last] = [
        each for each in phrases.extract([(words, words)], [alignment], max_length=40) if len(each.source) > 39
    ]
    assert last.alignment == alignment
    [entry] = [
        each for each in phrases.phrase_table([(words, words)], [alignment], max_length=40) if len(each.source) > 39
    ]
    assert entry.alignment == alignment


def test_several_alignments_count_by_their_weights():
    lists = [[(0.75, Alignment.of("0-0 1-1")), (0.25, Alignment.of("0-1 1-0"))]]
    table = phrases.phrase_table([("a b", "x y")], lists, count="nbest", max_length=1)
    counts = {(entry.source[0], entry.target[0]): entry.count for entry in table}
    assert counts == {("a", "x"): 0.75, ("b", "y"): 0.75, ("a", "y"): 0.25, ("b", "x"): 0.25}


def test_possible_links_do_not_count():
    [found] = phrases.extract([("a b", "x y")], ["0-0 1?1"], max_length=1)
    assert (found.source, found.target) == (("a",), ("x",))


@pytest.mark.parametrize(
    ("alignments", "message"),
    [
        (["0-0"], "the alignments has 1 alignments, but there are 2 pairs"),
        (["0-0"] * 4, "the alignments has 4 alignments, but there are 2 pairs"),
        (["0-0", "0-1"], "the alignments, pair 2: link 0-1 .* lies outside a pair of 1 source and 1 target words"),
    ],
)
def test_alignments_must_fit_the_text(alignments, message):
    with pytest.raises(InputError, match=message):
        list(phrases.extract([("a", "x"), ("b", "y")], alignments))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"max_length": 0}, "from 1 to 100 words, not 0"),
        ({"count": "words"}, "counted by links, posteriors or nbest, not by words"),
        ({"smoothing": "soft"}, "unknown smoothing 'soft'; known are none, good-turing, kneser-ney"),
        ({"memory": "much"}, "a size is such as 2G"),
    ],
)
def test_settings_must_make_sense(setting, message):
    with pytest.raises(UsageError, match=message):
        list(phrases.extract([], [], **setting))


def test_counting_by_posteriors_needs_probabilities():
    with pytest.raises(InputError, match="links have no scores"):
        list(phrases.extract([("a", "x")], ["0-0"], count="posteriors"))
    with pytest.raises(InputError, match="no probabilities"):
        list(phrases.extract([("a", "x")], ["0-0:1.5"], count="posteriors"))
