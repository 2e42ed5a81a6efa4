"""What unlabelled text says of words."""

from __future__ import annotations

import numpy as np
import pytest

from matching.cases import TEXT, association
from oracles.naive_features import naive_dice, naive_ranks
from pralign import Bitext
from pralign.engine import ThreadEngine
from pralign.errors import InputError
from pralign.matching.association import LEAST_DICE, Association
from pralign.text.normalisation import Normalisation
from training.corpora import random_sentences


@pytest.mark.parametrize("text", [TEXT, random_sentences(0, 40), random_sentences(1, 80, words=5)])
def test_dice_is_that_of_naive_counting(text):
    known = association(text)
    source, target = len(known.source), len(known.target)
    s, t = (part.ravel().astype(np.int32) for part in np.indices((source, target)))
    found = known.dice(s, t).reshape(source, target)
    expected = [[naive_dice(text, a, b) for b in known.target.words] for a in known.source.words]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert found.max() > 0.3


def test_words_come_by_frequency():
    known = association()
    assert known.source.words == list(naive_ranks([source for source, _ in TEXT]))
    assert known.target.words == list(naive_ranks([target for _, target in TEXT]))


def test_repeated_words_meet_as_often_as_the_rarer_one():
    known = association([(["a"] * 3, ["b"] * 2), (["a"], ["b"] * 4), (["a"], ["c"])])
    # min(3, 2) + min(1, 4) = 3 times together, 5 and 6 times in all.
    assert known.dice(np.zeros(1, np.int32), np.zeros(1, np.int32))[0] == np.float32(6 / 11)


def test_unknown_words_have_no_dice():
    known = association()
    source, target = len(known.source), len(known.target)
    asked = np.array([source, 0, source + 7, source], np.int32), np.array([0, target, target + 3, target], np.int32)
    assert known.dice(*asked).tolist() == [0, 0, 0, 0]


def test_what_hardly_ever_occurs_together_is_left_out():
    most = int(2 / LEAST_DICE)
    kept, left = (association([(["a"] * times, ["b"]), (["c"], ["d"])]) for times in (most - 1, most))
    zero = np.zeros(1, np.int32)
    assert kept.dice(zero, zero)[0] == pytest.approx(LEAST_DICE)
    assert left.dice(zero, zero)[0] == 0
    assert left.table.value.tolist() == [1.0]


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_give_the_same_table(threads):
    text = random_sentences(3, 300, words=200)
    one, several = association(text).table, association(text, threads).table
    assert one.value.size > 500
    for a, b in zip(one, several, strict=True):
        assert a.dtype == b.dtype
        assert np.array_equal(a, b)


@pytest.mark.parametrize("pairs", [[], [("", "")], [("a", "")], [("", "b"), ("", "c")]])
def test_there_must_be_words_on_both_sides(pairs):
    with pytest.raises(InputError, match="no words to count"):
        Association.learn(Bitext(pairs), Normalisation(), ThreadEngine(1))


def test_words_of_both_sides_that_look_the_same_have_the_same_numbers():
    words = ["élève", "paris", "tra", "oui"], ["eleve", "paris", "tro", "eau"]
    known = association([words])
    source, target, _ = known.forms
    places = [(known.source.number(s), known.target.number(t)) for s, t in zip(*words, strict=True)]
    assert [source.exact[s] == target.exact[t] for s, t in places] == [False, True, False, False]
    assert [source.plain[s] == target.plain[t] for s, t in places] == [True, True, False, False]
    assert [source.skeleton[s] == target.skeleton[t] >= 0 for s, t in places] == [True, True, True, False]
    assert source.length.tolist() == [5, 5, 3, 3]
