"""Signals: exit codes, what is left behind, and how soon a program ends, in the middle of very long sentences too."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.support import PATIENCE, Workspace, sample_lines

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="there are no such signals"),
]

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
SAID = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "hung up"}
LABELLED = ["--labelled", "some.s", "some.t", "some.gold"]
SOON = 4  # seconds; two on a machine that is not busy with other tests

# A program that gets a signal when a function has been at work for a moment, and tells when that was.
STRIKE = """
import os, sys, threading, time
from pralign.cli import main
from pralign.runs.resources import Resources

Resources.kept = property(lambda self: 0)  # everything goes to scratch files

def at_work(frame):
    while frame is not None:
        if frame.f_code.co_name == {function!r} and "pralign" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False

def strike():
    while not any(map(at_work, sys._current_frames().values())):
        time.sleep(0.01)
    time.sleep(0.2)
    print(time.monotonic(), file=sys.stderr, flush=True)
    os.kill(os.getpid(), {number})

threading.Thread(target=strike, daemon=True).start()
sys.argv = ["pralign", *{arguments!r}]
main()
"""


class Ended:
    """How a program ended that was struck by a signal: its exit code, what it said, and how long it took."""

    def __init__(self, code: str, work: Workspace) -> None:
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=work.folder, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        now = time.monotonic()
        self.code, self.lines = done.returncode, done.stderr.splitlines()
        moments = [line for line in self.lines if line.replace(".", "").isdigit()]
        assert len(moments) == 1, done.stderr
        self.seconds = now - float(moments[0])
        self.said = [line for line in self.lines if line.startswith("pralign: ")]


def struck(work: Workspace, number: int, function: str, *arguments: object) -> Ended:
    return Ended(
        STRIKE.format(function=function, number=int(number), arguments=[str(each) for each in arguments]), work
    )


def long_sentence(seed: int, words: int, letter: str) -> str:
    chance = random.Random(seed)
    return " ".join(f"{letter}{min(int(chance.paretovariate(0.8)), 500)}" for _ in range(words))


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """A folder with pairs of 2000 words among short ones, ``s`` and ``t``, a gold, and models of short sentences."""
    work = Workspace(tmp_path_factory.mktemp("long"))
    source, target = sample_lines(40)
    work.write("short.s", source)
    work.write("short.t", target)
    for side in "st":
        sentences = source if side == "s" else target
        work.write(side, [*(long_sentence(seed, 2000, side) for seed in (1, 2)), *sentences])
    for side in "st":
        work.write(
            f"some.{side}", [long_sentence(seed, words, side) for seed, words in enumerate([800, 20, 20, 20, 20])]
        )
    work.write("some.gold", ["0-0 1-1 2-2"] * 5)
    work.write("many", [" ".join(f"w{number % 3989}" for number in range(k, 40_000, 7)) for k in range(7)])
    work.write("gold", [" ".join(f"{n}-{n}" for n in range(0, 2000, 7))] * 2 + ["0-0"] * 40)
    for model in ("hmm", "ibm4"):
        options = ("--model", model, "--iterations", f"ibm1=2,hmm=2{',ibm4=1' * (model == 'ibm4')}", "-q")
        files = (work.folder / "short.s", work.folder / "short.t")
        assert work.process("train", *files, *options, "--save", model).code == 0
    return work


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("_trees", ["align", "s", "t", "-o", "out", "--load", "hmm", "--no-adapt", "--decode", "itg"]),
        ("_trees", ["align", "s", "t", "-o", "out", "--load", "hmm", "--no-adapt", "--decode", "itg", "--threads", 1]),
        ("_search", ["align", "s", "t", "-o", "out", "--load", "ibm4", "--no-adapt", "--threads", 1]),
        (
            "reach_the_top",
            ["align", "s", "t", "-o", "out", "--model", "hmm", "--constraint", "agreement", "--max-length", 2000],
        ),
        (
            "iterate",
            ["match", "fit", "some.s", "some.t", *LABELLED, "--save", "saved", "--features", "dice,distance"],
        ),
        ("_exchange", ["classes", "many", "-n", 400, "-o", "out"]),
        (
            "resampled_values",
            ["report", "s", "t", "--system", "a=gold", "--gold", "gold", "--bootstrap", 100000, "-o", "out"],
        ),
    ],
    ids=["itg", "itg, one thread", "ibm4", "agreement", "match fit", "classes", "report"],
)
def test_long_sentences_hold_nobody_up(texts, function, arguments, tmp_path, monkeypatch, request):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    before = texts.snapshot()
    number = SIGNALS[sum(map(ord, request.node.name)) % 3]
    found = struck(texts, number, function, *arguments)
    assert (found.code, found.said[-1]) == (128 + number, f"pralign: {SAID[number]}")
    assert found.seconds < SOON
    assert texts.snapshot() == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", SIGNALS, ids=str)
def test_scratch_files_and_unfinished_results_are_removed(small, number):
    (small.folder / "scratch").mkdir()
    small.write("out", "old\n")
    before = small.snapshot()
    arguments = ["align", "s", "t", "-o", "out", "--scores", "new", "--save", "m", "--iterations", "ibm1=1000000"]
    found = struck(small, number, "advance", *arguments, "--model", "ibm1", "--scratch", "scratch")
    assert (found.code, found.said) == (128 + number, [f"pralign: {SAID[number]}"])
    assert found.seconds < SOON
    assert small.snapshot() == before


# Leftovers of programs that nobody could ask


def killed(work: Workspace) -> Path:
    """What a program has left that was killed in the middle."""
    found = struck(work, signal.SIGKILL, "advance", *ENDLESS, "--scratch", "scratch")
    assert found.code == -signal.SIGKILL
    [left] = (work.folder / "scratch").iterdir()
    assert any(left.iterdir())
    return left


@pytest.mark.skipif(sys.platform != "linux", reason="nothing is cleared here")
def test_what_a_killed_program_has_left_is_removed_by_the_next(small):
    scratch = small.folder / "scratch"
    scratch.mkdir()
    left = killed(small)
    mine = scratch / "pralign-scratch-12345678"  # looks like one, but holds something else
    mine.mkdir()
    (mine / "notes.txt").write_text("mine")
    struck(small, signal.SIGTERM, "advance", *ENDLESS, "--scratch", "scratch")
    assert list(scratch.iterdir()) == [mine]
    assert not left.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="nothing is cleared here")
def test_what_a_living_program_uses_is_left_alone(small):
    (small.folder / "scratch").mkdir()
    code = (
        "import sys\n"
        "from pralign.store.scratch import ScratchDirectory\n"
        "used = ScratchDirectory('scratch')\n"
        "print(used.path.name, flush=True)\n"
        "sys.stdin.readline()\n"
    )
    command = [sys.executable, "-c", code]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=small.folder, text=True, **pipes) as living:
        name = living.stdout.readline().strip()
        with subprocess.Popen(command, cwd=small.folder, text=True, **pipes) as other:
            other.stdout.readline()
            other.communicate("\n")
        assert [path.name for path in (small.folder / "scratch").iterdir()] == [name]
        living.communicate("\n")
    assert list((small.folder / "scratch").iterdir()) == []


# Programs that do not answer, or must not be disturbed. The command is replaced by a few lines.

PROGRAM_OF = """
import os, pty, signal, sys, time
from pathlib import Path
import pralign.cli.app
import typer
from pralign import cleanup
from pralign.cli import main
from pralign.cli.console import reporting_errors

def command():
{lines}

def tell():
    print(time.monotonic(), file=sys.stderr, flush=True)

pralign.cli.app.app = typer.Typer()
pralign.cli.app.app.command()(reporting_errors(command))
main()
"""


def ended(work: Workspace, *lines: str) -> Ended:
    return Ended(PROGRAM_OF.format(lines="".join(f"    {line}\n" for line in lines)), work)


def test_a_program_that_does_not_listen_is_ended_all_the_same(work):
    found = ended(
        work,
        "Path('file').touch(); cleanup.register(Path('file'))",
        "Path('folder/below').mkdir(parents=True); cleanup.register(Path('folder'))",
        "tell()",
        "while True:",
        "    try:",
        "        os.kill(os.getpid(), signal.SIGTERM)",
        "        time.sleep(60)",
        "    except BaseException:",
        "        pass",
    )
    assert (found.code, found.said) == (143, ["pralign: terminated"])
    assert 1 < found.seconds < SOON
    assert work.snapshot() == {}


def test_nobody_is_ended_while_finished_files_get_their_names(work):
    found = ended(
        work,
        "with cleanup.committing():",
        "    tell(); os.kill(os.getpid(), signal.SIGINT)",
        "    time.sleep(2.5)",
        "    Path('named').touch()",
        "time.sleep(60)",
    )
    assert (found.code, found.said) == (130, ["pralign: interrupted"])
    assert 2.5 < found.seconds < 2.5 + SOON
    assert list(work.snapshot()) == ["named"]


def test_a_program_that_was_done_is_not_said_to_have_failed(work):
    found = ended(
        work,
        "with cleanup.committing():",
        "    tell(); os.kill(os.getpid(), signal.SIGTERM)",
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])",
        "cleanup.committing().__enter__()",  # until the end
    )
    assert (found.code, found.said) == (0, [])


def test_more_signals_do_not_break_the_cleaning_up(work):
    found = ended(
        work,
        "tell(); Path('file').touch()",
        "try:",
        "    os.kill(os.getpid(), signal.SIGINT)",
        "    time.sleep(60)",
        "finally:",
        "    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) * 3:",
        "        os.kill(os.getpid(), number)",
        "        time.sleep(0.02)",
        "    Path('file').unlink()",
    )
    assert (found.code, found.said) == (130, ["pralign: interrupted"])
    assert work.snapshot() == {}


def test_a_stop_that_was_quicker_than_the_signal_is_not_followed_by_another_exception(work):
    found = ended(
        work,
        "from pralign.stopping import Stopped",
        "tell(); Path('file').touch()",
        "try:",
        "    raise Stopped",
        "finally:",
        "    os.kill(os.getpid(), signal.SIGTERM)",
        "    time.sleep(0.2)",
        "    Path('file').unlink()",
    )
    assert (found.code, found.said) == (143, ["pralign: terminated"])
    assert work.snapshot() == {}


# Those who start programs


ENDLESS = ["align", "s", "t", "-o", "out", "--model", "ibm1", "--iterations", "ibm1=1000000"]


def started(work: Workspace, program: list[str], **options) -> subprocess.Popen[str]:
    return subprocess.Popen([*program, *ENDLESS], cwd=work.folder, text=True, **options)


def test_what_is_to_be_ignored_is_ignored(small):
    code = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "os.execv(sys.executable, [sys.executable, '-m', 'pralign', *sys.argv[1:]])\n"
    )
    with started(small, [sys.executable, "-c", code], stderr=subprocess.PIPE) as process:
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            for _ in range(20):  # it works on
                assert process.stderr.readline().startswith("ibm1 ")
            process.send_signal(number)
        assert process.communicate(timeout=PATIENCE)[1].endswith("pralign: terminated\n")
    assert process.returncode == 143


def test_a_terminal_that_is_gone(work):
    found = ended(
        work,
        "tell()",
        "ours, theirs = pty.openpty()",
        "os.dup2(theirs, 1); os.dup2(theirs, 2); os.close(ours)",
        "os.kill(os.getpid(), signal.SIGHUP)",
        "time.sleep(60)",
    )
    assert (found.code, found.said) == (129, [])
    assert found.seconds < SOON
