"""``align --report``: a page in one step."""

from __future__ import annotations

import json
import re

import pytest

from cli.support import sample_lines
from pralign.aligner import Aligner
from pralign.report.answers import AnswerSample
from pralign.report.posteriors import posteriors_of_answers, posteriors_of_model
from pralign.text.bitext import Bitext
from pralign.text.tokens import tokens

QUICK = ["--model", "ibm1", "--iterations", "ibm1=3"]


def data(page):
    return json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)[1])


def test_the_page_is_the_one_that_report_makes_of_the_saved_model(text):
    text.ok("align", "s", "t", *QUICK, "--format", "scored", "-o", "links", "--report", "page.html", "--save", "m")
    text.ok("report", "s", "t", "--system", "m=links", "--model", "m", "-o", "other.html", "-q")
    page, other = (data(text.read(name)) for name in ("page.html", "other.html"))
    assert page["systems"] == [page["model"]] == ["ibm1"]
    assert len(page["pairs"]) == 40
    for ours, theirs in zip(page["pairs"], other["pairs"], strict=True):
        # Pairs stand out by their scores too, which the file of links does not hold.
        assert {key: value for key, value in ours.items() if key != "w"} == {
            key: value for key, value in theirs.items() if key != "w"
        }
    html = text.read("page.html")
    for part in ("Word alignment of s and t", "curve-likelihood", "curve-confidence", "Signature of the model:"):
        assert part in html


def test_what_is_told_of_it(text):
    outcome = text.ok("align", "s", "t", "--preset", "fast", "--report", "page.html")
    assert outcome.out.count("\n") == 40
    assert re.search(r"^page.html: 0\.\d MB; open it in a browser$", outcome.err, re.MULTILINE)
    assert data(text.read("page.html"))["systems"] == ["pralign"]
    assert text.ok("align", "s", "t", *QUICK, "-q", "-o", "links", "--report", "page.html").err == ""


@pytest.mark.parametrize("options", [["--no-adapt"], []], ids=["no adapting", "adapting"])
def test_with_a_loaded_model(model, options):
    model.write("s", [*model.lines("s"), "the green dog", ""])
    model.write("t", [*model.lines("t"), "le chien vert", "x"])
    model.ok("align", "s", "t", "--load", "m", *options, "--format", "scored", "-o", "links", "--report", "p.html")
    page = data(model.read("p.html"))
    assert page["systems"] == ["m"]
    shown = [[list(divmod(cell, len(pair["t"]))) for cell in pair["x"][0][0]] for pair in page["pairs"]]
    written = [
        [list(map(int, link.split(":")[0].split("-"))) for link in line.split()] for line in model.lines("links")
    ]
    assert shown == written
    # What the directions say is there of all pairs with words on both sides, old ones and new ones.
    assert [bool(pair["m"][0][0]) for pair in page["pairs"]] == [True] * 7 + [False]


def test_it_appears_with_all_other_results_or_not_at_all(text):
    text.write("page.html", "old")
    before = text.snapshot()
    message = text.fails("align", "s", "t", *QUICK, "-q", "-o", "links", "--report", "none/page.html")
    assert message == "none/page.html: the directory none does not exist"
    assert "is also the input" in text.fails("align", "s", "t", "-o", "links", "--report", "t", code=2)
    assert "is also another result" in text.fails("align", "s", "t", "-o", "l", "--report", "l", code=2)
    assert "only one of the results" in text.fails("align", "s", "t", "--report", "-", code=2)
    assert text.snapshot() == before


def test_it_may_go_to_standard_output(text):
    assert text.ok("align", "s", "t", *QUICK, "-q", "-o", "links", "--report", "-").out.startswith("<!doctype html>")


def test_an_empty_text_has_no_page(model):
    model.write("e", "")
    message = model.fails("align", "e", "e", "--load", "m", "--no-adapt", "-q", "-o", "links", "--report", "p.html")
    assert message == "e and e: there are no sentence pairs to report on: the text is empty"


# The parts


@pytest.fixture(scope="module")
def bitext():
    source, target = sample_lines(60)
    long = " ".join(source[:4])
    return Bitext([*zip(source, target, strict=True), ("", "x"), (long, " ".join(target[:4]))])


@pytest.mark.parametrize("settings", [{"preset": "fast"}, {"constraint": "symmetric", "iterations": "hmm=2"}], ids=str)
def test_what_a_run_says_is_what_its_model_says(bitext, settings):
    aligner = Aligner(threads=2, max_length=30, **settings)
    answers = list(aligner.fit_decode(bitext))
    lines = [*range(1, len(answers) - 2, 2), len(answers) - 2, len(answers) - 1]
    pairs = [tuple(tokens(str(side)) for side in pair) for k, pair in enumerate(bitext) if k in lines]
    ours = posteriors_of_answers(aligner, pairs, lines, "x")
    assert aligner.latest_run is not None
    assert sum(map(len, ours.forward)) > 100
    assert len(ours.mean[-1]) > 0  # which was not trained on
    assert ours == posteriors_of_model(aligner, pairs, "x")
    assert aligner.latest_run is None  # the model was made meanwhile, and answers from now on


def test_only_the_answers_that_were_drawn_are_kept(bitext):
    aligner = Aligner(model="ibm1", iterations="ibm1=2", threads=1)
    answers = list(aligner.fit_decode(bitext))
    sample = AnswerSample(bitext, ("a", "b"), most=7, seed=3)
    assert list(sample.watching(iter(answers))) == answers
    made = sample.report_input(aligner, "x")
    assert len(made.pairs) == len(made.systems[0].alignments) == 7
    assert made.is_sampled
    assert list(made.lines) == sample.lines
    assert list(made.systems[0].alignments) == [answers[line].alignment for line in sample.lines]
