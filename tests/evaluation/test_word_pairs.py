import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.worded import golds_of, hypotheses_of, worded_corpora, words_of
from oracles.naive_analysis import naive_word_pairs
from pralign.errors import InputError, UsageError
from pralign.evaluation import Names, WordPair, WrongAndMissed, evaluate, wrong_and_missed
from pralign.links.alignment import Alignment

ONE, NONE = Alignment.of([(0, 0)]), Alignment()


def as_rows(found):
    return [(each.source, each.target, each.count, each.out_of, each.lines) for each in found]


@given(worded_corpora, st.integers(0, 30))
def test_agrees_with_a_count_of_all_errors(corpus, most):
    found = wrong_and_missed(words_of(corpus), hypotheses_of(corpus), golds_of(corpus), most)
    assert as_rows(found.wrong) == naive_word_pairs(corpus, "wrong")[:most]
    assert as_rows(found.missed) == naive_word_pairs(corpus, "missed")[:most]


@given(worded_corpora)
def test_all_errors_together_are_those_behind_precision_and_recall(corpus):
    found = wrong_and_missed(words_of(corpus), hypotheses_of(corpus), golds_of(corpus), most=1_000)
    counts = evaluate(hypotheses_of(corpus), golds_of(corpus)).counts
    assert sum(each.count for each in found.wrong) == counts.links - counts.links_possible
    assert sum(each.count for each in found.missed) == counts.sure - counts.links_sure


def test_a_hand_sorted_text():
    pairs = [
        (["The", "old", "mill"], ["die", "alte", "Mühle"]),
        (["the", "mill"], ["die", "Mühle"]),
        (["old", "the"], ["ALTE", "der"]),
    ]
    golds = [
        Alignment.of([(0, 0), (1, 1), (2, 2)]),
        Alignment.of([(1, 1)], possible=[(0, 0)]),
        Alignment.of([(0, 0), (1, 1)]),
    ]
    hypotheses = [
        Alignment.of([(0, 0), (1, 2), (2, 2)]),  # old-Mühle is wrong, old-alte missed
        Alignment.of([(0, 1), (1, 1)]),  # the-Mühle is wrong, the-die merely possible
        Alignment.of([(1, 0)]),  # the-ALTE is wrong, old-ALTE and the-der missed
    ]
    found = wrong_and_missed(pairs, hypotheses, golds)
    assert as_rows(found.wrong) == [
        ("old", "mühle", 1, 1, (0,)),
        ("the", "alte", 1, 1, (2,)),
        ("the", "mühle", 1, 1, (1,)),
    ]
    assert as_rows(found.missed) == [("old", "alte", 2, 2, (0, 2)), ("the", "der", 1, 1, (2,))]


def test_a_link_that_is_merely_possible_is_no_error():
    maybe = Alignment.of([], possible=[(0, 0)])
    pairs = [(["a"], ["b"])] * 2
    assert wrong_and_missed(pairs, [ONE, NONE], [maybe, maybe]) == ((), ())


def test_what_could_have_gone_wrong_is_counted_too():
    pairs = [(["a"], ["b"])] * 4
    found = wrong_and_missed(pairs, [ONE, ONE, ONE, NONE], [ONE, NONE, ONE, ONE])
    assert found.wrong == (WordPair("a", "b", count=1, out_of=3, lines=(1,)),)
    assert found.missed == (WordPair("a", "b", count=1, out_of=3, lines=(3,)),)


def test_lines_are_the_first_five_each_once():
    twice = ["a", "a"], ["b"]
    both = Alignment.of([(0, 0), (1, 0)])
    [wrong] = wrong_and_missed([twice] * 9, [NONE, *[both] * 8], [NONE] * 9).wrong
    assert (wrong.count, wrong.lines) == (16, (1, 2, 3, 4, 5))


def test_more_errors_come_first_and_equally_many_by_their_words():
    pairs = [(["b"], ["x"]), (["a"], ["y"]), (["c"], ["x"]), (["a"], ["x"]), (["c"], ["x"])]
    found = wrong_and_missed(pairs, [ONE] * 5, [NONE] * 5)
    order = [("c", "x"), ("a", "x"), ("a", "y"), ("b", "x")]
    assert [(each.source, each.target) for each in found.wrong] == order


def test_words_are_compared_case_folded():
    pairs = [(["Straße"], ["STREET"]), (["STRASSE"], ["street"])]
    [wrong] = wrong_and_missed(pairs, [ONE, ONE], [NONE, NONE]).wrong
    assert (wrong.source, wrong.target, wrong.count) == ("strasse", "street", 2)


def test_no_pairs_have_no_errors():
    assert wrong_and_missed([], [], []) == WrongAndMissed((), ())


def test_inputs_may_be_iterators():
    assert len(wrong_and_missed(iter([(["a"], ["b"])]), iter([ONE]), iter([NONE])).wrong) == 1


def test_inputs_that_do_not_fit_are_refused():
    pair = ["a"], ["b"]
    with pytest.raises(InputError, match=r"^the text has 1 line, the gold 2$"):
        wrong_and_missed([pair], [ONE] * 2, [ONE] * 2)
    with pytest.raises(InputError, match=r"^mine has 3 lines, the gold 2$"):
        wrong_and_missed([pair] * 2, [ONE] * 3, [ONE] * 2, names=Names("mine"))
    with pytest.raises(InputError, match=r"^the gold, line 2: link 0-1 "):
        wrong_and_missed([pair] * 2, [ONE] * 2, [ONE, Alignment.of([(0, 1)])])
    with pytest.raises(TypeError, match="a sequence of words here"):
        wrong_and_missed([(["a"], "b")], [ONE], [ONE])


def test_a_negative_number_of_entries_is_refused():
    with pytest.raises(UsageError, match="cannot be cut to -1"):
        wrong_and_missed([], [], [], most=-1)


def test_as_dict():
    found = WrongAndMissed((WordPair("a", "b", 1, 4, (2, 7)),), ())
    row = {"source": "a", "target": "b", "count": 1, "out_of": 4, "lines": [2, 7], "share": 0.25}
    assert found.as_dict() == {"wrong": [row], "missed": []}
    assert json.loads(json.dumps(found.as_dict())) == found.as_dict()
    assert WordPair("a", "b", 0, 0, ()).share == 0.0
