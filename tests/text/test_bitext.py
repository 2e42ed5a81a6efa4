"""Parallel text from pairs, from two files and from one."""

from __future__ import annotations

import io
import os
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign.errors import InputError, UsageError
from pralign.text.bitext import Bitext
from pralign.text.pairing import UnequalLinesError, paired

EXOTIC = "\r\x0b\x0c\x1c\x85\xa0\u2028\u3000"
SENTENCE = st.lists(st.sampled_from("ab |" + EXOTIC), max_size=6).map("".join)


def file(folder, name, text):
    (folder / name).write_bytes(text.encode())
    return folder / name


# Pairs in memory


def test_pairs_are_kept_as_they_are_and_can_be_read_again():
    pairs = [("the house", "la maison"), (["a", "b c"], ["x"]), ("", "")]
    bitext = Bitext(iter(pairs))
    assert list(bitext) == pairs
    assert list(bitext) == pairs
    assert list(zip(bitext, bitext, strict=True)) == list(zip(pairs, pairs, strict=True))


def test_pairs_have_a_name_for_messages(tmp_path):
    assert Bitext([]).name == "the pairs given"
    assert Bitext.read("a", "b").name == "a and b"
    assert Bitext.read("-").name == "standard input"


# Two files


@settings(deadline=None)
@given(pairs=st.lists(st.tuples(SENTENCE, SENTENCE), max_size=6), final=st.booleans())
def test_two_files_pair_line_by_line(tmp_path_factory, pairs, final):
    folder = tmp_path_factory.mktemp("pairs")
    if pairs and not final and (not all(pairs[-1]) or any("\r" in side for side in pairs[-1])):
        final = True  # without a line end, an empty last line is no line, and a carriage return may be one
    sides = ["\n".join(side) + "\n" * (final and bool(pairs)) for side in zip(*pairs, strict=True)] or ["", ""]
    bitext = Bitext.read(file(folder, "s", sides[0]), file(folder, "t", sides[1]))
    # A carriage return at the end of a line belongs to the line end.
    expected = [(source.removesuffix("\r"), target.removesuffix("\r")) for source, target in pairs]
    assert list(bitext) == expected
    assert list(bitext) == expected


def test_files_are_read_as_needed(tmp_path):
    source, target = file(tmp_path, "s", "a\nb\n"), file(tmp_path, "t", "x\n")
    pairs = iter(Bitext.read(source, target))
    assert next(pairs) == ("a", "x")
    with pytest.raises(UnequalLinesError):
        next(pairs)


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("a\n" * 3, "x\n" * 5, "s has 3 lines, t 5; line n of one has to translate line n of the other, so add"),
        ("a\n" * 5, "x\n" * 3, "s has 5 lines, t 3; line n of one has to translate line n of the other, so add"),
        ("a\n", "", "s has 1 line, t 0; t is empty"),
        ("", "x", "s has 0 lines, t 1; s is empty"),
        ("a\n\n", "x\n", "s has 2 lines, t 1; the last line is blank in s; remove it"),
        ("a\n\n \n", "x\n", "s has 3 lines, t 1; the last 2 lines are blank in s; remove them"),
        ("a\n\nb\n", "x\ny\n", "s has 3 lines, t 2; s has 1 blank line more"),
        ("a\u2028b\n", "x\ny\n", "s has 1 line, t 2; inside its lines, s has 1 separator such as U+2028"),
    ],
)
def test_files_of_different_length_are_refused_with_both_lengths(tmp_path, monkeypatch, source, target, message):
    monkeypatch.chdir(tmp_path)
    file(tmp_path, "s", source)
    file(tmp_path, "t", target)
    with pytest.raises(UnequalLinesError) as caught:
        list(Bitext.read("s", "t"))
    assert str(caught.value).startswith(message)


def test_pairing_counts_the_rest_of_the_longer_input():
    with pytest.raises(UnequalLinesError) as caught:
        list(paired("abcd", iter("xy"), ("l", "r")))
    assert (caught.value.left, caught.value.right) == (4, 2)
    with pytest.raises(UnequalLinesError) as caught:
        list(paired(iter("a"), "xyz", ("l", "r")))
    assert (caught.value.left, caught.value.right) == (1, 3)
    assert list(paired("ab", "xy", ("l", "r"))) == [("a", "x"), ("b", "y")]
    assert list(paired("", "", ("l", "r"))) == []


# One file


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a b\tx y\n", [("a b", "x y")]),
        ("a\tx\tand more\n\tx\na\t\n", [("a", "x"), ("", "x"), ("a", "")]),
        ("\n\t\na\tx", [("", ""), ("", ""), ("a", "x")]),
        ("a ||| b\tx ||| y\n", [("a ||| b", "x ||| y")]),
        ("a\u2028b\tx\x0cy\r\n", [("a\u2028b", "x\x0cy")]),
    ],
)
@pytest.mark.parametrize("name", ["pairs.tsv", "pairs"])
def test_tab_separated_columns(tmp_path, text, pairs, name):
    assert list(Bitext.read(file(tmp_path, name, text))) == pairs


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a b ||| x y\n", [("a b", "x y")]),
        ("||| x\na |||\n|||\n \n", [("", "x"), ("a", ""), ("", ""), ("", "")]),
        ("a||| b ||| c|||d\n", [("a||| b", "c|||d")]),
        ("a ||| x\nb\tc ||| y\n", [("a", "x"), ("b\tc", "y")]),
        ("a\u2028b ||| x\xa0y\r\n", [("a\u2028b", "x\xa0y")]),
    ],
)
def test_bars_between_the_sides(tmp_path, text, pairs):
    found = list(Bitext.read(file(tmp_path, "pairs", text)))
    assert [(source.strip(" "), target.strip(" ")) for source, target in found] == pairs


def test_the_layout_can_be_said(tmp_path):
    both = file(tmp_path, "pairs.tsv", "a ||| b\tc ||| d\n")
    assert list(Bitext.read(both, layout="tsv")) == [("a ||| b", "c ||| d")]
    with pytest.raises(InputError, match=r"line 1: found 2 times ' \|\|\| ' where one is needed"):
        list(Bitext.read(both, layout="bars"))
    plain = file(tmp_path, "pairs", "a\tb ||| c\n")
    assert [tuple(map(str.strip, pair)) for pair in Bitext.read(plain, layout="bars")] == [("a\tb", "c")]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p", "a ||| x\n\nb\n", "p, line 3: found 0 times ' ||| ' where one is needed"),
        ("p", "a ||| x ||| z\n", "p, line 1: found 2 times ' ||| ' where one is needed"),
        ("p", "a|||x\n", "p, line 1: found 0 times ' ||| ' where one is needed"),
        ("p", "a\tx\nb c\n", "p, line 2: no tab between the source and the target sentence"),
        ("p.tsv", "a ||| x\n", "p.tsv, line 1: no tab between the source and the target sentence"),
    ],
)
def test_a_line_without_two_sides_is_named(tmp_path, monkeypatch, name, text, message):
    monkeypatch.chdir(tmp_path)
    file(tmp_path, name, text)
    with pytest.raises(InputError) as caught:
        list(Bitext.read(name))
    assert str(caught.value).startswith(message)


# Input that comes only once


class Standard:
    def __init__(self, text):
        self.buffer = io.BytesIO(text.encode())


def test_standard_input_can_be_read_again(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Standard("a\tx\nb\ty\n"))
    bitext = Bitext.read("-")
    assert list(bitext) == [("a", "x"), ("b", "y")]
    assert list(bitext) == [("a", "x"), ("b", "y")]


def test_standard_input_can_be_one_side(monkeypatch, tmp_path):
    for arguments in (["-", file(tmp_path, "t", "x\ny\n")], [file(tmp_path, "t", "x\ny\n"), "-"]):
        monkeypatch.setattr(sys, "stdin", Standard("a\nb\n"))
        bitext = Bitext.read(*arguments)
        assert {len(set(pair) & {"a", "b"}) for pair in bitext} == {1}
        assert len(list(bitext)) == 2


def test_standard_input_cannot_be_both_sides():
    with pytest.raises(UsageError, match="standard input cannot be both sides"):
        Bitext.read("-", "-")


def test_a_named_pipe_can_be_read_again_like_standard_input(tmp_path):
    # What a shell gives for <(zcat file).
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    found = []

    def read():
        bitext = Bitext.read(fifo)
        found.extend([list(bitext), list(bitext)])

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    fifo.write_text("a\tx\nb\ty\n")
    reader.join(2)
    if reader.is_alive():  # it waits for somebody to write once more
        fifo.write_text("")
        reader.join(2)
    assert found == [[("a", "x"), ("b", "y")]] * 2
