"""``align --nbest`` and ``align --sample``."""

from __future__ import annotations

import json

import pytest

from pralign import Aligner, read_alignments
from pralign.links.nbest import read_alignment_lists, read_weighted
from pralign.text.files import read_lines

QUICK = ["-q", "--iterations", "ibm1=3,hmm=3"]
WAYS = {"nbest": ["--nbest", "3"], "samples": ["--sample", "3", "--seed", "2"]}


@pytest.fixture
def odd(text):
    """Some pairs of the sample, one with an empty side in the middle."""
    text.write("s", [*text.lines("s")[:20], "", *text.lines("s")[20:]])
    text.write("t", [*text.lines("t")[:20], "Rien", *text.lines("t")[20:]])
    return text


@pytest.mark.parametrize("kind", WAYS)
def test_there_is_a_line_for_each_pair(odd, kind):
    odd.ok("align", "s", "t", *QUICK, *WAYS[kind], "-o", "o", "--scores", "c")
    lines = [json.loads(line) for line in odd.lines("o")]
    assert [line["id"] for line in lines] == list(range(41))
    assert [" ".join(line["source"]) for line in lines] == odd.lines("s")
    assert [" ".join(line["target"]) for line in lines] == odd.lines("t")
    for number, line in enumerate(lines):
        count = 0 if number == 20 else 3
        assert [len(line[key]) for key in (kind, "forward", "reverse")] == [count] * 3
        assert line["links"] == (line[kind][0]["links"] if count else [])
    assert odd.lines("c")[20] == "nan"
    assert len(odd.lines("c")) == 41


@pytest.mark.parametrize("kind", WAYS)
def test_it_is_what_python_says(odd, kind):
    odd.ok("align", "s", "t", *QUICK, *WAYS[kind], "-o", "o", "--save", "m")
    aligner = Aligner.load("m")
    first = next(read_alignment_lists(read_lines("o"), "o"))
    pair = odd.lines("s")[0], odd.lines("t")[0]
    assert first == (aligner.nbest(*pair, n=3) if kind == "nbest" else aligner.sample(*pair, n=3, seed=2))
    assert [len(pair) for pair in read_weighted(read_lines("o"), "o")] == [3] * 20 + [0] + [3] * 20


@pytest.mark.parametrize("settings", [QUICK, ["-q", "--preset", "fast"]], ids=["hmm", "preset"])
@pytest.mark.parametrize("kind", WAYS)
def test_all_ways_give_the_same_bytes(odd, kind, settings):
    odd.ok("align", "s", "t", *settings, *WAYS[kind], "-o", "o", "--save", "m", "--threads", "1")
    expected = odd.read("o")
    for options in (
        [*settings, "--threads", "3"],
        [*settings, "--memory", "300M"],
        [*settings, "--checkpoint", "c"],
        ["-q", "--load", "m", "--no-adapt", "--threads", "1"],
        *([] if settings is QUICK else [["-q", "--load", "m", "--threads", "2"]]),  # it knows its pairs again
    ):
        assert odd.ok("align", "s", "t", *options, *WAYS[kind]).out == expected, options


def test_the_first_alignments_are_read_like_any_others(odd):
    odd.ok("align", "s", "t", *QUICK, "--nbest", "4", "-o", "many")
    odd.ok("align", "s", "t", *QUICK, "--decode", "viterbi", "-o", "one")
    odd.ok("convert", "many", "links", "--to", "pharaoh")
    assert odd.lines("links") == odd.lines("one")
    assert [each.links for each in read_alignments("many", "jsonl")] == [each.links for each in read_alignments("one")]


def test_standard_input_is_answered(model):
    out = model.ok("align", "-", "--load", "m", "-q", "--sample", "2", stdin="the house\tla maison\n\t\n").out
    lines = [json.loads(line) for line in out.splitlines()]
    assert [len(line["samples"]) for line in lines] == [2, 0]


def test_without_a_seed_it_is_zero(small):
    plain = small.align("s", "t", "--sample", "5")
    assert plain == small.align("s", "t", "--sample", "5", "--seed", "0")
    assert plain != small.align("s", "t", "--sample", "5", "--seed", "1")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--nbest", "2", "--sample", "2"], "--nbest and --sample are two kinds of lists; choose one"),
        (["--seed", "2"], "--seed is about what --sample draws; say --sample N"),
        (["--nbest", "2", "--seed", "2"], "--seed is about what --sample draws; say --sample N"),
        (["--nbest", "2", "--format", "jsonl"], "--format does not go with --nbest"),
        (["--sample", "2", "--format", "pharaoh"], "--format does not go with --sample"),
        (["--nbest", "2", "--forward", "f"], "--forward does not go with --nbest"),
        (["--sample", "2", "--reverse", "r"], "--reverse does not go with --sample"),
        (["--nbest", "2", "--report", "p"], "--report does not go with --nbest"),
    ],
)
def test_options_that_do_not_go_together_are_refused(small, options, message):
    said = small.fails("align", "s", "t", *options, "-o", "o", code=2)
    assert said.startswith(message)


@pytest.mark.parametrize("option", ["--nbest", "--sample"])
@pytest.mark.parametrize("value", ["0", "-3", "10001", "x", "1.5"])
def test_wrong_numbers_are_misuse(small, option, value):
    assert small.run("align", "s", "t", option, value).code == 2


@pytest.mark.parametrize("value", ["-1", str(2**63), "x"])
def test_wrong_seeds_are_misuse(small, value):
    assert small.run("align", "s", "t", "--sample", "2", "--seed", value).code == 2
