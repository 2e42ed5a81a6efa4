"""A reader of standard output that goes away."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from cli.support import PATIENCE, PROGRAM
from pralign.cli.console import UNREAD, reporting_errors
from pralign.outputs import ReaderGoneError, open_output, open_outputs, together

pytestmark = pytest.mark.slow

LIGHT = [
    ["--help"],
    ["align", "--help"],
    ["--version"],
    ["evaluate", "l", "l"],
    ["show", "s", "s", "l"],
    ["convert", "l", "-", "--to", "jsonl"],
    ["symmetrize", "l", "--heuristic", "invert"],
    ["lexicon", "s", "s", "l", "-q"],
    ["shortlist", "s", "s", "l", "-q"],
    ["phrases", "s", "s", "l", "-q"],
    ["rules", "s", "s", "l", "-q"],
]


@pytest.mark.parametrize("command", LIGHT, ids=" ".join)
def test_a_program_that_nobody_reads_ends_without_a_word(work, command):
    work.write("l", "0-0 1-1\n" * 5)
    work.write("s", "a b\n" * 5)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*PROGRAM, *command], cwd=work.folder, stdout=writer, stderr=subprocess.PIPE, timeout=PATIENCE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (UNREAD, b"")


class Unread:
    """Standard output whose reader has gone."""

    def write(self, text):
        raise BrokenPipeError

    def flush(self):
        raise BrokenPipeError


def test_standard_output_alone(monkeypatch):
    monkeypatch.setattr(sys, "stdout", Unread())
    with pytest.raises(ReaderGoneError) as caught, open_output(None) as stream:
        stream.write("0-0\n")
    assert caught.value.alone


def test_standard_output_and_other_results(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdout", Unread())
    with pytest.raises(ReaderGoneError) as caught, open_outputs(None, tmp_path / "scores") as (links, scores):
        scores.write("1\n")
        links.write("0-0\n")
    assert not caught.value.alone
    assert list(tmp_path.iterdir()) == []


def test_results_that_were_begun_before(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdout", Unread())
    with pytest.raises(ReaderGoneError) as caught, together():
        with open_output(tmp_path / "page") as page:
            page.write("page\n")
        with open_output(None) as links:
            links.write("0-0\n")
    assert not caught.value.alone
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("alone", "code", "message"),
    [
        (True, UNREAD, ""),
        (
            False,
            1,
            "pralign: standard output was closed before all was written; the other results are not written either\n",
        ),
    ],
)
def test_what_is_said_of_it(alone, code, message):
    app = typer.Typer()

    @app.command()
    @reporting_errors
    def command() -> None:
        raise ReaderGoneError(alone)

    result = CliRunner().invoke(app, [])
    assert (result.exit_code, result.stderr) == (code, message)
