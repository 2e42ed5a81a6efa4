"""Constraints on the command line."""

from __future__ import annotations

import json
import re

import pytest

from cli.support import sample_lines
from pralign import Aligner
from pralign.constraints import Constraint
from pralign.links.formats import read_alignments

pytestmark = pytest.mark.slow

STAGES = {"ibm1": "ibm1=3", "ibm2": "ibm1=2,ibm2=2", "hmm": "ibm1=2,hmm=2"}
CONSTRAINTS = ["bijective", "symmetric", "agreement"]
OPTIONS = ["--constraint", "--tolerance", "--slack", "--project-at-decode", "--no-project-at-decode", "--dev"]
NUMBER = r"-?\d+\.\d+"
COST = rf"mean KL {NUMBER}, projections per pair {NUMBER}, not converged {NUMBER}%"

every_model = pytest.mark.parametrize("model", STAGES)
either_command = pytest.mark.parametrize(
    "command", [["align", "-o", "out"], ["train", "--save", "m"]], ids=lambda c: c[0]
)


def iterations(err):
    """The lines that report an iteration."""
    return [line for line in err.splitlines() if "log-likelihood" in line]


# The options


@every_model
@pytest.mark.parametrize("constraint", ["none", "bijective", "symmetric"])
def test_every_model_takes_every_constraint(text, model, constraint):
    settings = ["--model", model, "--iterations", STAGES[model], "--constraint", constraint]
    aligned = text.ok("align", "s", "t", *settings)
    assert aligned.out.count("\n") == 40
    trained = text.ok("train", "s", "t", *settings, "--save", "m")
    assert trained.out == ""
    assert text.ok("align", "s", "t", "-q", "--load", "m", "--no-adapt").out == aligned.out
    plain = text.ok("align", "s", "t", "-q", *settings[:-1], "none").out
    assert (aligned.out == plain) is (constraint == "none")
    for outcome in (aligned, trained):
        signature = outcome.err.splitlines()[-1]
        assert f"|constraint:{constraint}|" in signature
        assert ("|projected:yes|" in signature) is (constraint != "none")


def test_tolerance_slack_and_projection_are_used(text):
    base = ["align", "s", "t", "--constraint", "symmetric", "--iterations", "ibm1=2,hmm=2", "--format", "scored"]
    plain = text.ok(*base)
    changes = [
        (["--tolerance", "1e-6"], "|tolerance:1e-06|slack:0.001|projected:yes|"),
        (["--slack", "2"], "|tolerance:0.001|slack:2|projected:yes|"),
        (["--slack", "0"], "|tolerance:0.001|slack:0|projected:yes|"),
        (["--no-project-at-decode"], "|tolerance:0.001|slack:0.001|projected:no|"),
    ]
    for options, part in changes:
        changed = text.ok(*base, *options)
        assert changed.out != plain.out
        assert part in changed.err
    repeated = ["--tolerance", "0.001", "--slack", "0.001", "--project-at-decode"]
    assert text.ok(*base, *repeated).out == plain.out


def test_what_the_command_does_is_what_the_library_does(text):
    pairs = list(zip(text.lines("s"), text.lines("t"), strict=True))
    aligner = Aligner(model="ibm2", constraint="bijective", slack=0.1, tolerance=0.001, project_at_decode=False)
    expected = [" ".join(f"{i}-{j}" for i, j in alignment.links) for alignment in aligner.fit_align(pairs)]
    options = ["--model", "ibm2", "--constraint", "bijective", "--slack", "0.1", "--tolerance", "0.001"]
    assert text.align("s", "t", *options, "--no-project-at-decode") == expected


@pytest.mark.parametrize("command", ["align", "train"])
def test_help_shows_the_options(work, command):
    shown = work.ok(command, "--help").out
    assert all(option in shown for option in OPTIONS)
    assert "none|bijective|symmetric" in shown


# Misuse


@either_command
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--constraint", "one-to-one"], "there is no constraint called 'one-to-one'; there are none, bijective, symm"),
        (["--constraint", "Symmetric"], "there is no constraint called 'Symmetric'; there are none, bijective, symm"),
        (["--constraint", ""], "there is no constraint called ''; there are none, bijective, symm"),
        (["--constraint", "symmetric", "--tolerance", "-0.1"], "a tolerance is a number above 0, not -0.1"),
        (["--constraint", "symmetric", "--tolerance", "0"], "a tolerance is a number above 0, not 0.0"),
        (["--constraint", "symmetric", "--tolerance", "nan"], "a tolerance is a number above 0, not nan"),
        (["--constraint", "symmetric", "--slack", "inf"], "a slack is a number from 0, not inf"),
        (["--tolerance", "0.1"], "without a constraint there is no tolerance to set"),
        (["--slack", "0.1"], "without a constraint there is no slack to set"),
        (["--slack", "0", "--tolerance", "1"], "without a constraint there is no tolerance and no slack to set"),
        (["--constraint", "none", "--tolerance", "0.1"], "without a constraint there is no tolerance to set"),
        (["--project-at-decode"], "without a constraint there is nothing to project onto at decode time"),
        (
            ["--constraint", "none", "--project-at-decode"],
            "without a constraint there is nothing to project onto at decode time",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_values_that_cannot_be(small, command, options, message):
    assert small.fails(*command, "s", "t", "-q", *options, code=2).startswith(message)


@either_command
@pytest.mark.parametrize("options", [["--slack", "little"], ["--tolerance", "small"], ["--constraint"]], ids=" ".join)
def test_misuse_that_the_parser_sees(small, command, options):
    before = small.snapshot()
    outcome = small.run(*command, "s", "t", "--constraint", "symmetric", *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert options[0] in outcome.err
    assert "Traceback" not in outcome.err
    assert small.snapshot() == before


def test_without_a_constraint_there_may_be_no_projection(small):
    assert small.align("s", "t", "--no-project-at-decode") == small.align("s", "t")


# What is printed


@every_model
@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_each_iteration_says_what_projections_cost(small, model, constraint):
    outcome = small.ok("align", "s", "t", "--model", model, "--iterations", STAGES[model], "--constraint", constraint)
    lines = iterations(outcome.err)
    own = [line for line in lines if line.startswith(f"{model} ")]
    assert len(own) == (3 if model == "ibm1" else 2)
    head = rf"{model} \d/\d: log-likelihood {NUMBER} forward, {NUMBER} reverse"
    assert all(re.fullmatch(rf"{head}, {COST} \({NUMBER} s\)", line) for line in own)
    # The models that only make a start are not constrained.
    assert all("KL" not in line and "projections" not in line for line in lines if line not in own)


def test_the_figures_are_means_over_the_pairs(text):
    heard = []
    pairs = list(zip(text.lines("s"), text.lines("t"), strict=True))
    Aligner(iterations="hmm=2", constraint="symmetric").fit(pairs, listener=heard.append)
    costs = [progress.cost for progress in heard if progress.cost is not None]
    lines = iterations(text.ok("align", "s", "t", "--iterations", "hmm=2", "--constraint", "symmetric", "-o", "o").err)
    for line, cost in zip(lines, costs, strict=True):
        assert cost.pairs == 40
        assert f", mean KL {cost.divergence / 40:.4f}, projections per pair {cost.calls / 40:.2f}, " in line


def test_without_a_constraint_nothing_is_said_of_projections(small):
    err = small.ok("align", "s", "t", "--model", "hmm").err
    assert len(iterations(err)) == 10
    assert "KL" not in err
    assert "projections" not in err
    assert "|constraint:none|version:" in err


def test_what_did_not_converge_is_reported(text):
    # No number of steps gets this far in single precision.
    command = ["align", "s", "t", "--iterations", "hmm=1", "--constraint", "bijective"]
    shares = []
    for tolerance in ("1e-30", "0.005"):
        [line] = iterations(text.ok(*command, "--tolerance", tolerance, "-o", "o").err)
        shares.append(float(re.search(rf"not converged ({NUMBER})%", line)[1]))
    assert shares[0] > 50
    assert shares[1] == 0


@either_command
def test_quiet_prints_nothing(text, command):
    quiet = ["-q", "--model", "ibm1", "--constraint", "symmetric", "--dev", "s", "t", "g"]
    assert text.ok(*command, "s", "t", *quiet) == (0, "", "")


# Files of all kinds


def test_standard_input(text):
    options = ["--constraint", "symmetric", "--iterations", "ibm1=2,hmm=1"]
    expected = text.align("s", "t", *options)
    both = "".join(f"{s}\t{t}\n" for s, t in zip(text.lines("s"), text.lines("t"), strict=True))
    assert text.align("-", *options, stdin=both) == expected
    assert text.align("s", "-", *options, stdin=text.read("t")) == expected


@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_every_line_gets_an_answer(work, constraint):
    source, target = sample_lines(8)
    long = [" ".join(side * 4) for side in (source, target)]
    assert min(len(line.split()) for line in long) > 200
    work.write("s", [*source, "", "one", "Anna", long[0], "x", "7"])
    work.write("t", [*target, "seul", "", "Anna", long[1], "y z x", "7"])
    outcome = work.ok("align", "s", "t", "--constraint", constraint, "--scores", "c")
    lines = outcome.out.split("\n")[:-1]
    assert len(lines) == 14
    assert lines[8] == lines[9] == ""
    assert lines[10] == lines[13] == "0-0"
    assert lines[11] != ""
    assert [line == "nan" for line in work.lines("c")] == [number in (8, 9) for number in range(14)]
    assert "not trained on: 2 pairs with an empty side, 1 with a side over 200 words" in outcome.err


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        (b"caf\xe9 noir\n", b"black coffee\n", "s, line 1, byte 4: 0xe9 is not valid UTF-8"),
        (b"a\nb\n", b"x\n", "s has 2 lines, t 1"),
        (b"", b"", "s and t: no sentence pairs to learn from: the text is empty"),
        (b"\n\n", b"x\ny\n", "s and t: no sentence pairs to learn from: every pair has an empty side"),
    ],
)
@either_command
def test_text_that_cannot_be_used(work, command, source, target, message):
    work.write("s", source)
    work.write("t", target)
    assert work.fails(*command, "s", "t", "-q", "--constraint", "symmetric").startswith(message)


# Saved models


@pytest.fixture
def saved(text):
    """A symmetric model of the text, ``m``."""
    text.ok("train", "s", "t", "-q", "--constraint", "symmetric", "--iterations", "ibm1=2,hmm=2", "--save", "m")
    return text


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--constraint", "bijective"], "--constraint symmetric, not bijective"),
        (["--constraint", "none"], "--constraint symmetric, not none"),
        (["--constraint", "nonsense"], "--constraint symmetric, not nonsense"),
        (["--tolerance", "0.01"], "--tolerance 0.001, not 0.01"),
        (["--slack", "0.01"], "--slack 0.001, not 0.01"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_saved_model_keeps_its_constraint(saved, options, what):
    message = saved.fails("align", "s", "t", "-q", "--load", "m", "--no-adapt", *options, code=2)
    assert message == f"a loaded model keeps its settings; m was trained with {what}"


def test_settings_of_the_constraint_may_be_repeated_with_a_saved_model(saved):
    repeated = ["--constraint", "symmetric", "--tolerance", "0.001", "--slack", "0.001", "--project-at-decode"]
    assert saved.align("s", "t", "--load", "m", "--no-adapt", *repeated) == saved.align(
        "s", "t", "--load", "m", "--no-adapt"
    )


def test_a_model_saved_without_a_constraint_gets_none(small):
    small.ok("train", "s", "t", "-q", "--model", "ibm1", "--save", "m")
    load = ["align", "s", "t", "-q", "--load", "m", "--no-adapt"]
    message = small.fails(*load, "--constraint", "symmetric", code=2)
    assert message == "a loaded model keeps its settings; m was trained with --constraint none, not symmetric"
    message = small.fails(*load, "--project-at-decode", code=2)
    assert message == "without a constraint there is nothing to project onto at decode time"
    assert small.ok(*load, "--constraint", "none", "--no-project-at-decode") == small.ok(*load)


def test_a_saved_model_may_be_asked_with_and_without_projection(saved):
    training = ["--constraint", "symmetric", "--iterations", "ibm1=2,hmm=2"]
    outputs = ["--format", "scored", "--forward", "f", "--reverse", "r", "--scores", "c"]

    def results(*options):
        out = saved.ok("align", "s", "t", "-q", *outputs, *options).out
        return out, saved.read("f"), saved.read("r"), saved.read("c")

    projected, free = results(*training), results(*training, "--no-project-at-decode")
    assert results("--load", "m", "--no-adapt") == projected
    assert results("--load", "m", "--no-adapt", "--no-project-at-decode", "--save", "n") == free != projected
    assert results("--load", "n", "--no-adapt") == free
    assert results("--load", "n", "--no-adapt", "--project-at-decode") == projected


def test_inspect_shows_the_constraint(saved):
    shown = dict(line.split(None, 1) for line in saved.ok("inspect", "m").out.splitlines() if " " in line)
    assert [shown[name] for name in ("constraint", "tolerance", "slack")] == ["symmetric", "0.001", "0.001"]
    assert shown["project_at_decode"] == "True"
    assert "own_constraint" not in shown


class Nothing(Constraint):
    """Somebody's own constraint, which programs do not know."""

    name = "nothing"

    def features(self, source, target):
        return []


def test_a_model_with_a_constraint_of_ones_own(small):
    pairs = list(zip(small.lines("s"), small.lines("t"), strict=True))
    Aligner(model="ibm1", constraint=Nothing(), threads=1).fit(pairs).save(small.folder / "m")
    shown = small.ok("inspect", "m").out
    assert "nothing" in shown
    message = small.fails("align", "s", "t", "-q", "--load", "m", "--no-adapt", code=2)
    assert message.endswith("do without it by project_at_decode=False (--no-project-at-decode on the command line)")
    assert small.align("s", "t", "--load", "m", "--no-adapt", "--no-project-at-decode")


# Labelled pairs


@pytest.fixture
def labelled(text):
    """The text, with labels for its first half: ``ds``, ``dt`` and ``dg``."""
    for name in "stg":
        text.write(f"d{name}", text.lines(name)[:20])
    return text


DEV = ["--dev", "ds", "dt", "dg"]


@pytest.mark.parametrize(
    ("model", "constraint"), [("ibm1", "bijective"), ("ibm2", "symmetric"), ("hmm", "none"), ("hmm", "symmetric")]
)
def test_labelled_pairs_say_when_to_stop(labelled, model, constraint):
    options = ["--model", model, "--constraint", constraint]
    trained = labelled.ok("train", "s", "t", *options, *DEV, "--save", "m")
    aligned = labelled.ok("align", "s", "t", *options, *DEV, "--save", "n", "-o", "o")
    lines = iterations(trained.err)
    areas = [float(found[1]) for line in lines if (found := re.search(rf", dev area ({NUMBER})[, ]", line))]
    last = [line for line in lines if line.startswith(f"{model} ")]
    assert len(areas) == len(last)
    assert [line.split(":")[0] for line in last] == [f"{model} {k}/10" for k in range(1, len(areas) + 1)]
    signature = trained.err.splitlines()[-1]
    kept = int(re.search(rf"[:,]{model}=(\d+)\|decode", signature)[1])
    # Areas are printed with four decimals, so equal ones may still have risen.
    assert areas[:kept] == sorted(areas[:kept])
    assert len(areas) == min(kept + 1, 10)
    assert len(areas) == kept or areas[kept] <= areas[kept - 1]
    remark = f", no better than iteration {kept}, which is kept ("
    assert [remark in line for line in lines] == [False] * (len(lines) - 1) + [len(areas) > kept]
    assert aligned.err.splitlines()[-1] == signature
    assert len(labelled.lines("o")) == 40
    files = labelled.snapshot()
    for name in ("manifest.json", "parameters.safetensors"):
        assert files[f"m/{name}"] == files[f"n/{name}"]
    stages = re.search(r"iterations:([^|]*)\|", signature)[1]
    labelled.ok("train", "s", "t", "-q", *options, "--iterations", stages, "--save", "counted")
    assert labelled.snapshot()["counted/parameters.safetensors"] == files["m/parameters.safetensors"]
    assert json.loads(files["m/manifest.json"])["settings"]["iterations"] == stages


def test_the_iterations_given_are_the_most_that_labelled_pairs_get(labelled):
    outcome = labelled.ok("align", "s", "t", "--model", "ibm1", "--iterations", "ibm1=2", *DEV, "-o", "o")
    assert [line.split(":")[0] for line in iterations(outcome.err)] == ["ibm1 1/2", "ibm1 2/2"]
    assert all("dev area 0." in line for line in iterations(outcome.err))


def test_labelled_pairs_also_set_the_threshold(labelled):
    options = ["--model", "ibm1", "--constraint", "symmetric"]
    labelled.ok("align", "s", "t", *options, *DEV, "-o", "tuned", "--save", "m")
    threshold = json.loads(labelled.read("m/manifest.json"))["settings"]["threshold"]
    assert threshold != 0.5
    tuned = list(read_alignments(labelled.folder / "tuned"))
    labelled.ok("align", "s", "t", "-q", "--load", "m", "--no-adapt", "--threshold", repr(threshold), "-o", "o")
    assert list(read_alignments(labelled.folder / "o")) == tuned


def test_labelled_pairs_train_nothing_with_a_saved_model(labelled):
    labelled.ok("train", "s", "t", "-q", "--constraint", "symmetric", "--save", "m")
    outcome = labelled.ok("align", "s", "t", "--load", "m", "--no-adapt", *DEV, "-o", "o")
    assert iterations(outcome.err) == []
    assert "|iterations:ibm1=5,hmm=3|" in outcome.err


@either_command
def test_labelled_pairs_that_do_not_fit_are_refused_before_training(labelled, command, monkeypatch):
    def fail(*arguments):
        raise AssertionError("trained all the same")

    monkeypatch.setattr("pralign.runs.run.Trainer.run", fail)
    labelled.write("dg", labelled.lines("dg")[:10])
    arguments = [*command, "s", "t", "-q", "--constraint", "symmetric", *DEV]
    assert labelled.fails(*arguments) == "ds has 20 lines, dg 10"
    labelled.write("dg", ["0-99"] * 20)
    assert labelled.fails(*arguments).startswith("dg, line 1: link 0-99")
