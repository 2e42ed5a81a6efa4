"""Memory, time and reproducibility: whether training keeps its promises on texts of any size.

    python benchmarks/scale.py DATA/hansards [--parts cost,bytes,kills] [--sizes 100000,all] [--before PYTHON]
    python benchmarks/scale.py DATA/hansards --parts growth [--pairs 10000000] [--iterations ibm1=5,fhmm=6]

DATA/hansards is laid out as corpora.py says. Parts:

cost    seconds and peak memory of ``pralign align`` for each size, with and without a bound on memory; beside those of
        an earlier version, whose interpreter is named by --before, and of eflomal and fast_align where they are
        installed, all back to back
growth  the same for many more pairs than there are: drawn with replacement, a tenth of the words replaced by invented
        ones of the same shape, so that the vocabulary goes on growing; and the time a cell against all of the text
bytes   whether output and model are the same bytes for 1, 7 and 50 shards, 1, 2 and 3 threads, memory and disk
kills   whether a run that is killed at random moments, and started again each time, ends with the same bytes

Times include everything from starting the program to the finished file. Nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from corpora import Prepared, prepare
from measure import Measured, run
from options import names, sizes
from pralign import Bitext, sample
from pralign.engine import ThreadEngine
from pralign.models import MODELS
from pralign.models.estimators import ESTIMATORS
from pralign.runs.recipe import Recipe
from pralign.runs.resources import Resources
from pralign.runs.run import TrainingRun
from pralign.settings import Settings
from pralign.text.cutting import ShardSizes
from tables import say, table

PRALIGN = [sys.executable, "-m", "pralign"]
COMPILE = [sample.SOURCE, sample.TARGET, "-q"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--parts", type=names, default="cost,bytes,kills")
    parser.add_argument("--sizes", type=sizes, default="100000,all")
    parser.add_argument("--memory", default="600M", help="the bound that is tried for the largest size")
    parser.add_argument("--before", help="the Python of an earlier version")
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--iterations", help="stages of training instead of those of the default preset")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scratch", type=Path, help="where large files go")
    options = parser.parse_args()
    parts: dict[str, Callable[[argparse.Namespace, Path], Iterator[str]]] = {
        "cost": cost,
        "growth": growth,
        "bytes": same_bytes,
        "kills": kills,
    }
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        for part in options.parts:
            say(parts[part](options, Path(folder)))


# Cost


def cost(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """A row a program and size."""
    run([*PRALIGN, "align", *COMPILE])
    rows = []
    for size in options.sizes:
        corpus = prepare(options.corpus, size, folder)
        programs = {"pralign": ([*PRALIGN, "align"], [])}
        if options.before:
            run([options.before, "-m", "pralign", "align", *COMPILE])
            programs["before"] = ([options.before, "-m", "pralign", "align"], [])
        if size == options.sizes[-1]:
            programs[f"pralign --memory {options.memory}"] = ([*PRALIGN, "align"], ["--memory", options.memory])
        for name, (program, flags) in programs.items():
            rows.append(_row(name, corpus, _aligned(program, corpus, folder, flags), folder / "links"))
        rows += [_row(name, corpus, measured, None) for name, measured in _peers(corpus, folder)]
    yield from table(["", "pairs", "seconds", "GB", "ns a cell", "AER dev"], rows)


def _aligned(program: list[str], corpus: Prepared, folder: Path, flags: list[str]) -> Measured:
    return run([*program, corpus.source, corpus.target, "-o", folder / "links", "--threads", "2", "-q", *flags])


def _row(name: str, corpus: Prepared, measured: Measured, links: Path | None) -> list[str]:
    nanoseconds = f"{measured.seconds / corpus.cells * 1e9:.0f}"
    aer = "" if links is None else f"{100 * corpus.scores(links)['dev'].aer:.2f}"
    return [name, f"{corpus.pairs:,}", f"{measured.seconds:.1f}", f"{measured.gigabytes:.2f}", nanoseconds, aer]


def _peers(corpus: Prepared, folder: Path) -> Iterator[tuple[str, Measured]]:
    """Both directions of other aligners."""
    forward, reverse = folder / "forward", folder / "reverse"
    if shutil.which("eflomal-align"):
        files = ["-s", corpus.source, "-t", corpus.target, "-f", forward, "-r", reverse]
        yield "eflomal", run(["eflomal-align", *files, "--overwrite"])
    if shutil.which("fast_align"):
        joined = folder / "joined"
        with joined.open("w", encoding="utf-8") as stream:
            pairs = Bitext.read(corpus.source, corpus.target)
            stream.writelines(f"{source} ||| {target}\n" for source, target in pairs)
        ahead = run(["fast_align", "-i", joined, "-d", "-o", "-v"])
        back = run(["fast_align", "-i", joined, "-d", "-o", "-v", "-r"])
        seconds, gigabytes = ahead.seconds + back.seconds, max(ahead.gigabytes, back.gigabytes)
        yield "fast_align, both directions", Measured(seconds, gigabytes, "")


# Growth


def growth(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """All of the text, and many times as much."""
    flags = ["--preset", "default", "--iterations", options.iterations] if options.iterations else []
    run([*PRALIGN, "align", *COMPILE])
    whole = prepare(options.corpus, None, folder)
    first = _aligned([*PRALIGN, "align"], whole, folder, flags)
    large = invented(whole, options.pairs, options.seed, folder)
    second = _aligned([*PRALIGN, "align"], large, folder, [*flags, "--scratch", str(folder)])
    rows = [_row("all of the text", whole, first, folder / "links"), _row("drawn and invented", large, second, None)]
    rows[0][-1] = ""
    yield from table(["", "pairs", "seconds", "GB", "ns a cell", ""], rows)
    ratio = (second.seconds / large.cells) / (first.seconds / whole.cells)
    yield f"{large.cells:,} cells; time a cell is {ratio:.2f} of that of all of the text"


def invented(corpus: Prepared, pairs: int, seed: int, folder: Path) -> Prepared:
    """Pairs drawn with replacement, a tenth of whose words are invented."""
    lines = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in (corpus.source, corpus.target)]
    draw, inventor = random.Random(seed), Inventor(random.Random(seed + 1))
    paths = folder / "large.source", folder / "large.target"
    cells = 0
    with paths[0].open("w", encoding="utf-8") as source, paths[1].open("w", encoding="utf-8") as target:
        for _ in range(pairs):
            number = draw.randrange(len(lines[0]))
            sides = [inventor(side[number].split()) for side in lines]
            cells += len(sides[0]) * len(sides[1])
            source.write(" ".join(sides[0]) + "\n")
            target.write(" ".join(sides[1]) + "\n")
    return Prepared(*paths, pairs, cells, {})


@dataclass
class Inventor:
    """Replaces a tenth of the words by variants of them with other letters in the same places.

    Variants have numbers, drawn from a distribution with a heavy tail (P(V > v) = v^-1.5), so that a word that is
    replaced n times has about n^0.4 variants: the vocabulary grows as that of natural text does.
    """

    random: random.Random

    def __call__(self, words: list[str]) -> list[str]:
        return [self._variant(word) if self.random.random() < 0.1 else word for word in words]

    def _variant(self, word: str) -> str:
        number = int((1.0 - self.random.random()) ** (-1 / 1.5))
        letters = random.Random(f"{word} {number}")
        return "".join(self._shaped(letter, letters) for letter in word)

    @staticmethod
    def _shaped(letter: str, letters: random.Random) -> str:
        if letter.isdigit():
            return letters.choice("0123456789")
        if not letter.isalpha():
            return letter
        drawn = letters.choice("abcdefghijklmnopqrstuvwxyz")
        return drawn.upper() if letter.isupper() else drawn


# Bytes


@dataclass(frozen=True)
class Cut(Resources):
    """Resources that cut a text into so many shards, and the lexicon into about as many pieces."""

    shards: int = 1

    def sizes(self, cells: int, words: int, workers: int) -> ShardSizes:
        """So many shards, whatever the text."""
        return ShardSizes(shard=max(cells // self.shards, 1), piece=max(cells // self.shards, 1))

    @property
    def chunk(self) -> tuple[int, int]:
        """Small, so that there can be many shards."""
        return 1_000, 1_000

    @property
    def kept(self) -> int:
        """Everything or nothing stays in memory."""
        return self.memory or 0


def same_bytes(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """A line for each model and estimator."""
    corpus = prepare(options.corpus, 500, folder)
    for model in MODELS:
        for estimator in ESTIMATORS:
            settings = Settings.resolve(model=model, estimator=estimator)
            found = {_digest(settings, corpus, cut, folder) for cut in _cuts()}
            yield f"{model}, {estimator}: {'the same bytes' if len(found) == 1 else f'{len(found)} DIFFERENT results'}"


def _cuts() -> Iterator[tuple[int, int, int]]:
    for shards in (1, 7, 50):
        for threads in (1, 2, 3):
            for memory in (0, 10**12):
                yield shards, threads, memory


def _digest(settings: Settings, corpus: Prepared, cut: tuple[int, int, int], folder: Path) -> str:
    import hashlib

    shards, threads, memory = cut
    bitext = Bitext.read(corpus.source, corpus.target)
    training = TrainingRun(
        Recipe.of(settings), bitext, ThreadEngine(threads), Cut(memory=memory, scratch=folder, shards=shards)
    )
    assert abs(training.corpus.shards - shards) <= shards // 10, f"{training.corpus.shards} shards, not {shards}"
    digest = hashlib.sha256()
    for answer in training.decode(directions=True):
        digest.update(repr(answer).encode())
    training.save(folder / "model")
    for path in sorted((folder / "model").iterdir()):
        digest.update(path.read_bytes())
    training.close()
    return digest.hexdigest()


# Kills


def kills(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """A run that is killed again and again, and the same run left alone."""
    corpus = prepare(options.corpus, 10_000, folder)
    temporary = folder / "temporary"
    temporary.mkdir()
    chance = random.Random(options.seed)

    def command(name: str) -> list[str | Path]:
        files = [corpus.source, corpus.target, "-o", folder / f"{name}.links", "--scores", folder / f"{name}.scores"]
        kept = ["--save", folder / f"{name}.model", "--checkpoint", folder / f"{name}.checkpoint"]
        return [*PRALIGN, "align", *files, "--format", "scored", *kept, "--threads", "2", "-q"]

    began = time.perf_counter()
    run(command("left"))
    usual = time.perf_counter() - began
    killed = 0
    while True:
        process = subprocess.Popen([str(part) for part in command("killed")])
        try:
            patience = chance.uniform(0.3, usual) if killed < options.kills else None
            code = process.wait(patience)
            if code:
                raise SystemExit(f"failed with exit code {code}")
            if killed >= options.kills:
                break
            for path in folder.glob("killed.*"):  # finished before its time: once more from the start
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
    same = all(_same(folder / f"left.{kind}", folder / f"killed.{kind}") for kind in ("links", "scores", "model"))
    left = [path.name for path in folder.glob("*") if "checkpoint" in path.name or path.name.startswith(".")]
    yield f"killed {killed} times: {'the same bytes' if same else 'DIFFERENT'}; left behind: {left or 'nothing'}"


def _same(one: Path, other: Path) -> bool:
    if one.is_dir():
        listed = sorted(path.name for path in one.iterdir())
        others = sorted(path.name for path in other.iterdir())
        return listed == others and all(_same(one / name, other / name) for name in listed)
    return one.read_bytes() == other.read_bytes()


if __name__ == "__main__":
    main()
