"""What commands tell programs, and when they tell people something."""

from __future__ import annotations

import json
import re

import pytest

from pralign.cli import log as log_module

QUICK = ["--model", "ibm1", "--iterations", "ibm1=2"]
STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d "


def events(text):
    return [json.loads(line) for line in text.splitlines()]


def named(records, *names):
    return [record for record in records if record["event"] in names]


# A log in a file


def test_a_log_tells_everything_from_start_to_end(small):
    small.ok("align", "s", "t", *QUICK, "-o", "out", "--log-json", "log", "-q")
    records = events(small.read("log"))
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", record["time"]) for record in records)
    assert records[0]["event"] == "start"
    assert records[-1] == {"time": records[-1]["time"], "event": "end", "code": 0, "seconds": records[-1]["seconds"]}
    first, second = named(records, "iteration")
    assert (first["iteration"], second["iteration"], second["model"]) == (1, 2, "ibm1")
    assert second["log_likelihood"] > first["log_likelihood"]
    assert second["log_likelihood_kind"] == []
    aligned = [record for record in named(records, "progress") if record["phase"] == "align"]
    assert aligned[-1]["pairs_done"] == 6
    [message] = named(records, "message")  # quiet or not
    assert message["level"] == "info"
    assert message["text"].startswith("model:ibm1|")


@pytest.mark.parametrize("options", [["--no-adapt"], []], ids=["no adapting", "nothing to adapt to"])
def test_aligning_with_a_saved_model_is_logged_too(model, options):
    model.ok("align", "s", "t", "--load", "m", *options, "-o", "out", "--log-json", "log")
    aligned = named(events(model.read("log")), "progress")
    assert [record["phase"] for record in aligned] == ["align", "align"]
    assert [record["pairs_done"] for record in aligned] == [0, 6]


def test_adapting_is_logged(model):
    model.write("s", model.read("s") + "the green dog\n")
    model.write("t", model.read("t") + "le chien vert\n")
    model.ok("align", "s", "t", "--load", "m", "-o", "out", "--log-json", "log")
    records = events(model.read("log"))
    assert len(named(records, "iteration")) == 3
    assert named(records, "progress")[-1]["phase"] == "align"


def test_a_second_run_adds_to_the_log(small):
    for _ in range(2):
        small.ok("train", "s", "t", *QUICK, "--save", "m", "--log-json", "log")
    kinds = [record["event"] for record in events(small.read("log"))]
    assert [kind for kind in kinds if kind in ("start", "end")] == ["start", "end"] * 2


def test_other_long_commands_have_logs(ready):
    ready.ok("match", "align", "s", "t", "--load", "m", "-o", "out", "--log-json", "match")
    assert named(events(ready.read("match")), "progress")[-1]["pairs_done"] == 40
    ready.ok("classes", "s", "-n", "3", "-o", "out", "--log-json", "classes")
    assert [record["event"] for record in events(ready.read("classes"))] == ["start", "message", "end"]


def test_merging_has_a_log(model):
    model.ok("train", "t", "s", "-q", "--save", "other")
    model.run("merge", "m", "m", "--save", "both", "--log-json", "log")
    [*_, last] = events(model.read("log"))
    assert (last["event"], last["code"]) == ("failed", 2)
    assert "same model" in last["because"]


def test_the_last_event_says_why_a_run_failed(small):
    message = small.run("align", "s", "none", "-o", "out", "--log-json", "log")
    *_, last = events(small.read("log"))
    assert message.err == f"pralign: {last['because']}\n"
    assert (last["event"], last["code"]) == ("failed", 1)
    assert last["because"] == "none: cannot read: No such file or directory"


def test_what_is_wrong_with_the_program_is_logged_too(small, monkeypatch):
    def fail(*arguments):
        raise ZeroDivisionError

    monkeypatch.setattr("pralign.cli.align.Outputs.write", fail)
    with pytest.raises(ZeroDivisionError):
        small.run("align", "s", "t", *QUICK, "-o", "out", "--log-json", "log")
    *_, last = events(small.read("log"))
    assert (last["event"], last["because"], last["code"]) == ("failed", "ZeroDivisionError", 1)


def test_an_interrupt_is_logged(small, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("pralign.cli.align.Outputs.write", interrupt)
    assert small.run("align", "s", "t", *QUICK, "-o", "out", "--log-json", "log").code == 130
    *_, last = events(small.read("log"))
    assert (last["event"], last["because"], last["code"]) == ("failed", "interrupted", 130)


def test_a_log_is_never_added_to_an_input(small):
    assert "is also the input" in small.fails("align", "s", "t", "-o", "out", "--log-json", "s", code=2)


def test_warnings_are_logged_with_their_level(small):
    small.write("s", small.read("s") + "x " * 10_000 + "\n")
    small.write("t", small.read("t") + "y " * 10_000 + "\n")
    err = small.ok("align", "s", "t", *QUICK, "-q", "-o", "out", "--log-json", "log").err
    [warning] = [record for record in named(events(small.read("log")), "message") if record["level"] == "warning"]
    assert err == f"{warning['text']}\n"
    assert "too large to align" in err


# A log on standard error


def test_a_log_on_standard_error_takes_the_place_of_messages(small):
    outcome = small.ok("align", "s", "t", *QUICK, "--log-json", "-")
    records = events(outcome.err)
    assert (records[0]["event"], records[-1]["event"]) == ("start", "end")
    assert outcome.out.count("\n") == 6


def test_failures_are_events_on_standard_error(small):
    outcome = small.run("align", "s", "none", "--log-json", "-")
    assert outcome.code == 1
    assert [record["event"] for record in events(outcome.err)] == ["start", "failed"]


def test_other_commands_talk_to_people_again(small):
    small.ok("align", "s", "t", *QUICK, "-o", "out", "--log-json", "-")
    assert "ibm1 2/2: log-likelihood" in small.ok("align", "s", "t", *QUICK, "-o", "out").err


def test_a_file_called_like_nothing_else_is_a_log(tmp_path):
    assert log_module.log_file(tmp_path) == tmp_path
    assert log_module.log_file(None) is None


# Time stamps


def test_time_stamps(small, monkeypatch):
    command = ["align", "s", "t", *QUICK, "-o", "out"]
    plain = small.ok(*command).err
    assert not re.search(STAMP, plain)
    for options, environment in (["--timestamps"], {}), ([], {"PRALIGN_TIMESTAMPS": "1"}):
        with monkeypatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            lines = small.ok(*command, *options).err.splitlines()
        assert len(lines) == plain.count("\n")
        assert all(re.match(STAMP, line) for line in lines)
    small.write("bad", "a\n")
    [line] = small.run("align", "s", "bad", "-q", "--timestamps").err.splitlines()
    assert re.fullmatch(STAMP + "pralign: s has .*", line)


# Quiet


@pytest.mark.parametrize(
    "command",
    [
        ["convert", "l", "out", "--to", "gold"],
        ["evaluate", "l", "l"],
        ["show", "s", "t", "l"],
        ["symmetrize", "l", "l", "--heuristic", "union"],
        ["symmetrize", "l", "--heuristic", "invert"],
        ["report", "s", "t", "--system", "l"],
        ["classes", "s"],
        ["lexicon", "s", "t", "l"],
        ["shortlist", "s", "t", "l"],
        ["phrases", "s", "t", "l"],
        ["rules", "s", "t", "l"],
        ["align", "s", "t", *QUICK, "--format", "talp"],
    ],
    ids=lambda command: " ".join(command[:1] + command[3:5]),
)
def test_quiet_commands_say_nothing(small, command):
    small.write("l", ["0-0 1p1", *["0-0"] * 5])
    assert small.ok(*command).err != ""
    assert small.ok(*command, "-q").err == ""


def test_losses_are_told_even_by_quiet_commands(work):
    work.write("g", ["0-0 1?1"])
    assert work.ok("convert", "g", "out", "--to", "pharaoh", "-q").err == (
        "dropped 1 possible-only links: pharaoh holds sure links only\n"
    )
