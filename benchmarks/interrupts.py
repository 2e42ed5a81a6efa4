"""How soon commands end when they are told to, and what they leave behind, in the middle of very long sentences.

    python benchmarks/interrupts.py [--words 2000] [--moments 5] [--span 10] [--only NAME,...] [--seed 1]

The text is made up: a few pairs of so many words on either side among short ones. Each command is started ``--moments``
times, and after a random time of at most ``--span`` seconds gets SIGINT, SIGTERM or SIGHUP. A row each has how often it
was still running, how long it took to end, at worst and in the middle, and what was wrong: another exit code than 130,
143 and 129, or files left in its directory or its scratch directory. Ends with exit code 1 if anything was wrong, or
took longer than two seconds.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from options import names, positive
from tables import say, table

PRALIGN = [sys.executable, "-m", "pralign"]
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
MOST_SECONDS = 2.0
PATIENCE = 300.0

LONG = ["long.s", "long.t"]
TRAIN = ["--max-length", "30000", "--memory", "400M"]
LOAD = ["--load", "model", "--no-adapt"]
WRITE = ["-o", "out", "--scores", "scores", "--forward", "forward", "--reverse", "reverse"]

COMMANDS: dict[str, list[str]] = {
    "align": ["align", *LONG, *TRAIN, *WRITE, "--save", "saved"],
    "align, loaded": ["align", *LONG, *WRITE, "--load", "model"],
    "align, checkpoint": ["align", *LONG, *TRAIN, *WRITE, "--checkpoint", "kept"],
    **{f"align {model}": ["align", *LONG, *TRAIN, *WRITE, "--model", model] for model in ("ibm1", "ibm2", "hmm")},
    **{f"align {model}": ["align", *LONG, *TRAIN, *WRITE, "--model", model] for model in ("fhmm", "ibm3", "ibm4")},
    **{
        f"align {model}, {constraint}": ["align", *LONG, *TRAIN, *WRITE, "--model", model, "--constraint", constraint]
        for model in ("hmm", "ibm4")
        for constraint in ("bijective", "symmetric", "agreement", "itg")
    },
    "align, best": ["align", *LONG, *TRAIN, *WRITE, "--preset", "best"],
    "decode itg": ["align", *LONG, *LOAD, *WRITE, "--decode", "itg"],
    "decode itg, a thread": ["align", *LONG, *LOAD, *WRITE, "--decode", "itg", "--threads", "1"],
    "decode matching": ["align", *LONG, *LOAD, *WRITE, "--decode", "matching"],
    "decode viterbi": ["align", *LONG, *LOAD, *WRITE, "--decode", "viterbi"],
    "train": ["train", *LONG, *TRAIN, "--save", "saved"],
    "train on": ["train", *LONG, *TRAIN, "--from", "model", "--save", "saved"],
    "merge": ["merge", "model", "other", "--save", "saved"],
    "plan": ["plan", *LONG],
    "match fit": ["match", "fit", *LONG, "--labelled", *LONG, "long.gold", "--save", "saved"],
    "match fit, extragradient": [
        *("match", "fit", *LONG, "--labelled", *LONG, "long.gold", "--save", "saved"),
        *("--learner", "extragradient", "--features", "dice,distance"),
    ],
    "match align": ["match", "align", *LONG, "--load", "matching", "-o", "out"],
    "classes": ["classes", "long.s", "-n", "1500", "-o", "out"],
    "report": [
        "report",
        *LONG,
        "--system",
        "a=long.gold",
        "--gold",
        "long.gold",
        "--model",
        "model",
        "--bootstrap",
        "100000",
        "-o",
        "page",
    ],
    "symmetrize": ["symmetrize", "long.gold", "long.gold", "--heuristic", "grow-diag-final", "-o", "out"],
    "evaluate": ["evaluate", "long.gold", "long.gold", "--compare", "long.gold", "--bootstrap", "100000"],
    "convert": ["convert", "long.gold", "out", "--from", "pharaoh", "--to", "jsonl"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=positive, default=2000)
    parser.add_argument("--moments", type=positive, default=5)
    parser.add_argument("--span", type=positive, default=10)
    parser.add_argument("--only", type=names, default="", help="commands whose names begin so")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wanted = tuple(options.only) or ("",)
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), options.words)
        trials = [
            try_out(name, options, Path(folder), random.Random(f"{options.seed} {name}"))
            for name in COMMANDS
            if name.startswith(wanted)
        ]
    say(table(["command", "interrupted", "worst s", "median s", "wrong"], (trial.row for trial in trials)))
    sys.exit(any(trial.wrong or max(trial.seconds, default=0) > MOST_SECONDS for trial in trials))


@dataclass
class Trial:
    """What became of one command."""

    name: str
    moments: int
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def row(self) -> list[str]:
        """For the table."""
        times = [f"{max(self.seconds):.2f}", f"{median(self.seconds):.2f}"] if self.seconds else ["", ""]
        return [self.name, f"{len(self.seconds)}/{self.moments}", *times, "; ".join(self.wrong) or "nothing"]


def try_out(name: str, options: argparse.Namespace, folder: Path, chance: random.Random) -> Trial:
    """Start a command several times, and end it at random moments."""
    trial = Trial(name, options.moments)
    before = set(folder.rglob("*"))
    for number in range(options.moments):
        which = SIGNALS[number % len(SIGNALS)]
        with tempfile.TemporaryDirectory() as scratch:
            environment = {**os.environ, "TMPDIR": scratch}
            process = subprocess.Popen(
                [*PRALIGN, *COMMANDS[name]],
                cwd=folder,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            moment = chance.uniform(0.3, options.span)
            try:
                process.wait(moment)
            except subprocess.TimeoutExpired:
                process.send_signal(which)
                began = time.monotonic()
                _, said = process.communicate(timeout=PATIENCE)
                took = time.monotonic() - began
                if process.returncode != 0:  # else it was about to end by itself
                    trial.seconds.append(took)
                if process.returncode not in (0, 128 + which):
                    trial.wrong.append(f"{which.name} after {moment:.1f} s: exit code {process.returncode}")
                if "Traceback" in said:
                    trial.wrong.append(f"{which.name} after {moment:.1f} s: {said.strip().splitlines()[-1]}")
            else:
                said = process.stderr.read() if process.stderr else ""
                if process.returncode:
                    trial.wrong.append(f"failed by itself: {said.strip().splitlines()[-1]}")
            trial.wrong += [f"left {path.name} after {moment:.1f} s" for path in Path(scratch).iterdir()]
        new = sorted(set(folder.rglob("*")) - before)
        interrupted = process.returncode != 0
        trial.wrong += [f"left {path.name} after {moment:.1f} s" for path in new if interrupted and not _is_kept(path)]
        _delete(new)
    print(*trial.row, file=sys.stderr, flush=True)
    return trial


def _is_kept(path: Path) -> bool:
    """A checkpoint is there to stay."""
    return "kept" in path.parts


def _delete(paths: list[Path]) -> None:
    for path in reversed(paths):
        path.rmdir() if path.is_dir() else path.unlink()


def prepare(folder: Path, words: int) -> None:
    """Write the texts, and the models that commands want."""
    chance = random.Random(7)
    short = [pair(chance, chance.randrange(5, 30)) for _ in range(300)]
    both = [*short[:150], *(pair(chance, words) for _ in range(3)), *short[150:]]
    for name, pairs in (("short", short), ("long", both)):
        (folder / f"{name}.s").write_text("".join(f"{source}\n" for source, _ in pairs))
        (folder / f"{name}.t").write_text("".join(f"{target}\n" for _, target in pairs))
    gold = (" ".join(f"{n}-{n}" for n in range(len(source.split()))) for source, _ in both)
    (folder / "long.gold").write_text("".join(f"{line}\n" for line in gold))
    small = [" ".join(f"{n}-{n}" for n in range(len(source.split()))) for source, _ in short]
    (folder / "short.gold").write_text("".join(f"{line}\n" for line in small))
    texts = ["short.s", "short.t"]
    _run(folder, "train", *texts, "--save", "model", "-q")
    _run(folder, "train", *LONG, "--save", "other", "-q")
    _run(folder, "match", "fit", *texts, "--labelled", *texts, "short.gold", "--save", "matching", "-q")


def _run(folder: Path, *arguments: str) -> None:
    subprocess.run([*PRALIGN, *arguments], cwd=folder, check=True)


def pair(chance: random.Random, words: int) -> tuple[str, str]:
    """A sentence and one like it in another language: frequent and rare words, some elsewhere, some of their own."""
    source = [_word(chance) for _ in range(words)]
    target = list(source)
    for begin in range(0, words - 5, 5):
        if chance.random() < 0.4:
            end = begin + chance.randrange(2, 5)
            target[begin:end] = reversed(target[begin:end])
    target = [word if chance.random() < 0.8 else _word(chance) for word in target]
    return " ".join(f"s{word}" for word in source), " ".join(f"t{word}" for word in target)


def _word(chance: random.Random) -> int:
    return min(int(chance.paretovariate(0.8)), 4000)


if __name__ == "__main__":
    main()
