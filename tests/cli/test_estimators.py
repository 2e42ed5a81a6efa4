"""Presets, estimators and priors on the command line."""

from __future__ import annotations

import pytest

from cli.support import sample_lines, shards_of
from pralign.settings import PRESETS

pytestmark = pytest.mark.slow

ESTIMATORS = ["em", "vb", "collapsed"]
STAGES = {"ibm1": "ibm1=3", "ibm2": "ibm1=2,ibm2=2", "hmm": "ibm1=2,hmm=2", "fhmm": "ibm1=2,fhmm=2"}
OUTPUTS = ["--forward", "f", "--reverse", "r", "--scores", "c", "--format", "jsonl"]


def signature(outcome):
    """The parts of the line that says what produced the alignments."""
    return dict(part.split(":", 1) for part in outcome.err.splitlines()[-1].split("|"))


def results(work, *arguments):
    work.ok("align", "s", "t", "-q", "-o", "o", *OUTPUTS, *arguments)
    return {name: work.read(name) for name in "ofrc"}


@pytest.fixture
def mixed(work):
    """Short pairs, one of them three times, a pair that is too long to train on, and pairs with an empty side."""
    source, target = sample_lines(30)
    long_source, long_target = (f"{' '.join(lines)} rare" for lines in sample_lines(6, 30))
    work.write("s", [*source, source[4], long_source, "", source[4], "x"])
    work.write("t", [*target, target[4], long_target, "y", target[4], ""])
    return work


# What is used


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ([], {"preset": "default", "model": "fhmm", "estimator": "collapsed", "alpha": "0.001", "lookalikes": "3"}),
        (["--preset", "fast"], {"preset": "fast", "iterations": PRESETS["fast"]["iterations"]}),
        (["--preset", "best"], {"preset": "best", "constraint": "symmetric", "projected": "no"}),
        (["--preset", "fast", "--model", "hmm"], {"preset": "fast", "model": "hmm", "iterations": "ibm1=5,hmm=5"}),
        (["--preset", "fast", "--estimator", "vb"], {"preset": "fast", "model": "fhmm", "estimator": "vb"}),
        (["--preset", "fast", "--threshold", "0.25"], {"preset": "fast", "threshold": "0.25"}),
        (["--estimator", "vb"], {"preset": None, "model": "hmm", "estimator": "vb", "alpha": "0.001"}),
        (["--estimator", "em"], {"model": "hmm", "estimator": "em", "alpha": None, "lookalikes": None, "priors": None}),
        (["--model", "ibm1"], {"preset": None, "model": "ibm1", "estimator": "em", "threshold": "0.5"}),
        (["--smoothing", "0.1"], {"preset": None, "model": "hmm", "estimator": "em", "smoothing": "0.1"}),
        (["--iterations", "ibm1=1,ibm2=1"], {"preset": None, "model": "ibm2", "iterations": "ibm1=1,ibm2=1"}),
        (["--alpha", "0.25"], {"preset": "default", "alpha": "0.25"}),
        (["--lookalikes", "2.5"], {"preset": "default", "lookalikes": "2.5"}),
        (["--lookalikes", "0"], {"preset": "default", "lookalikes": None}),
        (["--prior", "words"], {"preset": "default", "priors": "1"}),
        (["--prior", "words", "--prior", "m", "--prior", "words"], {"preset": "default", "priors": "3"}),
        (
            ["--preset", "best", "--constraint-from", "3"],
            {"preset": "best", "constraint": "symmetric", "constraint_from": "3"},
        ),
        (["--constraint", "symmetric"], {"preset": None, "model": "hmm", "constraint_from": None, "projected": "yes"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_signature_shows_what_was_used(model, options, parts):
    model.write("words", ["house\tmaison\t2"])
    found = signature(model.ok("align", "s", "t", *options))
    assert {name: found.get(name) for name in parts} == parts


@pytest.mark.parametrize(
    ("base", "options"),
    [
        ([], ["--preset", "fast"]),
        ([], ["--preset", "best"]),
        ([], ["--alpha", "0.5"]),
        ([], ["--lookalikes", "0"]),
        ([], ["--prior", "words"]),
        ([], ["--estimator", "vb"]),
        (["--preset", "best"], ["--constraint-from", "2"]),
        (["--model", "hmm"], ["--estimator", "vb"]),
        (["--model", "hmm"], ["--estimator", "collapsed"]),
        (["--model", "hmm"], ["--lookalikes", "3"]),
        (["--model", "hmm", "--estimator", "vb"], ["--alpha", "0.1"]),
    ],
    ids=" ".join,
)
def test_options_change_what_is_found(text, base, options):
    text.write("words", [".\tla\t500"])
    form = ["--format", "scored", "--threshold", "0.1"]
    assert text.align("s", "t", *form, *base) != text.align("s", "t", *form, *base, *options)


def test_without_options_the_default_preset_is_meant(text):
    assert text.align("s", "t", "--format", "scored") == text.align(
        "s", "t", "--format", "scored", "--preset", "default"
    )
    outcome = text.ok("train", "s", "t", "--save", "m")
    assert (
        signature(outcome)["preset"]
        == signature(text.ok("align", "s", "t", "--load", "m", "--no-adapt"))["preset"]
        == "default"
    )


def test_a_prior_helps_where_the_text_alone_cannot_tell(work):
    work.write("s", ["brak tuno"])
    work.write("t", ["ibbu aho"])
    work.write("words", ["brak\taho\t5", "tuno\tibbu\t5"])
    work.write("large-s", ["brak", "tuno", "brak osk"] * 5)
    work.write("large-t", ["aho", "ibbu", "uqua aho"] * 5)
    work.ok("train", "large-s", "large-t", "-q", "--save", "m")
    assert work.align("s", "t") != ["0-1 1-0"]
    assert work.align("s", "t", "--prior", "words") == ["0-1 1-0"]
    assert work.align("s", "t", "--prior", "m") == ["0-1 1-0"]
    work.ok("train", "s", "t", "-q", "--prior", "words", "--save", "n")
    assert work.align("s", "t", "--load", "n", "--no-adapt") == ["0-1 1-0"]


# What cannot be


@pytest.mark.parametrize("command", [["align", "-o", "out"], ["train", "--save", "m"]], ids=["align", "train"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--estimator", "gibbs"], "there is no estimator called 'gibbs'; there are em, vb, collapsed"),
        (["--preset", "slow"], "there is no preset called 'slow'; there are fast, default, best"),
        (["--alpha", "0"], "alpha is a number above 0, not 0.0"),
        (["--alpha", "-1"], "alpha is a number above 0, not -1.0"),
        (["--alpha", "nan"], "alpha is a number above 0, not nan"),
        (["--alpha", "inf"], "alpha is a number above 0, not inf"),
        (["--lookalikes", "inf"], "lookalikes is added to counts, at most 1,000,000,000, and cannot be inf"),
        (
            ["--estimator", "collapsed", "--smoothing", "0.1"],
            "smoothing is for the estimator em; collapsed has a prior, whose size alpha sets",
        ),
        (["--preset", "fast", "--smoothing", "0.1"], "smoothing is for the estimator em; collapsed has a prior"),
        (["--estimator", "vb", "--smoothing", "0.1"], "smoothing is for the estimator em; vb has a prior"),
        (["--preset", "fast", "--project-at-decode"], "without a constraint there is nothing to project onto"),
    ],
)
def test_values_that_cannot_be(small, command, options, message):
    assert small.fails(*command, "s", "t", "-q", *options, code=2).startswith(message)


@pytest.mark.parametrize("command", [["align", "-o", "out"], ["train", "--save", "m"]], ids=["align", "train"])
@pytest.mark.parametrize(
    "options", [["--lookalikes", "-1"], ["--constraint-from", "0"], ["--alpha", "much"], ["--prior"]]
)
def test_misuse_that_the_parser_sees(small, command, options):
    before = small.snapshot()
    outcome = small.run(*command, "s", "t", *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert options[0] in outcome.err
    assert small.snapshot() == before


@pytest.mark.parametrize("command", [["align", "-o", "out"], ["train", "--save", "n"]], ids=["align", "train"])
def test_priors_that_cannot_be_read(model, command, monkeypatch):
    def fail(*arguments):
        raise AssertionError("trained all the same")

    monkeypatch.setattr("pralign.runs.run.Trainer.run", fail)
    model.write("bad", ["house\tmaison", "house maison"])
    (model.folder / "d").mkdir()
    command = [*command, "s", "t", "-q", "--prior"]
    assert model.fails(*command, "none") == "none: cannot read: No such file or directory"
    assert model.fails(*command, "bad").startswith("bad, line 2: a line of a dictionary has a word, a tab, a word")
    assert model.fails(*command, "d") == "d: there is no model here: manifest.json is missing"
    assert model.fails(*command, "m", "--prior", "bad").startswith("bad, line 2: ")
    message = model.fails(*command, "m", "--prefix", "3", code=2)
    assert message == "m was trained with prefix None, now it is 3; its words do not fit"
    model.write("m/target.json", "[]")
    assert model.fails(*command, "m") == "m: target.json is damaged: it is not the file that was saved"


@pytest.mark.parametrize(
    ("option", "value", "saved"),
    [
        ("--preset", "fast", "with --preset default"),
        ("--estimator", "em", "with --estimator collapsed"),
        ("--alpha", "0.1", "with --alpha 0.001"),
        ("--lookalikes", "0.5", "with --lookalikes 3.0"),
        ("--constraint-from", "2", "with --constraint-from 1"),
        ("--prefix", "3", "without --prefix"),
        ("--prior", "s", "without --prior"),
    ],
)
def test_a_saved_model_cannot_be_trained_otherwise(model, option, value, saved):
    message = model.fails("align", "s", "t", "-q", "--load", "m", "--no-adapt", option, value, code=2)
    told = f"['{value}']" if option == "--prior" else value
    assert message == f"a loaded model keeps its settings; m was trained {saved}, not {told}"


# Saved and loaded


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_gives_the_same_bytes_when_saved_and_loaded(mixed, preset):
    training = ["--preset", preset, "--max-length", "20"]
    trained = results(mixed, *training, "--save", "m")
    assert '"links": []' not in trained["o"].splitlines()[31]  # the long pair has links
    assert results(mixed, "--load", "m", "--no-adapt") == trained
    assert results(mixed, "--load", "m", "--no-adapt", *training) == trained


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("model", STAGES)
def test_every_estimator_gives_the_same_bytes_when_saved_and_loaded(mixed, model, estimator):
    training = ["--model", model, "--iterations", STAGES[model], "--estimator", estimator, "--max-length", "20"]
    trained = results(mixed, *training, "--save", "m")
    assert results(mixed, "--load", "m", "--no-adapt") == trained
    assert results(mixed, "--load", "m", "--no-adapt", *training) == trained


def test_a_model_with_priors_gives_the_same_bytes_when_saved_and_loaded(mixed):
    mixed.write("words", ["house\tmaison\t3"])
    mixed.ok("train", "s", "t", "-q", "--save", "earlier", "--preset", "fast")
    options = ["--prior", "words", "--prior", "earlier", "--alpha", "0.01", "--lookalikes", "2"]
    trained = results(mixed, *options, "--save", "m")
    assert results(mixed, "--load", "m", "--no-adapt") == trained
    assert results(mixed, "--load", "m", "--no-adapt", *options) == trained


@pytest.mark.parametrize("options", [["--threshold", "balanced"], ["--threshold", "balanced", "--symmetrize", "union"]])
def test_a_saved_model_can_balance_its_threshold_on_the_text(mixed, options):
    training = ["--model", "ibm1", "--iterations", "ibm1=2"]
    plain = results(mixed, *training, "--save", "m")
    balanced = results(mixed, *training, *options)
    assert balanced != plain
    assert results(mixed, "--load", "m", "--no-adapt", *options) == balanced


# Threads


@pytest.fixture
def large(work):
    """Text of several blocks of work: the sample, and its sentences joined in sixes."""
    sides = [
        [" ".join(lines[k : k + size]) for size in (1, 6) for k in range(0, len(lines), size)]
        for lines in sample_lines(460)
    ]
    work.write("s", sides[0])
    work.write("t", sides[1])
    return work


@pytest.mark.parametrize(
    "options", [[], ["--preset", "best", "--iterations", "ibm1=1,fhmm=2", "--constraint-from", "2"]]
)
def test_the_number_of_threads_does_not_change_a_byte(large, options):
    assert len(shards_of("s", "t")) >= 2
    assert sum(len(list(shard.blocks())) for shard in shards_of("s", "t")) >= 3
    snapshots = []
    for threads in (1, 2, 3):
        large.ok("align", "s", "t", "-q", "-o", "o", *OUTPUTS, "--save", "m", "--threads", threads, *options)
        snapshots.append(large.snapshot())
    first, second, third = snapshots
    assert len(first["o"]) > 10_000
    assert first == second
    assert first == third
