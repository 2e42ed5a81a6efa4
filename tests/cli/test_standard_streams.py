"""Standard streams that are closed, full or gone, and directories that are: what is said, and what goes on."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from cli.support import PATIENCE, PROGRAM, SMALL_SOURCE, full_disk
from pralign.errors import InputError
from pralign.runs.opening import describe_run
from pralign.runs.recipe import Recipe
from pralign.settings import Settings

processes = pytest.mark.slow  # each starts a program


def in_shell(folder, line):
    start = f'pralign() {{ {" ".join(PROGRAM)} "$@"; }}; set -o pipefail; '
    done = subprocess.run(["bash", "-c", start + line], cwd=folder, capture_output=True, timeout=PATIENCE, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


# Standard input


@processes
@pytest.mark.parametrize("command", ["align - t -q", "convert - out --from pharaoh --to gold", "evaluate - t"])
def test_standard_input_that_is_closed_is_named(small, command):
    small.write("t", "0-0\n" * len(SMALL_SOURCE))
    before = small.snapshot()
    code, out, err = in_shell(small.folder, f"pralign {command} <&-")
    assert (code, out, err) == (1, "", "pralign: standard input: cannot read: it is closed\n")
    assert small.snapshot() == before


# Standard error


@processes
@pytest.mark.parametrize("where", ["2>&1 | head -1", "2>&-", pytest.param("2>/dev/full", marks=full_disk), "2>&- <&-"])
def test_messages_that_nobody_can_read_end_no_run(small, where):
    code, out, err = in_shell(small.folder, f"pralign align s t -o out {where}")
    assert (code, err) == (0, "")
    assert out.count("\n") <= 1
    assert len(small.lines("out")) == len(SMALL_SOURCE)


@processes
@pytest.mark.parametrize("where", ["2>&1 | true", "2>&-", pytest.param("2>/dev/full", marks=full_disk)])
@pytest.mark.parametrize(("command", "code"), [("align none t", 1), ("align --none", 2)])
def test_messages_that_nobody_can_read_leave_the_exit_code(small, where, command, code):
    assert in_shell(small.folder, f"pralign {command} {where}")[0] == code


@processes
def test_no_other_file_gets_the_place_of_standard_error(small):
    # What C libraries print there would end up in that file.
    small.write(
        "program.py",
        "import os\n"
        "from pralign.cli.standard_error import forgive_standard_error\n"
        "forgive_standard_error()\n"
        "print(os.path.samefile('/dev/fd/2', os.devnull))\n",
    )
    assert in_shell(small.folder, f"{PROGRAM[0]} program.py 2>&- <&-")[:2] == (0, "True\n")


@processes
def test_what_is_told_on_a_terminal_that_goes_away(small):
    # The bar of a terminal is drawn by a library, which ends the program if it cannot.
    leader, follower = os.openpty()
    with subprocess.Popen(
        [*PROGRAM, "align", "s", "t", "-o", "out"], cwd=small.folder, stderr=follower, stdin=subprocess.DEVNULL
    ) as process:
        os.close(follower)
        os.read(leader, 1)
        os.close(leader)
        assert process.wait(PATIENCE) == 0
    assert len(small.lines("out")) == len(SMALL_SOURCE)


# A log


@full_disk
def test_a_log_that_cannot_be_written_any_more_is_told_once(small):
    outcome = small.ok("align", "s", "t", "-o", "out", "--log-json", "/dev/full")
    lines = [line for line in outcome.err.splitlines() if "/dev/full" in line]
    assert lines == ["/dev/full: cannot write any more of the log: No space left on device; the run goes on"]
    assert len(small.lines("out")) == len(SMALL_SOURCE)


@processes
def test_logs_and_checkpoints_hold_names_that_are_no_text(small):
    name = os.fsdecode(b"prior\xff")
    small.write(name, "many words\tmot\n")
    outcome = small.process(
        "align", "s", "t", "-o", "out", "--log-json", "log", "--prior", name, "--checkpoint", "c", "--threads", "1"
    )
    assert outcome.code == 0
    assert r"prior\udcff: 1 entries are not one word each and were left out" in outcome.err
    records = [json.loads(line) for line in small.lines("log")]
    assert records[-1]["event"] == "end"
    assert any("were left out" in record.get("text", "") for record in records)


# The right file and cause


@processes
def test_a_working_directory_that_is_gone_is_named(small):
    line = "mkdir gone && cd gone && rmdir ../gone && pralign align s t -q -o out"
    message = "pralign: the working directory does not exist any more; change to another one\n"
    assert in_shell(small.folder, line) == (1, "", message)


@pytest.mark.parametrize(
    "command", [["inspect", "NAME"], ["align", "s", "t", "-q", "--load", "NAME"], ["match", "weights", "NAME"]]
)
def test_a_model_that_cannot_be_looked_at_is_not_said_to_be_written(small, command):
    name = "m" * 300
    message = small.fails(*[name if part == "NAME" else part for part in command])
    assert message.startswith(f"{name}: ")
    assert message.endswith("File name too long")
    assert "write" not in message


@pytest.mark.parametrize(
    "command", [["align", "NAME", "t", "-q"], ["evaluate", "t", "NAME"], ["show", "s", "t", "NAME"]]
)
def test_a_text_that_cannot_be_looked_at_is_said_to_be_read(small, command):
    name = "n" * 300
    message = small.fails(*[name if part == "NAME" else part for part in command])
    assert message == f"{name}: cannot read: File name too long"


def test_a_prior_that_cannot_be_read_is_said_to_be_read():
    name = "p" * 300
    with pytest.raises(InputError, match=rf"^{name}: cannot read: File name too long$"):
        describe_run(Recipe.of(Settings.resolve(prior=name)), None, [], None)


def test_a_failure_of_the_system_that_names_a_file(small, monkeypatch):
    def fail(*arguments, **options):
        raise PermissionError(13, "Permission denied", "m/parameters.safetensors")

    monkeypatch.setattr("pralign.aligner.Aligner.load", fail)
    assert small.fails("inspect", "m") == "m/parameters.safetensors: cannot be used: Permission denied"


def test_a_failure_of_the_system_that_names_nothing(small, monkeypatch):
    def fail(*arguments, **options):
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("pralign.aligner.Aligner.load", fail)
    assert small.fails("inspect", "m") == "the system failed: Too many open files"
