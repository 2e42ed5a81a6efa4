"""Lexicons as text."""

from __future__ import annotations

import json

import pytest

from pralign import Aligner
from pralign.errors import InputError
from pralign.lexicons import Lexicon, lexicon
from pralign.lexicons.formats import LEXICON_FORMATS, jsonl_blocks, moses_blocks, tsv_blocks

PAIRS = [("the house", "la maison"), ("the cat", "le chat"), ("a 家", "une")]
LINKS = ["0-0 1-1", "0-0 1-1", "0-0"]


@pytest.fixture
def made():
    return lexicon(PAIRS, LINKS)


def lines(blocks):
    text = "".join(blocks)
    assert text == "" or text.endswith("\n")
    return text.split("\n")[:-1]


def test_moses(made):
    assert lines(moses_blocks(made, "forward")) == [
        "une a 1.0000000",
        "chat cat 1.0000000",
        "maison house 1.0000000",
        "la the 0.5000000",
        "le the 0.5000000",
        "NULL 家 1.0000000",
    ]
    assert lines(moses_blocks(made, "reverse"))[-1] == "家 NULL 1.0000000"


def test_tsv(made):
    assert lines(tsv_blocks(made, "both"))[3:] == ["the\tla\t0.5\t1\t1", "the\tle\t0.5\t1\t1", "家\tNULL\t1\t1\t1"]
    assert lines(tsv_blocks(made, "forward"))[3] == "the\tla\t0.5\t1"
    assert lines(tsv_blocks(made, "reverse"))[1] == "the\tla\t1\t1"


def test_jsonl(made):
    rows = list(map(json.loads, lines(jsonl_blocks(made, "both"))))
    assert rows[3] == {"source": "the", "target": "la", "forward": 0.5, "reverse": 1.0, "count": 1}
    assert rows[5] == {"source": "家", "target": None, "forward": 1.0, "reverse": 1.0, "count": 1}
    assert [type(value) for value in rows[3].values()] == [str, str, float, float, int]
    assert json.loads(lines(jsonl_blocks(made, "reverse"))[0]).keys() == {"source", "target", "reverse", "count"}
    assert '"家"' in "".join(jsonl_blocks(made, "both"))


def test_numbers_of_jsonl_are_exact(made):
    rows = map(json.loads, lines(jsonl_blocks(made, "both")))
    assert [(row["forward"], row["reverse"]) for row in rows] == [(entry.forward, entry.reverse) for entry in made]


def test_expected_counts_have_decimals():
    text = lines(tsv_blocks(lexicon([("a", "x")], ["0-0:0.25"], count="posteriors"), "both"))
    assert text == ["a\tNULL\t0.75\t1\t0.75", "a\tx\t0.25\t0.25\t0.25", "NULL\tx\t1\t0.75\t0.75"]


def test_what_a_model_does_not_know_is_left_empty():
    made = Lexicon.from_model(Aligner(model="ibm1", threads=1).fit([("a b", "x y"), ("a", "x")]))
    assert {line.split("\t")[3] for line in lines(tsv_blocks(made, "both")) if line.startswith("NULL\t")} == {""}
    assert {line.count("\t") for line in lines(tsv_blocks(made, "both"))} == {3}
    nulls = [row for row in map(json.loads, lines(jsonl_blocks(made, "both"))) if row["source"] is None]
    assert [row["reverse"] for row in nulls] == [None, None]
    assert not any(line.startswith("NULL ") for line in lines(moses_blocks(made, "forward")))
    assert any(line.startswith("x NULL ") for line in lines(moses_blocks(made, "forward")))


@pytest.mark.parametrize("name", LEXICON_FORMATS)
def test_nothing_is_no_lines(name):
    assert lines(LEXICON_FORMATS[name](lexicon([], []), "both")) == []


@pytest.mark.parametrize(("name", "word"), [("moses", "a b"), ("moses", "a\rb"), ("tsv", "a\tb"), ("tsv", "a\nb")])
def test_words_at_which_a_file_would_be_cut(name, word):
    made = lexicon([(["b", word], ["x"])], ["0-0"])
    with pytest.raises(InputError, match=f"holds white space, at which a {name} file would be cut"):
        list(LEXICON_FORMATS[name](made, "forward"))


def test_many_entries_come_in_blocks():
    many = lexicon([(f"s{k}", f"t{k}") for k in range(25_000)], ["0-0"] * 25_000)
    assert [block.count("\n") for block in tsv_blocks(many, "both")] == [10_000, 10_000, 5_000]
