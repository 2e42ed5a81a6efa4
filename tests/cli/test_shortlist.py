"""The shortlist command: lines that Marian can use, and vocabularies that the text must fit."""

from __future__ import annotations

import pytest

from cli.support import full_disk
from lexicons.test_vocabularies import sentencepiece

SOURCE = ["▁a ▁b", "▁a ▁b", "▁a NULL"]
TARGET = ["▁x ▁y", "▁x ▁z", "▁y ▁q"]
LINKS = ["0-0 1-1", "0-0 1-1", "0-0 1-1"]
LINES = ["▁x ▁a 0.6666667", "▁y ▁a 0.3333333", "▁y ▁b 0.5", "▁z ▁b 0.5"]


@pytest.fixture
def pieces(work):
    """A folder with text cut into pieces, its links, and vocabularies."""
    work.write("s", SOURCE)
    work.write("t", TARGET)
    work.write("a", LINKS)
    work.write("vs.vocab", "<unk>\t0\n▁a\t-1\n▁b\t-2\nNULL\t-3\n")
    work.write("vt.spm", sentencepiece(["<unk>", "▁z", "▁y", "▁x", "▁q"]))
    return work


def test_lines_are_target_source_probability_and_never_null(pieces):
    pieces.ok("shortlist", "s", "t", "a", "-o", "out")
    assert pieces.lines("out") == LINES
    assert pieces.ok("shortlist", "s", "t", "a").out == pieces.read("out")


def test_the_best_and_the_first(pieces):
    assert pieces.ok("shortlist", "s", "t", "a", "--best", "1", "--first", "0").out.splitlines() == [LINES[0], LINES[2]]
    out = pieces.ok("shortlist", "s", "t", "a", "--best", "1", "--first", "2").out  # ▁x and ▁y are frequent
    assert out.splitlines() == LINES[:3]
    vocab = ["--vocab", "vs.vocab", "vt.spm"]
    out = pieces.ok("shortlist", "s", "t", "a", "--best", "1", "--first", "2", *vocab).out  # ▁z is the first piece
    assert out.splitlines() == [LINES[0], *LINES[2:]]


def test_text_that_does_not_fit_the_vocabulary(pieces):
    pieces.write("t", ["▁x ▁y", "▁x ▁ß", "▁y ▁q"])
    command = ["shortlist", "s", "t", "a", "--vocab", "vs.vocab", "vt.spm", "-o", "out"]
    assert pieces.fails(*command) == (
        "t, line 2: the word '▁ß' is not in the vocabulary; the text must be cut by the same SentencePiece model that "
        "the decoder has (--allow-unknown leaves out such words)"
    )
    assert pieces.ok(*command, "--allow-unknown").out == ""
    assert pieces.lines("out") == LINES[:3]
    command = ["shortlist", "s", "t", "a", "--vocab", "vt.spm", "vs.vocab", "-o", "out"]
    assert pieces.fails(*command).startswith("s, line 1: the word '▁a' is not in the vocabulary")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["s", "t", "a", "--allow-unknown"], 2, "--allow-unknown is about words that a vocabulary lacks"),
        (["s"], 2, "name the text and its alignments"),
        (["s", "t", "a", "--count", "all"], 2, "--count all: expected links or posteriors"),
        (["s", "t", "a", "--count", "posteriors"], 1, "a: links have no scores to count"),
        (["s", "t", "a", "--vocab", "none", "vt.spm"], 1, "none: cannot read: No such file"),
        (["s", "t", "a", "--vocab", "s", "vt.spm"], 1, "s, line 1: a vocabulary has one word a line"),
        (["s", "t", "wide"], 1, "wide, line 3: link 0-2"),
        (["s", "t", "few"], 1, "few has 2 alignments, but there are 3 pairs"),
        (["s", "t", "blank"], 1, "s and t and blank: no links to make a shortlist of"),
        (["s", "t", "a", "-o", "a"], 2, "a: cannot be written, because it is also the input a"),
        (["s", "t", "a", "--vocab", "vs.vocab", "vt.spm", "-o", "vs.vocab"], 2, "vs.vocab: cannot be written"),
        (["s", "t", "a", "-o", "none/out"], 1, "none/out: the directory none does not exist"),
    ],
)
def test_what_is_refused(pieces, arguments, code, message):
    pieces.write("wide", [*LINKS[:2], "0-2"])
    pieces.write("few", LINKS[:2])
    pieces.write("blank", ["", "", ""])
    arguments = [*arguments, "--from", "pharaoh"] if "blank" in arguments else arguments
    assert pieces.fails("shortlist", *arguments, code=code).startswith(message)


@full_disk
def test_no_space_left(pieces):
    message = pieces.fails("shortlist", "s", "t", "a", "-o", "/dev/full")
    assert message == "/dev/full: cannot write: No space left on device"


def test_words_of_white_space(work):
    work.write("s", ["a\x0bb"])
    work.write("t", ["x"])
    work.write("a", ["0-0"])
    assert "holds white space" in work.fails("shortlist", "s", "t", "a")
