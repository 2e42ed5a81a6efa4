"""The lexicon command: its formats, what it keeps, where it goes, and what it refuses."""

from __future__ import annotations

import gzip
import json

import pytest

from cli.support import full_disk
from oracles import naive_lexicon

SOURCE = ["the house", "the cat", "", "a House"]
TARGET = ["la maison", "le chat", "", "une maison"]
LINKS = ["0-0 1-1", "1-1", "", "0-0 1-1"]
EVIL = "\x1b[31m\u202e"


@pytest.fixture
def linked(work):
    """A folder with four pairs, ``s`` and ``t``, and their links, ``a``, with scores in ``as``."""
    work.write("s", SOURCE)
    work.write("t", TARGET)
    work.write("a", LINKS)
    work.write("as", [" ".join(f"{link}:0.5" for link in line.split()) for line in LINKS])
    return work


def naive():
    alignments = [[(*map(int, link.split("-")), 1.0) for link in line.split()] for line in LINKS]
    return naive_lexicon.counts(list(zip(SOURCE, TARGET, strict=True)), alignments)


def test_columns(linked):
    assert linked.ok("lexicon", "s", "t", "a").out.splitlines() == [
        "House\tmaison\t1\t0.5\t1",
        "a\tune\t1\t1\t1",
        "cat\tchat\t1\t1\t1",
        "house\tmaison\t1\t0.5\t1",
        "the\tla\t0.5\t1\t1",
    ]
    assert "the\tNULL\t0.5\t1\t1\nNULL\tle\t1\t1\t1\n" in linked.ok("lexicon", "s", "t", "a", "--null").out
    assert "6 word pairs" not in linked.ok("lexicon", "s", "t", "a", "-q").err


def test_both_tables_of_moses(linked):
    linked.ok("lexicon", "s", "t", "a", "--format", "moses", "-o", "lex")
    assert [set(linked.lines(f"lex.{name}")) for name in ("f2e", "e2f")] == list(naive_lexicon.moses(naive()))
    assert not (linked.folder / "lex").exists()
    assert linked.ok("lexicon", "s", "t", "a", "--format", "moses").out == linked.read("lex.f2e")
    linked.ok("lexicon", "s", "t", "a", "--format", "moses", "--direction", "reverse", "-o", "other")
    assert linked.read("other") == linked.read("lex.e2f")
    linked.ok("lexicon", "s", "t", "a", "--format", "moses", "--direction", "both", "-o", "l.gz")
    assert gzip.decompress((linked.folder / "l.e2f.gz").read_bytes()).decode() == linked.read("lex.e2f")
    assert "NULL" not in linked.ok("lexicon", "s", "t", "a", "--format", "moses", "--no-null").out


def test_objects(linked):
    rows = [json.loads(line) for line in linked.ok("lexicon", "s", "t", "a", "--format", "jsonl").out.splitlines()]
    assert rows[-1] == {"source": "the", "target": "la", "forward": 0.5, "reverse": 1.0, "count": 1}
    out = linked.ok("lexicon", "s", "t", "a", "--format", "jsonl", "--direction", "forward", "--null").out
    assert json.loads(out.splitlines()[-1]) == {"source": None, "target": "le", "forward": 1.0, "count": 1}


def test_a_dictionary(linked):
    out = linked.ok("lexicon", "s", "t", "a", "--format", "dictionary").out
    assert out.startswith("a (1)\n100.0 %  une (1)\n         a House\n         une maison\n\ncat (1)\n")
    both = linked.ok("lexicon", "s", "t", "a", "--format", "dictionary", "--direction", "both").out
    assert both.startswith(f"Source words and their translations\n\n{out}Target words and their translations\n\nchat")
    linked.ok("lexicon", "s", "t", "a", "--format", "dictionary", "-o", "words.txt")
    assert linked.read("words.txt") == out


def test_what_is_kept(linked):
    assert linked.ok("lexicon", "s", "t", "a", "--min-count", "2").out == ""
    kept = linked.ok("lexicon", "s", "t", "a", "--top", "1", "--direction", "reverse").out.splitlines()
    assert [line.split("\t")[:2] for line in kept] == [
        ["cat", "chat"],
        ["the", "la"],
        ["House", "maison"],
        ["a", "une"],
    ]
    out = linked.ok("lexicon", "s", "t", "a", "--direction", "forward", "--min-probability", "0.6").out
    assert "the" not in out
    assert out.count("\n") == 4


def test_expected_counts(linked):
    assert "cat\tchat\t0.5\t0.5\t0.5\n" in linked.ok("lexicon", "s", "t", "as", "--count", "posteriors").out
    assert linked.ok("lexicon", "s", "t", "as").out == linked.ok("lexicon", "s", "t", "a").out
    message = linked.fails("lexicon", "s", "t", "a", "--count", "posteriors", "-o", "out")
    assert message == "a: links have no scores to count; use alignments with probabilities, or count links"


@pytest.mark.parametrize("name", ["scored", "gold", "talp", "naacl", "giza", "jsonl"])
def test_alignments_of_every_format(linked, name):
    files = ["--source", "s", "--target", "t"] if name in ("giza", "jsonl") else []
    linked.ok("convert", "as" if name == "scored" else "a", "b", "--to", name, *files, "-q")
    assert linked.ok("lexicon", "s", "t", "b", "--from", name).out == linked.ok("lexicon", "s", "t", "a").out


def test_one_file_with_both_sides_and_standard_input(linked):
    out = linked.ok("lexicon", "s", "t", "a").out
    text = "".join(f"{source}\t{target}\n" for source, target in zip(SOURCE, TARGET, strict=True))
    linked.write("b", text)
    assert linked.ok("lexicon", "b", "a").out == out
    assert linked.ok("lexicon", "-", "a", stdin=text).out == out
    assert linked.ok("lexicon", "s", "t", "-", stdin=linked.read("a")).out == out
    dictionary = linked.ok("lexicon", "s", "t", "a", "--format", "dictionary").out
    assert linked.ok("lexicon", "-", "a", "--format", "dictionary", stdin=text).out == dictionary


def test_a_model(model):
    rows = [line.split("\t") for line in model.ok("lexicon", "--model", "m").out.splitlines()]
    assert {len(row) for row in rows} == {4}
    best = model.ok("lexicon", "--model", "m", "--top", "1", "--direction", "forward").out.splitlines()
    assert "house\tmaison" in {line.rpartition("\t")[0] for line in best}
    assert model.ok("lexicon", "--model", "m", "--format", "dictionary").out.startswith("a\n")
    model.ok("lexicon", "--model", "m", "--format", "moses", "-o", "lex", "--min-probability", "0")
    assert any(line.startswith("chat NULL ") for line in model.lines("lex.f2e"))
    assert len(rows) < len(model.ok("lexicon", "--model", "m", "--min-probability", "0").out.splitlines())


def test_the_model_itself_is_not_overwritten(model):
    for place in ("m/manifest.json", "m/new"):
        message = model.fails("lexicon", "--model", "m", "-o", place, code=2)
        assert message.startswith(f"{place}: cannot be written, because it belongs to the input m")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "m", "--min-count", "1"], "--min-count is about counts of links, and a model has only prob"),
        (["--model", "m", "--count", "posteriors"], "--count is about counts of links"),
        (["s", "t", "a", "--model", "m"], "give SRC TGT ALIGN or --model"),
        (["s"], "name the text and its alignments: SRC TGT ALIGN"),
        ([], "name the text and its alignments"),
        (["s", "t", "a", "--format", "csv"], "--format csv: there are moses, tsv, jsonl, dictionary"),
        (["s", "t", "a", "--direction", "up"], "--direction up: there are forward, reverse, both"),
        (["s", "t", "a", "--count", "words"], "--count words: expected links or posteriors"),
        (["s", "t", "a", "--format", "moses", "--direction", "both"], "say -o OUT, or --direction forward"),
        (["s", "t", "a", "--layout", "x"], "a layout is bars, csv, tsv"),
        (["s", "t", "a", "--from", "moses"], "moses"),
    ],
)
def test_misuse(linked, arguments, message):
    assert message in linked.fails("lexicon", *arguments, code=2)


@pytest.mark.parametrize(
    ("name", "lines", "message"),
    [
        ("a", ["0-0", "0-2", "", ""], "a, line 2: link 0-2 (counted from 0) lies outside a pair of 2 source and 2"),
        ("a", ["0-0", "", ""], "a has 3 alignments, but there are 4 pairs; give those of this text"),
        ("a", [*LINKS, ""], "a has 5 alignments, but there are 4 pairs"),
        ("a", ["0-0", "nonsense", "", ""], "a, line 2: found 'nonsense'"),
        ("t", TARGET[:3], "s has 4 lines, t 3"),
    ],
)
@pytest.mark.parametrize("format", ["moses", "dictionary"])
def test_files_that_do_not_belong_together(linked, name, lines, message, format):
    linked.write("lex.f2e", "old\n")
    linked.write(name, lines)
    arguments = ["--from", "pharaoh", "--format", format, "-o", "lex"]
    assert linked.fails("lexicon", "s", "t", "a", *arguments).startswith(message)


def test_nothing_to_count(work):
    work.write("e", "\n\n")
    work.write("none", "")
    for name in ("e", "none"):
        message = work.fails("lexicon", name, name, name, "--from", "pharaoh", "-o", "out")
        assert message == f"{name} and {name}: no words to make a lexicon of: the text is empty"


@full_disk
def test_no_space_left(linked):
    linked.write("lex.f2e", "old\n")
    (linked.folder / "lex.e2f").symlink_to("/dev/full")
    message = linked.fails("lexicon", "s", "t", "a", "-q", "--format", "moses", "-o", "lex")
    assert message == "lex.e2f: cannot write: No space left on device"


def test_outputs_that_cannot_be(linked):
    assert linked.fails("lexicon", "s", "t", "a", "-o", "none/out") == "none/out: the directory none does not exist"
    linked.write("lex.f2e", LINKS)
    message = linked.fails("lexicon", "s", "t", "lex.f2e", "--format", "moses", "-o", "lex", code=2)
    assert message.startswith("lex.f2e: cannot be written, because it is also the input lex.f2e")


def test_words_are_escaped_on_a_terminal_only(work, monkeypatch):
    work.write("s", [f"a {EVIL}"])
    work.write("t", ["x y"])
    work.write("a", ["0-0 1-1"])
    assert EVIL in work.ok("lexicon", "s", "t", "a", "--format", "dictionary").out
    monkeypatch.setattr("pralign.cli.lexicon.on_terminal", lambda output: True)
    out = work.ok("lexicon", "s", "t", "a", "--format", "dictionary").out
    assert "\x1b" not in out
    assert r"a \x1b[31m\u202e" in out
