"""From sentences to numbers: tokens, normalisation, vocabularies and the corpus."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.errors import UsageError
from pralign.text.corpus import Corpus, blocks
from pralign.text.normalisation import Normalisation
from pralign.text.tokens import tokens
from pralign.text.vocabulary import Vocabulary, VocabularyBuilder

SEPARATORS = "\r\x0b\x0c\x1c\x85\xa0\u2028\u3000"
WORD = st.lists(st.sampled_from("aBÉİß既" + SEPARATORS), min_size=1, max_size=4).map("".join)
SENTENCE = st.lists(st.sampled_from("abc"), max_size=5).map(" ".join)
PAIRS = st.lists(st.tuples(SENTENCE, SENTENCE), max_size=8)


# Tokens


@given(words=st.lists(WORD, max_size=5), gaps=st.lists(st.sampled_from([" ", "\t", "  ", " \t "]), min_size=6))
def test_spaces_and_tabs_separate_words_and_nothing_else_does(words, gaps):
    line = gaps[0].join(["", *words, ""]) if gaps else " ".join(words)
    assert tokens(line) == words


def test_a_line_of_separators_has_no_words():
    assert tokens("") == tokens(" \t ") == []
    assert tokens("\u00a0") == ["\u00a0"]


# Normalisation


def test_case_is_ignored_unless_it_matters():
    assert Normalisation()("The HOUSE") == ["the", "house"]
    assert Normalisation(lowercase=False)("The HOUSE") == ["The", "HOUSE"]
    assert Normalisation()(["New York", "IS"]) == ["new york", "is"]
    assert Normalisation(lowercase=False)(("A", "b")) == ["A", "b"]


def test_words_are_cut():
    assert Normalisation(prefix=3)("Gardens at sea") == ["gar", "at", "sea"]
    assert Normalisation(suffix=3)(["Gardens", "at"]) == ["ens", "at"]


@given(words=st.lists(WORD, max_size=5), cut=st.sampled_from([{}, {"prefix": 1}, {"suffix": 2}]))
def test_normalisation_keeps_the_number_of_words(words, cut):
    for lowercase in (True, False):
        normalise = Normalisation(lowercase, **cut)
        assert len(normalise(" ".join(words))) == len(normalise(words)) == len(words)
        assert normalise(" ".join(words)) == normalise(words)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"prefix": 0}, "prefix length must be at least 1, not 0"),
        ({"suffix": -2}, "suffix length must be at least 1, not -2"),
        ({"prefix": 2, "suffix": 2}, "not to both"),
    ],
)
def test_cuts_that_cannot_be(settings, message):
    with pytest.raises(UsageError, match=message):
        Normalisation(**settings)


# Vocabularies


def test_words_are_numbered_by_frequency_and_then_by_first_use():
    builder = VocabularyBuilder()
    numbers = np.array([builder[word] for word in ["b", "a", "c", "a", "c", "d"]], np.int32)
    vocabulary, renumbered = builder.by_frequency(numbers)
    assert vocabulary.words == ["a", "c", "b", "d"]
    assert renumbered.tolist() == [2, 0, 1, 0, 1, 3]
    assert [vocabulary.number(word) for word in "acbde"] == [0, 1, 2, 3, None]
    assert len(vocabulary) == 4


def test_numbers_are_spelled_those_past_the_end_by_unknown_words():
    vocabulary = Vocabulary(["a", "b"])
    assert vocabulary.spelled(np.array([1, 3, 0, 2]), ["Ada", "7"]) == ["b", "7", "a", "Ada"]
    assert vocabulary.spelled(np.array([], np.int64)) == []


def test_words_unknown_to_both_sides_are_equally_far_past_the_end():
    source, target = Vocabulary(["a"]), Vocabulary(["x", "y", "z"])
    unknown = {}
    assert source.numbers(["Ada", "a", "7", "Ada"], unknown) == [1, 0, 2, 1]
    assert target.numbers(["7", "x", "Ada", "q"], unknown) == [3 + 1, 0, 3 + 0, 3 + 2]


# The corpus


@settings(deadline=None)
@given(pairs=PAIRS)
def test_a_corpus_spells_its_pairs(pairs):
    corpus = Corpus.build(pairs, Normalisation())
    again = Corpus.encode(pairs, Normalisation(), corpus.source, corpus.target)
    for built in (corpus, again):
        assert len(built) == len(pairs)
        texts = built.texts
        for number, (source, target) in enumerate(pairs):
            spelt = texts.source[texts.source_start[number] : texts.source_start[number + 1]]
            assert [corpus.source.words[k] for k in spelt] == source.split()
            spelt = texts.target[texts.target_start[number] : texts.target_start[number + 1]]
            assert [corpus.target.words[k] for k in spelt] == target.split()
        assert built.source_lengths.tolist() == [len(source.split()) for source, _ in pairs]
        assert built.target_lengths.tolist() == [len(target.split()) for _, target in pairs]


def test_blocks_hold_all_pairs_in_order_and_about_so_many_cells():
    cells = np.array([5, 1_000, 0, 10, 40, 3, 200, 7])
    pairs = np.array([0, 1, 3, 4, 5, 6, 7])
    parts = [part.tolist() for part in blocks(pairs, cells, most_cells=100)]
    assert parts == [[0], [1, 3], [4, 5], [6, 7]]  # after 21, 1037 + 26, 56 + 19 and 216 + 23 cells, a little each
    assert list(blocks(np.array([], np.int64), cells)) == []
