"""Words made fit to be shown."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from pralign.pictures.words import (
    columns,
    for_terminal,
    graphemes,
    isolated,
    painted,
    runs_leftwards,
    shortened,
    unjoined,
    visible,
)

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
HEART = "\u2764\ufe0f"
THUMB = "\U0001f44d\U0001f3fd"
FLAG = "\U0001f1eb\U0001f1f7"
PEACE = "\u05e9\u05dc\u05d5\u05dd"  # read from right to left
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
DIRECTIONS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

words = st.text(min_size=1, max_size=12)


@pytest.mark.parametrize(
    "word",
    [
        "maison",
        "été",
        "e\u0301te\u0301",
        "10\u00a0000",
        PEACE,
        "日本語",
        "Привет",
        "<b>&",
        FAMILY,
        HEART,
        THUMB,
        FLAG,
        SCOTLAND,
    ],
)
def test_what_can_be_seen_stays_as_it_is(word):
    assert visible(word) == word


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("a\x1b[31mb", "a␛[31mb"),
        ("\x00\t\r\n", "␀␉␍␊"),
        ("a\x7fb", "a␡b"),
        ("a\x9b31mb", "a\ufffd31mb"),  # an escape sequence in a single character
        ("a\u2028b\u2029c", "a␤b␤c"),
        ("a\ufffeb", "a\ufffdb"),
        ("a\ud800b", "a\ufffdb"),
        (f"a{DIRECTIONS}b", "ab"),
        ("Donau\u00addampf", "Donaudampf"),
        ("a\u200bb\u2060c\ufeff", "abc"),
        ("\u0301a", "\u25cc\u0301a"),
        ("\u200d\u0301", "\u25cc\u0301"),
        ("\u1161a", "\u25cc\u1161a"),  # the vowel of a syllable without its consonant
    ],
)
def test_what_would_do_harm_is_replaced(word, shown):
    assert visible(word) == shown


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("\u200f", "U+200F"),
        ("\u202e\u200b", "U+202E,U+200B"),
        ("\u3000", "U+3000"),
        ("\u00a0", "U+00A0"),
        ("\ufe0f", "U+FE0F"),
        ("\u2800", "U+2800"),
        ("\u1161", "U+1161"),
        ("\U000e0041", "U+E0041"),
    ],
)
def test_a_word_of_which_nothing_is_seen_becomes_its_code_points(word, shown):
    assert visible(word) == shown


@given(words)
def test_nothing_visible_controls_a_terminal_or_turns_a_line(word):
    shown = visible(word)
    assert columns(shown) > 0
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in shown)
    assert not set(shown) & set(DIRECTIONS)
    assert unicodedata.category(shown[0]) not in ("Mn", "Me", "Mc")


def test_marks_that_order_the_letters_of_a_word_are_kept():
    assert visible("a\u200fb") == "a\u200fb"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("abc", ["a", "b", "c"]),
        ("e\u0301te\u0301", ["e\u0301", "t", "e\u0301"]),
        (f"a{FAMILY}b", ["a", FAMILY, "b"]),
        (f"{HEART}{THUMB}{FLAG}{FLAG}{SCOTLAND}", [HEART, THUMB, FLAG, FLAG, SCOTLAND]),
        ("हिन्दी", ["हि", "न्", "दी"]),
        ("\u1112\u1161\u11ab글", ["\u1112\u1161\u11ab", "글"]),
        ("a\u200db", ["a\u200d", "b"]),
    ],
)
def test_graphemes_are_what_people_call_characters(text, parts):
    assert graphemes(text) == parts


@given(words)
def test_graphemes_are_the_text_in_parts(text):
    assert "".join(graphemes(text)) == text
    assert all(graphemes(text))


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("maison", 6, "maison"),
        ("maison", 5, "mais…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),  # half a character cannot be shown
        ("e\u0301te\u0301s", 3, "e\u0301t…"),
        (f"{FAMILY}{FAMILY}", 3, f"{FAMILY}…"),
        ("maison", 1, "…"),
    ],
)
def test_long_texts_are_cut_between_characters(text, most, shown):
    assert shortened(text, most) == shown


@given(words, st.integers(1, 10))
def test_a_word_for_the_terminal_is_no_wider_than_asked(word, most):
    assert 0 < cell_len(for_terminal(word, most)) <= most


def test_words_from_right_to_left_are_kept_apart():
    assert [isolated(word) for word in ("house", PEACE, "عربي", "٣", "日本")] == [
        "house",
        f"\u2068{PEACE}\u2069",
        "\u2068عربي\u2069",
        "\u2068٣\u2069",
        "日本",
    ]
    assert for_terminal(PEACE, 3) == f"\u2068{PEACE[:2]}…\u2069"
    assert for_terminal(f"\u2069\u2069{PEACE}") == f"\u2068{PEACE}\u2069"
    assert cell_len(for_terminal(PEACE)) == columns(for_terminal(PEACE)) == 4
    assert runs_leftwards("a\u200f")
    assert not runs_leftwards("a\u200e")


def test_joiners_stay_within_emoji_only():
    assert unjoined(f"a\u200db{FAMILY}") == f"ab{FAMILY}"
    rainbow = "\U0001f3f3\ufe0f\u200d\U0001f308"
    assert unjoined(rainbow) == rainbow
    assert unjoined("a\u200d") == unjoined("a") == "a"


def test_paint_only_where_there_is_something_to_paint():
    assert painted("x", "green") == "\x1b[32mx\x1b[0m"
    assert painted("x", None) == "x"
    assert painted("", "red") == ""
