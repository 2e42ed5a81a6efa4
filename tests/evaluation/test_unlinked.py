import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.worded import hypotheses_of, worded_corpora, words_of
from oracles.naive_analysis import naive_unlinked
from pralign.errors import InputError, UsageError
from pralign.evaluation import Names, UnlinkedWord, UnlinkedWords, unlinked_words
from pralign.links.alignment import Alignment

ONE, NONE = Alignment.of([(0, 0)]), Alignment()


def as_rows(found):
    return [(each.word, each.unlinked, each.occurrences) for each in found]


@given(worded_corpora, st.integers(0, 8))
def test_agrees_with_a_loop_over_all_words(corpus, most):
    found = unlinked_words(words_of(corpus), hypotheses_of(corpus), most)
    assert as_rows(found.source) == naive_unlinked(corpus, 0)[:most]
    assert as_rows(found.target) == naive_unlinked(corpus, 1)[:most]


def test_a_hand_counted_text():
    pairs = [(["It", "is", "late"], ["es", "ist", "spät"]), (["is", "it"], ["Ist", "es", "so"])]
    found = unlinked_words(pairs, [Alignment.of([(2, 2)]), Alignment.of([(0, 0), (1, 2)])])
    assert as_rows(found.source) == [("is", 1, 2), ("it", 1, 2)]
    assert as_rows(found.target) == [("es", 2, 2), ("ist", 1, 2)]


def test_words_with_links_everywhere_are_not_listed():
    assert unlinked_words([(["a"], ["b"])], [ONE]) == UnlinkedWords((), ())
    assert unlinked_words([], []) == ((), ())


def test_a_possible_link_is_a_link():
    assert unlinked_words([(["a"], ["b"])], [Alignment.of([], possible=[(0, 0)])]) == ((), ())


def test_words_are_compared_case_folded():
    found = unlinked_words([(["Maß", "MASS"], [])], [NONE])
    assert found.source == (UnlinkedWord("mass", 2, 2),)


def test_inputs_that_do_not_fit_are_refused():
    pair = ["a"], ["b"]
    with pytest.raises(InputError, match=r"^the text has 2 lines, the alignments 1$"):
        unlinked_words(iter([pair] * 2), iter([ONE]))
    with pytest.raises(InputError, match=r"^mine, line 2: link 0-1 "):
        unlinked_words([pair] * 2, [ONE, Alignment.of([(0, 1)])], names=Names("mine"))
    with pytest.raises(TypeError, match="a sequence of words here"):
        unlinked_words([("a", ["b"])], [ONE])
    with pytest.raises(UsageError, match="cannot be cut to -2"):
        unlinked_words([], [], most=-2)


def test_as_dict():
    found = UnlinkedWords((UnlinkedWord("a", 1, 4),), ())
    expected = {"source": [{"word": "a", "unlinked": 1, "occurrences": 4, "share": 0.25}], "target": []}
    assert found.as_dict() == expected
    assert json.loads(json.dumps(found.as_dict())) == expected
    assert UnlinkedWord("a", 0, 0).share == 0.0
