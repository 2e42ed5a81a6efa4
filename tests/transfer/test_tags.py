"""Tags that links carry into translations."""

from __future__ import annotations

import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.naive_tags import best_runs, faults

from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.text.tokens import Tokens
from pralign.transfer.graphemes import beyond_character
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


CASES = {
    "a word that moves": ("a <b>red</b> car", "une voiture rouge", "0-0 1-2 2-1", "une voiture <b>rouge</b>"),
    "words that become one": ("<b>kick the bucket</b> now", "mourir maintenant", "0-0 1-0 2-0 3-1", "<b>mourir</b> maintenant"),
    "one that becomes several": ("a <b>potato</b> .", "une pomme de terre .", "0-0 1-1 1-2 1-3 2-4", "une <b>pomme de terre</b> ."),
    "what is not linked inside": ("a <b>school bus</b>", "un bus de l' école", "0-0 1-4 2-1", "un <b>bus de l' école</b>"),
    "what is not linked beside": ("<b>dogs</b> bark", "les chiens aboient", "0-1 1-2", "les <b>chiens</b> aboient"),
    "parts that are apart": ("he does <b>not</b> eat", "il ne mange pas", "0-0 2-1 2-3 3-2", "il <b>ne</b> mange pas"),
    "a part of a word": ("<b>un</b>happy people", "gens malheureux", "0-1 1-0", "gens <b>malheureux</b>"),
    "both parts of a word": ("<b>un</b><i>happy</i> people", "gens malheureux", "0-1 1-0", "gens <b></b><i>malheureux</i>"),
    "around everything": ("<b>it rains</b>", "il pleut à verse", "0-0 1-1", "<b>il pleut à verse</b>"),
    "around everything, nested": ("<b><i>it</i> rains</b>", "il pleut ici", "0-0 1-1", "<b><i>il</i> pleut ici</b>"),
    "nested twice around the same": ("see <b><i>this page</i></b>", "voir cette page", "0-0 1-1 2-2", "voir <b><i>cette page</i></b>"),
    "a child whose word has left": ("<b>a <i>c</i> b</b> d", "a b d c", "0-0 2-1 3-2 1-3", "<b>a<i></i> b</b> d c"),
    "siblings that change places": ("<a>one</a> <b>two</b>", "deux un", "0-1 1-0", "<b>deux</b> <a>un</a>"),
    "siblings for one word": ("<a>in</a> <b>the</b> house", "im Haus", "0-0 1-0 2-1", "<a>im</a><b></b> Haus"),
    "what is not linked": ("go <b>right</b> now", "va maintenant", "0-0 2-1", "va<b></b> maintenant"),
    "nothing is linked": ("a <b>b</b> c <x/>d", "e f g h", "", "e <b></b>f g <x/>h"),
    "an empty pair": ("a <b></b>red car", "une voiture rouge", "0-0 1-2 2-1", "une voiture <b></b>rouge"),
    "a pair around space": ("one<b> </b>two", "un deux", "0-0 1-1", "un<b></b> deux"),
    "a pair around a point": ("see <b><x/></b> here", "voir ici", "0-0 1-1", "voir <b><x/></b>ici"),
    "space inside a pair": ("a <b>red </b>car", "une voiture rouge", "0-0 1-2 2-1", "une voiture <b>rouge</b>"),
    "a point before a word": ("the <x/>key fits", "er passt der Schlüssel", "0-2 1-3 2-1", "er passt der <x/>Schlüssel"),
    "a point after a word": ("the key<x/> fits", "er passt der Schlüssel", "0-2 1-3 2-1", "er passt der Schlüssel<x/>"),
    "a point between spaces": ("press <x/> to go", "zum Gehen drücken", "0-2 1-0 2-1", "<x/>zum Gehen drücken"),
    "a point before several words": ("<x/>potato now", "ici pomme de terre", "0-1 0-2 0-3 1-0", "ici <x/>pomme de terre"),
    "a point after several words": ("now potato<x/>", "ici pomme de terre", "1-1 1-2 1-3 0-0", "ici pomme de terre<x/>"),
    "a point inside a word, early": ("a re<x/>ddish car", "une voiture rouge", "0-0 1-2 2-1", "une voiture <x/>rouge"),
    "a point inside a word, late": ("a reddi<x/>sh car", "une voiture rouge", "0-0 1-2 2-1", "une voiture rouge<x/>"),
    "a point whose word is not linked": ("a <x/>b c", "e f", "0-0 2-1", "e<x/> f"),
    "a point inside a pair": ("see <b>the <x/>key</b> .", "la clé voir .", "0-2 1-0 2-1 3-3", "<b>la <x/>clé</b> voir ."),
    "a point that stays out of a pair": ("<x/>b <i>a c</i> d", "a b c d", "0-1 1-0 2-2 3-3", "<i>a</i> <x/>b c d"),
    "a point pushed out of a pair": ("<x/>b <i>a c e f</i> d", "a c b e f d", "0-2 1-0 2-1 3-3 4-4 5-5", "<x/><i>a c b e f</i> d"),
    "a point whose word is in a pair before it": ("<i>in</i> <x/>the house", "im Haus", "0-0 1-0 2-1", "<i>im</i><x/> Haus"),
    "points at the same place": ("a<x/><y/><z/> b", "c d", "0-1 1-0", "c d<x/><y/><z/>"),
    "marks that nest": ("<+1>click <+2>here<-2><-1> now", "jetzt hier klicken", "0-2 1-1 2-0", "jetzt <+1><+2>hier<-2> klicken<-1>"),
    "marks beside each other": ("<+1>ab<-1> <+2>cd<-2>", "cd ab", "0-1 1-0", "<+2>cd<-2> <+1>ab<-1>"),
    "marks that overlap": ("<+1>a <+2>b<-1> c<-2>", "a b c", "0-0 1-1 2-2", "<+1>a <+2>b<-1> c<-2>"),
    "marks that overlap, and move": ("<+1>a <+2>b<-1> c<-2> d", "c b a d", "0-2 1-1 2-0 3-3", "<+2>c <+1>b<-2> a<-1> d"),
    "marks that overlap with an element": ("<b>a <+1>b</b> c<-1> d", "d a b c", "0-1 1-2 2-3 3-0", "d <b>a <+1>b</b> c<-1>"),
    "points inside marks that overlap": ("<+1><x/>a <+2>b<y/><-1> c<z/><-2>", "a b c", "0-0 1-1 2-2", "<+1><x/>a <+2>b<y/><-1> c<z/><-2>"),
    "a verb that is last": ("I <b>have <i>read</i></b> the book", "ich habe das Buch gelesen", "0-0 1-1 2-4 3-2 4-3", "ich <b>habe<i></i></b> das Buch gelesen"),
    "a verb that is last, beside others": ("he <b>gave</b> <i>me</i> <u>that</u>", "er hat mir das gegeben", "0-0 1-1 1-4 2-2 3-3", "er <b>hat</b> <i>mir</i> <u>das</u> gegeben"),
    "Hebrew": ("the <b>red</b> car<x/> .", "המכונית האדומה .", "0-0 1-1 2-0 3-2", "המכונית<x/> <b>האדומה</b> ."),
    "spaces around the target": ("<b>a</b> b", "  c  d ", "0-0 1-1", "  <b>c</b>  d "),
    "scores decide": ("<a>in</a> <b>the</b> house", "im Haus", "0-0:0.2 1-0:0.7 2-1:1", "<a></a><b>im</b> Haus"),
    "no source words": ("<x/>", "c d", "", "<x/>c d"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_tags_stand_where_they_should(name):
    source, target, links, expected = CASES[name]
    assert notation(carried(source, target, links)) == expected


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


@pytest.mark.parametrize("text", ["\U0001f1eb\U0001f1f7\U0001f1e9\U0001f1ea", "x\ud83d\ude00", "a\r\nb", "가\u11a8"])
def test_places_only_move_on_to_the_end_of_a_character(text):
    moved = [beyond_character(text, at) for at in range(len(text) + 1)]
    assert moved == sorted(moved)
    assert all(at <= place for at, place in enumerate(moved))
    assert [beyond_character(text, at) for at in moved] == moved
    assert moved != list(range(len(text) + 1))


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
    begin = time.perf_counter()
    spent, kinds = 0.0, dict.fromkeys(["floats", "nests", "unsure", "empty"], 0)
    for _ in range(SEGMENTS):
        words = random_text(random, random.randint(0, 9)), random_text(random, random.randint(0, 9))
        source = random_tagged(random, words[0].text, 7)
        alignment = random_alignment(random, (len(words[0]), len(words[1])))
        before = time.perf_counter()
        found = TagTransfer()(source, words, alignment)
        spent += time.perf_counter() - before
        assert faults(source, words, found) == [], (source, words, alignment)
        kinds["floats"] += any(tag.floats for tag in source.tags)
        kinds["nests"] += any(tag.parent >= 0 for tag in source.tags)
        kinds["unsure"] += any(not tag.confidence for tag in found.tags)
        kinds["empty"] += any(tag.start == tag.end and tag.kind is not TagKind.POINT for tag in found.tags)
    assert min(kinds.values()) > SEGMENTS // 20, kinds
    assert time.perf_counter() - begin < 60
    assert SEGMENTS / spent > 1000  # a fifth of what is aimed at, since machines are busy at times


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
