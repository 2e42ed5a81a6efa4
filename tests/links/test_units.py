"""Alignments over words, characters and pieces: there and back, beside sets of characters."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.units import naive_converted, naive_overlaps
from piece_models import HUGGING_FACE, SENTENCE_PIECE, SENTENCES
from pralign.errors import InputError, UsageError
from pralign.links import units as module
from pralign.links.alignment import Alignment
from pralign.links.units import BY_TOKENS, UNITS, Units, converted, overlaps, placed
from pralign.text.pieces import Pieces, read_piece_model
from pralign.text.tokenizers import TOKENIZERS, Tokenizer
from pralign.text.tokens import Tokens, word_spans
from scripts import ANY_TEXT, WORDS

MODELS = [*SENTENCE_PIECE, *HUGGING_FACE]
KNOWN = st.lists(st.sampled_from([*" ".join(SENTENCES).split(), *WORDS]), max_size=8).map(" ".join)
CHARACTERS = Units("characters")


@pytest.fixture(scope="session")
def models(piece_models):
    """All models, opened."""
    pytest.importorskip("sentencepiece")
    pytest.importorskip("tokenizers")
    return {name: read_piece_model(path) for name, path in piece_models.items()}


@st.composite
def alignments(draw, rows, columns):
    """Links of a pair of so many words, with scores or without, some of them possible only."""
    cells = [(i, j) for i in range(rows) for j in range(columns)]
    links = draw(st.lists(st.sampled_from(cells), unique=True, max_size=12)) if cells else []
    possible = frozenset(link for link in links if draw(st.booleans()))
    scores = draw(st.none() | st.lists(st.integers(0, 4).map(float), min_size=len(links), max_size=len(links)))
    return Alignment.of(links, scores, possible)


@st.composite
def pairs(draw, text=ANY_TEXT):
    """A pair, cut into words in one way or the other, and an alignment of it."""
    sides = [Tokenizer(draw(st.sampled_from(list(TOKENIZERS))))(draw(text)) for _ in range(2)]
    return draw(alignments(len(sides[0]), len(sides[1]))), *sides


def described(alignment):
    scores = alignment.scores or (1.0,) * len(alignment)
    return {link: (score, link in alignment.possible) for link, score in zip(alignment.links, scores, strict=True)}


def back(alignment, words, over):
    """What has been converted, over words again."""
    return converted(alignment, (over[0], words[0].spans), (over[1], words[1].spans))


# There and back


@given(pair=pairs())
@settings(deadline=None)
def test_links_over_characters_are_the_same_links_over_words(pair):
    alignment, *sides = pair
    over = CHARACTERS.converted(alignment, *sides)
    spans = [CHARACTERS.of(words, side).spans for side, words in enumerate(sides)]
    assert back(over, sides, spans) == alignment


@given(pair=pairs())
@settings(deadline=None)
def test_links_over_words_are_those_of_what_is_inside(pair):
    alignment, *sides = pair
    over = Units("words").converted(alignment, *sides)
    spans = [Units("words").of(words, side).spans for side, words in enumerate(sides)]
    inside = [
        [
            next(k for k, (start, end) in enumerate(spans[side]) if start <= place[0] < place[1] <= end)
            for place in words.spans
        ]
        for side, words in enumerate(sides)
    ]
    assert set(over.links) == {(inside[0][i], inside[1][j]) for i, j in alignment}
    assert set(alignment.links) <= set(back(over, sides, spans).links)
    through = CHARACTERS.converted(alignment, *sides)
    characters = [CHARACTERS.of(words, side).spans for side, words in enumerate(sides)]
    assert converted(through, (characters[0], spans[0]), (characters[1], spans[1])) == over


@given(pair=pairs())
@settings(deadline=None)
def test_by_spaces_links_over_words_are_those_that_were_given(pair):
    alignment, *sides = pair
    texts = [words.text for words in sides]
    by_spaces = Alignment.unchecked(
        {(i, j) for i, j in alignment if i < len(word_spans(texts[0])) and j < len(word_spans(texts[1]))}
    )
    assert Units("words").converted(by_spaces, *texts) == by_spaces


@pytest.mark.parametrize("name", MODELS)
@given(pair=pairs(st.one_of(ANY_TEXT, KNOWN)))
@settings(deadline=None)
def test_links_over_pieces_join_all_that_share_characters_and_nothing_else(models, name, pair):
    alignment, *sides = pair
    units = Units("pieces", (models[name], models[name]))
    found = [units.of(words, side) for side, words in enumerate(sides)]
    over = units.converted(alignment, *sides)
    for a, b in over:
        for k, side in ((a, 0), (b, 1)):
            assert found[side].names[k].strip("\u2581")
            assert sides[side].text[slice(*found[side].spans[k])].strip()
    arguments = [(words.spans, units_of.spans) for words, units_of in zip(sides, found, strict=True)]
    assert described(over) == naive_converted(described(alignment), *arguments)
    covered = [
        {k for k, place in enumerate(words.spans) if naive_overlaps([place], units_of.spans)[0]}
        for words, units_of in zip(sides, found, strict=True)
    ]
    kept = {(i, j) for i, j in alignment if i in covered[0] and j in covered[1]}
    assert kept <= set(back(over, sides, [units_of.spans for units_of in found]).links)


@pytest.mark.parametrize("name", MODELS)
@given(text=st.lists(st.sampled_from(" ".join(SENTENCES).split()), min_size=1, max_size=8).map(" ".join))
@settings(deadline=None)
def test_words_of_the_language_of_a_model_are_never_lost(models, name, text):
    units = Units("pieces", (models[name], models[name]))
    words = Tokenizer("unicode")(text)
    diagonal = Alignment.of([(k, k) for k in range(len(words))])
    over = units.converted(diagonal, words, words)
    assert {i for i, _ in over} == {k for k, (start, end) in enumerate(units.of(words, 0).spans) if start < end}
    assert set(diagonal.links) <= set(back(over, (words, words), [units.of(words, 0).spans] * 2).links)


# Beside the oracle


@st.composite
def placements(draw, most=12):
    """Spans in order, as pieces have them: some empty, some at the same characters."""
    spans, start, end = [], 0, 0
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(start, most))
        if draw(st.booleans()):
            end = draw(st.integers(max(start, end), most))
            spans.append((start, end))
        else:
            spans.append((start, start))
    return spans


@given(units=placements(), others=placements())
def test_overlaps_are_those_of_sets_of_characters(units, others):
    assert overlaps(units, others) == naive_overlaps(units, others)


@given(data=st.data(), spans=st.tuples(placements(), placements(), placements(), placements()))
def test_alignments_over_any_units_are_those_of_the_oracle(data, spans):
    alignment = data.draw(alignments(len(spans[0]), len(spans[2])))
    over = converted(alignment, spans[:2], spans[2:])
    assert described(over) == naive_converted(described(alignment), spans[:2], spans[2:])
    assert (over.scores is None) == (alignment.scores is None)
    assert list(over.links) == sorted(over.links)
    assert over.possible <= set(over.links)
    flipped = converted(alignment.transposed(), spans[2:], spans[:2])
    assert flipped == over.transposed()


def test_the_highest_score_is_kept_and_links_are_possible_only_if_all_are():
    words, one = [(0, 2), (2, 4)], [(0, 4)]
    alignment = Alignment.of([(0, 0), (1, 1), (0, 1)], [0.25, 0.75, 0.5], [(0, 0), (1, 1)])
    assert converted(alignment, (words, one), (words, one)) == Alignment(((0, 0),), (0.75,))
    assert converted(alignment, (words, words), (words, one)) == Alignment(
        ((0, 0), (1, 0)), (0.5, 0.75), frozenset({(1, 0)})
    )
    assert converted(Alignment.of("0?0"), (words, one), (words, one)) == Alignment.of("0?0")


# What units are


def test_what_units_are_called():
    words = Tokens("Il  pleut.", [(0, 2), (4, 9), (9, 10)])
    assert BY_TOKENS.of(words, 0) == (words, words.spans)
    assert Units("words").of(words, 0) == (["Il", "pleut."], [(0, 2), (4, 10)])
    names, spans = CHARACTERS.of(words, 0)
    assert (list(names), len(spans)) == (list("Il  pleut."), 10)
    assert spans[1:5] == [(1, 2), (2, 2), (3, 3), (4, 5)]


def test_tokens_stay_as_they_are():
    alignment = Alignment.of("0-7")
    assert BY_TOKENS.converted(alignment, "a", "b") is alignment


def test_spaces_are_never_linked_even_within_a_word():
    pair = ["10 000", "\u00a0"], "x\u00a0y"
    assert str(CHARACTERS.converted(Alignment.of("0-0"), *pair)) == " ".join(
        f"{i}-{j}" for i in (0, 1, 3, 4, 5) for j in range(3)
    )
    assert str(CHARACTERS.converted(Alignment.of("1-0"), *pair)) == "7-0 7-1 7-2"
    assert str(Units("words").converted(Alignment.of("0-0"), *pair)) == "0-0 1-0"


def test_words_without_characters_have_no_links():
    for name in ("words", "characters"):
        assert Units(name).converted(Alignment.of("0-0 1-0"), ["", " "], "a") == Alignment()
    assert placed(["a", "", "b"]).spans == ((0, 1), (2, 2), (3, 4))


def test_pieces_of_each_side_are_those_of_its_model():
    def whole(text):
        return Pieces([text], [(0, len(text))])

    def letters(text):
        return Pieces(list(text), [(k, k + 1) for k in range(len(text))])

    units = Units("pieces", (whole, letters))
    assert units.of("ab", 0).names == ["ab"]
    assert units.of("ab", 1).names == ["a", "b"]
    assert str(units.converted(Alignment.of("1-1"), "ab cd", "ef gh")) == "0-3 0-4"


def test_text_that_is_given_as_words_is_cut_as_if_it_were_joined(models):
    units = Units("pieces", (models["bpe"], models["bert"]))
    alignment = Alignment.of("0-0 1-1 2-2")
    words = ["the", "cat", "sleeps"]
    assert units.converted(alignment, words, tuple(words)) == units.converted(alignment, *[" ".join(words)] * 2)


@pytest.mark.parametrize("name", [name for name in UNITS if name not in ("tokens", "pieces")])
def test_links_to_words_that_are_not_there(name):
    with pytest.raises(InputError, match=r"link 0-2 .* lies outside a pair of 1 source and 2 target words"):
        Units(name).converted(Alignment.of("0-0 0-2"), "a", "b c")


def test_too_many_links_are_refused(monkeypatch):
    assert len(CHARACTERS.converted(Alignment.of("0-0"), "x" * 500, "y" * 500)) == 250_000
    monkeypatch.setattr(module, "_MOST_LINKS", 99)
    assert len(CHARACTERS.converted(Alignment.of("0-0"), "x" * 9, "y" * 11)) == 99
    with pytest.raises(InputError, match="over 99 links of one pair; let the text be cut into shorter words"):
        CHARACTERS.converted(Alignment.of("0-0"), "x" * 10, "y" * 10)
    monkeypatch.undo()
    with pytest.raises(InputError, match="over 16,777,216 links"):
        CHARACTERS.converted(Alignment.of("0-0"), "x" * 10_000, "y" * 10_000)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sentences",), "units are tokens, words, characters, pieces, not sentences"),
        (("pieces",), "give two models"),
        (("words", (str, str)), "give two models"),
    ],
)
def test_units_that_cannot_be(arguments, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        Units(*arguments)
