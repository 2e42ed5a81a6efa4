"""Gold files in which some pairs are not labelled, or were skipped, given to all commands that read golds."""

from __future__ import annotations

import json
import logging

import pytest

import pralign
from cli.matched import PLAIN
from pralign.errors import InputError
from pralign.evaluation import paired_bootstrap, precision_recall_curve
from pralign.links.alignment import Alignment
from pralign.links.labelled import as_labelled
from pralign.matching import MatchingAligner

HYP = ["0-0:0.9 1-1:0.5", "0-0:0.4", "1-0:0.3", "0-1:0.8", "0-0:0.7"]
GOLD = ["0-0 1?1", "", "none", "skipped", "0-0 1-1"]
JUDGED = [0, 2, 4]
NOTE = "1 of 5 pairs of g is not labelled and 1 was skipped; they are not scored; write none where a pair has no link\n"


@pytest.fixture
def judged(work):
    """Five pairs with a gold ``g``, and those three alone that are labelled, with names of two letters."""
    files = {"s": ["a b"] * 5, "t": ["x y"] * 5, "h": HYP, "o": HYP[::-1], "g": GOLD}
    for name, lines in files.items():
        work.write(name, lines)
        work.write(f"{name}{name}", [lines[k] for k in JUDGED])
    return work


@pytest.mark.parametrize(
    "options",
    [[], ["--curve"], ["--bootstrap", "20"], ["--compare", "o"], ["--source", "s", "--target", "t"]],
    ids=lambda options: options[0] if options else "alone",
)
def test_pairs_that_are_not_labelled_are_not_scored(judged, options):
    fewer = [name * 2 if name in ("o", "s", "t") else name for name in options]
    found = judged.ok("evaluate", "h", "g", "--json", *options)
    expected = judged.ok("evaluate", "hh", "gg", "--json", *fewer)
    assert found.err == NOTE
    assert json.loads(found.out.replace('"o"', '"oo"').replace('"h"', '"hh"')) == json.loads(expected.out)
    assert json.loads(found.out)["pairs"] == 3
    assert judged.ok("evaluate", "h", "g", "--quiet", *options).err == ""


def test_a_gold_of_sure_links_alone_has_blank_lines_too(judged):
    judged.write("g", ["0-0", "", "0-0", "0-0", "0-0"])
    outcome = judged.ok("evaluate", "h", "g", "--json")
    assert json.loads(outcome.out)["pairs"] == 4
    assert outcome.err.startswith("1 of 5 pairs of g is not labelled; they are not scored; write none")
    assert json.loads(judged.ok("evaluate", "h", "g", "--json", "--gold-format", "pharaoh").out)["pairs"] == 5
    assert pralign.evaluate("h", "g").counts.pairs == 4


def test_skipped_pairs_alone_need_no_hint(judged):
    judged.write("g", ["0-0", "none", "skipped", "skipped", "0-0"])
    assert judged.ok("evaluate", "h", "g").err == "2 of 5 pairs of g were skipped; they are not scored\n"


def test_a_pair_with_an_empty_side_has_nothing_to_label(judged):
    judged.write("s", ["a b", "", "a b", "a b", "a b"])
    judged.write("h", ["0-0", "", "", "", ""])
    judged.write("g", ["0-0", "", "none", "none", "0-0"])
    assert judged.ok("evaluate", "h", "g", "--source", "s", "--target", "t").err == ""


def test_a_gold_without_labels_is_refused(judged):
    judged.write("g", ["", "skipped", "", "", ""])
    outcome = judged.run("evaluate", "h", "g")
    said = "none of the 5 pairs of g is labelled: 4 blank, 1 skipped; write none where a pair has no link"
    assert (outcome.code, outcome.err) == (1, f"pralign: {said}\n")
    assert judged.run("report", "s", "t", "--system", "h", "--gold", "g", "-o", "page").err == f"pralign: {said}\n"
    with pytest.raises(InputError, match="none of the 2 pairs of the gold is labelled: 1 blank, 1 skipped"):
        pralign.evaluate(["0-0", ""], ["", "skipped"])


def test_hypotheses_in_gold_format_have_no_links_there(judged):
    judged.write("h", ["0-0", "", "none", "skipped", "skipped"])
    scores = json.loads(judged.ok("evaluate", "h", "g", "--json").out)
    assert (scores["links"], scores["sure"], scores["pairs"]) == (1, 3, 3)


def test_from_python_text_means_what_it_means_in_a_file(caplog):
    with caplog.at_level(logging.INFO, "pralign"):
        assert pralign.evaluate(["0-0", "0-0", "0-0"], ["0-0", "none", ""]).precision == 0.5
    assert caplog.messages == [
        "1 of 3 pairs of the gold is not labelled; they are not scored; write none where a pair has no link"
    ]
    assert pralign.evaluate(["0-0"], [Alignment()]).counts.pairs == 1


def test_curves_and_comparisons_pass_over_them():
    found = [Alignment.of("0-0:0.5"), Alignment.of("0-0:0.5")]
    golds = [Alignment.of("0-0"), Alignment(state="skipped")]
    assert precision_recall_curve(found, golds).points == precision_recall_curve(found[:1], golds[:1]).points
    assert paired_bootstrap(found, found, golds, samples=9) == paired_bootstrap(
        found[:1], found[:1], golds[:1], samples=9
    )


@pytest.mark.parametrize(("line", "word"), [(2, "not labelled"), (4, "skipped")])
def test_show_says_why_there_is_no_gold(judged, line, word):
    with_gold = judged.ok("show", "s", "t", "h", "--gold", "g", "--line", line).out
    without = judged.ok("show", "s", "t", "h", "--line", line).out
    head = f"pair {line}: 2 source words, 2 target words"
    assert with_gold == without.replace(head, f"{head}; {word}")


def test_a_report_judges_labelled_pairs_and_shows_all(judged):
    outcome = judged.ok("report", "s", "t", "--system", "h", "--gold", "g", "-o", "page", "--json", "all")
    assert outcome.err.startswith(
        "1 of 5 pairs of g is not labelled and 1 was skipped; they are not judged; write none"
    )
    found = json.loads(judged.read("all"))
    assert [pair.get("gold") for pair in found["pairs"]] == [None, "not labelled", None, "skipped", None]
    scores = found["tables"]["scores"]["rows"][0]
    expected = json.loads(judged.ok("evaluate", "hh", "gg", "--json").out)
    assert (scores["aer"], scores["links"]) == (expected["aer"], expected["links"])


def test_a_sample_of_a_report_is_drawn_from_labelled_pairs_first(judged):
    for sample, expected in ((2, 2), (3, 3), (4, 3)):
        options = ["--sample", sample, "-o", "page", "--json", "all", "-q"]
        judged.ok("report", "s", "t", "--system", "h", "--gold", "g", *options)
        pairs = json.loads(judged.read("all"))["pairs"]
        assert (len(pairs), sum("gold" not in pair for pair in pairs)) == (sample, expected)
    judged.write("g", ["", "0-0"])
    judged.ok("report", "s", "t", "--system", "h", "--gold", "g", "--first", "-o", "page", "--json", "all")
    assert [pair.get("gold") for pair in json.loads(judged.read("all"))["pairs"]] == ["not labelled", None]


# Learning


def spread(work, lines):
    """Labelled pairs ``ls``, ``lt`` and ``lg`` with two more among them that are not labelled; their file names."""
    source, target = work.lines("ls"), work.lines("lt")
    for name, old, new in (("xs", source, source[:2]), ("xt", target, target[:2]), ("xg", lines, ["", "skipped"])):
        work.write(name, [*old[:3], *new, *old[3:]])
    return ["xs", "xt", "xg"]


@pytest.mark.parametrize("with_predictions", [False, True])
def test_matching_learns_from_labelled_pairs_alone(ready, with_predictions):
    links = [""] * 3 + ready.lines("lg")[3:]
    ready.write("p", [line.replace("?", "-") for line in links])
    ready.write("xp", [line.replace("?", "-") for line in (*links[:3], "", "", *links[3:])])
    files = spread(ready, ready.lines("lg"))
    base = ["match", "fit", "s", "t", "--rounds", "5", "--features"]
    features = "dice,distance,predictions" if with_predictions else "dice,distance"
    given = lambda name: ["--prediction", name] if with_predictions else []  # noqa: E731
    ready.ok(*base, features, "--labelled", "ls", "lt", "lg", *given("p"), "--save", "one")
    outcome = ready.ok(*base, features, "--labelled", *files, *given("xp"), "--save", "other")
    pairs = "given as labelled" if with_predictions else "of xg"
    said = f"1 of 14 pairs {pairs} is not labelled and 1 was skipped; they are not learned from; write none where"
    assert outcome.err.count("not labelled") == 1
    assert said in outcome.err
    for name in ("parameters.safetensors", "source.json", "target.json"):
        assert (ready.folder / "one" / name).read_bytes() == (ready.folder / "other" / name).read_bytes()


def test_matching_needs_a_labelled_pair(ready):
    ready.write("lg", ["", "skipped"] * 6)
    outcome = ready.run(*PLAIN, "--save", "new")
    assert outcome.code == 1
    assert "none of the 12 pairs of lg is labelled: 6 blank, 6 skipped" in outcome.err
    with pytest.raises(InputError, match="none of the 1 pairs given as labelled is labelled: 1 blank"):
        MatchingAligner().fit([("a", "x")], labelled=[("a", "x", "")])


@pytest.mark.parametrize("command", [["align", "-o", "o"], ["train", "--save", "m"]], ids=lambda command: command[0])
def test_thresholds_are_tuned_on_labelled_pairs_alone(text, command):
    text.write("xg", [*text.lines("g")[:20], "", "skipped", *[""] * 18])
    outcome = text.ok(command[0], "s", "t", *command[1:], "--model", "ibm1", "--dev", "s", "t", "xg")
    assert "19 of 40 pairs of xg are not labelled and 1 was skipped; they are not learned from" in outcome.err
    assert outcome.err.count("not labelled") == 1
    text.write("xg", [""] * 40)
    outcome = text.run(command[0], "s", "t", *command[1:], "--model", "ibm1", "--dev", "s", "t", "xg")
    assert outcome.code == 1
    assert "none of the 40 pairs of xg is labelled: 40 blank; write none where a pair has no link" in outcome.err


def test_labelled_pairs_from_python(caplog):
    given = [("a", "x", "0-0"), ("b", "y", ""), ("c", "z", "none"), ("d", "w", "skipped"), ("e", "v", Alignment())]
    with caplog.at_level(logging.INFO, "pralign"):
        assert [source for source, *_ in as_labelled(given)] == ["a", "c", "e"]
    assert caplog.messages[0].startswith("1 of 5 pairs given as labelled is not labelled and 1 was skipped; they")
