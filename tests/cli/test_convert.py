"""The convert command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pralign.cli.console import messages_shown
from pralign.cli.convert import convert
from pralign.errors import InputError, UsageError

GIZA = """\
# Sentence pair (1) source length 2 target length 4 alignment score : 1
das blaue haus .
NULL ({ 4 }) the ({ 1 }) house ({ 2 3 })
# Sentence pair (2) source length 1 target length 0 alignment score : 1

NULL ({ }) yes ({ })
"""

app = typer.Typer()
app.command()(convert)


class Files:
    """A directory to convert in, and what the last command printed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stderr = ""

    def put(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text, encoding="utf-8")
        return str(self.folder / name)

    def convert(self, text: str, *options: str) -> str:
        arguments = [self.put("in", text), str(self.folder / "out"), *options]
        with messages_shown():
            result = CliRunner().invoke(app, arguments)
        self.stderr = result.stderr
        if result.exception is not None:
            raise result.exception
        return (self.folder / "out").read_text(encoding="utf-8")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_convert_changes_format_and_base(files: Files) -> None:
    assert files.convert("1-1 2?3\n\n", "--from", "gold", "--from-base", "1", "--to", "naacl") == "1 1 1 S\n1 2 3 P\n"
    assert files.stderr == ""
    assert files.convert("1 1 1 S\n", "--from", "naacl", "--to", "pharaoh", "--lines", "3") == "0-0\n\n\n"


def test_convert_says_which_base_it_used_where_files_differ(files: Files) -> None:
    assert files.convert("1-1 2p3\n", "--from", "talp", "--to", "gold") == "1-1 2?3\n"
    assert files.stderr.count("\n") == 1
    assert "counted from 0" in files.stderr
    assert "--from-base 1" in files.stderr
    assert files.convert("1-1 2?3\n", "--from", "gold", "--to", "talp") == "1-1 2p3\n"
    assert "--to-base 1" in files.stderr
    assert files.convert("1-1\n", "--from", "talp", "--from-base", "1", "--to", "gold") == "0-0\n"
    assert files.stderr == ""


def test_convert_says_how_many_possible_links_it_dropped(files: Files) -> None:
    assert files.convert("0-0 1?1\n2?2\n", "--from", "gold", "--to", "pharaoh") == "0-0\n\n"
    assert files.stderr == "dropped 2 possible-only links: pharaoh holds sure links only\n"


def test_convert_with_text(files: Files) -> None:
    source, target = files.put("s", "the house\nyes\n"), files.put("t", "das blaue haus .\n\n")
    options = ["--source", source, "--target", target]
    giza = files.convert("0-0 1-1 1-2\n\n", "--from", "pharaoh", "--to", "giza", *options)
    assert giza == GIZA
    assert files.convert(giza, "--from", "giza", "--to", "giza") == giza
    jsonl = files.convert(giza, "--from", "giza", "--to", "jsonl")
    assert [json.loads(line)["source"] for line in jsonl.splitlines()] == [["the", "house"], ["yes"]]
    assert files.convert(jsonl, "--from", "jsonl", "--to", "giza") == giza


def test_convert_takes_the_number_of_pairs_from_the_text(files: Files) -> None:
    source, target = files.put("s", "a\nb\nc\n"), files.put("t", "x\ny\nz\n")
    options = ["--source", source, "--target", target]
    assert files.convert("2 1 1 S\n", "--from", "naacl", "--to", "pharaoh", *options) == "\n0-0\n\n"


def test_convert_splits_text_at_spaces_and_tabs_only(files: Files) -> None:
    source, target = files.put("s", "10\u00a0000  mots\tici\n"), files.put("t", "x\n")
    options = ["--from", "pharaoh", "--to", "jsonl", "--source", source, "--target", target]
    assert json.loads(files.convert("2-0\n", *options))["source"] == ["10\u00a0000", "mots", "ici"]
    with pytest.raises(InputError, match=r"link 3-0 \(counted from 0\) lies outside a pair of 3 source"):
        files.convert("3-0\n", *options)


@pytest.mark.parametrize(
    ("base", "link"),
    [("0", "0-1"), ("1", "1-2")],
)
def test_convert_checks_links_against_the_text(files: Files, base: str, link: str) -> None:
    source, target = files.put("s", "a\na\n"), files.put("t", "x\nx\n")
    options = [
        "--from",
        "pharaoh",
        "--to",
        "gold",
        "--from-base",
        base,
        "--source",
        source,
        "--target",
        target,
    ]
    with pytest.raises(
        InputError, match=rf"in, pair 2: link {link} \(counted from {base}\) lies outside .*belong together"
    ):
        files.convert(f"\n{link}\n", *options)
    assert not (files.folder / "out").exists()


def test_convert_checks_the_number_of_pairs(files: Files) -> None:
    source, target = files.put("s", "a\nb\n"), files.put("t", "x\ny\n")
    options = ["--from", "pharaoh", "--to", "gold", "--source", source, "--target", target]
    with pytest.raises(InputError, match=r"in has 1 alignments, .*s has 2 lines and .*t has 2 lines"):
        files.convert("0-0\n", *options)
    with pytest.raises(InputError, match=r"in has 3 alignments, .*s has 2 lines"):
        files.convert("0-0\n0-0\n0-0\n", *options)


def test_convert_usage_errors(files: Files) -> None:
    text = files.put("s", "a\n")
    with pytest.raises(UsageError, match=r"giza format contains the words.*--source and --target"):
        files.convert("0-0\n", "--from", "pharaoh", "--to", "giza")
    with pytest.raises(UsageError, match="go together"):
        files.convert("0-0\n", "--from", "pharaoh", "--to", "gold", "--source", text)
    with pytest.raises(UsageError, match="only one of the files"):
        files.convert("0-0\n", "--from", "pharaoh", "--to", "gold", "--source", "-", "--target", "-")
    with pytest.raises(UsageError, match="unknown alignment format 'moses'"):
        files.convert("0-0\n", "--from", "moses", "--to", "gold")


def test_convert_leaves_the_old_file_when_it_fails(files: Files) -> None:
    files.put("out", "old\n")
    with pytest.raises(InputError, match="line 2: found 'x'"):
        files.convert("0-0\nx\n", "--from", "pharaoh", "--to", "gold")
    assert (files.folder / "out").read_text() == "old\n"


def test_convert_reads_and_writes_standard_streams() -> None:
    with messages_shown():
        result = CliRunner().invoke(app, ["-", "-", "--from", "gold", "--to", "pharaoh"], input="0-0 1?1\n\n")
    assert result.stdout == "0-0\n\n"
    assert result.stderr == "dropped 1 possible-only links: pharaoh holds sure links only\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0-0 1?1\n", "0-0 1?1\n"),
        ("0-0:0.5\n\n", "0-0\nnone\n"),
        ("0-0 1p1\n", "0-0 1?1\n"),
        ("1 1 1 S\n1 2 2 P\n", "0-0 1?1\n"),
        (GIZA, "0-0 1-1 1-2\nnone\n"),
        ('{"id": 0, "links": [[1, 0]]}\n', "1-0\n"),
    ],
    ids=["gold", "scored", "talp", "naacl", "giza", "jsonl"],
)
def test_the_format_is_found_out(files: Files, text: str, expected: str) -> None:
    assert files.convert(text, "--to", "gold", "--to-base", "0") == expected


def test_the_format_of_standard_input_is_found_out(files: Files) -> None:
    result = CliRunner().invoke(app, ["-", "-", "--to", "gold"], input="1 1 1 S\n")
    assert result.stdout == "0-0\n"


def test_a_format_without_words_is_found_out_to_have_none(files: Files) -> None:
    with pytest.raises(UsageError, match="which pharaoh files do not have"):
        files.convert("0-0\n", "--to", "giza")


def test_the_number_of_lines_is_compared_whatever_the_format(files: Files) -> None:
    with pytest.raises(InputError, match="found 2 alignments; expected 3"):
        files.convert("0-0\n0-0\n", "--to", "gold", "--lines", "3")
