"""``pralign plan``."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from pralign import sample
from pralign.runs.planning import Machine

FILES = (sample.SOURCE, sample.TARGET)
QUICK = ("--iterations", "ibm1=1", "--threads", 2)


def made(work, *arguments) -> dict:
    done = work.ok("plan", *arguments, "--json")
    assert done.err == ""
    return json.loads(done.out)


@pytest.fixture
def small(work):
    work.write("s", ["the house", "the cat", "a house"])
    work.write("t", ["la maison", "le chat", "une maison"])
    return work


def test_a_plan_is_a_narrow_table_of_plain_text(work):
    done = work.ok("plan", *FILES, "--threads", 2)
    assert done.err == ""
    lines = done.out.splitlines()
    assert done.out.isascii()
    assert all(line == line.rstrip() for line in lines)
    assert [line for line in lines[1:-1] if len(line) > 80] == []
    assert lines[0] == f"{sample.SOURCE} and {sample.TARGET}"
    assert lines[1].split() == ["sentence", "pairs", "460;", "all", "of", "them", "looked", "at"]
    [header] = [n for n, line in enumerate(lines) if line.split()[:2] == ["engine", "workers"]]
    rows = lines[header + 1 : lines.index("", header)]
    assert [row.split()[:3] for row in rows[:3]] == [
        ["fast", "threads", "2"],
        ["default", "threads", "2"],
        ["best", "threads", "2"],
    ]
    assert any("ray" in row for row in rows)
    assert all(re.search(r"\d MB +\d+ MB +\d+ s$", row) for row in rows)
    assert lines[-1] == f"  pralign align {sample.SOURCE} {sample.TARGET} --preset default --threads 2 -o links"


def test_json_says_the_same(work):
    found = made(work, *FILES, *QUICK)
    assert set(found) == {"text", "machine", "choices", "chosen", "command"}
    assert found["text"]["pairs"] == found["text"]["sampled"] == 460
    assert found["chosen"] in found["choices"]
    assert found["chosen"]["name"] == "as given"
    assert {"memory", "disk", "seconds", "shards", "listed", "traffic"} <= set(found["chosen"])


def test_the_command_can_be_run(small):
    command = made(small, "s", "t", *QUICK, "--no-lowercase", "--memory", "600M", "--engine", "threads")["command"]
    options = "--iterations ibm1=1 --no-lowercase --threads 2 --memory 600M -o links"
    assert command == f"pralign align s t {options}"
    small.ok(*command.split()[1:], "-q")
    assert len(small.lines("links")) == 3


def test_the_command_quotes_names_and_repeats_lists(small):
    small.write("a file", ["the house\tla maison", "the cat\tle chat"])
    small.write("d1", ["house\tmaison"])
    small.write("d2", ["cat\tchat"])
    arguments = ("a file", "--layout", "tsv", "--prior", "d1", "--prior", "d2", *QUICK, "--engine", "ray")
    command = made(small, *arguments)["command"]
    assert command.startswith("pralign align 'a file' --layout tsv ")
    assert "--prior d1 --prior d2" in command
    assert command.endswith("--engine ray --threads 2 -o links")


def test_settings_that_design_nothing_are_those_of_every_preset(small):
    found = made(small, "s", "t", "--threads", 1, "--prefix", 2, "--engine", "threads")
    assert {choice["name"] for choice in found["choices"]} == {"fast", "default", "best"}
    assert found["text"]["target_words"] == 5  # la, ma, le, ch, un
    assert "--preset default --prefix 2" in found["command"]


def test_a_preset_alone(small):
    found = made(small, "s", "t", "--threads", 1, "--preset", "fast", "--engine", "threads")
    assert {choice["name"] for choice in found["choices"]} == {"fast"}
    assert found["command"].count("--preset fast") == 1


def test_any_number_of_pairs(work):
    found = made(work, *FILES, *QUICK, "--pairs", 10**9, "--engine", "ray", "--memory", "8G")
    text, chosen = found["text"], found["chosen"]
    assert text["pairs"] == 10**9
    assert chosen["bound"] == 8 * 10**9
    assert chosen["shards"] > 100
    assert chosen["disk"] > 10**11


def test_what_is_not_there_is_told(work, monkeypatch):
    machines = [Machine(2, 100_000_000, 500_000_000), Machine(2, 10**12, 10**12)]
    monkeypatch.setattr(Machine, "here", classmethod(lambda cls, scratch=None: machines.pop(0)))
    lines = work.ok("plan", *FILES, *QUICK, "--pairs", 10**9, "--engine", "ray", "--memory", "8G").out.splitlines()
    assert [line for line in lines[1:-1] if len(line) > 80] == []
    assert "  sentence pairs    1.0 billion; 460 of them looked at" in lines
    assert "this is 2.2 million times what was looked at: figures are rough guesses" in lines
    assert "too little memory here: 100 MB are free" in lines
    assert "too little disk: 500 MB are free; name another place by --scratch" in lines
    small = work.ok("plan", *FILES, *QUICK, "--engine", "threads").out
    assert "too little" not in small
    assert "rough guesses" not in small
    assert "as given on threads: one shard, which lists " in small


def test_a_bound_that_cannot_be_kept_is_told(work):
    told = "the bound on memory cannot be kept: there are too many words or workers"
    many = ("--pairs", 10**9, "--engine", "threads")
    assert told in work.ok("plan", *FILES, *QUICK, *many, "--memory", "300M").out
    assert told not in work.ok("plan", *FILES, *QUICK, "--engine", "threads", "--memory", "1G").out


def test_a_compressed_text(small):
    small.write("s.gz", gzip.compress(small.read("s").encode()))
    assert made(small, "s.gz", "t", *QUICK)["text"] == made(small, "s", "t", *QUICK)["text"]


def test_standard_input_is_refused(small):
    message = "standard input comes only once, and is gone when it is planned for; give files"
    for files in (("-",), ("-", "t"), ("s", "-")):
        code, out, err = small.run("plan", *files, stdin="a\tb\n")
        assert (code, out, err) == (2, "", f"pralign: {message}\n")


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_an_empty_text(small, content):
    small.write("s", content)
    small.write("t", content)
    assert small.fails("plan", "s", "t").startswith("s and t: nothing to plan for: ")


def test_files_that_cannot_be_read(small):
    assert small.fails("plan", "nobody", "t") == "nobody: cannot read: No such file or directory"
    small.write("t", b"caf\xe9\nx\ny\n")
    assert small.fails("plan", "s", "t").startswith("t, line 1, byte 4: 0xe9 is not valid UTF-8")


def test_sides_of_different_lengths(small):
    small.write("t", ["la maison"])
    assert small.fails("plan", "s", "t").startswith("s has 3 lines, t 1; line n of one has to translate")


@pytest.mark.parametrize(
    "options, message",
    [
        (("--engine", "spark"), "an engine is threads or ray, not spark"),
        (("--memory", "10M"), "training takes at least 300M of memory, not 10M"),
        (("--preset", "slow"), "there is no preset called 'slow'; there are fast, default, best"),
        (("--layout", "x"), "a layout is bars, csv, tsv, jsonl, parquet, tmx, xliff, not x"),
        (("--scratch", "nowhere"), "nowhere: there is no such directory for scratch files; make it first"),
    ],
)
def test_options_that_cannot_be(small, options, message):
    code, out, err = small.run("plan", "s", "t", *options)
    assert (code, out, err) == (2, "", f"pralign: {message}\n")


def test_help_names_the_options_of_settings(work):
    text = work.ok("plan", "--help").out
    for option in ("--preset", "--engine", "--pairs", "--json", "--max-length", "--memory"):
        assert option in text
