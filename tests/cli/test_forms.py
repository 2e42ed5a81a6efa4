"""Relatives and forms on the command line."""

from __future__ import annotations

import pytest

TEXT = [
    ("the goose flies", "die gans fliegt"),
    ("geese fly", "gänse fliegen"),
    ("a goose", "eine gans"),
    ("the mouse runs", "die maus rennt"),
    ("mice run", "mäuse rennen"),
    ("a mouse", "eine maus"),
]
NEW = ("geese run", "gänse laufen")


@pytest.fixture
def zoo(work):
    work.write("s", "".join(f"{source}\n" for source, _ in TEXT))
    work.write("t", "".join(f"{target}\n" for _, target in TEXT))
    work.write("forms", "geese\tgoose\nmice\tmouse\nGänse\tgans\nmäuse\tmaus\n")
    return work


def test_a_file_of_forms_is_used_saved_and_shown(zoo):
    plain = zoo.ok("align", "s", "t", "--format", "scored", "-o", "plain").err
    assert "|relatives:5|" in plain
    assert "forms" not in plain
    said = zoo.ok("align", "s", "t", "--format", "scored", "-o", "listed", "--forms", "forms", "--save", "m").err
    assert "|relatives:5|forms:1|" in said
    assert zoo.read("plain") != zoo.read("listed")
    zoo.folder.joinpath("forms").unlink()
    zoo.ok("align", "s", "t", "--format", "scored", "-o", "again", "--load", "m")
    assert zoo.read("again") == zoo.read("listed")


def test_two_files_are_for_source_and_target(zoo):
    zoo.write("source", "geese\tgoose\nmice\tmouse\n")
    zoo.write("target", "gänse\tgans\nmäuse\tmaus\n")
    zoo.ok("align", "s", "t", "--format", "scored", "-o", "both", "--forms", "forms")
    zoo.ok("align", "s", "t", "--format", "scored", "-o", "apart", "--forms", "source", "--forms", "target")
    assert zoo.read("both") == zoo.read("apart")
    message = zoo.fails("align", "s", "t", *["--forms", "forms"] * 3, code=2)
    assert message == "give one file of forms for both sides, or two, for source and target"


def test_forms_make_words_lean_on_relatives_without_a_preset(zoo):
    assert "|relatives:5|forms:1|" in zoo.ok("align", "s", "t", "--model", "hmm", "--forms", "forms", "-o", "o").err
    assert "relatives" not in zoo.ok("align", "s", "t", "--model", "hmm", "-o", "o").err


def test_forms_without_relatives_are_refused(zoo):
    message = zoo.fails("align", "s", "t", "--forms", "forms", "--relatives", "0", code=2)
    assert message == "forms are of no use if words do not lean on their relatives; set relatives to 5"


def test_a_bad_file_is_named(zoo):
    assert zoo.fails("align", "s", "t", "--forms", "nowhere").startswith("nowhere: ")
    zoo.write("bad", "geese\n")
    message = zoo.fails("align", "s", "t", "--forms", "bad")
    assert message == "bad, line 1: expected a word and its lemma, separated by a tab: 'geese'"


@pytest.mark.parametrize("piece", ["300M", "2G"])
def test_results_do_not_depend_on_memory(zoo, piece):
    zoo.ok("align", "s", "t", "--format", "scored", "-o", "plain", "--forms", "forms")
    zoo.ok("align", "s", "t", "--format", "scored", "-o", "bounded", "--forms", "forms", "--memory", piece)
    assert zoo.read("plain") == zoo.read("bounded")


def test_new_forms_are_aligned_like_their_relatives(zoo):
    """*laufen* is new, *gänse* is known by its lemma alone."""
    zoo.ok("train", "s", "t", "--forms", "forms", "--save", "m")
    zoo.write("ns", NEW[0] + "\n")
    zoo.write("nt", NEW[1] + "\n")
    assert "0-0" in zoo.align("ns", "nt", "--load", "m")[0].split()
