"""What only shows in a process of its own: pipes, signals, full disks and closed streams."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from cli.support import PATIENCE, PROGRAM, SMALL_SOURCE, full_disk
from pralign import sample

pytestmark = pytest.mark.slow

PIPE = subprocess.PIPE


# A reader that goes away


@pytest.mark.parametrize(
    "command",
    [
        ["align", sample.SOURCE, sample.TARGET, "-q", "--model", "ibm1", "--format", "jsonl"],
        ["convert", "links", "-", "--to", "jsonl"],
    ],
    ids=lambda command: command[0],
)
def test_a_closed_pipe(work, command):
    work.write("links", "0-0 1-1 2-2 3-3 4-4\n" * 20_000)
    with subprocess.Popen([*PROGRAM, *map(str, command)], cwd=work.folder, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdout.readline() != b""
        process.stdout.close()
        err = process.stderr.read().decode()
        assert process.wait(PATIENCE) == 141
    assert err == ""


def test_a_closed_pipe_beside_other_results(work):
    command = ["align", sample.SOURCE, sample.TARGET, "-q", "--model", "ibm1", "--format", "jsonl"]
    command += ["--scores", "scores", "--report", "page.html", "--save", "m"]
    with subprocess.Popen([*PROGRAM, *map(str, command)], cwd=work.folder, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdout.readline() != b""
        process.stdout.close()
        err = process.stderr.read().decode()
        assert process.wait(PATIENCE) == 1
    assert (
        err == "pralign: standard output was closed before all was written; the other results are not written either\n"
    )
    assert work.snapshot() == {}


# No space left


@full_disk
@pytest.mark.parametrize(
    "command",
    [
        ["align", "s", "t", "-q", "--model", "ibm1"],
        ["evaluate", "links", "links", "--json"],
        ["convert", "links", "-", "--from", "pharaoh", "--to", "gold"],
        ["convert", "many", "-", "--from", "pharaoh", "--to", "gold"],
    ],
    ids=lambda command: " ".join(map(str, command[:2])),
)
def test_standard_output_on_a_full_disk(model, command):
    model.write("links", "0-0 1-1\n")
    model.write("many", "0-0 1-1\n" * 10_000)
    before = model.snapshot()
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        code, _, err = model.process(*command, stdout=full)
    assert (code, err) == (1, "pralign: standard output: cannot write: No space left on device\n")
    assert model.snapshot() == before


@full_disk
def test_other_results_are_not_replaced_if_standard_output_is_full(small):
    small.write("scores", "old\n")
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        code, _, err = small.process("align", "s", "t", "-q", "--scores", "scores", stdout=full)
    assert (code, err) == (1, "pralign: standard output: cannot write: No space left on device\n")
    assert small.read("scores") == "old\n"


# Standard streams that are not there


def in_shell(small, line):
    program = " ".join(PROGRAM)
    done = subprocess.run(
        ["bash", "-c", f"{program} {line}"], cwd=small.folder, stdout=PIPE, stderr=PIPE, timeout=PATIENCE, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_without_standard_output_files_are_written_all_the_same(work):
    work.write("links", "0-0 1?1\n")
    assert in_shell(work, "convert links out --from gold --to talp --to-base 1 >&-") == (0, "", "")
    assert work.read("out") == "1-1 2p2\n"


def test_without_standard_output_results_for_it_are_an_error(work):
    work.write("links", "0-0 1-1\n")
    code, _, err = in_shell(work, "convert links - --from pharaoh --to gold >&-")
    assert code == 1
    assert err.startswith("pralign: standard output")
    assert err.count("\n") == 1


def test_without_standard_error_results_are_written_all_the_same(small):
    code, out, _ = in_shell(small, "align s t 2>&-")
    assert code == 0
    assert out.count("\n") == len(SMALL_SOURCE)


# Input from other programs


@pytest.mark.parametrize("options", [["--format", "jsonl"], ["--load", "m", "--threshold", "auto"]], ids=" ".join)
def test_process_substitution(model, options):
    plain = model.ok("align", "s", "t", "-q", *options)
    assert in_shell(model, "align <(cat s) <(cat t) -q " + " ".join(options)) == plain
    assert plain.out.count("\n") == len(SMALL_SOURCE)


def test_standard_input_and_output_are_utf8_whatever_the_locale(work):
    record = '{"id": 0, "links": [[0, 0]], "source": ["é\u2028既"], "target": ["x"]}\n'
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    command = ["convert", "-", "-", "--from", "jsonl", "--to", "jsonl"]
    assert work.process(*command, stdin=record.encode(), env=environment) == (0, record, "")
    bad = record.replace("[[0, 0]]", '["é"]').encode()
    code, out, err = work.process(*command, stdin=bad, env=environment)
    assert (code, out) == (1, "")
    assert err.startswith("pralign: standard input, line 1: found 'é'; expected")


def test_a_file_name_that_is_not_utf8_is_shown_somehow(work):
    outcome = subprocess.run(
        [*PROGRAM, "evaluate", b"\xff.txt", b"\xff.txt"], cwd=work.folder, capture_output=True, check=False
    )
    assert outcome.returncode == 1
    assert outcome.stderr.startswith(b"pralign: ")
    assert outcome.stderr.endswith(b".txt: cannot read: No such file or directory\n")
    assert outcome.stderr.count(b"\n") == 1


# Ctrl-C


@pytest.mark.parametrize(("threads", "constraint"), [(1, "none"), (2, "none"), (2, "symmetric")])
def test_an_interrupt_during_training(small, threads, constraint):
    for name in ("out", "scores"):
        small.write(name, f"the old {name}\n")
    small.ok("train", "s", "t", "-q", "--save", "m")
    before = small.snapshot()
    command = ["align", sample.SOURCE, sample.TARGET, "-o", "out", "--scores", "scores", "--forward", "new"]
    command += ["--save", "m", "--model", "ibm1", "--iterations", "ibm1=1000000", "--threads", threads]
    command += ["--constraint", constraint]
    with subprocess.Popen(
        [*PROGRAM, *map(str, command)], cwd=small.folder, stdout=PIPE, stderr=PIPE, text=True
    ) as process:
        while not process.stderr.readline().startswith("ibm1 3/1000000"):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        out, err = process.communicate(timeout=PATIENCE)
        took = time.monotonic() - began
    assert process.returncode == 130
    assert out == ""
    assert [line for line in err.splitlines() if not line.startswith("ibm1 ")] == ["pralign: interrupted"]
    assert took < 5  # it takes a few hundredths of a second on an idle machine
    assert small.snapshot() == before


def test_an_interrupt_while_the_program_starts(work):
    # A terminal sends it to whatever is running; here it comes with the first import of the program's own.
    code = (
        "import os, signal, sys\n"
        "from pralign.cli import main\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'pralign.cli.app':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.argv = ['pralign', '--version']\n"
        "main()\n"
    )
    done = subprocess.run([PROGRAM[0], "-c", code], cwd=work.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("call", [1, 20, 100])
def test_an_interrupt_while_a_compiled_function_returns_arrays(small, call):
    # It calls Python to make them, and takes no notice of what is raised there.
    code = (
        "import os, signal, sys\n"
        "from pralign.cli import main\n"
        f"left = {call}\n"
        "def profile(frame, event, argument):\n"
        "    global left\n"
        "    if event == 'call' and frame.f_code.co_name == '_numba_unpickle':\n"
        "        left -= 1\n"
        "        if left == 0:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.setprofile(profile)\n"
        "options = ['--threads', '1', '--model', 'ibm1', '--iterations', 'ibm1=1000000', '-q']\n"
        "sys.argv = ['pralign', 'align', 's', 't', *options]\n"
        "main()\n"
    )
    run = subprocess.run(
        [PROGRAM[0], "-c", code], cwd=small.folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "pralign: interrupted\n")


# The program


def test_the_installed_program_and_the_module_are_the_same(work):
    program = Path(PROGRAM[0]).with_name("pralign")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == work.process("--version").out
    assert done.stdout.startswith("pralign ")


def test_the_demo(work):
    code, out, err = work.process("demo")
    assert code == 0
    assert "460 sentence pairs aligned" in out
    assert "The first 60 pairs are also aligned by hand" in out
    assert "AER" in out
    assert "pralign align source.txt target.txt" in out
    assert "open pralign-demo.html in a browser" in out
    assert "fhmm 5/5" in err
    assert list(work.snapshot()) == ["pralign-demo.html"]
