"""Word classes against an exchange that computes the whole likelihood for every candidate."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernels.lattices import INTERPRETED, quick
from oracles.naive_classes import naive_objective, naive_sweep
from pralign.errors import UsageError
from pralign.kernels.classes import count_classes, list_neighbours, n_log_n, n_log_n_table, objective, sweep
from pralign.text import classes as classes_module
from pralign.text.classes import DEFAULT_CLASSES, first_classes, word_classes

WORDS = 6
SENTENCES = st.lists(st.lists(st.integers(0, WORDS - 1), max_size=7), max_size=8)
REPEATS = [[0, 0, 0, 1, 1], [2, 2], [], [0, 0, 3], [4, 4, 4, 4], [1]]


def flat(sentences):
    """Sentences as tokens and starts."""
    tokens = np.array([word for sentence in sentences for word in sentence], np.int32)
    return tokens, np.cumsum([0, *map(len, sentences)], dtype=np.int64)


class Exchange:
    """The kernels on a few sentences, sweep by sweep."""

    def __init__(self, sentences, class_of, classes, table=64):
        tokens, starts = flat(sentences)
        words = len(class_of)
        self.class_of = np.array([*class_of, classes], np.int32)
        self.neighbours = tuple(list_neighbours(tokens, starts, words, step) for step in (1, -1))
        self.counts = count_classes(self.neighbours, self.class_of, classes)
        self.table = n_log_n_table(table)

    @property
    def classes(self):
        return self.class_of[:-1].tolist()

    @property
    def objective(self):
        return objective(self.counts, self.table)

    def sweep(self, words):
        return sweep(self.neighbours, self.class_of, self.counts, words, self.table, 1e-9)


def random_text(seed, sentences=40, words=30):
    """Sentences in which some words are far more frequent than others, with a few words repeated in a row."""
    rng = np.random.default_rng(seed)
    ranks = [(words * rng.random(rng.integers(0, 9)) ** 3).astype(int).tolist() for _ in range(sentences)]
    return [[word for word in row for _ in range(1 + (rng.random() < 0.2))] for row in ranks]


# The kernels


@quick(100)
@given(SENTENCES)
@example(REPEATS)
@example([])
def test_neighbours_are_counted(sentences):
    tokens, starts = flat(sentences)
    rows = {1: [[*row, WORDS] for row in sentences], -1: [[*row[::-1], WORDS] for row in sentences]}
    for step in (1, -1):
        listed = list_neighbours(tokens, starts, WORDS, step)
        met = [pair for row in rows[step] for pair in pairwise(row)]
        owner = np.repeat(np.arange(WORDS), np.diff(listed.start)).tolist()
        pairs = list(zip(owner, listed.word.tolist(), strict=True))
        assert dict(zip(pairs, listed.times.tolist(), strict=True)) == Counter(met)
        assert len(pairs) == len(set(met))


@quick(100)
@given(SENTENCES, st.lists(st.integers(0, 2), min_size=WORDS, max_size=WORDS), st.sampled_from([1, 3, 64]))
@example(REPEATS, [0, 1, 2, 0, 1, 2], 64)
def test_the_objective_is_that_of_the_formula(sentences, class_of, table):
    exchange = Exchange(sentences, class_of, 3, table)
    assert exchange.objective == pytest.approx(naive_objective(sentences, class_of), abs=1e-9)


@quick(100)
@given(
    SENTENCES,
    st.lists(st.integers(0, 2), min_size=WORDS, max_size=WORDS),
    st.integers(0, WORDS),
    st.sampled_from([1, 3, 64]),
)
@example(REPEATS, [0, 1, 2, 0, 1, 2], WORDS, 64)
@example(REPEATS, [0, 0, 0, 0, 0, 0], WORDS, 64)
def test_a_sweep_moves_words_as_trying_every_class_does(sentences, class_of, words, table):
    exchange = Exchange(sentences, class_of, 3, table)
    for _ in range(3):
        expected = naive_sweep(sentences, exchange.classes, 3, words)
        before = exchange.objective
        gained = exchange.sweep(words)
        assert exchange.classes == expected
        assert gained >= 0.0
        assert exchange.objective == pytest.approx(before + gained, abs=1e-9)


@pytest.mark.parametrize("seed", range(2 if INTERPRETED else 6))
def test_the_same_on_larger_texts(seed):
    text = random_text(seed)
    exchange = Exchange(text, [word % 5 for word in range(30)], 5)
    objectives = [naive_objective(text, exchange.classes)]
    for _ in range(4):
        expected = naive_sweep(text, exchange.classes, 5, 30)
        exchange.sweep(30)
        assert exchange.classes == expected
        objectives.append(naive_objective(text, exchange.classes))
    assert objectives == sorted(objectives)
    assert objectives[-1] > objectives[0]


def test_counts_stay_true_while_words_move():
    text = random_text(7)
    exchange = Exchange(text, [0] * 30, 5)
    for _ in range(5):
        exchange.sweep(30)
    anew = count_classes(exchange.neighbours, exchange.class_of, 5)
    for kept, counted in zip(exchange.counts, anew, strict=True):
        assert kept.tolist() == counted.tolist()
    assert exchange.counts.before.tolist() == exchange.counts.after.T.tolist()
    assert exchange.counts.total.tolist() == exchange.counts.after.sum(axis=0).tolist()


@pytest.mark.parametrize("n", [0, 1, 2, 9, 10, 11, 2**31, 2**40])
def test_n_log_n_goes_on_where_its_table_ends(n):
    assert n_log_n(n_log_n_table(10), n) == pytest.approx(n * math.log(n) if n else 0.0, rel=1e-15)


# Word classes


def numbered(lines):
    """Lines of words as tokens, starts and the list of words, most frequent first."""
    words = [word for line in lines for word in line.split()]
    vocabulary = sorted(dict.fromkeys(words), key=lambda word: -words.count(word))
    tokens, starts = flat([[vocabulary.index(word) for word in line.split()] for line in lines])
    return tokens, starts, vocabulary


def test_planted_classes_are_found():
    articles, nouns, verbs = ["ta", "ki", "lo"], ["mun", "sarp", "dirn", "olk", "penn"], ["vaz", "wib", "yex", "hoc"]
    rng = np.random.default_rng(3)

    def phrase():
        return [rng.choice(articles), rng.choice(nouns)]

    lines = [" ".join([*phrase(), rng.choice(verbs), *(phrase() if rng.random() < 0.5 else [])]) for _ in range(200)]
    tokens, starts, vocabulary = numbered(lines)
    class_of = word_classes(tokens, starts, len(vocabulary), classes=3)
    found = {frozenset(np.array(vocabulary)[class_of == c].tolist()) for c in range(3)}
    assert found == {frozenset(articles), frozenset(nouns), frozenset(verbs)}


def test_frequent_words_settle_first_and_then_all(monkeypatch):
    text = random_text(11)
    monkeypatch.setattr(classes_module, "FREQUENT", 8)
    found = word_classes(*flat(text), 30, 5).tolist()
    expected = first_classes(flat(text)[0], 30, 5)[:-1].tolist()
    for words in (8, 30):
        before = None
        while expected != before:
            before, expected = expected, naive_sweep(text, expected, 5, words)
    assert found == expected


def test_sweeps_stop_when_they_gain_little(monkeypatch):
    text = random_text(11)
    exchange = Exchange(text, first_classes(flat(text)[0], 30, 5)[:-1].tolist(), 5)
    monkeypatch.setattr(classes_module, "ENOUGH", 1.0)
    exchange.sweep(30)
    assert word_classes(*flat(text), 30, 5).tolist() == exchange.classes
    monkeypatch.setattr(classes_module, "ENOUGH", 0.0)
    monkeypatch.setattr(classes_module, "MOST_SWEEPS", 2)
    exchange.sweep(30)
    assert word_classes(*flat(text), 30, 5).tolist() == exchange.classes


def test_the_same_text_has_the_same_classes():
    tokens, starts = flat(random_text(5))
    once, again = (word_classes(tokens.copy(), starts.copy(), 30, 4) for _ in range(2))
    assert once.dtype == again.dtype == np.int32
    assert once.tobytes() == again.tobytes()
    assert set(once.tolist()) <= set(range(4))


def test_arguments_are_left_alone():
    tokens, starts = flat(random_text(5))
    tokens.flags.writeable = starts.flags.writeable = False
    assert word_classes(tokens, starts, 30, 4).size == 30


def test_first_classes_have_equally_many_tokens():
    tokens = np.repeat(np.arange(6, dtype=np.int32), [4, 3, 3, 1, 1, 0])
    assert first_classes(tokens, 6, 3).tolist() == [0, 1, 1, 2, 2, 2, 3]
    assert first_classes(tokens, 6, 1).tolist() == [0, 0, 0, 0, 0, 0, 1]


def test_empty_sentences_change_nothing():
    text = random_text(2)
    padded = [part for sentence in text for part in ([], sentence, [])]
    assert word_classes(*flat(padded), 30, 4).tolist() == word_classes(*flat(text), 30, 4).tolist()


@pytest.mark.parametrize("sentences", [[], [[]], [[], []]])
def test_a_text_without_words(sentences):
    assert word_classes(*flat(sentences), 0).tolist() == []
    assert word_classes(*flat(sentences), 3, classes=2).tolist() == [0, 0, 0]


def test_words_that_do_not_occur_keep_their_first_class():
    tokens, starts = flat([[0, 1, 0, 2], [0, 2], [1, 1]])
    first = first_classes(tokens, 9, 4)
    assert word_classes(tokens, starts, 9, 4)[3:].tolist() == first[3:9].tolist()


def test_one_word():
    assert word_classes(*flat([[0, 0], [0]]), 1).tolist() == [0]
    assert word_classes(*flat([[0, 0], [0]]), 1, classes=1).tolist() == [0]


def test_one_class():
    assert word_classes(*flat(REPEATS), 5, classes=1).tolist() == [0] * 5


@pytest.mark.parametrize("classes", [5, 6, DEFAULT_CLASSES])
def test_with_as_many_classes_as_words_each_has_its_own(classes):
    assert word_classes(*flat(REPEATS), 5, classes).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("classes", [0, -3])
def test_there_must_be_a_class(classes):
    with pytest.raises(UsageError, match=f"at least 1 word class, not {classes}"):
        word_classes(*flat(REPEATS), 5, classes)
