"""Lexicons against counts in dictionaries; what is kept of them; what models say."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from oracles import naive_lexicon
from pralign import Aligner, Alignment, Bitext
from pralign.errors import InputError, UsageError
from pralign.lexicons import Lexicon, lexicon
from pralign.lexicons.counting import KeyedValues, LinkCounter
from pralign.lexicons.formats import moses_blocks
from pralign.links.aligned import GivenAlignments, read_aligned
from pralign.text.vocabulary import VocabularyBuilder

# Counts are rounded to multiples of 2 ** -24, and there are a few dozen of them.
CLOSE = 1e-6
WORDS = ["a", "b", "B", "é", "家", "NULL"]


@st.composite
def aligned(draw, most=6):
    """Some pairs with links that have scores."""
    pairs, alignments = [], []
    for _ in range(draw(st.integers(0, most))):
        sides = [draw(st.lists(st.sampled_from(WORDS), max_size=4)) for _ in range(2)]
        cells = [(i, j) for i in range(len(sides[0])) for j in range(len(sides[1]))]
        chosen = draw(st.lists(st.sampled_from(cells), unique=True, max_size=5)) if cells else []
        pairs.append((" ".join(sides[0]), " ".join(sides[1])))
        alignments.append([(i, j, draw(st.sampled_from([0.25, 0.5, 0.9, 1.0]))) for i, j in chosen])
    return pairs, alignments


def given_alignments(alignments):
    return [Alignment.of([(i, j) for i, j, _ in links], [score for *_, score in links]) for links in alignments]


def table(made):
    return {(entry.source, entry.target): (entry.forward, entry.reverse, entry.count) for entry in made}


@pytest.mark.parametrize("count", ["links", "posteriors"])
@quick(100)
@given(text=aligned())
def test_counts_and_probabilities_are_those_of_the_oracle(count, text):
    pairs, alignments = text
    made = table(lexicon(pairs, given_alignments(alignments), count=count))
    wanted = naive_lexicon.lexicon(naive_lexicon.counts(pairs, alignments, count == "posteriors"))
    wanted = {words: values for words, values in wanted.items() if values[2] > 2**-24}
    assert made.keys() == wanted.keys()
    for words, values in made.items():
        assert values == pytest.approx(wanted[words], abs=CLOSE)


@quick(100)
@given(text=aligned())
def test_probabilities_sum_to_one_before_anything_is_left_out(text):
    made = lexicon(text[0], given_alignments(text[1]))
    for given_words, probability in ((made.source, made.forward), (made.target, made.reverse)):
        sums = np.bincount(given_words, probability)
        assert sums[np.unique(given_words)] == pytest.approx(1.0, abs=1e-12)


@quick(100)
@given(text=aligned(), words=st.integers(1, 20))
def test_how_the_text_is_cut_makes_no_difference(text, words):
    made = []
    for size in (words, 10**6):
        vocabularies = VocabularyBuilder(), VocabularyBuilder()
        counter = LinkCounter()
        for chunk in read_aligned(text[0], GivenAlignments(given_alignments(text[1])), vocabularies, size):
            counter.add(chunk, expected=True)
        counts = counter.counts(len(vocabularies[0]), len(vocabularies[1]))
        made.append(Lexicon.from_counts(counts, (list(vocabularies[0]), list(vocabularies[1]))))
    assert list(made[0]) == list(made[1])


@quick(100)
@given(text=aligned())
def test_moses_takes_the_word_null_for_null(text):
    pairs, alignments = text
    made = lexicon(pairs, given_alignments(alignments), null_word="NULL")
    lines = [set("".join(moses_blocks(made, way)).splitlines()) for way in ("forward", "reverse")]
    assert lines == list(naive_lexicon.moses(naive_lexicon.counts(pairs, alignments)))


@quick(100)
@given(text=aligned())
def test_exchanging_the_sides_exchanges_the_columns(text):
    there = lexicon(text[0], given_alignments(text[1]))
    turned = [alignment.transposed() for alignment in given_alignments(text[1])]
    back = lexicon([(target, source) for source, target in text[0]], turned)
    assert {(t, s): (b, f, c) for (s, t), (f, b, c) in table(there).items()} == table(back)
    ways = [(entry.target, entry.source) for entry in there.entries("reverse")]
    assert ways == [(entry.source, entry.target) for entry in back.entries("forward")]


@quick(100)
@given(text=aligned(), top=st.integers(1, 3), least=st.sampled_from([0.0, 0.3]), count=st.integers(0, 2))
def test_what_is_kept(text, top, least, count):
    whole = lexicon(text[0], given_alignments(text[1]))
    kept = {}
    for way, place in (("forward", 0), ("reverse", 1)):
        made = whole.pruned(way, top=top, min_probability=least, min_count=count, null=False)
        words = {words: values for words, values in table(whole).items() if None not in words and values[2] >= count}
        wanted = set()
        for word in {each[place] for each in words}:
            ranked = sorted((-values[place], each) for each, values in words.items() if each[place] == word)
            wanted |= {each for p, each in ranked[:top] if -p >= least}
        assert set(table(made)) == wanted
        assert all(table(made)[each] == table(whole)[each] for each in wanted)
        kept[way] = wanted
    both = whole.pruned(top=top, min_probability=least, min_count=count, null=False)
    assert set(table(both)) == kept["forward"] | kept["reverse"]


def test_the_order_is_by_bytes_and_then_the_best_first():
    text = [("b a B é", "x x y z"), ("a", "y"), ("a", "x")], ["0-0 1-1 2-2 3-3", "0-0", "0-0"]
    made = list(lexicon(*text))
    assert [(entry.source, entry.target) for entry in made] == [
        ("B", "y"),
        ("a", "x"),
        ("a", "y"),
        ("b", "x"),
        ("é", "z"),
    ]
    backwards = lexicon(*text).entries("reverse")
    assert [entry.target for entry in backwards] == ["x", "x", "y", "y", "z"]


def test_words_keep_their_case_and_null_is_last():
    made = lexicon([("The the X", "La")], ["1-0"])
    assert [(entry.source, entry.target) for entry in made] == [("The", None), ("X", None), ("the", "La")]
    assert [entry.source for entry in lexicon([("x", "La")], [""])] == ["x", None]


def test_links_may_be_texts_or_lists_or_alignments():
    pairs = [("a b", "x y")]
    wanted = list(lexicon(pairs, [Alignment.of("0-0 1-1")]))
    assert list(lexicon(pairs, ["0-0 1-1"])) == list(lexicon(pairs, [[(0, 0), (1, 1)]])) == wanted
    assert list(lexicon(Bitext(pairs), (each for each in ["0-0 1-1"]))) == wanted
    assert list(lexicon([(["a", "b"], ["x", "y"])], ["0-0 1-1"])) == wanted
    assert list(lexicon(pairs, ["0-0 1-1 1?0"])) == wanted


def test_translations_and_tables():
    made = lexicon([("a b", "x y"), ("a", "y")], ["0-0 1-1", "0-0"])
    assert made.translations("a") == [("x", 0.5), ("y", 0.5)]
    assert made.translations("y", "target") == [("a", 0.5), ("b", 0.5)]
    assert made.translations("z") == []
    assert made.to_dict()["source"] == ["a", "a", "b"]
    assert made.to_dict()["count"] == [1, 1, 1]
    assert lexicon([], []).to_dict() == {"source": [], "target": [], "forward": [], "reverse": [], "count": []}


def test_scores_that_cannot_be_counted():
    pairs = [("a", "x"), ("a", "x")]
    with pytest.raises(InputError, match="the alignments: links have no scores to count"):
        lexicon(pairs, ["0-0:0.5", "0-0"], count="posteriors")
    with pytest.raises(InputError, match="the alignments: a score is not between 0 and 1"):
        lexicon(pairs, [Alignment.of([(0, 0)], [1.5]), ""], count="posteriors")
    with pytest.raises(UsageError, match="count"):
        lexicon(pairs, ["", ""], count="words")


@pytest.mark.parametrize(
    "arguments", [{"top": 0}, {"min_probability": 1.5}, {"min_count": -1}, {"min_count": math.nan}]
)
def test_bounds_that_cannot_be(arguments):
    with pytest.raises(UsageError):
        lexicon([("a", "x")], ["0-0"]).pruned(**arguments)


def test_values_by_key_are_those_of_a_dictionary():
    chance = random.Random(5)
    for together, naive in ((np.add, sum), (np.minimum, min)):
        values, wanted = KeyedValues(together), {}
        for size in (1, 50, 3, 0, 200, 7):
            keys, numbers = ([chance.randrange(40) for _ in range(size)] for _ in range(2))
            values.put(np.array(keys, np.int64), np.array(numbers, np.int64))
            for key, number in zip(keys, numbers, strict=True):
                wanted.setdefault(key, []).append(number)
        keys, found = values.all()
        assert keys.tolist() == sorted(wanted)
        assert found.tolist() == [naive(wanted[key]) for key in sorted(wanted)]


@pytest.fixture(scope="module")
def aligner():
    pairs = [("the house", "la maison"), ("the cat", "le chat"), ("a House", "une maison")]
    return Aligner(model="ibm1", threads=1).fit(pairs)


class TestModels:
    def test_probabilities_are_those_of_the_model(self, aligner, tmp_path):
        aligner.save(tmp_path / "m")
        made = Lexicon.from_model(aligner)
        assert list(made) == list(Lexicon.from_model(tmp_path / "m"))
        assert all(entry.count is None for entry in made)
        for side in ("source", "target"):
            for word in aligner.vocabularies_[side].words:
                found = dict(made.translations(word, side))
                assert {word: found[word] for word, _ in aligner.translations(word, side)} == dict(
                    aligner.translations(word, side)
                )

    def test_null_explains_words_and_nothing_explains_null(self, aligner):
        made = Lexicon.from_model(aligner)
        nulls = [entry for entry in made if None in (entry.source, entry.target)]
        assert all((entry.forward is None) == (entry.target is None) for entry in nulls)
        assert all((entry.reverse is None) == (entry.source is None) for entry in nulls)
        assert sum(entry.forward for entry in nulls if entry.source is None) == pytest.approx(1.0, abs=CLOSE)

    def test_they_sum_to_one(self, aligner):
        made = Lexicon.from_model(aligner)
        for word in made.source_words:
            assert sum(p for other, p in made.translations(word)) == pytest.approx(1.0, abs=CLOSE)

    def test_improbable_pairs_are_left_out(self, aligner):
        made, smaller = Lexicon.from_model(aligner), Lexicon.from_model(aligner, 0.2)
        assert 0 < len(smaller) < len(made)
        assert all(max(entry.forward or 0, entry.reverse or 0) >= 0.2 for entry in smaller)

    def test_there_are_no_counts(self, aligner):
        with pytest.raises(UsageError, match="a model has no counts"):
            Lexicon.from_model(aligner).pruned(min_count=1)
