"""``pralign check``, and looks at the beginning of other commands."""

from __future__ import annotations

import codecs
import gzip
import json

import pytest

import pralign
from cli.matched import PLAIN
from cli.support import sample_lines
from pralign import sample

GLUED = [line.replace(" .", ".") for line in sample_lines(100)[1]]
QUICK = ["--iterations", "ibm1=1"]


@pytest.fixture
def glued(work):
    """A folder with a text whose target side is not tokenised, and good files of the same names in capitals."""
    source, target = sample_lines(100)
    work.write("s", source)
    work.write("t", GLUED)
    work.write("S", source)
    work.write("T", target)
    return work


def test_facts(work):
    work.write("s", ["the house", "", "a b c", "x " * 201])
    work.write("t", ["la maison", "x", "d", "y"])
    lines = work.ok("check", "s", "t").out.splitlines()
    table = {line[:24].strip(): line[24:].split() for line in lines}
    assert table["pairs"] == ["4"]
    assert table["words"] == ["206", "5"]
    assert table["blank lines"] == ["1", "0"]
    assert table["longest sentence, words"] == ["201", "(line", "4)", "2", "(line", "1)"]
    assert table["pairs with a blank side"] == ["1"]
    assert table["pairs over 200 words"] == ["1", "(25.0%)"]
    assert lines[-1] == "nothing to put right"


def test_json(glued):
    made = json.loads(glued.ok("check", "s", "t", "--json").out)
    assert made["facts"]["pairs"] == 100
    assert made["facts"]["source"]["blank"] == 0
    [finding] = made["findings"]
    assert (finding["name"], finding["file"], finding["line"]) == ("punctuation", "t", None)


def test_strict(glued):
    outcome = glued.run("check", "s", "t", "--strict", "--json")
    assert outcome.code == 1
    assert json.loads(outcome.out)["findings"]
    assert outcome.err == "pralign: s and t: refused by --strict, since there is 1 thing to put right\n"
    assert glued.ok("check", "S", "T", "--strict").err == ""


def test_what_comes_late_is_found_too(work):
    work.write("s", ["the house"] * 6000)
    work.write("t", ["la maison"] * 5000 + ["la\0maison"] + ["la maison"] * 999)
    assert "- t, line 5001: holds NUL bytes" in work.ok("check", "s", "t").out
    assert work.ok("align", "s", "t", "-q", *QUICK, "-o", "out").err == ""


def test_standard_input_and_other_arguments(glued):
    stdin = glued.read("s")
    assert "pairs                                      100\n" in glued.ok("check", "-", "T", stdin=stdin).out
    assert "punctuation" in glued.ok("check", "-", "t", stdin=stdin).out
    assert "both sides" in glued.fails("check", "-", "-", code=2, stdin=stdin)
    assert "a layout is" in glued.fails("check", "s", "t", "--layout", "x", code=2)
    assert "there is no model here" in glued.fails("check", "s", "t", "--model", "none")


def test_from_python():
    assert pralign.check(sample.SOURCE, sample.TARGET) == []
    assert [finding.name for finding in pralign.check(sample.SOURCE, sample.SOURCE)] == ["same-file"]


def test_text_in_utf16_is_text(work):
    source, target = ("".join(f"{line}\r\n" for line in side) for side in sample_lines(60))
    work.write("s", source)
    work.write("t", target)
    links = work.align("s", "t", *QUICK)
    work.write("s", gzip.compress(source.encode("utf-16")))
    work.write("t", codecs.BOM_UTF16_BE + target.encode("utf-16-be"))
    outcome = work.ok("align", "s", "t", "-q", *QUICK)
    assert (outcome.out.splitlines(), outcome.err) == (links, "")


# Other commands


@pytest.mark.parametrize("command", [["align", "-o", "out"], ["train", "--save", "m"]], ids=["align", "train"])
def test_the_beginning_is_looked_at(glued, command):
    name, *options = command
    told = glued.ok(name, "s", "t", "-q", *QUICK, *options).err
    assert told.startswith("pralign: t: punctuation is stuck to words in 83 %")
    assert told.count("\n") == 1
    assert glued.ok(name, "S", "T", "-q", *QUICK, *options, "--strict").err == ""
    assert "(refused by --strict)" in glued.fails(name, "s", "t", "-q", *QUICK, *options, "--strict")


def test_where_sides_part_is_said_once(work):
    sides = [side * 6 for side in sample_lines(400)]
    work.write("s", sides[0])
    work.write("t", [*sides[1][:700], *sides[1][701:]])
    words = "s has 2400 lines, t 2399; they seem to part"
    assert work.fails("align", "s", "t", "-q", "-o", "out").startswith(words)
    assert work.fails("align", "s", "t", "-q", "-o", "out", "--strict").startswith(words)
    assert "the sides seem to part" in work.run("align", "-", "t", "-q", stdin=work.read("s")).err.splitlines()[0]


def test_what_is_said_goes_to_the_log_too(glued):
    glued.ok("align", "s", "t", "-q", *QUICK, "-o", "out", "--log-json", "log")
    messages = [json.loads(line) for line in glued.lines("log")]
    assert [line["level"] for line in messages if "punctuation" in line.get("text", "")] == ["warning"]


def test_several_things_are_said_line_by_line(glued):
    glued.write("s", [f"{line}\0" for line in glued.lines("s")])
    outcome = glued.run("align", "s", "t", "-q", "--strict", "-o", "out")
    assert outcome.code == 1
    assert [line.split(":")[0] for line in outcome.err.splitlines()] == ["pralign"] * 3
    assert outcome.err.endswith("s and t: refused by --strict, because of what is said above\n")


def test_match_fit_looks_too(ready):
    ready.write("t", [line.replace(" .", ".").replace(" ?", "?") for line in ready.lines("t")] * 3)
    ready.write("s", ready.lines("s") * 3)
    assert "punctuation" in ready.ok(*PLAIN, "-q", "--save", "new").err
    assert "(refused by --strict)" in ready.fails(*PLAIN, "-q", "--strict", "--save", "newer")


def test_standard_input_is_looked_at_as_it_passes(glued):
    glued.ok("train", "S", "T", "-q", *QUICK, "--save", "m")
    outcome = glued.ok("align", "-", "t", "-q", "--load", "m", stdin=glued.read("s"))
    assert outcome.out.count("\n") == 100
    assert outcome.err.count("\n") == 1
    assert "(refused by --strict)" in glued.fails(
        "align", "-", "t", "-q", "--load", "m", "--strict", stdin=glued.read("s")
    )


def test_sides_swapped_against_a_model(glued):
    glued.ok("train", "S", "T", "-q", *QUICK, "--save", "m")
    words = "the sides seem to be swapped: the model knows"
    assert words in glued.ok("align", "T", "S", "-q", "--load", "m", "-o", "out").err
    assert words in glued.fails("train", "T", "S", "-q", "--from", "m", "--save", "new", "--strict")
    assert words in glued.ok("check", "T", "S", "--model", "m").out
    assert glued.ok("check", "S", "T", "--model", "m", "--strict").err == ""
