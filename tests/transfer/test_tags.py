"""Tags that links carry into translations."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.naive_tags import best_runs, faults
from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.text.tokens import Tokens
from pralign.transfer.link_mass import LinkMass
from pralign.transfer.tags import TaggedText, TagKind, TagTransfer

from .tagged import (
    by_characters,
    by_spaces,
    notation,
    random_alignment,
    random_tagged,
    random_text,
    tagged,
)

SEGMENTS = 12_000


def carried(source, target, links, cut=(by_spaces, by_spaces)):
    text = tagged(source)
    words = cut[0](text.text), cut[1](target)
    found = TagTransfer()(text, words, Alignment.of(links))
    assert faults(text, words, found) == []
    return found


# In each block, a name, the source text, the target text, links or a hyphen, and the target text as it should be.
BLOCKS = Path(__file__).with_name("tag_cases.txt").read_text(encoding="utf-8").split("\n\n")
CASES = {name: case for name, *case in (block.removesuffix("\n").split("\n") for block in BLOCKS)}


@pytest.mark.parametrize("name", CASES)
def test_tags_stand_where_they_should(name):
    source, target, links, expected = CASES[name]
    assert notation(carried(source, target, links.removeprefix("-"))) == expected


CHARACTERS = {
    "Japanese": ("I <b>read</b> books<x/>", "本を読む", "0-1 1-2 1-3 2-0", "本<x/>を<b>読む</b>"),
    "Japanese, beside each other": ("<a>read</a> <b>books</b>", "本を読む", "0-2 0-3 1-0", "<b>本</b>を<a>読む</a>"),
    "marks that end where others begin": ("<+1>read<-1> <+2>books<-2>", "本読", "0-1 1-0", "<+2>本<-2><+1>読<-1>"),
}


@pytest.mark.parametrize("name", CHARACTERS)
def test_tags_stand_between_characters_where_these_are_words(name):
    source, target, links, expected = CHARACTERS[name]
    assert notation(carried(source, target, links, (by_spaces, by_characters))) == expected


def test_characters_are_words_on_both_sides():
    cut = (by_characters, by_characters)
    assert notation(carried("<b>中</b><x/>文字", "字文中", "0-2 1-1 2-0", cut)) == "字<x/>文<b>中</b>"


@pytest.mark.parametrize(
    "character", ["e\u0301", "\U0001f1eb\U0001f1f7", "\U0001f469\u200d\U0001f52c", "\u1112\u1161\u11ab"]
)
def test_no_character_is_cut_even_if_words_are(character):
    halves = Tokens(f"{character}x", [(k, k + 1) for k in range(len(character) + 1)])
    source = tagged("<a>b</a> <c>d</c>")
    found = TagTransfer()(source, (by_spaces(source.text), halves), Alignment.of("0-0 1-1"))
    assert {edge.at for edge in found.places()} <= {0, len(character), len(character) + 1}
    assert notation(found).replace(character, "e").count("e") == 1


def test_how_sure_places_are():
    found = carried("<b>a</b> <i>b</i> <x/>c<y/> <u>d</u>", "e f g", "0-0:0.5 1-1:1 2-1:1 2-2:1")
    assert [tag.confidence for tag in found.tags] == [0.5, 0.5, 1.0, 1.0, 0.0]
    assert notation(found) == "<b>e</b> <i>f</i><x/> g<y/><u></u>"


def test_scores_that_are_no_probabilities_do_no_harm():
    for scores in ([float("nan"), 7.0], [-1.0, float("inf")]):
        source = tagged("<b>a</b> <i>b</i>")
        words = by_spaces("a b"), by_spaces("c d")
        found = TagTransfer()(source, words, Alignment.of([(0, 0), (1, 1)], scores))
        assert faults(source, words, found) == []
        assert notation(found) == "c <b></b><i>d</i>"


def test_random_tags_are_all_there_in_a_valid_order():
    random = Random(7)
    spent, kinds = 0.0, dict.fromkeys(["floats", "nests", "unsure", "empty"], 0)
    for _ in range(SEGMENTS):
        words = random_text(random, random.randint(0, 9)), random_text(random, random.randint(0, 9))
        source = random_tagged(random, words[0].text, 7)
        alignment = random_alignment(random, (len(words[0]), len(words[1])))
        before = time.process_time()
        found = TagTransfer()(source, words, alignment)
        spent += time.process_time() - before
        assert faults(source, words, found) == [], (source, words, alignment)
        kinds["floats"] += any(tag.floats for tag in source.tags)
        kinds["nests"] += any(tag.parent >= 0 for tag in source.tags)
        kinds["unsure"] += any(not tag.confidence for tag in found.tags)
        kinds["empty"] += any(tag.start == tag.end and tag.kind is not TagKind.POINT for tag in found.tags)
    assert min(kinds.values()) > SEGMENTS // 20, kinds
    assert SEGMENTS / spent > 1000  # a fifth of what is aimed at, since machines differ


@st.composite
def runs(draw):
    lengths = draw(st.integers(1, 6)), draw(st.integers(1, 7))
    cells = st.tuples(st.integers(0, lengths[0] - 1), st.integers(0, lengths[1] - 1))
    links = sorted(draw(st.sets(cells, max_size=15)))
    scores = draw(st.none() | st.lists(st.sampled_from([0.125, 0.5, 1.0]), min_size=len(links), max_size=len(links)))
    words = tuple(Tokens.joined(["word"] * length) for length in lengths)
    places = sorted(draw(st.tuples(*[st.integers(0, len(words[0].text))] * 2)))
    taken = bytearray(draw(st.lists(st.booleans(), min_size=lengths[1], max_size=lengths[1])))
    return words, Alignment.of(links, scores), places, taken


@settings(max_examples=400, deadline=None)
@given(runs())
def test_the_best_run_is_the_best_of_all(case):
    words, alignment, places, taken = case
    mass = LinkMass(words, alignment)
    covered = mass.covered(*places)
    run = mass.best_run(covered, 0, len(words[1]), taken)
    gain, best = best_runs(covered, alignment, [not is_taken for is_taken in taken])
    if best:
        shortest = min(last - first for first, last in best if last == run.last)
        assert (run.first, run.last) in best
        assert abs(run.gain - gain) < 1e-9
        assert run.last == min(last for _, last in best)
        assert run.last - run.first == shortest
        assert 0 < run.confidence <= 1
    elif run is not None:
        assert run.last == run.first + 1
        assert not taken[run.first]
        assert any((i, run.first) in alignment.links for i, _ in covered)
    else:
        linked = {j for i, j in alignment.links if i in dict(covered)}
        assert all(taken[j] for j in linked)


def test_words_of_another_text_are_refused():
    with pytest.raises(UsageError, match="not those of the text"):
        TagTransfer()(tagged("<b>a</b>"), (by_spaces("b"), by_spaces("c")), Alignment())


def test_links_outside_the_pair_are_refused():
    with pytest.raises(InputError, match="link 0-3"):
        TagTransfer()(tagged("<b>a</b>"), (by_spaces("a"), by_spaces("c")), Alignment.of("0-3"))


ELEMENT, MARKS, POINT = (TagKind.ELEMENT, 0), (TagKind.MARKS, 0), (TagKind.POINT, 0)


@pytest.mark.parametrize(
    ("tags", "edges", "message"),
    [
        ([POINT], [(4, 0, False)], "within the text"),
        ([POINT, POINT], [(2, 0, False), (1, 1, False)], "in order"),
        ([ELEMENT], [(0, 0, False)], "does not end"),
        ([ELEMENT], [(0, 0, True), (0, 0, False)], "before it begins"),
        ([POINT], [(0, 0, False), (0, 0, True)], "or is a point"),
        ([POINT], [(0, 0, False), (0, 0, False)], "begin once"),
        ([POINT], [(0, 1, False)], "there is no tag 1"),
        ([POINT, POINT], [(0, 1, False), (0, 0, False)], "in the order of their numbers"),
        ([ELEMENT, ELEMENT], [(0, 0, False), (1, 1, False), (2, 0, True), (3, 1, True)], "do not overlap"),
    ],
)
def test_tags_that_cannot_be_are_refused(tags, edges, message):
    with pytest.raises(UsageError, match=message):
        TaggedText.of("abc", tags, edges)


def test_marks_nest_unless_they_overlap():
    assert [tag.floats for tag in tagged("<+1>a<+2>b<-2><b>c</b><-1>").tags] == [False, False, False]
    assert [tag.floats for tag in tagged("<+1>a<+2>b<-1>c<-2>").tags] == [True, False]
    assert [tag.floats for tag in tagged("<b><+1>a</b>b<-1>").tags] == [False, True]
    found = tagged("<b><+1>a<i>b<-1></i></b>")
    assert [(tag.floats, tag.parent) for tag in found.tags] == [(False, -1), (True, 0), (False, 0)]
