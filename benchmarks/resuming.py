"""Whether experiments that are killed and started again end with the same results.

    python benchmarks/resuming.py DATA [FILE.toml ...] [--pairs 1000] [--kills 4] [--seed 1]

Each experiment, by default each of those in ``experiments``, is run to its end once, and then in another folder, where
it gets SIGKILL ``--kills`` times, at random moments, and is started again. All files of results have to be the same
bytes, but for the one that has the seconds. Other aligners are hidden, since their own results differ from run to run.
Ends with exit code 1 if anything differs.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from measure import run
from options import positive
from tables import say, table

EXPERIMENTS = Path(__file__).parent / "experiments"
HIDING = {"PATH": os.defpath}


@dataclass
class Trial:
    """What became of one experiment."""

    name: str
    seconds: float
    kills: int
    files: int
    different: list[str]

    @property
    def row(self) -> list[str]:
        return [self.name, f"{self.seconds:.0f}", f"{self.kills}", f"{self.files}", ", ".join(self.different)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--pairs", type=positive, default=1000, help="at most so many training pairs")
    parser.add_argument("--kills", type=positive, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    trials = [try_out(file, options) for file in options.files or sorted(EXPERIMENTS.glob("*.toml"))]
    say(table(["experiment", "seconds", "killed", "files", "different"], (trial.row for trial in trials)))
    sys.exit(any(trial.different for trial in trials))


def try_out(file: Path, options: argparse.Namespace) -> Trial:
    """Run an experiment whole, and then with kills."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, "-m", "pralign", "experiment", file, "--data", options.data, "-q"]
        command += ["--pairs", options.pairs, "-o"]
        seconds = run([*map(str, command), folder / "whole"], HIDING).seconds
        killed = [*map(str, command), str(folder / "killed")]
        rng = random.Random(f"{options.seed} {file.name}")
        kills = sum(was_killed(killed, rng.uniform(0, seconds / 2)) for _ in range(options.kills))
        run(killed, HIDING)
        results = [dict(contents(folder / kind / file.stem)) for kind in ("whole", "killed")]
    names = sorted({*results[0], *results[1]})
    different = [each for each in names if results[0].get(each) != results[1].get(each)]
    return Trial(file.stem, seconds, kills, len(names), different)


def was_killed(command: list[str], after: float) -> bool:
    """Start a command, and kill it after so many seconds if it is still running."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ, **HIDING})
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True
    return False


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files of results and what is in them, but for the one that has the seconds."""
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "times.json":
            yield str(path.relative_to(folder)), path.read_bytes()


if __name__ == "__main__":
    main()
