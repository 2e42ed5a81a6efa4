"""atools under another name: every command, its format to the byte, and what it refuses."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from oracles.naive_symmetrization import NAIVE
from pralign.dropins.atools import COMMANDS, NAME, atools
from pralign.dropins.program import run

GROWN = ("grow-diag", "grow-diag-final", "grow-diag-final-and")
TWO = {"intersect": "intersection", "union": "union"} | {name: name for name in GROWN}


@pytest.fixture
def done(capfd, tmp_path, monkeypatch):
    """Run it in this process; the exit code, and what it says."""
    monkeypatch.chdir(tmp_path)

    def do(*arguments: str):
        code = run(NAME, atools, arguments)
        return code, *capfd.readouterr()

    return do


def lines_of(alignments):
    return "".join(" ".join(f"{i}-{j}" for i, j in sorted(links)) + "\n" for links in alignments)


def drawn(generator, count):
    return [frozenset((generator.randrange(7), generator.randrange(6)) for _ in range(n % 9)) for n in range(count)]


@pytest.mark.parametrize("command", TWO)
def test_two_files_become_one_as_by_the_heuristic(done, tmp_path, command):
    generator = random.Random(4)
    forward, reverse = drawn(generator, 60), drawn(generator, 60)[::-1]
    (tmp_path / "f").write_text(lines_of(forward))
    (tmp_path / "r").write_text(lines_of(reverse))
    code, out, err = done("-i", "f", "-j", "r", "-c", command)
    assert (code, err) == (0, "")
    assert out == lines_of(map(NAIVE[TWO[command]], forward, reverse))


def test_one_file_is_turned_round_or_put_in_order(done, tmp_path):
    (tmp_path / "f").write_text("2-0 0-1\n\na b ||| c d ||| 1-0\n")
    assert done("--command", "invert", "--input_1", "f") == (0, "0-2 1-0\n\n0-1\n", "")
    assert done("-c", "convert", "-i", "f") == (0, "0-1 2-0\n\n1-0\n", "")


def test_a_grid_is_drawn(done, tmp_path):
    (tmp_path / "f").write_text("0-0 1-2\n\n")
    grid = " 012\n0*..0\n1..*1\n 012\n\n0-0 1-2\n"
    both = f"{grid} 0\n0.0\n 0\n\n\n"
    assert done("-c", "display", "-i", "f") == (0, both, "")
    assert done("-c", "display", "-i", "f", "-o", "o") == (0, both.replace("0-0 1-2\n", "").removesuffix("\n"), "")
    assert (tmp_path / "o").read_text() == "0-0 1-2\n\n"


def test_links_go_to_a_file_and_measures_do_not(done, tmp_path):
    (tmp_path / "f").write_text("0-0 1-1\n")
    with (tmp_path / "o").open("w+") as opened:
        assert done("-c", "intersect", "-i", "f", "-j", "f", "--outfile", "o", "stray", "too") == (
            *(0, ""),
            f"{NAME}: stray, too have no effect: no option takes them\n",
        )
        assert opened.read() == "0-0 1-1\n"
    assert done("-c", "fmeasure", "-i", "f", "-j", "f", "-o", "o") == (0, "P: 1\nR: 1\nF: 1\n", "")
    assert (tmp_path / "o").read_text() == ""


def test_files_are_compared(done, tmp_path):
    (tmp_path / "f").write_text("0-0 1-1 2-2\n")
    (tmp_path / "r").write_text("0-0 1-2\n")
    assert done("-c", "fmeasure", "-i", "f", "-j", "r") == (0, "P: 0.333333\nR: 0.5\nF: 0.4\n", "")
    (tmp_path / "r").write_text("0-2 1-2\n")
    assert done("-c", "fmeasure", "-i", "f", "-j", "r") == (0, "P: 0\nR: 0\nF: -nan\n", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "-i and -c are needed"),
        (("-i", "f", "-c", "grow"), "there is no command"),
        (("-i", "f", "-c", "union"), "takes two files"),
        (("-i", "f", "-j", "r", "-c", "invert"), "one file only"),
        (("-i", "f", "-j", "r", "-c", "union", "-x"), "option -x"),
        (("-i", "f", "-j", "r", "-c", "union"), "Mismatched number of lines"),
        (("-i", "none", "-c", "convert"), "none"),
        (("-i", "bad", "-c", "convert"), "bad, line 2"),
        (("-i", "f", "-c", "convert", "-o", "f"), "f: cannot be written"),
        (("-i", "empty", "-j", "empty", "-c", "fmeasure"), "Insufficient statistics"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(done, tmp_path, arguments, said):
    for name, content in (("f", "0-0\n0-1\n"), ("r", "0-0\n"), ("bad", "0-0\n0:1\n"), ("empty", "\n")):
        (tmp_path / name).write_text(content)
    code, _, err = done(*arguments)
    assert code == 1
    assert said in err and err.startswith(f"{NAME}: ") and err.count("\n") == 1


def test_the_help_names_all_commands(done):
    code, out, _ = done("--help")
    assert code == 0
    assert all(command in out for command in COMMANDS)


def test_lines_of_standard_input_take_turns_and_are_answered_at_once():
    command = [sys.executable, "-m", "pralign.dropins.atools", "-i", "-", "-j", "-", "-c", "grow-diag-final-and"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        for forward, reverse, both in (("0-0 1-1", "0-0 1-2", "0-0 1-1 1-2"), ("", "", ""), ("0-1", "0-1", "0-1")):
            process.stdin.write(f"{forward}\n{reverse}\n")
            process.stdin.flush()
            assert process.stdout.readline() == f"{both}\n"
        process.stdin.write("0-0\n")
        process.stdin.close()
        assert process.wait(60) == 1
