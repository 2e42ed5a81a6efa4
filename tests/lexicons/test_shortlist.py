"""Shortlists against dictionaries of counts, and vocabularies that text must fit."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from lexicons.test_lexicon import aligned, given_alignments
from oracles import naive_lexicon
from pralign import Alignment, Bitext
from pralign.errors import InputError, UsageError
from pralign.lexicons import shortlist
from pralign.lexicons.shortlists import shortlist_blocks, shortlist_lexicon

PAIRS = [("a b", "x y"), ("a b", "x z"), ("c", "x")]
LINKS = ["0-0 1-1", "0-0 1-1", "0-0"]


@quick(100)
@given(text=aligned(10), best=st.integers(1, 3), first=st.integers(0, 3))
def test_the_best_and_the_frequent_ones_that_are_linked(text, best, first):
    pairs, alignments = text
    frequency = Counter(word for _, target in pairs for word in target.split())
    frequent = sorted(frequency, key=lambda word: (-frequency[word], word))[:first]
    # The word NULL is null to Marian, so it is null here.
    counted = Counter()
    for (source, target), count in naive_lexicon.counts(pairs, alignments).items():
        counted[None if source == "NULL" else source, None if target == "NULL" else target] += count
    wanted = naive_lexicon.shortlist(counted, best, frequent)
    made = [tuple(entry) for entry in shortlist(pairs, given_alignments(alignments), best=best, first=first)]
    assert {(target, source): p for target, source, p in made} == pytest.approx(
        {(target, source): p for target, source, p in wanted}, abs=1e-6
    )
    assert made == sorted(made, key=lambda entry: (entry[1], -entry[2], entry[0]))
    assert not any("NULL" in entry for entry in made)


def test_the_first_of_a_vocabulary_are_kept_where_they_are_linked():
    links = [("b", "x"), ("b", "x"), ("b", "y"), ("b", "z")]
    words = ["b"], ["</s>", "z", "q", "x", "y"]
    made = shortlist(links, ["0-0"] * 4, best=1, first=3, vocabularies=words)
    assert [(entry.target, entry.probability) for entry in made] == [("x", 0.5), ("z", 0.25)]


def test_lines_are_target_source_probability():
    made = shortlist_lexicon(PAIRS, LINKS)
    assert "".join(shortlist_blocks(made)) == "x a 1\ny b 0.5\nz b 0.5\nx c 1\n"


def test_a_word_that_the_vocabulary_lacks_is_named(tmp_path):
    words = ["a", "b", "c"], ["x", "y"]
    message = r"the word 'z' is not in the vocabulary; the text must be cut by the same SentencePiece model"
    with pytest.raises(InputError, match=rf"pair 2, the target side: {message}"):
        list(shortlist(PAIRS, LINKS, vocabularies=words))
    for name, side in (("s", 0), ("t", 1)):
        (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in PAIRS))
    (tmp_path / "b").write_text("".join(f"{source}\t{target}\n" for source, target in PAIRS))
    for files, name in ((("s", "t"), "t"), (("b",), "b")):
        bitext = Bitext.read(*(tmp_path / file for file in files))
        with pytest.raises(InputError, match=rf"/{name}, line 2: {message}"):
            list(shortlist(bitext, LINKS, vocabularies=words))
    with pytest.raises(InputError, match="pair 1, the source side: the word 'b'"):
        list(shortlist(PAIRS, LINKS, vocabularies=(["a"], ["x"])))


def test_unknown_words_may_be_left_out():
    made = shortlist(PAIRS, LINKS, vocabularies=(["a", "b"], ["x", "y"]), allow_unknown=True)
    assert [tuple(entry) for entry in made] == [("x", "a", 1.0), ("y", "b", 0.5)]


@pytest.mark.parametrize("word", ["a b", "a\tb", "\x0b", "a\x0c", "\r"])
def test_words_that_marian_would_read_as_two(word):
    with pytest.raises(InputError, match="holds white space, at which a shortlist file would be cut"):
        list(shortlist([([word], ["x"])], [Alignment.of("0-0")]))
    assert list(shortlist([([word, "b"], ["x"])], [Alignment.of("1-0")]))  # which is not in the list


@pytest.mark.parametrize("arguments", [{"best": 0}, {"first": -1}])
def test_numbers_that_cannot_be(arguments):
    with pytest.raises(UsageError, match="at least 1 best and 0 first"):
        list(shortlist(PAIRS, LINKS, **arguments))
