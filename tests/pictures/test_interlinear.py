"""Alignments as lines to read."""

from __future__ import annotations

import re

import pytest

from pralign.links.alignment import Alignment
from pralign.pictures.interlinear import interlinear, link_colours


def lines(source, target, links, **options):
    return interlinear(source.split(), target.split(), Alignment.of(links), **options).split("\n")


def test_each_word_stands_above_its_translation():
    assert lines("a red car", "une voiture rouge", [(0, 0), (1, 2), (2, 1)]) == [
        "a    red    car",
        "une  rouge  voiture",
    ]


def test_several_translations_stand_side_by_side():
    assert lines("not yet", "ne pas encore", [(0, 0), (0, 1), (1, 2)]) == ["not     yet", "ne pas  encore"]
    assert lines("take off", "enlever", [(0, 0), (1, 0)]) == ["take     off", "enlever  enlever"]


def test_words_without_a_link_are_shown():
    assert lines("it is raining", "il pleut fort", [(0, 0), (2, 1)]) == [
        "it  is  raining",
        "il  ·   pleut",
        "(no link: fort)",
    ]
    assert lines("so", "x y", []) == ["so", "·", "(no link: x y)"]


def test_long_sentences_are_wrapped():
    words = " ".join(f"word{k}" for k in range(30))
    shown = lines(words, words, [(k, k) for k in range(30)], width=40)
    assert all(len(line) <= 40 for line in shown)
    assert " ".join(shown[0::3]).split() == words.split()
    assert shown[0::3] == shown[1::3]
    assert set(shown[2::3]) == {""}
    assert len(shown) == 3 * 6 - 1  # five words a row


def test_a_word_wider_than_the_page_has_a_row_of_its_own():
    shown = lines("a incomprehensibilities b", "x y z", [(0, 0), (1, 1), (2, 2)], width=10)
    assert shown == ["a", "x", "", "incomprehensibilities", "y", "", "b", "z"]


def test_unlinked_target_words_come_once_at_the_end():
    words = " ".join("abcdefghij")
    shown = lines(words, words, [], width=12)
    assert [line for line in shown if "no link" in line] == [f"(no link: {words})"]
    assert shown[-1].startswith("(no link")


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("既然 x", "since y", ["既然   x", "since  y"]),  # each of these letters takes two columns
        ("since y", "既然 x", ["since  y", "既然   x"]),
        ("e\u0301te\u0301 x", "summer y", ["e\u0301te\u0301     x", "summer  y"]),  # a combining accent takes none
        ("\uff46\uff55 x", "abc y", ["\uff46\uff55  x", "abc   y"]),  # full-width letters
    ],
)
def test_columns_line_up_for_wide_and_combining_characters(source, target, expected):
    assert lines(source, target, [(0, 0), (1, 1)]) == expected


def test_wide_characters_are_wrapped_by_their_width():
    shown = lines("既既既 既既既 既既既", "a b c", [(0, 0), (1, 1), (2, 2)], width=16)
    assert shown == ["既既既  既既既", "a       b", "", "既既既", "c"]


def test_nothing_to_show():
    assert lines("", "", []) == ["", ""]
    assert lines("", "x", []) == ["", "", "(no link: x)"]


GOLD = Alignment.of([(0, 0), (1, 1)], possible=[(2, 1)])


def test_missed_links_are_listed_where_there_is_a_gold():
    assert lines(
        "the old house", "la maison vieille", [(0, 0), (2, 1)], gold=Alignment.of([(0, 0), (1, 2), (2, 1)])
    ) == [
        "the  old  house",
        "la   ·    maison",
        "(no link: vieille)",
        "(missed: old-vieille)",
    ]
    assert lines("so what", "x y", [(0, 0), (1, 1)], gold=GOLD) == ["so  what", "x   y"]


def test_merely_possible_links_are_not_missed():
    assert lines("a b c", "x y", [(0, 0), (1, 1)], gold=GOLD)[-1] != "(missed: c-y)"


def test_with_a_gold_links_are_green_or_red():
    shown = lines("a b c", "x y z", [(0, 0), (0, 2), (2, 1)], gold=GOLD, colour=True)
    assert shown == [
        "a    b  c",
        "\x1b[32mx\x1b[0m \x1b[31mz\x1b[0m  \x1b[2m·\x1b[0m  \x1b[32my\x1b[0m",
        "\x1b[33m(missed: b-y)\x1b[0m",
    ]


def test_without_a_gold_the_score_decides():
    scores = [0.95, 0.8, 0.79, 0.4, 0.39, -1.0]
    links = [(k, k) for k in range(6)]
    shown = interlinear(list("abcdef"), list("uvwxyz"), Alignment.of(links, scores), colour=True).split("\n")[1]
    assert re.findall(r"\x1b\[(\d+)m(\w)", shown) == [
        ("32", "u"),
        ("32", "v"),
        ("33", "w"),
        ("33", "x"),
        ("31", "y"),
        ("31", "z"),
    ]
    assert link_colours(Alignment.of(links)) == {}


def test_without_scores_only_words_without_links_are_dimmed():
    assert lines("a b", "x y", [(0, 0)], colour=True) == ["a  b", "x  \x1b[2m·\x1b[0m", "\x1b[2m(no link: y)\x1b[0m"]


def test_colours_do_not_change_the_layout():
    words = " ".join(f"word{k}" for k in range(30))
    links = [(k, (7 * k) % 30) for k in range(0, 30, 2)]
    plain = lines(words, words, links, width=40, gold=GOLD)
    painted = lines(words, words, links, width=40, gold=GOLD, colour=True)
    assert [re.sub(r"\x1b\[\d+m", "", line) for line in painted] == plain


def test_words_can_neither_turn_a_line_nor_send_codes():
    peace = "\u05e9\u05dc\u05d5\u05dd"
    shown = lines(f"{peace} \x1b[2J b\u202e", f"x y {peace}", [(0, 0), (1, 1), (2, 2)])
    assert shown == [f"\u2068{peace}\u2069  ␛[2J  b", f"x     y     \u2068{peace}\u2069"]


def test_words_may_have_numbers():
    gold = Alignment.of([(0, 0), (1, 2)])
    shown = lines("a red car", "une voiture bien rouge", [(0, 0), (2, 0), (2, 1)], first=1, gold=gold)
    assert shown == [
        "1    2    3",
        "a    red  car",
        "une  ·    une voiture",
        "1         1 2",
        "(no link: bien 3, rouge 4)",
        "(missed: red-bien 2-3)",
    ]


def test_numbers_are_dim_and_take_no_room():
    shown = lines("a red", "une rouge", [(0, 0), (1, 1)], first=0, colour=True)
    plain = [re.sub(r"\x1b\[\d+m", "", line) for line in shown]
    assert plain == ["0    1", "a    red", "une  rouge", "0    1"]
    assert shown[0].startswith("\x1b[2m0\x1b[0m")
