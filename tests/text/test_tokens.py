"""Words that know where they stand."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign.errors import UsageError
from pralign.text.tokens import Tokens, tokens, word_spans, words_of
from scripts import ANY_TEXT

PLEUT = Tokens("Il  pleut.", [(0, 2), (4, 9), (9, 10)])


@given(text=ANY_TEXT)
def test_spans_are_those_of_the_words_between_spaces(text):
    spans = word_spans(text)
    assert [text[start:end] for start, end in spans] == tokens(text) == words_of(text)
    outside = set(range(len(text))) - {k for start, end in spans for k in range(start, end)}
    assert {text[k] for k in outside} <= {" ", "\t"}


def test_words_are_equal_to_a_tuple_of_them():
    assert PLEUT == ("Il", "pleut", ".")
    assert hash(PLEUT) == hash(("Il", "pleut", "."))
    assert {PLEUT: 1}["Il", "pleut", "."] == 1
    assert Tokens.joined(["Il", "pleut", "."]) == PLEUT
    assert PLEUT != ["Il", "pleut", "."]
    assert list(PLEUT) == ["Il", "pleut", "."]
    assert words_of(PLEUT) is PLEUT


def test_parts_are_plain_tuples():
    assert PLEUT[1] == "pleut"
    for part in (PLEUT[1:], PLEUT[::-1], PLEUT * 2):
        assert type(part) is tuple
    assert PLEUT[1:] == ("pleut", ".")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_copies_know_their_places(protocol):
    for again in (pickle.loads(pickle.dumps(PLEUT, protocol)), copy.copy(PLEUT), copy.deepcopy(PLEUT)):
        assert type(again) is Tokens
        assert (again, again.text, again.spans) == (PLEUT, PLEUT.text, PLEUT.spans)


def test_copies_are_of_the_same_class():
    class Marked(Tokens):
        pass

    assert type(copy.copy(Marked("a", [(0, 1)]))) is Marked


@given(words=st.lists(ANY_TEXT, max_size=5))
def test_words_without_a_text_have_spaces_between_them(words):
    joined = Tokens.joined(words)
    assert list(joined) == words
    assert joined.text == " ".join(words)
    assert all(joined.text[start:end] == word for word, (start, end) in zip(words, joined.spans, strict=True))


@pytest.mark.parametrize("spans", [[(-1, 1)], [(0, 4)], [(2, 1)], [(0, 2), (1, 3)], [(1, 2), (0, 1)], [(4, 4)]])
def test_spans_that_go_beyond_the_text_or_back(spans):
    with pytest.raises(UsageError, match="spans are in order, do not overlap, and lie within the 3 characters"):
        Tokens("abc", spans)


@given(text=ANY_TEXT, numbers=st.lists(st.integers(-2, 40), max_size=6))
def test_spans_that_cannot_be_are_refused_and_others_cut(text, numbers):
    spans = list(zip(numbers[::2], numbers[1::2], strict=False))
    flat = [number for span in spans for number in span]
    if all(0 <= number <= len(text) for number in flat) and flat == sorted(flat):
        assert list(Tokens(text, spans)) == [text[start:end] for start, end in spans]
    else:
        with pytest.raises(UsageError, match=f"lie within the {len(text)} characters of the text"):
            Tokens(text, spans)
