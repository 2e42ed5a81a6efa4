"""``pralign rules``."""

from __future__ import annotations

import gzip

import pytest

from cli.support import full_disk

LINKS = ["0-0 1-1", "0-0 1-1", "0-0 1-1", "0-0 1-1", "0-0 1-2 2-1", "0-0 1-1"]


@pytest.fixture
def aligned(small):
    small.write("l", LINKS)
    return small


def unpacked(work, name):
    return gzip.decompress((work.folder / name).read_bytes()).decode().splitlines()


def test_the_table_goes_to_standard_output(aligned):
    done = aligned.ok("rules", "s", "t", "l", "--min-hole", "1")
    assert "the [X][X] [X] ||| la [X][X] [X] ||| " in done.out
    assert done.out.splitlines() == sorted(done.out.splitlines())
    assert done.err == f"{len(done.out.splitlines())} rules of 6 sentence pairs\n"
    assert aligned.ok("rules", "s", "t", "l", "-q").err == ""


def test_all_files_at_once(aligned):
    aligned.ok("rules", "s", "t", "l", "-o", "t.gz", "--extract", "e", "--glue", "g")
    table, direct, inverse = (unpacked(aligned, name) for name in ("t.gz", "e.gz", "e.inv.gz"))
    assert len(direct) == len(inverse) > len(table)
    assert any(line.startswith("red house [X] ||| maison rouge [X] ||| 1-0 0-1 ||| ") for line in direct)
    assert any(line.startswith("maison rouge [X] ||| red house [X] ||| 0-1 1-0 ||| ") for line in inverse)
    assert len(aligned.lines("g")) == 3


def test_without_a_grammar(aligned):
    done = aligned.ok("rules", "s", "t", "l", "--extract", "e")
    assert (done.out, done.err) == ("", "6 sentence pairs\n")
    assert {path.name for path in aligned.folder.iterdir()} == {"s", "t", "l", "e.gz", "e.inv.gz"}


def test_a_grammar_for_cdec(aligned):
    lines = aligned.ok("rules", "s", "t", "l", "--format", "cdec", "--min-hole", "1", "--count", "whole").out
    [line] = [line for line in lines.splitlines() if line.startswith("[X] ||| the [X,1] ||| la [X,1] ||| ")]
    assert line.split(" ||| ")[4] == "0-0"
    assert "IsSingletonF=0 " in line


def test_what_rules_may_be_like(aligned):
    def sources(*options):
        return {
            line.split(" [X] ||| ")[0] for line in aligned.ok("rules", "s", "t", "l", "-q", *options).out.splitlines()
        }

    assert "the red house" in sources()
    assert "the [X][X]" in sources()
    assert "the red house" not in sources("--max-symbols", "2")
    assert "the [X][X]" not in sources("--max-span", "2")
    assert "the [X][X]" not in sources("--max-nonterminals", "0")
    assert "[X][X] house" in sources("--min-hole", "1")
    assert sources("--tight") <= sources()


@pytest.mark.parametrize("name", ["talp", "naacl", "gold", "giza", "jsonl"])
def test_alignments_may_be_in_any_format(aligned, name):
    to, base = (["--to-base", "1"], ["--base", "1"]) if name == "talp" else ([], [])
    aligned.ok("convert", "l", "other", "--to", name, *to, "--source", "s", "--target", "t", "-q")
    expected = aligned.ok("rules", "s", "t", "l", "-q").out
    assert aligned.ok("rules", "s", "t", "other", "-q", *base).out == expected


def test_standard_input_and_compressed_files(aligned):
    expected = aligned.ok("rules", "s", "t", "l", "-q").out
    assert aligned.ok("rules", "s", "t", "-", "-q", stdin="".join(f"{line}\n" for line in LINKS)).out == expected
    aligned.write("s.gz", gzip.compress(aligned.read("s").encode()))
    assert aligned.ok("rules", "s.gz", "t", "l", "-q").out == expected


@pytest.mark.parametrize(
    ("change", "arguments", "words", "code"),
    [
        ({"l": [*LINKS[:3], "0-0 1-7", *LINKS[4:]]}, [], ["l, line 4: link 1-7 (counted from 0) lies outside"], 1),
        ({"l": LINKS[:4]}, [], ["l has 4 alignments, but there are 6 pairs"], 1),
        ({"l": [*LINKS, "0-0"]}, [], ["l has 7 alignments, but there are 6 pairs"], 1),
        ({"t": ["la maison"]}, [], ["s has 6 lines, t 1"], 1),
        ({"l": [*LINKS[:2], "0-0 house", *LINKS[3:]]}, [], ["l, line 3: found 'house'; expected links like 0-0"], 1),
        ({}, ["--count", "half"], ["rules are counted shared or whole, not half"], 2),
        ({}, ["--format", "joshua"], ["unknown rule format 'joshua'; known are moses, cdec"], 2),
        ({}, ["--max-span", "99"], ["max_span lies between 1 and 30"], 2),
        ({}, ["--memory", "much"], ["a size is such as 2G"], 2),
        ({}, ["-o", "none/t"], ["none/t: the directory none does not exist"], 1),
        ({}, ["--glue", "s"], ["s: cannot be written, because it is also the input s"], 2),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_left(aligned, change, arguments, words, code):
    for name, lines in change.items():
        aligned.write(name, lines)
    before = aligned.snapshot()
    done = aligned.run("rules", "s", "t", "l", *([] if "-o" in arguments else ["-o", "t.gz"]), *arguments, "-q")
    assert done.code == code
    assert all(word in done.err for word in words), done.err
    assert done.err.count("\n") == 1
    assert aligned.snapshot() == before


@full_disk
def test_a_full_disk_is_named(aligned):
    assert "/dev/full: cannot write: No space left on device" in aligned.fails(
        "rules", "s", "t", "l", "-o", "/dev/full"
    )
