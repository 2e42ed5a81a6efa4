"""Every format that align writes can be read again, and holds what it should."""

from __future__ import annotations

import json

import pytest

from pralign.links.formats import FORMATS, read_alignments, read_records

WRITTEN = ["pharaoh", "scored", "talp", "naacl", "giza", "jsonl"]
QUICK = ["-q", "--iterations", "ibm1=3,hmm=3"]


@pytest.fixture
def odd(text):
    """Some pairs of the sample, one with an empty side in the middle and one at the end, in mixed case."""
    text.write("s", [*text.lines("s")[:20], "", *text.lines("s")[20:], "THE End"])
    text.write("t", [*text.lines("t")[:20], "Rien", *text.lines("t")[20:], ""])
    return text


def test_all_formats_are_tested():
    assert {"gold", *WRITTEN} <= set(FORMATS)


@pytest.mark.parametrize("name", [*WRITTEN, "gold"])
def test_what_is_written_reads_back_as_the_same_links(odd, name):
    odd.ok("align", "s", "t", *QUICK, "-o", "plain")
    odd.ok("align", "s", "t", *QUICK, "-o", "o", "--format", name)
    expected = [alignment.links for alignment in read_alignments("plain")]
    assert len(expected) == 42
    assert [alignment.links for alignment in read_alignments("o", name, lines=42)] == expected
    assert sum(map(len, expected)) > 100


@pytest.mark.parametrize("name", WRITTEN)
def test_every_format_can_be_converted_to_pharaoh(odd, name):
    odd.ok("align", "s", "t", *QUICK, "-o", "plain")
    odd.ok("align", "s", "t", *QUICK, "-o", "o", "--format", name)
    odd.ok("convert", "o", "again", "--from", name, "--to", "pharaoh", "--lines", "42")
    assert odd.read("again") == odd.read("plain")


@pytest.mark.parametrize("model", ["ibm1", "ibm2", "hmm"])
@pytest.mark.parametrize(
    "options",
    [["--threshold", "0.001"], ["--decode", "viterbi", "--symmetrize", "union"], ["--symmetrize", "forward"]],
    ids=" ".join,
)
def test_scores_are_probabilities(odd, model, options):
    odd.ok("align", "s", "t", "-q", "--model", model, *options, "-o", "o", "--format", "scored")
    scores = [score for alignment in read_alignments("o", "scored") for score in alignment.scores]
    assert len(scores) > 50
    assert all(0 < score <= 1 for score in scores)


def test_scored_lines_hold_links_with_six_decimals(odd):
    odd.ok("align", "s", "t", *QUICK, "-o", "o", "--format", "scored")
    lines = odd.lines("o")
    assert len(lines) == 42
    assert lines[20] == lines[41] == ""
    for link in lines[0].split(" "):
        left, _, score = link.partition(":")
        assert len(score.partition(".")[2]) == 6
        assert left.partition("-")[1] == "-"


def test_giza_has_three_lines_a_pair(odd):
    odd.ok("align", "s", "t", *QUICK, "-o", "o", "--format", "giza")
    lines = odd.lines("o")
    assert len(lines) == 3 * 42
    for number, (source, target) in enumerate(zip(odd.lines("s"), odd.lines("t"), strict=True)):
        header, words, links = lines[3 * number : 3 * number + 3]
        sizes = f"source length {len(source.split())} target length {len(target.split())}"
        assert header.startswith(f"# Sentence pair ({number + 1}) {sizes} alignment score : ")
        assert words == target
        assert links.startswith("NULL ({ ")
        assert [piece.split(" ")[-1] for piece in links.split(" ({")[1:-1]] == source.split()
    records = list(read_records("o", "giza"))
    assert [record.source for record in records] == [line.split() for line in odd.lines("s")]


def test_jsonl_has_the_words_as_they_were_and_all_scores(odd):
    odd.ok("align", "s", "t", *QUICK, "-o", "o", "--format", "jsonl", "--scores", "c")
    records = [json.loads(line) for line in odd.lines("o")]
    assert [record["source"] for record in records] == [line.split() for line in odd.lines("s")]
    assert [record["target"] for record in records] == [line.split() for line in odd.lines("t")]
    assert records[0]["source"][0] == "Anna"
    for record, score in zip(records, odd.lines("c"), strict=True):
        if record["source"] and record["target"]:
            assert len(record["scores"]) == len(record["links"])
            assert all(0 < value <= 1 for value in record["scores"])
            assert f"{record['score']:.6f}" == score
        else:
            assert "score" not in record
            assert (record["links"], score) == ([], "nan")


def test_naacl_counts_from_one(odd):
    odd.ok("align", "s", "t", *QUICK, "-o", "o", "--format", "naacl")
    odd.ok("align", "s", "t", *QUICK, "-o", "plain")
    first = [tuple(map(int, line.split()[1:3])) for line in odd.lines("o") if line.startswith("1 ")]
    assert [f"{i - 1}-{j - 1}" for i, j in first] == odd.lines("plain")[0].split()
    assert not any(line.startswith(("21 ", "42 ")) for line in odd.lines("o"))


def test_talp_says_where_it_counts_from(odd):
    outcome = odd.ok("align", "s", "t", "-o", "o", "--format", "talp", "--model", "ibm1")
    assert "talp is written with words counted from 0" in outcome.err.splitlines()


def test_forward_and_reverse_files_are_plain_whatever_the_format(odd):
    odd.ok("align", "s", "t", *QUICK, "-o", "o", "--format", "giza", "--forward", "f", "--reverse", "r")
    odd.ok("align", "s", "t", *QUICK, "-o", "o", "--forward", "f2", "--reverse", "r2")
    assert odd.read("f") == odd.read("f2")
    assert odd.read("r") == odd.read("r2")
    assert len(odd.lines("f")) == len(odd.lines("r")) == 42


def test_a_word_that_a_format_cannot_hold_is_an_error_that_names_it(small):
    small.write("s", small.read("s").replace("red house", "red\rhouse"))
    assert len(small.align("s", "t", "--format", "jsonl")) == 6
    message = small.fails("align", "s", "t", "-q", "--format", "giza", "-o", "out")
    assert message == "s, line 5: the giza format cannot hold the word 'red\\rhouse'; choose another format"


def test_a_word_that_a_format_cannot_hold_is_found_before_training(small, monkeypatch):
    def train(*arguments):
        raise AssertionError("training has begun")

    monkeypatch.setattr("pralign.training.trainer.Trainer.run", train)
    small.write("t", small.read("t").replace("maison rouge", "maison\rrouge"))
    message = small.fails("align", "s", "t", "-q", "--format", "giza", "-o", "out")
    assert message == "t, line 5: the giza format cannot hold the word 'maison\\rrouge'; choose another format"


def test_match_align_names_the_line_of_such_a_word_too(ready):
    lines = ready.lines("s")
    ready.write("s", [*lines[:6], "red\rhouse", *lines[7:]])
    message = ready.fails("match", "align", "s", "t", "-q", "--load", "m", "--format", "giza", "-o", "out")
    assert message == "s, line 7: the giza format cannot hold the word 'red\\rhouse'; choose another format"
