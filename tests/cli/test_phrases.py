"""``pralign phrases``."""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess

import pytest

from cli.support import PATIENCE, PROGRAM, full_disk

LINKS = ["0-0 1-1", "0-0 1-1", "0-0 1-1", "0-0 1-1", "0-0 1-2 2-1", "0-0 1-1"]


@pytest.fixture
def aligned(small):
    small.write("l", LINKS)
    return small


def unpacked(work, name):
    return gzip.decompress((work.folder / name).read_bytes()).decode().splitlines()


def test_the_table_goes_to_standard_output(aligned):
    done = aligned.ok("phrases", "s", "t", "l", "--max-length", "1")
    assert "house ||| maison ||| 1 1 1 1 ||| 0-0 ||| 3 3 3 ||| |||\n" in done.out
    assert done.out.splitlines() == sorted(done.out.splitlines())
    assert done.err == "8 phrase pairs of 6 sentence pairs\n"
    assert aligned.ok("phrases", "s", "t", "l", "-q").err == ""


def test_all_files_at_once(aligned):
    aligned.ok(
        "phrases", "s", "t", "l", "-o", "t.gz", "--extract", "e", "--reordering", "r.gz", "--smoothing", "good-turing"
    )
    table, direct, inverse = (unpacked(aligned, name) for name in ("t.gz", "e.gz", "e.inv.gz"))
    orientations, reordering = unpacked(aligned, "e.o.gz"), unpacked(aligned, "r.gz")
    assert len(direct) == len(inverse) == len(orientations) > len(table) == len(reordering)
    assert "red house ||| maison rouge ||| 1-0 0-1" in direct
    assert "maison rouge ||| red house ||| 0-1 1-0" in inverse
    assert "red house ||| maison rouge ||| mono mono" in orientations
    assert "red house ||| maison rouge ||| 0.600000 0.200000 0.200000 0.600000 0.200000 0.200000 " in reordering


def test_without_a_table(aligned):
    done = aligned.ok("phrases", "s", "t", "l", "--extract", "e")
    assert (done.out, done.err) == ("", "6 sentence pairs\n")
    assert {path.name for path in aligned.folder.iterdir()} == {"s", "t", "l", "e.gz", "e.inv.gz"}


@pytest.mark.parametrize("name", ["talp", "naacl", "gold", "giza", "jsonl"])
def test_alignments_may_be_in_any_format(aligned, name):
    to, base = (["--to-base", "1"], ["--base", "1"]) if name == "talp" else ([], [])
    aligned.ok("convert", "l", "other", "--to", name, *to, "--source", "s", "--target", "t", "-q")
    expected = aligned.ok("phrases", "s", "t", "l", "-q").out
    assert aligned.ok("phrases", "s", "t", "other", "-q", *base).out == expected


def test_standard_input_and_compressed_files(aligned):
    expected = aligned.ok("phrases", "s", "t", "l", "-q").out
    assert aligned.ok("phrases", "s", "t", "-", "-q", stdin="".join(f"{line}\n" for line in LINKS)).out == expected
    aligned.write("s.gz", gzip.compress(aligned.read("s").encode()))
    assert aligned.ok("phrases", "s.gz", "t", "l", "-q").out == expected


def test_counting_by_posteriors(model):
    model.ok(
        "align", "s", "t", "-q", "--load", "m", "--no-adapt", "--threshold", "0.05", "--format", "scored", "-o", "l"
    )
    by_scores = model.ok("phrases", "s", "t", "l", "--count", "posteriors", "-q").out
    by_model = model.ok("phrases", "s", "t", "l", "--count", "posteriors", "--model", "m", "-q").out
    alone = model.ok("phrases", "s", "t", "--count", "posteriors", "--model", "m", "-q").out
    for out in (by_scores, by_model, alone):
        counts = [float(line.split(" ||| ")[4].split()[2]) for line in out.splitlines()]
        assert any(count != int(count) for count in counts)
    assert by_scores != by_model
    assert model.ok("phrases", "s", "t", "--model", "m", "-q").out  # links that the model chooses


def test_counting_by_lists(model):
    model.ok("align", "s", "t", "-q", "--load", "m", "--no-adapt", "--nbest", "3", "-o", "n")
    lines = model.ok("phrases", "s", "t", "n", "--count", "nbest", "-q", "--max-length", "1").out.splitlines()
    counts = {line.split(" ||| ")[0]: float(line.split(" ||| ")[4].split()[1]) for line in lines}
    assert 0 < counts["house"] <= 3 + 1e-6
    weights = [entry["probability"] for entry in json.loads(model.lines("n")[0])["nbest"]]
    assert len(weights) == 3


@pytest.mark.parametrize(
    ("change", "arguments", "words", "code"),
    [
        ({"l": [*LINKS[:3], "0-0 1-7", *LINKS[4:]]}, [], ["l, line 4: link 1-7 (counted from 0) lies outside"], 1),
        ({"l": LINKS[:4]}, [], ["l has 4 alignments, but there are 6 pairs"], 1),
        ({"l": [*LINKS, "0-0"]}, [], ["l has 7 alignments, but there are 6 pairs"], 1),
        ({"t": ["la maison"]}, [], ["s has 6 lines, t 1"], 1),
        ({"l": [*LINKS[:2], "0-0 house", *LINKS[3:]]}, [], ["l, line 3: found 'house'; expected links like 0-0"], 1),
        ({}, ["--count", "posteriors"], ["links have no scores", "--format scored", "--model"], 1),
        ({}, ["--count", "nbest"], ["l, line 1: found", "expected an object like"], 1),
        ({}, ["--count", "words"], ["counted by links, posteriors or nbest"], 2),
        ({}, ["--smoothing", "words"], ["unknown smoothing 'words'; known are none, good-turing, kneser-ney"], 2),
        ({}, ["--memory", "much"], ["a size is such as 2G"], 2),
        ({}, ["--model", "m"], ["--count is links; say --count posteriors"], 2),
        ({}, ["-o", "none/t"], ["none/t: the directory none does not exist"], 1),
        ({}, ["--reordering", "s"], ["s: cannot be written, because it is also the input s"], 2),
        ({}, ["--scratch", "none", "--memory", "1M"], [], 0),  # nothing goes there
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_left(aligned, change, arguments, words, code):
    for name, lines in change.items():
        aligned.write(name, lines)
    before = aligned.snapshot()
    done = aligned.run("phrases", "s", "t", "l", *([] if "-o" in arguments else ["-o", "t.gz"]), *arguments, "-q")
    assert done.code == code
    assert all(word in done.err for word in words), done.err
    if code:
        assert done.err.count("\n") == 1
        assert aligned.snapshot() == before


def test_no_alignments_at_all(aligned):
    assert "ALIGN is missing" in aligned.fails("phrases", "s", "t", code=2)
    assert "needs a file of several alignments" in aligned.fails(
        "phrases", "s", "t", "--model", "m", "--count", "nbest", code=2
    )


@full_disk
def test_a_full_disk_is_named(aligned):
    assert "/dev/full: cannot write: No space left on device" in aligned.fails(
        "phrases", "s", "t", "l", "-o", "/dev/full"
    )


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="limits of files are those of Unix")
def test_a_disk_that_fills_while_runs_are_written(work):
    import resource

    draw = random.Random(1)
    for name in ("s", "t"):
        work.write(name, [" ".join(f"w{draw.randrange(3000)}" for _ in range(12)) for _ in range(8000)])
    work.write("l", [" ".join(f"{k}-{k}" for k in range(12))] * 8000)
    (work.folder / "scratch").mkdir()

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

    command = ["phrases", "s", "t", "l", "-o", "t.gz", "--memory", "1M", "--scratch", "scratch", "-q"]
    done = subprocess.run(
        [*PROGRAM, *command],
        cwd=work.folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        preexec_fn=limit,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("\n") == 1
    assert "File too large" in done.stderr
    assert {path.name for path in work.folder.rglob("*")} == {"s", "t", "l", "scratch"}
