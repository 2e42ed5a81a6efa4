"""Alignments as tables of characters."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from pralign.links.alignment import Alignment
from pralign.pictures.grid import grid, legend
from pralign.pictures.words import graphemes, unjoined, visible

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
PEACE = "\u05e9\u05dc\u05d5\u05dd"
ISOLATES = re.compile("[\u2068\u2069]")
PAINT = re.compile(r"\x1b\[\d+m")


def cells_of(line):
    """What is in each column of a terminal; the second column of a wide character is empty."""
    found = []
    for part in graphemes(ISOLATES.sub("", line)):
        found += [part] + [""] * (cell_len(part) - 1)
    return found


def read_back(text, labels):
    """The target words as far as they are shown, and the three characters of every cell."""
    words, cells = [], [[] for _ in labels]
    for block in text.split("\n\n"):
        lines = [cells_of(line) for line in block.split("\n")]
        margin = max(map(cell_len, labels)) + 1
        width = max(map(len, lines))
        lines = [line + [" "] * (width + 2 - len(line)) for line in lines]
        header, rows = lines[: -len(labels)], lines[-len(labels) :]
        for start in range(margin, width, 3):
            letters = ["".join(line[start : start + 3]).strip() for line in header]
            words.append("".join(letters))
            for i, row in enumerate(rows):
                assert "".join(row[: margin - 1]).strip() == labels[i]
                cells[i].append("".join(row[start : start + 3]))
    return words, cells


def test_rows_are_source_words_and_columns_target_words():
    links = Alignment.of([(0, 0), (1, 2), (2, 1)])
    assert grid(["a", "red", "car"], ["une", "auto", "roja"], links).split("\n") == [
        "        a  r",
        "     u  u  o",
        "     n  t  j",
        "     e  o  a",
        "  a  █  ·  ·",
        "red  ·  ·  █",
        "car  ·  █  ·",
    ]


def test_brackets_are_the_gold():
    gold = Alignment.of([(0, 0), (1, 1)], possible=[(2, 2), (3, 3)])
    links = Alignment.of([(0, 0), (2, 2), (3, 0)])
    rows = grid(list("abcd"), list("wxyz"), links, gold).split("\n")[1:]
    assert rows == [
        "a [█] ·  ·  ·",
        "b  · [ ] ·  ·",
        "c  ·  · (█) ·",
        "d  █  ·  · ( )",
    ]


@pytest.mark.parametrize(
    ("score", "shade"),
    [
        (-2, "░"),
        (0, "░"),
        (0.24, "░"),
        (0.25, "▒"),
        (0.49, "▒"),
        (0.5, "▓"),
        (0.74, "▓"),
        (0.75, "█"),
        (1, "█"),
        (7, "█"),
    ],
)
def test_shades_are_scores(score, shade):
    assert grid(["a"], ["x"], Alignment.of([(0, 0)], [score])).split("\n")[1] == f"a  {shade}"


TEXT = st.text(st.sampled_from("abé日本" + PEACE + "\u0627\u0301\x1b\u202e" + FAMILY + "한"), min_size=1, max_size=8)
SENTENCE = st.lists(TEXT, min_size=1, max_size=7)


@given(st.data(), SENTENCE, SENTENCE, st.integers(30, 60))
def test_columns_line_up_whatever_the_words(data, source, target, width):
    link = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    links, sure = data.draw(st.sets(link)), data.draw(st.sets(link))
    text = grid(source, target, Alignment.of(links), Alignment.of(sure), width)
    assert all(cell_len(line) <= width for line in text.split("\n"))
    words, cells = read_back(text, [shown_in(word, width // 3) for word in source])
    assert words == [shown_above(word) for word in target]
    for i, row in enumerate(cells):
        for j, cell in enumerate(row):
            middle = "█" if (i, j) in links else " " if (i, j) in sure else "·"
            assert cell == (f"[{middle}]" if (i, j) in sure else f" {middle} ")


def shown_in(word, most):
    text = unjoined(visible(word))
    if cell_len(text) <= most:
        return text
    while cell_len(text) > most - 1:
        text = "".join(graphemes(text)[:-1])
    return text + "…"


def shown_above(word):
    letters = graphemes(unjoined(visible(word)))
    return "".join(letters if len(letters) <= 16 else [*letters[:15], "…"])


def test_a_wide_table_is_split_into_tables_that_fit():
    words = [f"w{k}" for k in range(40)]
    links = Alignment.of([(k, k) for k in range(40)])
    text = grid(words, words, links, width=50)
    assert all(cell_len(line) <= 50 for line in text.split("\n"))
    shown, cells = read_back(text, words)
    assert shown == words
    assert [(i, j) for i, row in enumerate(cells) for j, cell in enumerate(row) if "█" in cell] == list(links.links)
    assert text.count("\n\n") == 2  # 15 columns a table


def test_a_table_too_narrow_for_anything_has_one_column_a_block():
    text = grid(["house"], ["la", "maison"], Alignment.of([(0, 1)]), width=1)
    assert text.split("\n\n") == [
        "      l\n      a\nhou…  ·",
        "      m\n      a\n      i\n      s\n      o\n      n\nhou…  █",
    ]


def test_long_words_are_cut():
    lines = grid(["x" * 50], ["y" * 50], Alignment(), width=60).split("\n")
    assert lines[-1] == "x" * 19 + "…  ·"
    assert [line.strip() for line in lines[:-1]] == ["y"] * 15 + ["…"]


def test_letters_keep_their_marks_and_wide_ones_stay_in_their_columns():
    text = grid(["the", "夏"], ["e\u0301te\u0301", "夏", FAMILY, "x"], Alignment.of([(1, 1)]))
    assert text.split("\n") == [
        "     e\u0301",
        "     t",
        f"     e\u0301 夏 {FAMILY}  x",
        "the  ·  ·  ·  ·",
        " 夏  ·  █  ·  ·",
    ]


def test_words_from_right_to_left_do_not_turn_the_table():
    lines = grid([PEACE], [PEACE, "\u202eabc"], Alignment.of([(0, 0)])).split("\n")
    assert lines[-1] == f"\u2068{PEACE}\u2069  █  ·"
    assert lines[1:4] == [
        f"      \u2068{PEACE[1]}\u2069  a",
        f"      \u2068{PEACE[2]}\u2069  b",
        f"      \u2068{PEACE[3]}\u2069  c",
    ]
    assert "\u202e" not in "".join(lines)


def test_a_word_cannot_send_codes_to_the_terminal():
    assert "\x1b" not in grid(["\x1b[2J"], ["\x1b[2J", "\x9b2J"], Alignment())


def test_nothing_to_show():
    assert grid([], [], Alignment()) == grid(["a"], [], Alignment()) == grid([], ["x"], Alignment()) == ""


def test_colours_change_nothing_but_colours():
    source, target = ["a", "b"], ["x", "y"]
    links = Alignment.of([(0, 0), (1, 0)], scores=[0.9, 0.1])
    gold = Alignment.of([(0, 0), (1, 1)], possible=[(0, 1)])
    for alignment in (links, Alignment.of(links.links)):
        for other in (None, gold):
            plain = grid(source, target, alignment, other)
            painted = grid(source, target, alignment, other, colour=True)
            lines = [PAINT.sub("", line).rstrip() for line in painted.split("\n")]
            assert lines == plain.split("\n")
            assert "\x1b" not in plain
    judged = grid(source, target, links, gold, colour=True).split("\n")
    assert judged[1] == "a \x1b[32m[█]\x1b[0m\x1b[2m( )\x1b[0m"
    assert judged[2] == "b \x1b[31m ░ \x1b[0m\x1b[33m[ ]\x1b[0m"
    by_score = grid(source, target, links, colour=True).split("\n")
    assert by_score[1].startswith("a \x1b[32m █ ")
    assert by_score[2].startswith("b \x1b[31m ░ ")
    assert grid(["a"], ["x"], Alignment.of([(0, 0)]), colour=True).split("\n")[1] == "a  █"


def test_the_legend_explains_what_there_is():
    assert legend(gold=False, scores=False) == "█ link"
    assert "wrong" not in legend(gold=False, scores=True)
    assert "below" not in legend(gold=True, scores=False)
    both = legend(gold=True, scores=True)
    assert all(sign in both for sign in ("[█]", "(█)", "[ ]", "( )", "░", "▒", "▓"))
    assert PAINT.sub("", legend(gold=True, scores=True, colour=True)) == both
    assert "green" in legend(gold=False, scores=True, colour=True)
    assert all(cell_len(line) <= 40 for line in legend(gold=True, scores=True, width=40).split("\n"))


def test_words_may_have_numbers():
    links = Alignment.of([(0, 0), (1, 2), (2, 1)])
    assert grid(["a", "red", "car"], ["une", "auto", "roja"], links, first=0).split("\n") == [
        "          a  r",
        "       u  u  o",
        "       n  t  j",
        "       e  o  a",
        "       0  1  2",
        "0   a  █  ·  ·",
        "1 red  ·  ·  █",
        "2 car  ·  █  ·",
    ]


def test_numbers_of_many_words_keep_apart():
    words = ["x"] * 120
    text = grid(words, words, Alignment.of([(k, k) for k in range(120)]), width=60, first=1)
    assert all(cell_len(line) <= 60 for line in text.split("\n"))
    numbers = [line.split() for line in text.split("\n") if "x" not in line and line.strip()]
    assert [number for line in numbers for number in line] == [str(k) for k in range(1, 121)]
    rows = [line for line in text.split("\n") if re.match(r" *\d+ x ", line)]
    assert [int(line.split()[0]) for line in rows[:120]] == list(range(1, 121))
