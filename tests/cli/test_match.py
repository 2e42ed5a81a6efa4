"""Learning from labelled pairs, and aligning by what was learned, as users run it."""

from __future__ import annotations

import gzip
import json
import shutil

import pytest

from cli.matched import FILES, FIT, LABELLED, PLAIN, aligned
from pralign.links.formats import read_alignments

pytestmark = pytest.mark.slow

WRITTEN = ["pharaoh", "scored", "talp", "naacl", "giza", "jsonl"]


def saved(work, name):
    return {path: data for path, data in work.snapshot().items() if path.startswith(f"{name}/")}


# What is printed where


def test_fit_prints_nothing_but_messages(ready):
    outcome = ready.ok(*PLAIN, "--save", "new")
    assert outcome.out == ""
    assert "learned from 12 pairs; AER on pairs held back in turn is " in outcome.err
    assert outcome.err.splitlines()[-1].startswith("matching:extragradient|features:dice,distance|capacity:1|")
    assert sorted(path.name for path in (ready.folder / "new").iterdir()) == FILES


def test_align_prints_links_and_says_what_made_them(ready):
    outcome = ready.ok("match", "align", "s", "t", "--load", "m")
    assert outcome.out.count("\n") == 40
    assert all(part.replace("-", "", 1).isdigit() for line in outcome.out.splitlines() for part in line.split())
    assert outcome.out.count("-") > 100
    assert outcome.err.startswith("matching:extragradient|")
    assert outcome.err.count("\n") == 1


def test_quiet_commands_are_silent(ready):
    assert ready.ok(*PLAIN, "--quiet", "--save", "new") == (0, "", "")
    assert ready.ok("match", "align", "s", "t", "-q", "--load", "new", "-o", "out") == (0, "", "")
    assert len(ready.lines("out")) == 40
    assert ready.ok("match", "fit", "s", "t", *LABELLED, "--rounds", "10", "-q", "--save", "new") == (0, "", "")


def test_options_may_come_in_any_order(ready):
    ready.ok(
        "match", "fit", "--save", "new", "-q", "--rounds", "10", *LABELLED, "--features", "dice,distance", "s", "t"
    )
    assert {name[4:]: data for name, data in saved(ready, "new").items()} == {
        name[2:]: data for name, data in saved(ready, "m").items()
    }
    assert aligned(ready, "--load", "new", "s", "t") == aligned(ready, "s", "--load", "m", "t")


@pytest.mark.parametrize("command", [["match"], ["match", "fit"], ["match", "align"], ["match", "weights"]])
def test_help(work, command):
    assert work.ok(*command, "--help").out.startswith("Usage: pralign match")


@pytest.mark.parametrize(
    "command",
    [
        ["match", "fit", "s", "t", "--save", "new"],
        PLAIN,
        ["match", "fit", *LABELLED, "--save", "new"],
        ["match", "align", "s", "t"],
        ["match", "weights"],
        ["match", "unknown"],
    ],
    ids=" ".join,
)
def test_what_is_required(ready, command):
    before = ready.snapshot()
    code, out, err = ready.run(*command)
    assert (code, out) == (2, "")
    assert "Error: " in err
    assert ready.snapshot() == before


# Lines in, lines out


def test_blank_lines_keep_their_place(ready):
    ready.write("s", ["", *ready.lines("ls"), "the house", "", "  "])
    ready.write("t", ["la maison", *ready.lines("lt"), "", "", "\t"])
    lines = aligned(ready, "s", "t", "--load", "m").split("\n")
    assert lines == ["", *aligned(ready, "ls", "lt", "--load", "m").split("\n")[:-1], "", "", "", ""]
    ready.ok(*PLAIN, "-q", "--save", "new")  # and one can learn from such text
    ready.write("lg", ["", *ready.lines("lg"), "", "", ""])
    ready.ok(
        "match",
        "fit",
        "s",
        "t",
        "--labelled",
        "s",
        "t",
        "lg",
        "-q",
        "--rounds",
        "10",
        "--features",
        "dice",
        "--save",
        "new",
    )


def test_empty_text_has_no_alignments(ready):
    ready.write("e", "")
    assert aligned(ready, "e", "e", "--load", "m") == ""


@pytest.mark.parametrize("name", WRITTEN)
def test_formats(ready, name):
    ready.write("s", [*ready.lines("ls"), "", "End"])
    ready.write("t", [*ready.lines("lt"), "Rien", ""])
    ready.ok("match", "align", "s", "t", "-q", "--load", "m", "-o", "plain")
    ready.ok("match", "align", "s", "t", "-q", "--load", "m", "-o", "o", "--format", name)
    expected = [alignment.links for alignment in read_alignments("plain")]
    assert len(expected) == 14
    assert [alignment.links for alignment in read_alignments("o", name, lines=14)] == expected
    assert sum(map(len, expected)) > 30
    if name == "jsonl":
        records = [json.loads(line) for line in ready.lines("o")]
        assert [record["id"] for record in records] == list(range(14))
        assert records[0]["source"] == ready.lines("s")[0].split()
        assert all(len(record["links"]) == len(record["scores"]) for record in records)


def test_scores_are_those_of_the_links(ready):
    ready.ok("match", "align", "s", "t", "-q", "--load", "m", "-o", "o", "--format", "scored")
    scores = [score for alignment in read_alignments("o", "scored") for score in alignment.scores]
    assert len(set(scores)) > 50
    assert min(scores) > 0  # with one link a word, no link is worth less than none


def test_compressed_files(ready):
    for name in ("s", "t", "ls", "lt", "lg", "p"):
        ready.write(f"{name}.gz", gzip.compress(ready.read(name).encode()))
    labelled = ["--labelled", "ls.gz", "lt.gz", "lg.gz"]
    options = ["-q", "--rounds", "10", "--features", "dice,predictions", "--prediction", "p.gz", "--save", "new"]
    ready.ok("match", "fit", "s.gz", "t.gz", *labelled, *options)
    assert saved(ready, "new")["new/parameters.safetensors"] == saved(ready, "mp")["mp/parameters.safetensors"]
    packed = aligned(ready, "s.gz", "t.gz", "--load", "new", "--prediction", "p.gz")
    assert packed == aligned(ready, "s", "t", "--load", "mp", "--prediction", "p")


@pytest.mark.parametrize(("between", "layout"), [("\t", "tsv"), (" ||| ", "bars")])
def test_both_sides_in_one_file_or_on_standard_input(ready, between, layout):
    both = [between.join(pair) for pair in zip(ready.lines("s"), ready.lines("t"), strict=True)]
    ready.write("both", both)
    stdin = ready.read("both")
    expected = aligned(ready, "s", "t", "--load", "m")
    assert aligned(ready, "both", "--load", "m") == expected
    assert aligned(ready, "-", "--load", "m", "--layout", layout, stdin=stdin) == expected
    for source in ("both", "-"):
        options = ["-q", "--rounds", "10", "--features", "dice,distance", "--layout", layout, "--save", "new"]
        ready.ok("match", "fit", source, *LABELLED, *options, stdin=stdin)
        assert [*saved(ready, "new").values()] == [*saved(ready, "m").values()]


def test_standard_input_is_enough_to_train_on_and_to_count(ready):
    both = ["\t".join(pair) for pair in zip(ready.lines("s"), ready.lines("t"), strict=True)]
    stdin = "".join(f"{line}\n" for line in both)
    ready.ok("match", "fit", "-", *LABELLED, "-q", "--rounds", "10", "--save", "new", stdin=stdin)
    ready.ok(*FIT, "-q", "--save", "other")
    assert [*saved(ready, "new").values()] == [*saved(ready, "other").values()]


# Features


def test_weights_names_every_feature(ready):
    ready.ok(*FIT, "-q", "--model", "ibm1", "--prediction", "p", "--prediction", "ps", "--save", "new")
    code, out, err = ready.ok("match", "weights", "new")
    assert (code, err) == (0, "")
    groups = {line.split()[0] for line in out.splitlines() if line and not line.startswith((" ", "("))}
    names = {"dice", "distance", "shape", "frequency", "neighbours", "common", "predictions", "posteriors"}
    assert names <= groups
    columns = ["√distance", "bias", "equal without accents", "letters in common", "difference of log ranks"]
    columns += ["dice of the next words", "prediction 1", "prediction 2", "all predictions", "forward posterior"]
    for column in [*columns, "each further link of a source word", "each further link of a target word"]:
        assert sum(f"  {column}  " in f"{line}  " for line in out.splitlines()) == 1, column
    assert "learned from 12 pairs" in out
    assert max(map(len, out.split("\n\n")[0].splitlines())) <= 100
    fewer = ready.ok("match", "weights", "new", "-n", "3").out
    assert sum(line.startswith("common") for line in fewer.splitlines()) == 3
    assert "more of common)" in fewer


def test_a_saved_model_is_asked(ready):
    posteriors = [*FIT, "--features", "posteriors"]
    outcome = ready.ok(*posteriors, "--model", "ibm1", "--save", "asked")
    assert "log-likelihood" not in outcome.err  # nothing was trained
    assert "|capacity:2|" in outcome.err
    assert "|model:ibm1|" in outcome.err
    shutil.rmtree(ready.folder / "ibm1")  # what was saved is complete
    assert aligned(ready, "s", "t", "--load", "asked").count("-") > 100


def test_a_model_is_trained_where_none_is_given(ready):
    outcome = ready.ok(*FIT, "--features", "posteriors", "--save", "trained")
    assert "fhmm 5/5: log-likelihood" in outcome.err
    assert "|model:fhmm|" in outcome.err
    everything = ready.ok(*FIT, "--save", "all")
    assert "|features:common,dice,distance,frequency,neighbours,posteriors,shape|" in everything.err


def test_predictions_go_with_the_labelled_pairs_or_with_the_text(ready):
    options = [*FIT, "-q", "--features", "dice,predictions"]
    ready.ok(*options, "--prediction", "pl", "--save", "new")
    assert [*saved(ready, "new").values()] == [*saved(ready, "mp").values()]
    validated = [*options, "--validation", "vs", "vt", "vg"]
    ready.write("pv", ready.lines("p")[:18])
    ready.ok(*validated, "--prediction", "pv", "--save", "short")
    ready.ok(*validated, "--prediction", "p", "--save", "whole")
    assert [*saved(ready, "short").values()] == [*saved(ready, "whole").values()]


def test_predictions_may_be_scored_or_json(ready):
    ready.ok("convert", "p", "pj", "--from", "pharaoh", "--to", "jsonl", "--source", "s", "--target", "t")
    for name in ("ps", "pj"):
        ready.ok(*FIT, "-q", "--features", "dice,predictions", "--prediction", name, "--save", "new")
        assert [*saved(ready, "new").values()] == [*saved(ready, "mp").values()]
        expected = aligned(ready, "s", "t", "--load", "mp", "--prediction", "p")
        assert aligned(ready, "s", "t", "--load", "mp", "--prediction", name) == expected


def test_what_match_align_has_written_can_be_a_prediction(ready):
    ready.ok("match", "align", "s", "t", "-q", "--load", "m", "--format", "scored", "-o", "o")
    ready.ok(*FIT, "-q", "--features", "predictions", "--prediction", "o", "--prediction", "p", "--save", "new")
    assert aligned(ready, "s", "t", "--load", "new", "--prediction", "o", "--prediction", "p") != ""


def test_validation_pairs_decide_when_to_stop(ready):
    outcome = ready.ok(*PLAIN, "--validation", "vs", "vt", "vg", "--save", "new")
    assert "learned from 12 pairs; AER on the validation pairs is " in outcome.err


# Other settings


def test_the_perceptron(ready):
    outcome = ready.ok(*PLAIN, "--learner", "perceptron", "--save", "new")
    assert "matching:perceptron|" in outcome.err
    assert "radius" not in outcome.err
    assert "duality gap" not in outcome.err
    assert aligned(ready, "s", "t", "--load", "new").count("-") > 100
    assert "matching:perceptron|" in ready.ok("match", "weights", "new").out


@pytest.mark.parametrize("capacity", [1, 2])
def test_no_word_has_more_links_than_it_may(ready, capacity):
    ready.ok(*FIT, "-q", "--model", "ibm1", "--miss-cost", "9", "--capacity", capacity, "--save", "new")
    most = 0
    for line in aligned(ready, "s", "t", "--load", "new").splitlines():
        for side in zip(*(link.split("-") for link in line.split()), strict=True):
            most = max(most, *map(side.count, side))
    assert most == capacity


def test_case(ready):
    ready.write("s", [line.upper() for line in ready.lines("s")])
    ready.ok(*PLAIN, "-q", "--save", "new")
    assert saved(ready, "new")["new/parameters.safetensors"] == saved(ready, "m")["m/parameters.safetensors"]
    outcome = ready.ok(*PLAIN, "--no-lowercase", "--save", "new")
    assert "source words of the labelled pairs do not occur in the bitext" in outcome.err
    assert "|lowercase:no|" in outcome.err


@pytest.mark.parametrize("options", [["--features", "dice,distance,common"], ["--model", "ibm1"]], ids=" ".join)
def test_the_number_of_threads_does_not_change_a_byte(ready, options):
    results = []
    for threads in (1, 2, 3):
        ready.ok(*FIT, "-q", *options, "--threads", threads, "--save", "new")
        links = aligned(ready, "s", "t", "--load", "new", "--format", "scored", "--threads", threads)
        results.append((saved(ready, "new"), links))
    assert results[0] == results[1] == results[2]


# Saving


def test_saving_replaces_what_an_earlier_fit_has_saved(ready):
    ready.ok(*FIT, "-q", "--model", "ibm1", "--save", "new")
    assert "new/model/manifest.json" in ready.snapshot()
    ready.ok(*PLAIN, "-q", "--save", "new")
    assert [*saved(ready, "new").values()] == [*saved(ready, "m").values()]
    (ready.folder / "empty").mkdir()
    ready.ok(*PLAIN, "-q", "--save", "empty/")
    assert [*saved(ready, "empty").values()] == [*saved(ready, "m").values()]
    assert not [name for name in ready.snapshot() if name.startswith(".")]
