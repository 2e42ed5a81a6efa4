"""Every file operation of a command in turn goes wrong, and afterwards everything is old or new, whole, and tidy.

``python -m tests.faults.harness`` does all of it: each command, each operation, each fault. The tests do a part.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SIGNAL, FAIL, TEAR = 1, 2, 3

FAULTS = {
    "KILL": (SIGNAL, signal.SIGKILL),
    "INT": (SIGNAL, signal.SIGINT),
    "TERM": (SIGNAL, signal.SIGTERM),
    "ENOSPC": (FAIL, errno.ENOSPC),
    "EIO": (FAIL, errno.EIO),
    "EACCES": (FAIL, errno.EACCES),
    "TORN": (TEAR, 0),
}
DEADLY = {"KILL", "TORN"}
POLITE = {"INT": 130, "TERM": 143}
PATIENCE = 120

# Our own sentences, short enough that a command takes a moment.
SENTENCES = [
    ("the dog sleeps", "le chien dort"),
    ("the cat sleeps", "le chat dort"),
    ("a dog eats", "un chien mange"),
    ("the cat eats a fish", "le chat mange un poisson"),
    ("a red fish", "un poisson rouge"),
    ("the red house", "la maison rouge"),
]
LINKS = ["0-0 1-1 2-2"] * 3 + ["0-0 1-1 2-2 3-3 4-4", "0-0 1-2 2-1", "0-0 1-2 2-1"]
FILES = {
    "s": [source for source, _ in SENTENCES],
    "t": [target for _, target in SENTENCES],
    "g": LINKS,
    "a": [" ".join(f"{link}:0.{k + 5}" for k, link in enumerate(line.split()[:4])) for line in LINKS],
    "b": ["0-0:0.9 1-0:0.3 1-1:0.6"] * len(LINKS),
    "h": ["0-1"] * len(LINKS),
}


@dataclass(frozen=True)
class Command:
    """A command, and the results that it writes.

    Attributes:
        words: The command line, with the word WHICH where it differs.
        results: The files and directories it writes, below the folder ``out``.
        old: What stands for the word when it writes the results that then are to be replaced.
        new: What stands for it when something goes wrong.
        first: What has to be done before, in other places.
    """

    words: str
    results: tuple[str, ...]
    old: str
    new: str
    first: tuple[str, ...] = ()

    def line(self, which: str) -> list[str]:
        """The command line, for the old or the new results."""
        return self.words.replace("WHICH", which).split()


COMMANDS = {
    "align": Command(
        "align s t -q --threads 1 WHICH -o out/l --scores out/c --forward out/f --save out/m",
        ("l", "c", "f", "m"),
        "--model ibm1 --iterations ibm1=1",
        "--model ibm1 --iterations ibm1=2",
    ),
    "train": Command("train s t -q --threads 1 WHICH --save out/m", ("m",), "--model ibm1 --iterations ibm1=1", ""),
    "match fit": Command(
        "match fit s t -q --threads 1 --labelled s t g WHICH --save out/m",
        ("m",),
        "--features dice --rounds 3",
        "--features dice,distance --rounds 5",
    ),
    "report": Command(
        "report s t -q WHICH --gold g --bootstrap 10 -o out/r.html --json out/j --figures out/figures",
        ("r.html", "j", "figures"),
        "--system B=b",
        "--system A=a",
    ),
    "train --checkpoint": Command(
        "train s t -q --threads 1 WHICH --save out/m", ("m",), "--model ibm1 --iterations ibm1=1", "--checkpoint run"
    ),
    "align --load": Command(
        "align s t -q --threads 1 --load m --no-adapt WHICH -o out/l",
        ("l",),
        "--decode viterbi --symmetrize union",
        "--decode viterbi --symmetrize intersection",
        ("train s t -q --threads 1 --model ibm1 --iterations ibm1=1 --save m",),
    ),
    "merge": Command(
        "merge m WHICH -q --threads 1 --save out/m",
        ("m",),
        "n",
        "o",
        (
            "train s t -q --threads 1 --save m",
            "train t s -q --threads 1 --save n",
            "train s s -q --threads 1 --save o",
        ),
    ),
    "match align": Command(
        "match align s t -q --threads 1 --load WHICH -o out/l --format jsonl",
        ("l",),
        "m",
        "n",
        (
            "match fit s t -q --threads 1 --labelled s t g --features dice --rounds 3 --save m",
            "match fit s t -q --threads 1 --labelled s t g --features dice,distance --rounds 5 --save n",
        ),
    ),
    "align --moses": Command(
        "align WHICH -q --threads 1 --model ibm1 -o out/l --moses out/d",
        ("l", "d/corpus.src", "d/corpus.tgt", "d/aligned.grow-diag-final-and"),
        "t s --iterations ibm1=1",
        "s t --iterations ibm1=3",
    ),
    "lexicon": Command("lexicon s t WHICH -q --format moses -o out/lex.gz", ("lex.f2e.gz", "lex.e2f.gz"), "h", "g"),
    "lexicon --format": Command("lexicon s t WHICH -q --format dictionary -o out/words.txt", ("words.txt",), "h", "g"),
    "phrases": Command(
        "phrases s t WHICH -q --threads 1 -o out/t.gz --extract out/e --reordering out/r",
        ("t.gz", "e.gz", "e.inv.gz", "e.o.gz", "r"),
        "h",
        "g",
    ),
    "shortlist": Command("shortlist s t WHICH -q -o out/list", ("list",), "h", "g"),
    "classes": Command("classes WHICH -q -n 3 -o out/c.gz", ("c.gz",), "s", "t"),
    "convert": Command("convert WHICH out/c --from scored --to talp", ("c",), "b", "a"),
    "symmetrize": Command("symmetrize g WHICH --heuristic union -o out/l", ("l",), "h", "g"),
    "show": Command("show s t g --svg WHICH -o out/v.svg", ("v.svg",), "--line 1", "--line 4"),
}


@dataclass
class Outcome:
    """What a fault has led to.

    Attributes:
        code: The exit code; below zero for a signal that has ended the process.
        operations: How many operations there were.
        what: The operation that went wrong.
        said: What was said on standard error.
    """

    code: int
    operations: int
    what: str
    said: str


class Server:
    """A warm process that does commands in forks of itself, with faults."""

    def __init__(self, folder: Path) -> None:
        library = folder / "shim.so"
        compiler = shutil.which("cc") or shutil.which("gcc") or "cc"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, HERE / "shim.c", "-ldl"], check=True)
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        environment = {
            **os.environ,
            "LD_PRELOAD": str(library),
            "TMPDIR": str(self.scratch),
            "PYTHONWARNINGS": "ignore",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=HERE.parent.parent,
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        with self._process:
            self._process.stdin.close()
            self._process.wait(PATIENCE)


@dataclass
class Case:
    """A command whose operations go wrong, one after the other.

    Attributes:
        command: The command.
        folder: Where it runs.
        server: What runs it.
        operations: How many operations it does.
    """

    command: Command
    folder: Path
    server: Server
    old: dict[str, Any] = field(default_factory=dict)
    new: dict[str, Any] = field(default_factory=dict)
    operations: int = 0

    def prepare(self) -> None:
        """Write the inputs, the old results and, to compare with, the new ones."""
        self.folder.mkdir()
        for name, lines in FILES.items():
            (self.folder / name).write_text("".join(f"{line}\n" for line in lines))
        (self.folder / "out").mkdir()
        for words in self.command.first:
            self._warm_up(words.split())
        for which in (self.command.old, self.command.new):
            self._warm_up(self.command.line(which))
            self.old, self.new = self.new, self._results()
        assert all(self.old[name] != self.new[name] for name in self.command.results), "old and new must differ"
        shutil.rmtree(self.folder / "out")
        (self.folder / "out").mkdir()
        self._warm_up(self.command.line(self.command.old))
        shutil.copytree(self.folder / "out", self.folder / "before")
        self.operations = self.run("KILL", 0).operations

    def _warm_up(self, words: list[str]) -> None:
        answer = self.server.ask(warm=True, folder=str(self.folder), command=words)
        assert answer["code"] in (0, None), (words, answer, (self.folder / "said").read_text())

    def run(self, fault: str, at: int) -> Outcome:
        """Do the command over the old results; operation ``at`` goes wrong, none if that is 0."""
        shutil.rmtree(self.folder / "out")
        shutil.rmtree(self.folder / "run", ignore_errors=True)
        shutil.copytree(self.folder / "before", self.folder / "out")
        return self.again(fault, at)

    def again(self, fault: str = "KILL", at: int = 0, command: list[str] | None = None) -> Outcome:
        """Do the command over what is there."""
        kind, value = FAULTS[fault]
        answer = self.server.ask(
            folder=str(self.folder),
            root=str(self.folder),
            said=str(self.folder / "said"),
            command=command or self.command.line(self.command.new),
            at=at,
            kind=kind,
            value=value,
        )
        return Outcome(**answer, said=(self.folder / "said").read_text(errors="replace"))

    def check(self, fault: str, at: int) -> Iterator[str]:
        """What is wrong after a fault; nothing if all is well."""
        outcome = self.run(fault, at)
        where = f"{fault} at {at} ({outcome.what}), exit code {outcome.code}"
        results, left = self._results(), self._left()
        if "Traceback" in outcome.said:
            yield f"{where}: a traceback: {outcome.said.strip().splitlines()[-1]}"
        for name in self.command.results:
            if results[name] not in (self.old[name], self.new[name]):
                yield f"{where}: {name} is neither old nor new"
        sides = {name: results[name] == self.new[name] for name in self.command.results}
        if fault not in DEADLY:
            finished = all(sides.values())  # a signal may come when all is done
            if len(set(sides.values())) > 1 or (outcome.code == 0) > finished or ((outcome.code == 1) and finished):
                yield f"{where}: these are new: {[name for name in sides if sides[name]]}; {outcome.said.strip()}"
            if left and fault in POLITE:
                yield f"{where}: left behind: {left}"
            if fault in POLITE and outcome.code not in (0, POLITE[fault]):
                yield f"{where}: another exit code"
            if fault not in POLITE and outcome.code not in (0, 1):
                yield f"{where}: another exit code: {outcome.said.strip()}"
            if outcome.code and not outcome.said.strip().rpartition("\n")[2].startswith("pralign: "):
                yield f"{where}: no message but {outcome.said!r}"
        if left or fault in DEADLY:  # what could not be removed will be
            yield from self._check_next(where)

    def _check_next(self, where: str) -> Iterator[str]:
        """After a program was killed, the next one that writes there finishes or removes what it has left."""
        other = self.again(command=["classes", "s", "-q", "-o", "out/other"])
        results = self._results()
        sides = {name: results[name] == self.new[name] for name in self.command.results}
        if other.code or len(set(sides.values())) > 1:
            yield f"{where}: after the next program these are new: {[name for name in sides if sides[name]]}"
        (self.folder / "out" / "other").unlink(missing_ok=True)
        again = self.again()
        if again.code:
            yield f"{where}: the next run fails: {again.said.strip()}"
        elif self._results() != self.new:
            yield f"{where}: the next run has other results"
        if left := self._left():
            yield f"{where}: left behind after the next run: {left}"

    def _results(self) -> dict[str, Any]:
        return {name: _content(self.folder / "out" / name) for name in self.command.results}

    def _left(self) -> list[str]:
        """What is there besides the results, in the folder of the results and where scratch files go."""
        known = {self.folder / "out" / name for name in self.command.results}
        around = {path.parent for path in known}
        found = [path for path in (self.folder / "out").rglob("*") if not {path, *path.parents} & known]
        found = [path for path in found if path not in around]
        found += [path for name in self.command.results for path in (self.folder / "out" / name).rglob(".*")]
        return sorted(str(path.name) for path in [*found, *self.server.scratch.iterdir()])


def _content(path: Path) -> Any:
    """All that a file or a directory holds; a model must be one that can be loaded."""
    if not path.is_dir():
        return path.read_bytes() if path.exists() else None
    files = {str(each.relative_to(path)): each.read_bytes() for each in sorted(path.rglob("*")) if each.is_file()}
    return {name: content for name, content in files.items() if not Path(name).name.startswith(".pralign-")}


def can_run() -> bool:
    """Whether there is what it takes: Linux and a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    return sys.platform == "linux" and compiler is not None and sysconfig.get_config_var("Py_ENABLE_SHARED") is not None


def main(arguments: list[str] | None = None, say: Callable[[str], object] = print) -> int:
    """Do all faults of some commands, and say what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("commands", nargs="*", default=list(COMMANDS), help="which commands")
    parser.add_argument("--faults", default=",".join(FAULTS), help="which faults")
    parser.add_argument("--every", type=int, default=1, help="every how many operations")
    options = parser.parse_args(arguments)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(options.commands):
            place = Path(folder) / str(number)
            place.mkdir()
            server = Server(place)
            case = Case(COMMANDS[name], place / "work", server)
            case.prepare()
            for fault in options.faults.split(","):
                found = [line for at in range(1, case.operations + 1, options.every) for line in case.check(fault, at)]
                wrong += len(found)
                say(f"{name}: {fault}: {case.operations} operations, {len(found)} findings")
                for line in found:
                    say(f"  {line}")
            server.close()
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
