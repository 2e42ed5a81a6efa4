"""A folder to run commands in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from pralign import sample
from pralign.cli.app import app
from pralign.engine import ThreadEngine
from pralign.runs.resources import Resources
from pralign.store import MemoryStore
from pralign.text.bitext import Bitext
from pralign.text.cutting import shard_corpus
from pralign.text.normalisation import Normalisation
from pralign.text.shard import Shard

PROGRAM = [sys.executable, "-m", "pralign"]
PATIENCE = 120  # seconds; a machine that has never run the kernels compiles them first

full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full to write to")

SMALL_SOURCE = ["the house", "the cat", "a house", "a cat", "the red house", "big cat"]
SMALL_TARGET = ["la maison", "le chat", "une maison", "un chat", "la maison rouge", "gros chat"]


class Outcome(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


class Workspace:
    """The folder commands run in; names of files are relative to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, content: str | bytes | list[str]) -> Path:
        if isinstance(content, list):
            content = "".join(f"{line}\n" for line in content)
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def read(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode()

    def lines(self, name: str) -> list[str]:
        text = self.read(name)
        assert text == "" or text.endswith("\n"), f"{name} has no line end at its end"
        return text.split("\n")[:-1]

    def snapshot(self) -> dict[str, bytes | None]:
        """All files and folders, hidden ones too, with their contents."""
        found = sorted(self.folder.rglob("*"))
        return {str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else None for path in found}

    def run(self, *arguments: object, stdin: str | bytes | None = None) -> Outcome:
        """Run a command in this process; what is not handled by the program is raised."""
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Outcome(result.exit_code, result.stdout_bytes.decode(), result.stderr_bytes.decode())

    def ok(self, *arguments: object, stdin: str | bytes | None = None) -> Outcome:
        outcome = self.run(*arguments, stdin=stdin)
        assert outcome.code == 0, outcome.err
        return outcome

    def align(self, *arguments: object, stdin: str | bytes | None = None) -> list[str]:
        """The lines that ``pralign align`` prints."""
        out = self.ok("align", *arguments, "--quiet", stdin=stdin).out
        assert out == "" or out.endswith("\n")
        return out.split("\n")[:-1]

    def fails(self, *arguments: object, code: int = 1, stdin: str | bytes | None = None) -> str:
        """The only line of a command that must fail cleanly: no result, no file touched, nothing left over."""
        before = self.snapshot()
        outcome = self.run(*arguments, stdin=stdin)
        assert outcome.code == code, outcome
        assert outcome.out == ""
        assert outcome.err.startswith("pralign: "), outcome.err
        assert outcome.err.count("\n") == 1, outcome.err
        assert self.snapshot() == before
        return outcome.err.removeprefix("pralign: ").removesuffix("\n")

    def process(self, *arguments: object, stdin: bytes = b"", **options) -> Outcome:
        """Run a command in a process of its own."""
        done = subprocess.run(
            [*PROGRAM, *map(str, arguments)],
            input=stdin,
            cwd=self.folder,
            timeout=PATIENCE,
            check=False,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
        )
        return Outcome(done.returncode, (done.stdout or b"").decode(), (done.stderr or b"").decode())


def sample_lines(count: int, start: int = 0) -> tuple[list[str], list[str]]:
    """Some pairs of the bundled sample."""
    sides = [path.read_text(encoding="utf-8").split("\n") for path in (sample.SOURCE, sample.TARGET)]
    return sides[0][start : start + count], sides[1][start : start + count]


def gold_lines(count: int) -> list[str]:
    """The gold alignments of the first pairs of the sample."""
    return sample.GOLD.read_text(encoding="utf-8").split("\n")[:count]


def shards_of(source: str, target: str) -> list[Shard]:
    """How training on two threads cuts a text."""
    made = shard_corpus(
        Bitext.read(source, target), Normalisation(), 200, MemoryStore(), ThreadEngine(2), Resources().sizes
    )
    return [made.shard(number) for number in range(made.shards)]
