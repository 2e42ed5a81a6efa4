"""The symmetrize command: files in any format, and one file the other way round."""

from __future__ import annotations

import pytest

FORWARD, REVERSE = ["0-0 1-1 1-2", "0-1"], ["0-0 1-2", "0-0"]


@pytest.mark.parametrize(
    ("name", "lines", "inverted"),
    [
        ("pharaoh", ["0-0 2-1", "", "1-0"], ["0-0 1-2", "", "0-1"]),
        ("gold", ["0-0 2?1", "1-0", "none", "", "skipped"], ["0-0 1?2", "0-1", "none", "", "skipped"]),
        ("scored", ["0-0:0.5 2-1:0.25", "1-0:1.0"], ["0-0:0.500000 1-2:0.250000", "0-1:1.000000"]),
        ("talp", ["1-1 3p2"], ["1-1 2p3"]),
        ("naacl", ["1 1 1 S", "1 3 2 P"], ["1 1 1 S", "1 2 3 P"]),
        (
            "jsonl",
            ['{"id": 0, "links": [[1, 0]], "source": ["a", "b"], "target": ["x"]}'],
            ['{"id": 0, "links": [[0, 1]], "source": ["x"], "target": ["a", "b"]}'],
        ),
    ],
)
def test_a_file_is_inverted_in_its_own_format(work, name, lines, inverted):
    work.write("l", lines)
    assert work.ok("symmetrize", "l", "--heuristic", "invert", "-q").out.splitlines() == inverted
    work.write("i", inverted)
    work.ok("symmetrize", "i", "--heuristic", "invert", "-q", "-o", "back")
    work.ok("convert", "l", "expected", "--from", name, "--to", name, "-q")
    assert work.read("back") == work.read("expected")


def test_inverting_is_what_aligning_the_other_way_round_gives(text):
    text.ok("align", "s", "t", "-q", "--model", "ibm1", "--format", "scored", "-o", "there")
    text.ok("align", "t", "s", "-q", "--model", "ibm1", "--format", "scored", "-o", "back")
    assert text.ok("symmetrize", "there", "--heuristic", "invert").out == text.read("back")


def test_inverting_takes_one_file_and_all_else_two(work):
    work.write("f", FORWARD)
    message = work.fails("symmetrize", "f", "f", "--heuristic", "invert", code=2)
    assert message == "--heuristic invert swaps the sides of one file; leave out f"
    message = work.fails("symmetrize", "f", "--heuristic", "union", code=2)
    assert message == "--heuristic union combines two files; give the reverse alignments too (only invert takes one)"


def test_standard_input_is_inverted(work):
    assert work.ok("symmetrize", "-", "--heuristic", "invert", stdin="0-1\n").out == "1-0\n"


def test_files_of_different_formats_are_combined(work):
    work.write("f", FORWARD)
    work.write("r", REVERSE)
    expected = work.ok("symmetrize", "f", "r", "--heuristic", "grow-diag").out
    work.ok("convert", "f", "f.naacl", "--to", "naacl")
    work.ok("convert", "r", "r.talp", "--to", "talp", "--to-base", "0")
    assert work.ok("symmetrize", "f.naacl", "r.talp", "--heuristic", "grow-diag").out == expected


def test_a_base_is_for_both_files(work):
    work.write("f", ["1-1 2p2"])
    assert work.ok("symmetrize", "f", "f", "--heuristic", "union", "--base", "1").out == "0-0 1-1\n"
    assert "--base 1 for the other" in work.ok("symmetrize", "f", "f", "--heuristic", "union").err
