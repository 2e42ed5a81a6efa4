"""How long lines may be, on the command line."""

from __future__ import annotations

import pytest

from pralign.text.files import LONGEST_LINE, line_limit

LONG = "x" * 200
READING = [
    ["align", "s", "t", "-q"],
    ["train", "s", "t", "-q", "--save", "new"],
    ["plan", "s", "t", "--preset", "fast"],
    ["classes", "s"],
    ["lexicon", "s", "t", "a"],
    ["shortlist", "s", "t", "a"],
    ["phrases", "s", "t", "a"],
    ["rules", "s", "t", "a"],
    ["show", "s", "t", "a", "--line", "2"],
    ["report", "s", "t", "--system", "a=a"],
    ["evaluate", "a", "a", "--source", "s", "--target", "t"],
    ["convert", "a", "out", "--from", "pharaoh", "--to", "gold", "--source", "s", "--target", "t"],
    ["symmetrize", "l", "l", "--heuristic", "union", "-o", "out"],
    ["match", "fit", "s", "t", "--labelled", "s", "t", "a", "--save", "new"],
    ["match", "align", "s", "t", "-q", "--load", "m"],
]


@pytest.mark.parametrize("command", READING, ids=lambda command: " ".join(command[:2]))
def test_every_command_that_reads_text_can_be_told(ready, command):
    ready.write("s", f"the house\n{LONG} house\n")
    ready.write("t", "la maison\nune maison\n")
    ready.write("a", "0-0\n0-0\n")
    ready.write("l", f"0-0\n{'0-0 ' * 50}\n")
    name = "l" if command[0] == "symmetrize" else "s"
    message = ready.fails(*command, "--max-line", "0.1K")
    assert message.startswith(f"{name}, line 2: longer than 100 bytes; if that is meant, ")
    assert "a size is such as" in ready.fails(*command, "--max-line", "long", code=2)
    assert line_limit() == LONGEST_LINE


def test_a_plan_passes_it_on(ready):
    out = ready.ok("plan", "s", "t", "--preset", "fast", "--threads", "1", "--max-line", "64M").out
    assert "pralign align s t --max-line 64000000 " in out


def test_more_may_be_allowed(work):
    word = "x" * LONGEST_LINE
    work.write("s", f"{word}\n")
    message = work.fails("classes", "s", "-q")
    assert message == (
        "s, line 1: longer than 16,777,216 bytes; if that is meant, allow more by --max-line, such as --max-line 67M"
    )
    assert work.ok("classes", "s", "-q", "--max-line", "67M").out == f"{word}\t0\n"


@pytest.mark.parametrize("command", [["inspect", "m"], ["demo"], ["merge", "m", "--save", "new"]])
def test_commands_that_read_no_text_have_no_such_option(work, command):
    assert work.run(*command, "--max-line", "1M").code == 2
