"""Alignments as lines to read."""

from __future__ import annotations

import pytest

from pralign.links.alignment import Alignment
from pralign.report.interlinear import interlinear


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
