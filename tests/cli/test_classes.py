"""Word classes on the command line."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from cli.support import full_disk, sample_lines
from pralign.text.classes import DEFAULT_CLASSES, word_classes
from pralign.text.corpus import Corpus
from pralign.text.normalisation import Normalisation

TEXT = [
    "The old miller sings",
    "the young miller waits",
    "",
    "A young weaver sings",
    "the old weaver waits for A miller",
]
WORDS = ["the", "miller", "old", "sings", "young", "waits", "a", "weaver", "for"]  # by frequency, then by first use


@pytest.fixture
def place(work):
    """A folder with a small text, ``s``."""
    work.write("s", TEXT)
    return work


def table(out):
    """The words and the classes of a result."""
    rows = [line.split("\t") for line in out.removesuffix("\n").split("\n")]
    assert out.endswith("\n")
    assert all(len(row) == 2 for row in rows)
    return [word for word, _ in rows], [int(c) for _, c in rows]


def test_one_line_a_word_frequent_words_first(place):
    words, classes = table(place.ok("classes", "s", "-n", 3, "-q").out)
    assert words == WORDS
    assert set(classes) == {0, 1, 2}


def test_the_classes_are_those_of_the_library(work):
    lines = sample_lines(200)[0]
    work.write("s", lines)
    words, classes = table(work.ok("classes", "s", "-q").out)
    corpus = Corpus.build(zip(lines, lines, strict=True), Normalisation())
    assert words == corpus.source.words
    expected = word_classes(corpus.texts.source, corpus.texts.source_start, len(words), DEFAULT_CLASSES)
    assert classes == expected.tolist()
    assert len(np.unique(expected)) == DEFAULT_CLASSES
    assert work.ok("classes", "s", "-q", "--classes", DEFAULT_CLASSES).out == work.ok("classes", "s", "-q").out


def test_help_names_the_default(work):
    assert f"Default: {DEFAULT_CLASSES}." in work.ok("classes", "--help").out


def test_case_matters_on_request(place):
    words, _ = table(place.ok("classes", "s", "--no-lowercase", "-q").out)
    assert set(words) == {*WORDS, "The", "A"} - {"a"}
    assert place.ok("classes", "s", "--lowercase", "-q") == place.ok("classes", "s", "-q")


def test_words_are_split_as_for_aligning(work):
    work.write("s", "\ufeffdix\u00a0mille\tbateaux\r\ndix\u00a0mille  voiles\n")
    assert table(work.ok("classes", "s", "-q").out)[0] == ["dix\u00a0mille", "bateaux", "voiles"]


def test_a_summary_unless_quiet(place):
    loud, quiet = place.ok("classes", "s", "-n", 3), place.ok("classes", "s", "-n", 3, "-q")
    assert (loud.err, quiet.err) == ("9 words in 3 classes\n", "")
    assert loud.out == quiet.out
    assert place.ok("classes", "s").err == "9 words in 9 classes\n"


def test_standard_input(place):
    plain = place.ok("classes", "s", "-n", 3, "-q")
    assert place.ok("classes", "-", "-n", 3, "-q", stdin=place.read("s")) == plain


def test_compressed_input_and_output(place):
    plain = place.ok("classes", "s", "-n", 3, "-q").out
    place.write("s.gz", gzip.compress(place.read("s").encode()))
    assert place.ok("classes", "s.gz", "-n", 3, "-q").out == plain
    assert place.ok("classes", "s", "-n", 3, "-q", "-o", "out.gz").out == ""
    assert gzip.decompress((place.folder / "out.gz").read_bytes()).decode() == plain


def test_a_file_as_output(place):
    plain = place.ok("classes", "s", "-n", 3, "-q").out
    place.write("out", "old\n")
    assert place.ok("classes", "s", "-n", 3, "-q", "-o", "out").out == ""
    assert place.read("out") == plain
    assert set(place.snapshot()) == {"s", "out"}


def test_a_missing_file(place):
    place.write("out", "old\n")
    assert place.fails("classes", "nobody", "-o", "out") == "nobody: cannot read: No such file or directory"


@pytest.mark.parametrize("content", ["", "\n \t\n\n"])
def test_a_text_without_words(place, content):
    place.write("s", content)
    place.write("out", "old\n")
    message = "no words to put into classes: the text is empty"
    assert place.fails("classes", "s", "-o", "out") == f"s: {message}"
    assert place.fails("classes", "-", "-o", "out", stdin=content) == f"standard input: {message}"


def test_text_that_is_not_utf8(place):
    place.write("s", b"caf\xe9 noir\n")
    assert place.fails("classes", "s").startswith("s, line 1, byte 4: 0xe9 is not valid UTF-8")


def test_a_place_that_cannot_be_written_to(place):
    assert place.fails("classes", "s", "-o", "no/out") == "no/out: the directory no does not exist"


@full_disk
def test_a_full_disk(place):
    assert place.fails("classes", "s", "-o", "/dev/full") == "/dev/full: cannot write: No space left on device"


@pytest.mark.parametrize("number", ["0", "-2", "few"])
def test_a_number_of_classes_that_cannot_be(place, number):
    before = place.snapshot()
    code, out, err = place.run("classes", "s", "-n", number, "-o", "out")
    assert (code, out) == (2, "")
    assert "Invalid value for '-n' / '--classes'" in err
    assert place.snapshot() == before
