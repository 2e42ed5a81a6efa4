"""What Moses goes on from: text and links by its heuristics, all or nothing."""

from __future__ import annotations

import shutil

import pytest

from cli.support import full_disk
from pralign.cli.moses import HEURISTICS

QUICK = ["-q", "--model", "ibm1", "--threads", "1"]


def test_links_are_those_of_the_symmetrize_command(text):
    text.write("s", ["", "a  b|c\t d ", *text.lines("s")])
    text.write("t", ["x", "y z", *text.lines("t")])
    outcome = text.ok("align", "s", "t", *QUICK, "--forward", "f", "--reverse", "r", "-o", "l", "--moses", "d",
                      "--moses-heuristic", "all")  # fmt: skip
    for theirs, ours in HEURISTICS.items():
        combined = text.ok("symmetrize", "f", "r", "--heuristic", ours).out
        assert text.read(f"d/aligned.{theirs}") == combined
    assert {path.name for path in (text.folder / "d").iterdir()} == {
        *(f"aligned.{name}" for name in HEURISTICS),
        "corpus.src",
        "corpus.tgt",
    }
    assert text.lines("d/corpus.src")[:3] == ["", "a b|c d", text.lines("s")[2]]
    assert len(text.lines("d/corpus.tgt")) == len(text.lines("d/aligned.union")) == 42
    assert outcome.err.count("\n") == 1
    assert outcome.err.startswith("pralign: pair 2: holds the character |, which Moses takes for a mark of its own")


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ([], "grow-diag-final-and"),
        (["--symmetrize", "intersection"], "intersect"),
        (["--decode", "viterbi", "--symmetrize", "grow-diag-final"], "grow-diag-final"),
        (["--decode", "viterbi", "--symmetrize", "forward"], "grow-diag-final-and"),
        (["--symmetrize", "union", "--moses-heuristic", "grow-diag"], "grow-diag"),
        (["--moses-heuristic", "intersection"], "intersect"),
    ],
)
def test_the_heuristic(small, options, name):
    small.ok("align", "s", "t", *QUICK, *options, "--moses", "d", "-o", "l")
    assert {path.name for path in (small.folder / "d").iterdir()} == {f"aligned.{name}", "corpus.src", "corpus.tgt"}


def test_the_ordinary_output_is_the_same(small):
    out = small.ok("align", "s", "t", *QUICK).out
    assert small.ok("align", "s", "t", *QUICK, "--moses", "d").out == out
    assert small.read("d/corpus.src") == small.read("s")


def test_any_number_of_threads_writes_the_same(text):
    for threads in ("1", "2"):
        text.ok(
            "align", "s", "t", "-q", "--threads", threads, "--moses", threads, "--moses-heuristic", "all", "-o", "l"
        )
    written = [{path.name: path.read_bytes() for path in (text.folder / name).iterdir()} for name in ("1", "2")]
    assert written[0] == written[1]


def test_the_command_line_of_moses_is_told(small):
    arguments = [argument for argument in QUICK if argument != "-q"]
    err = small.ok("align", "s", "t", *arguments, "--moses", "d", "-o", "l").err
    place = small.folder / "d"
    assert (
        f"train-model.perl --first-step 4 --last-step 8 --model-dir {place} --corpus {place}/corpus --f src --e tgt "
        "--alignment grow-diag-final-and" in err
    )


@pytest.mark.parametrize("adapt", ["--adapt", "--no-adapt"])
def test_with_a_saved_model(model, adapt):
    model.ok(
        "align", "s", "t", "-q", "--load", "m", adapt, "--moses", "d", "--forward", "f", "--reverse", "r", "-o", "l"
    )
    combined = model.ok("symmetrize", "f", "r", "--heuristic", "grow-diag-final-and").out
    assert model.read("d/aligned.grow-diag-final-and") == combined


def test_what_moses_has_put_there_stays(small):
    small.ok("align", "s", "t", *QUICK, "--moses", "d", "-o", "l")
    small.write("d/lex.f2e", "of Moses\n")
    small.write("d/aligned.grow-diag-final-and", "old\n")
    small.ok("align", "s", "t", *QUICK, "--moses", "d", "-o", "l")
    assert small.read("d/lex.f2e") == "of Moses\n"
    assert small.read("d/aligned.grow-diag-final-and") != "old\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--moses-heuristic", "all"], 2, "--moses-heuristic is about what --moses writes; say --moses DIR"),
        (
            ["--moses", "d", "--moses-heuristic", "srctotgt"],
            2,
            "--moses-heuristic srctotgt: Moses has intersect, union",
        ),
        (["--moses", "d", "--nbest", "2"], 2, "--moses does not go with --nbest, as Moses wants one alignment a pair"),
        (["--moses", "s"], 1, "s: cannot write: s is not a directory"),
        (["--moses", "d", "-o", "d/corpus.src"], 2, "d/corpus.src: cannot be written"),
    ],
)
def test_what_is_refused(small, arguments, code, message):
    assert small.fails("align", "s", "t", *QUICK, *arguments, code=code).startswith(message)


def test_the_text_is_not_overwritten(small):
    (small.folder / "d").mkdir()
    shutil.move(small.folder / "s", small.folder / "d" / "corpus.src")
    message = small.fails("align", "d/corpus.src", "t", *QUICK, "--moses", "d", code=2)
    assert message.startswith("d/corpus.src: cannot be written, because it is also the input")


@full_disk
def test_all_or_nothing(small):
    (small.folder / "d").mkdir()
    (small.folder / "d" / "aligned.union").symlink_to("/dev/full")
    message = small.fails("align", "s", "t", *QUICK, "--moses", "d", "-o", "l", "--moses-heuristic", "all")
    assert message == "d/aligned.union: cannot write: No space left on device"
    message = small.fails("align", "s", "t", *QUICK, "--moses", "new", "-o", "/dev/full")
    assert message == "/dev/full: cannot write: No space left on device"
