"""Matching with input that cannot be used: one clear line, the right exit code, and nothing touched."""

from __future__ import annotations

import random
import signal
import subprocess
import time

import pytest

from cli.matched import FILES, FIT, PLAIN, aligned
from cli.support import PATIENCE, PROGRAM, full_disk
from cli.test_processes import in_shell

pytestmark = pytest.mark.slow

PIPE = subprocess.PIPE
# An earlier result is in the place that is written to.
OVER = [*PLAIN, "-q", "--save", "m"]
PREDICTED = [*FIT, "-q", "--features", "dice,predictions", "--save", "m"]
ALIGN = ["match", "align", "s", "t", "-q", "-o", "out", "--load"]


@pytest.fixture
def old(ready):
    """Results of an earlier run in all places that are written to."""
    ready.write("out", "the old out\n")
    return ready


def changed(work, name, number, line):
    """Replace a line of a file."""
    lines = work.lines(name)
    work.write(name, [*lines[: number - 1], line, *lines[number:]])


# Labelled pairs


@pytest.mark.parametrize("link", ["77-3", "3?77"])
def test_labels_outside_the_text(old, link):
    changed(old, "lg", 2, f"0-0 {link}")
    message = old.fails(*OVER)
    assert message.startswith(f"lg, line 2: link {link.replace('?', '-')} (counted from 0) lies outside a pair of 6 ")


def test_labels_of_validation_pairs_outside_the_text(old):
    changed(old, "vg", 3, "99-0")
    assert old.fails(*OVER, "--validation", "vs", "vt", "vg").startswith("vg, line 3: link 99-0 ")


def test_labels_of_other_length(old):
    old.write("lg", old.lines("lg")[:5])
    assert old.fails(*OVER) == "ls has 12 lines, lg 5"


@pytest.mark.parametrize("name", ["ls", "lt", "lg", "s", "t"])
def test_a_missing_file(old, name):
    (old.folder / name).unlink()
    assert old.fails(*OVER) == f"{name}: cannot read: No such file or directory"


def test_labels_without_a_sure_link(old):
    old.write("lg", old.read("lg").replace("-", "?"))
    assert old.fails(*OVER).startswith("none of the 12 labelled pairs has a sure link (i-j)")


def test_labels_that_are_no_links(old):
    changed(old, "lg", 2, "0-0 one-two")
    assert old.fails(*OVER).startswith("lg, line 2: found 'one-two'; expected links like 0-0 (sure)")


def test_a_labelled_word_that_the_text_does_not_have(old):
    changed(old, "ls", 2, "The Zarathustra was still hot .")
    code, out, err = old.ok(*OVER)
    assert (code, out) == (0, "")
    assert err.endswith("source words of the labelled pairs do not occur in the bitext: zarathustra\n")
    assert err.startswith("1 of ")


def test_swapped_sides(old):
    old.write("s", "a b c\nb c\n")
    old.write("t", "the coffee was hot\nis it raining\n")
    assert old.fails(*OVER).startswith("no source word of the labelled pairs occurs in the bitext, not even 'anna'")


@pytest.mark.parametrize("option", ["--labelled", "--validation"])
def test_empty_labelled_files(old, option):
    old.write("e", "")
    assert old.fails(*OVER, option, "e", "e", "e") == "e: has no labelled pairs"


def test_bytes_of_another_encoding(old):
    for name in ("s", "lt"):
        before = old.read(name)
        old.write(name, before.encode() + b"caf\xe9\n")
        assert "0xe9 is not valid UTF-8; convert the file first" in old.fails(*OVER)
        old.write(name, before)
    old.write("t", old.read("t").encode().replace(b"caf\xc3\xa9", b"caf\xe9"))
    assert old.fails(*ALIGN, "m").startswith("t, line 2, byte 7: 0xe9 is not valid UTF-8")


def test_standard_input_comes_only_once(old):
    command = ["match", "fit", "-", "t", "--labelled", "-", "lt", "lg", "-q", "--save", "m"]
    assert "standard input cannot be both" in old.fails(*command, code=2, stdin="a\n")
    assert "standard input cannot be both" in old.fails("match", "align", "-", "-", "--load", "m", code=2, stdin="a\n")
    assert "not from standard input" in old.fails(*PREDICTED, "--prediction", "-", code=2, stdin="0-0\n")


# Text


def test_empty_text(old):
    old.write("s", "")
    old.write("t", "")
    assert old.fails(*OVER) == "s and t: there are no words to count"
    assert old.fails(*FIT, "-q", "--save", "m") == "s and t: there are no words to count"


def test_text_of_different_length(old):
    old.write("t", old.lines("t")[:7])
    assert old.fails(*OVER).startswith("s has 40 lines, t 7; ")
    assert old.fails(*ALIGN, "m").startswith("s has 40 lines, t 7; ")


def words(path, count):
    return " ".join(random.Random(1).choices(path.split(), k=count))


def test_a_line_of_3000_words(old):
    source, target = (words(old.read(name), 3_000) for name in ("s", "t"))
    old.write("bs", [source, "the coffee", source])
    old.write("bt", [target, "le café", "le café"])
    outcome = old.ok("match", "align", "bs", "bt", "-q", "--load", "m")
    assert outcome.err == (
        "pair 1 is too large to align (3000 by 3000 words); it gets no links. Split it into sentences.\n"
    )
    first, *others, end = outcome.out.split("\n")
    assert (first, len(others), end) == ("", 2, "")
    assert others[1] != ""
    old.write("s", [*old.lines("s"), source])
    old.write("t", [*old.lines("t"), target])
    old.ok(*OVER)  # one can count it
    old.write("bg", ["0-0"])
    labelled = ["match", "fit", "s", "t", "--features", "dice", "-q", "--save", "m", "--labelled"]
    old.write("bs", [source])
    old.write("bt", [target])
    assert "too long" in old.fails(*labelled, "bs", "bt", "bg")


def test_a_labelled_pair_that_is_too_long_is_not_left_out_in_silence(old):
    for name in ("s", "t"):
        old.write(f"l{name}", [*old.lines(f"l{name}"), words(old.read(name), 3_000)])
    old.write("lg", [*old.lines("lg"), "0-0"])
    err = old.ok(*OVER).err
    assert "13" in err
    assert err.count("\n") == 1


# Predictions


def test_predictions_of_other_length(old):
    old.write("p", old.lines("p")[:7])
    message = old.fails(*PREDICTED, "--prediction", "p")
    assert message.startswith("p has 7 alignments, but there are 12 labelled pairs ")
    assert "40 pairs in the bitext" in message
    message = old.fails(*ALIGN, "mp", "--prediction", "p")
    assert message == "p has 7 alignments, but there are 40 pairs"
    old.write("p", ["0-0"] * 41)
    assert old.fails(*ALIGN, "mp", "--prediction", "p") == "p has 41 alignments, but there are 40 pairs"


def test_predictions_too_many_are_found_before_anything_is_printed(old):
    old.write("p", ["0-0"] * 41)
    message = old.fails("match", "align", "s", "t", "-q", "--load", "mp", "--prediction", "p")
    assert message == "p has 41 alignments, but there are 40 pairs"


def test_a_predicted_link_outside_the_text(old):
    changed(old, "p", 3, "0-0 50-0")
    expected = "p, pair 3: link 50-0 (counted from 0) lies outside a pair of 5 source and "
    assert old.fails(*PREDICTED, "--prediction", "p").startswith(expected)
    assert old.fails(*ALIGN, "mp", "--prediction", "p").startswith(expected)


def test_predictions_of_the_text_need_the_labelled_pairs_there(old):
    changed(old, "ls", 2, "The coffee was still cold .")
    message = old.fails(*PREDICTED, "--prediction", "p")
    assert message.startswith("p goes with the bitext, but labelled pair 2 is not in it")


def test_predictions_that_are_missing_or_too_many(old):
    assert "needs alignments by other aligners" in old.fails(*PREDICTED, code=2)
    assert "no feature uses them" in old.fails(*OVER, "--prediction", "p", code=2)
    assert "give alignments by the same aligners" in old.fails(*ALIGN, "mp", code=2)
    assert "alignments by 2 are given" in old.fails(*ALIGN, "mp", "--prediction", "p", "--prediction", "p", code=2)
    assert "without the feature predictions" in old.fails(*ALIGN, "m", "--prediction", "p", code=2)
    assert old.fails(*PREDICTED, "--prediction", "none") == "none: cannot read: No such file or directory"
    assert old.fails(*ALIGN, "mp", "--prediction", "none") == "none: cannot read: No such file or directory"


def test_predictions_from_another_program(old):
    # What comes through a pipe comes once.
    expected = aligned(old, "s", "t", "--load", "mp", "--prediction", "p")
    answer = in_shell(old, "match align s t -q --load mp --prediction <(cat p)")
    assert answer == (0, expected, "")


# Features


def test_nothing_to_learn_from(old):
    old.write("none", [""] * 12)
    message = old.fails(*FIT, "-q", "--features", "predictions", "--prediction", "none", "--save", "m")
    assert message.startswith("every cell of the labelled pairs has the same features (predictions)")


def test_words_that_never_occur_together(old):
    for name, lines in (
        ("s", ["a b", "c d"]),
        ("t", ["x y", "u v"]),
        ("ls", ["a b"]),
        ("lt", ["u v"]),
        ("lg", ["0-0"]),
    ):
        old.write(name, lines)
    message = old.fails(*FIT, "-q", "--features", "dice", "--save", "m")
    assert message.startswith("every cell of the labelled pairs has the same features (dice)")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--features", "dice,magic"], "there is no feature 'magic'; there are common, dice, "),
        (["--features", "dice,dice"], "features are named once each"),
        (["--features", ""], ""),
        (["--learner", "svm"], "there is no learner 'svm'; there are boosting, extragradient, perceptron"),
        (["--capacity", "0"], "capacity is at least 1, not 0"),
        (["--rounds", "0"], "rounds is at least 1, not 0"),
        (["--radius", "0"], "radius is a number above zero, not 0.0"),
        (["--miss-cost", "-1"], ""),
        (["--miss-cost", "nan"], ""),
        (["--layout", "xml"], "a layout is bars, csv, tsv, jsonl, parquet, tmx, xliff, not xml"),
        (["--model", "ibm1"], "--model is given, but none of the features asks it; add the feature posteriors"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_settings_that_cannot_be(old, options, message):
    assert old.fails(*OVER, *options, code=2).startswith(message)


# Outputs


@full_disk
def test_no_space_left(old):
    message = old.fails("match", "align", "s", "t", "-q", "--load", "m", "-o", "/dev/full")
    assert message == "/dev/full: cannot write: No space left on device"


def test_an_output_in_a_missing_directory(old):
    message = old.fails("match", "align", "s", "t", "-q", "--load", "m", "-o", "none/out")
    assert message == "none/out: the directory none does not exist"
    assert "none does not exist" in old.fails(*PLAIN, "-q", "--save", "none/m")
    assert "unknown alignment format 'xml'" in old.fails(*ALIGN, "m", "--format", "xml", code=2)


def test_only_matching_models_are_replaced(old):
    (old.folder / "d").mkdir()
    old.write("d/thesis.tex", "years of work\n")
    for place in ("d", "ibm1"):
        assert "holds something that is not a matching model" in old.fails(*PLAIN, "-q", "--save", place)
    assert "there is a file of this name" in old.fails(*PLAIN, "-q", "--save", "out")
    assert "holds something that is not a model" in old.fails("train", "s", "t", "-q", "--save", "m")
    old.write("m/notes.txt", "dear diary\n")
    assert "holds something that is not a matching model" in old.fails(*OVER)


# Saved models


def test_models_of_the_other_kind(old):
    other = "m: this is a pralign matching model, not a pralign model"
    assert old.fails("align", "s", "t", "-q", "--load", "m", "-o", "out") == other
    assert old.fails("inspect", "m") == other
    assert old.fails(*FIT, "-q", "--model", "m", "--save", "mp").startswith(f"{other}; match align and serve use it")
    plain = "ibm1: this is a pralign model, not a pralign matching model"
    assert old.fails(*ALIGN, "ibm1") == plain
    assert old.fails("match", "weights", "ibm1") == plain


@pytest.mark.parametrize("command", [ALIGN, ["match", "weights"]], ids=["align", "weights"])
def test_damaged_models(old, command):
    assert old.fails(*command, "none") == "none: there is no matching model here: no such directory"
    for name in FILES:
        data = (old.folder / "m" / name).read_bytes()
        old.write(f"m/{name}", data[: len(data) // 2])
        assert old.fails(*command, "m").startswith(f"m: {name} is damaged: ")
        (old.folder / "m" / name).unlink()
        assert old.fails(*command, "m").endswith(f"{name} is missing")
        old.write(f"m/{name}", data)
    old.write("m/manifest.json", old.read("m/manifest.json").replace('"lowercase": true', '"lowercase": false'))
    assert old.fails(*command, "m") == "m: manifest.json is damaged: it is not the file that was saved"


def test_a_damaged_model_inside(old):
    old.ok(*FIT, "-q", "--features", "posteriors", "--model", "ibm1", "--save", "new")
    data = (old.folder / "new/model/source.json").read_bytes()
    old.write("new/model/source.json", data[:-1])
    assert old.fails(*ALIGN, "new").startswith("new/model: source.json is damaged: ")


# Ctrl-C


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_while_learning(old, threads):
    changed(old, "ls", 2, "The Zarathustra was still hot .")  # a warning of it is the last message before learning
    command = ["match", "fit", "s", "t", "--labelled", "ls", "lt", "lg", "--model", "ibm1", "--rounds", 10_000_000]
    interrupt(old, [*command, "--threads", threads, "--save", "m"], "source words of the labelled pairs")


def test_an_interrupt_while_aligning(old):
    old.write("s", old.read("s") * 5_000)
    old.write("t", old.read("t") * 5_000)
    loud = [word for word in ALIGN if word != "-q"]
    interrupt(old, [*loud, "m", "--threads", 2, "--format", "talp"], "talp is written")


def interrupt(work, command, message):
    """Interrupt a command soon after a message of it, and see that it leaves all as it was."""
    before = work.snapshot()
    with subprocess.Popen(
        [*PROGRAM, *map(str, command)], cwd=work.folder, stdout=PIPE, stderr=PIPE, text=True
    ) as process:
        try:
            assert message in process.stderr.readline()
            time.sleep(1.5)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            began = time.monotonic()
            out, err = process.communicate(timeout=PATIENCE)
            took = time.monotonic() - began
        finally:
            process.kill()  # or it would go on for years
    assert (process.returncode, out, err) == (130, "", "pralign: interrupted\n")
    assert took < 5
    assert work.snapshot() == before
