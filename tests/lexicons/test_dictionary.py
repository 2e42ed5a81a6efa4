"""Dictionaries: alphabetical, the likeliest translations first, each with the best example."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from pralign import Alignment, Bitext
from pralign.lexicons import Headword, Translation, dictionary, lexicon
from pralign.lexicons.dictionaries import counted_with_examples, dictionary_text, headwords
from pralign.lexicons.examples import ExampleFinder, sentences_at
from pralign.links.aligned import GivenAlignments, read_aligned
from pralign.text.vocabulary import VocabularyBuilder

PAIRS = [
    ("the house", "la maison"),
    ("the house is very red today", "la maison est très rouge ce jour"),
    ("the house is red", "la maison est rouge"),
    ("the house was red", "la maison fut rouge"),
    ("house house house house", "logis logis logis logis"),
]
LINKS = ["0-0 1-1", "0-0 1-1 2-2", "0-0 1-1 2-2 3-3", "0-0 1-1", "0-0"]


def naive_cost(source, target):
    """How good an example is, the less the better."""
    shorter, longer = sorted((len(source.split()), len(target.split())))
    if longer > 20:
        return (2, longer)
    return (1, -shorter) if shorter < 4 else (0, longer)


def test_words_have_their_translations_and_these_an_example():
    found = {word.word: word for word in dictionary(PAIRS, LINKS)}
    assert list(found) == ["house", "is", "red", "the"]
    house = found["house"]
    assert house.count == 8
    assert [(each.word, each.probability, each.count) for each in house.translations] == [
        ("maison", 0.5, 4),
        ("logis", 0.125, 1),
    ]
    assert [each.example for each in house.translations] == [PAIRS[2], PAIRS[4]]
    assert [word.word for word in dictionary(PAIRS, LINKS, direction="reverse")][:2] == ["est", "la"]
    assert list(dictionary(iter(PAIRS), iter(LINKS))) == list(found.values())


def test_what_is_kept():
    assert [len(word.translations) for word in dictionary(PAIRS, LINKS, top=1)] == [1, 1, 1, 1]
    assert [word.word for word in dictionary(PAIRS, LINKS, min_count=2)] == ["house", "is", "the"]
    assert [word.word for word in dictionary(PAIRS, LINKS, min_probability=1.0)] == ["is", "the"]


def test_letters_come_first_whatever_their_case():
    words = "! b a B 7 é A"
    found = dictionary([(words, words)], [" ".join(f"{k}-{k}" for k in range(7))])
    assert [word.word for word in found] == ["A", "a", "B", "b", "é", "!", "7"]


sentences = st.integers(0, 24).flatmap(lambda n: st.lists(st.sampled_from("abc"), min_size=n, max_size=n))


@quick(100)
@given(st.lists(st.tuples(sentences, sentences), max_size=8), st.integers(1, 40), st.randoms(use_true_random=False))
def test_examples_are_the_shortest_sentences_and_of_these_the_first(sides, words, chance):
    pairs = [(" ".join(source), " ".join(target)) for source, target in sides]
    alignments = []
    for source, target in sides:
        cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
        alignments.append(Alignment.of(chance.sample(cells, min(len(cells), 3))))
    finder, built = ExampleFinder(), (VocabularyBuilder(), VocabularyBuilder())
    for chunk in read_aligned(pairs, GivenAlignments(alignments), built, words):
        finder.add(chunk)
    made = lexicon(pairs, alignments)
    numbers = finder.numbers(made, built).tolist()
    for source, target, number in zip(made.source.tolist(), made.target.tolist(), numbers, strict=True):
        linked = [
            (naive_cost(*pairs[k]), k)
            for k, links in enumerate(alignments)
            for i, j in links
            if source < len(made.source_words)
            and target < len(made.target_words)
            and (sides[k][0][i], sides[k][1][j]) == (made.source_words[source], made.target_words[target])
        ]
        assert number == (min(linked)[1] if linked else -1)


def test_sentences_are_read_by_their_numbers():
    pairs = [("a  b", "x"), (["a", "b"], ["y"]), ("c", "z")]
    assert sentences_at(pairs, np.array([1, -1, 0, 1])) == {0: ("a b", "x"), 1: ("a b", "y")}
    assert sentences_at(pairs, np.array([-1])) == {}


def test_headwords_without_examples_or_counts():
    whole, _, _ = counted_with_examples(Bitext(PAIRS), LINKS, "links")
    [first, *_] = headwords(whole, "forward")
    assert first.translations[0].example is None
    assert all(
        translation.word is not None for word in headwords(whole, "forward") for translation in word.translations
    )


def test_the_text():
    word = Headword("h", None, [Translation("m", 0.5, None, None)])
    assert dictionary_text(word) == "h\n 50.0 %  m\n\n"
    word = Headword("h", 12345, [Translation("m", 1.0, 2.5, ("h !", "m !"))])
    assert dictionary_text(word) == "h (12,345)\n100.0 %  m (2.5)\n         h !\n         m !\n\n"
    assert dictionary_text(word, str.upper, str.title).splitlines()[1:3] == ["100.0 %  M (2.5)", "         H !"]
