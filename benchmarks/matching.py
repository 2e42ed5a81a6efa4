"""Matching learned from labelled pairs: how exact, how fast, and how it grows with the number of pairs.

    python benchmarks/matching.py CORPUS [--size all] [--model DIR] [--threads 2] [--skip-scaling]

CORPUS is laid out as corpora.py says, with ``test-firstN.gold``: those N pairs are learned from, and the development
pairs stop learning. What features are worth is an experiment, ``experiments/001-matching.toml``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from corpora import LANGUAGES, Prepared, prepare
from measure import run
from options import size
from pralign.aligner import Aligner
from pralign.engine import ThreadEngine
from pralign.evaluation import evaluate
from pralign.kernels.polytope import project
from pralign.links.alignment import Alignment
from pralign.links.formats import write_alignments
from pralign.links.labelled import Labelled
from pralign.matching import MatchingAligner
from pralign.matching.association import Association
from pralign.text.bitext import Bitext, Pair
from pralign.text.normalisation import Normalisation
from tables import say, table

FEATURES = ["dice", "distance", "shape", "frequency", "common", "neighbours", "posteriors"]
PRALIGN = [sys.executable, "-m", "pralign"]
MANY = 5_000
SPEED_PAIRS = 20_000


class Labels(NamedTuple):
    """What can be learned from and what learning is stopped by."""

    learned: list[Labelled]
    validation: list[Labelled]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--size", type=size, default=None, help="lines of training text; all by default")
    parser.add_argument("--model", type=Path, help="a saved model to get posteriors from; trained if there is none")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--skip-scaling", action="store_true", help="leave out the run on 5,000 pairs")
    options = parser.parse_args()
    if options.corpus.name not in LANGUAGES:
        parser.error(f"the corpus is one of {', '.join(LANGUAGES)}")
    with tempfile.TemporaryDirectory() as folder:
        prepared = prepare(options.corpus.resolve(), options.size, Path(folder))
        labels = labelled_pairs(prepared)
        model = Aligner.load(options.model, options.threads) if options.model else trained(prepared, options.threads)
        bench = Bench(prepared, labels, model, options.threads)
        say(table(["", "bar", "measured"], bench.others(Path(folder), not options.skip_scaling)))


def labelled_pairs(prepared: Prepared) -> Labels:
    pairs = list(Bitext.read(prepared.source, prepared.target)) if prepared.pairs < 50_000 else first_pairs(prepared)
    parts = {}
    for name, (start, golds) in prepared.golds.items():
        parts[name] = [(*pairs[start + number], gold) for number, gold in enumerate(golds)]
    first = next(name for name in parts if name != "dev")
    return Labels(parts[first], parts["dev"])


def first_pairs(prepared: Prepared, count: int | None = None) -> list[Pair]:
    count = count or max(start + len(golds) for start, golds in prepared.golds.values())
    return list(islice(Bitext.read(prepared.source, prepared.target), count))


def trained(prepared: Prepared, threads: int) -> Aligner:
    return Aligner(threads=threads).fit(Bitext.read(prepared.source, prepared.target))


class Bench:
    """Everything that is measured, with counts and the generative model shared."""

    def __init__(self, prepared: Prepared, labels: Labels, model: Aligner, threads: int) -> None:
        self.prepared, self.labels, self.model, self.threads = prepared, labels, model, threads
        began = time.perf_counter()
        bitext = Bitext.read(prepared.source, prepared.target)
        self.association = Association.learn(bitext, Normalisation(), ThreadEngine(threads))
        print(f"counted {prepared.pairs:,} pairs in {time.perf_counter() - began:.1f} s", flush=True)

    def aligner(self, features: Sequence[str], **settings: object) -> MatchingAligner:
        return MatchingAligner(features=list(features), model=self.model, threads=self.threads, **settings)

    def fit(self, aligner: MatchingAligner, learned: list[Labelled], validation: list[Labelled] | None) -> float:
        """Learn with the shared counts: the seconds it takes, features included."""
        began = time.perf_counter()
        aligner.fit(self.association, labelled=learned, validation=validation)
        return time.perf_counter() - began

    def others(self, folder: Path, scaling: bool) -> Iterator[list[str]]:
        generative = list(self.model.align((source, target) for source, target, _ in self.labels.learned))
        golds = [gold for *_, gold in self.labels.learned]
        yield ["the generative model alone, same pairs", "", f"{100 * evaluate(generative, golds).aer:.2f} AER"]
        yield ["projection, against a quadratic program", "1e-6", f"{projection_error():.1e}"]
        aligner = self.aligner(FEATURES, rounds=500)
        seconds = self.fit(aligner, self.labels.learned, self.labels.validation)
        first, last = aligner.trained()[1].gap or (1.0, 1.0)
        yield ["duality gap, 500 rounds", "< 1 % of the start", f"{100 * last / first:.2f} % ({seconds:.1f} s)"]
        yield [f"aligning, {self.threads} threads, posteriors given", ">= 5,000 pairs/s", f"{self.speed(aligner):,.0f}"]
        if scaling:
            yield [f"learning on {MANY:,} pairs", "<= 10 min, <= 2 GB", self.many(folder)]

    def speed(self, aligner: MatchingAligner) -> float:
        pairs = first_pairs(self.prepared, SPEED_PAIRS)
        asked, self.model.observer = self.model.observer, Recorded(self.model, pairs).observer
        list(aligner.align(pairs[:100]))
        began = time.perf_counter()
        count = sum(1 for _ in aligner.align(pairs))
        seconds = time.perf_counter() - began
        self.model.observer = asked
        return count / seconds

    def many(self, folder: Path) -> str:
        """Learn from text that the generative model has labelled, in a process of its own."""
        start = max(start + len(golds) for start, golds in self.prepared.golds.values())
        pairs = first_pairs(self.prepared, start + MANY)[start:]
        for side, name in enumerate(("many.source", "many.target")):
            (folder / name).write_text("".join(f"{pair[side]}\n" for pair in pairs), encoding="utf-8")
        with (folder / "many.gold").open("w", encoding="utf-8") as stream:
            write_alignments(stream, (Alignment(a.links) for a in self.model.align(pairs)), "gold")
        for name, examples in (("dev.source", 0), ("dev.target", 1)):
            lines = [str(example[examples]) for example in self.labels.validation]
            (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        with (folder / "dev.gold").open("w", encoding="utf-8") as stream:
            write_alignments(stream, (gold for *_, gold in self.labels.validation), "gold")
        labelled = ["--labelled", *(folder / f"many.{part}" for part in ("source", "target", "gold"))]
        validation = ["--validation", *(folder / f"dev.{part}" for part in ("source", "target", "gold"))]
        text = [folder / "many.source", folder / "many.target"]
        command = [*PRALIGN, "match", "fit", *text, *labelled, *validation, "--save", folder / "many", "-q"]
        measured = run([*command, "--threads", str(self.threads)])
        return (
            f"{measured.seconds / 60:.1f} min, {measured.gigabytes:.1f} GB (with a generative model of the same text)"
        )


class Recorded:
    """Answers as a generative model did before, so that only what matching adds takes time."""

    def __init__(self, model: Aligner, pairs: Sequence[Pair]) -> None:
        self._numbers = {id(pair): number for number, pair in enumerate(pairs)}
        ask = model.observer(pairs)
        self._answers = []
        for number, (source, target) in enumerate(pairs):
            if str(source).strip() and str(target).strip():
                evidence = ask(np.array([number]))
                self._answers.append((evidence.forward, evidence.reverse))
            else:
                self._answers.append((np.empty(0, np.float32), np.empty(0, np.float32)))

    def observer(self, pairs: Sequence[Pair]):
        first = self._numbers[id(pairs[0])]

        def ask(numbers: np.ndarray) -> RecordedEvidence:
            chosen = [self._answers[first + number] for number in numbers.tolist()]
            return RecordedEvidence(*(np.concatenate(part) for part in zip(*chosen, strict=True)))

        return ask


class RecordedEvidence(NamedTuple):
    """Posteriors of some pairs."""

    forward: np.ndarray
    reverse: np.ndarray


def projection_error(trials: int = 100) -> float:
    """The largest difference between projections and what a general solver finds, on random pairs of up to 7 words."""
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(trials):
        rows, columns = rng.integers(1, 8, 2)
        most = float(rng.integers(0, 3))
        point = [rng.normal(0.3, 1.0, (rows, columns)), rng.normal(0, 0.5, rows), rng.normal(0, 0.5, columns)]
        found = [np.empty_like(part) for part in point]
        project(*point, most, *found)
        mine, other = (np.concatenate([part.ravel() for part in parts]) for parts in (found, solved(point, most)))
        worst = max(worst, float(np.abs(mine - other).max()))
    return worst


def solved(point: list[np.ndarray], most: float) -> list[np.ndarray]:
    rows, columns = point[0].shape
    cells = rows * columns
    start = np.concatenate([part.ravel() for part in point])
    limits = np.zeros((rows + columns, start.size))
    for i in range(rows):
        limits[i, i * columns : (i + 1) * columns] = -1
    for j in range(columns):
        limits[rows + j, j:cells:columns] = -1
    limits[:, cells:] = np.eye(rows + columns)
    result = minimize(
        lambda x: 0.5 * np.sum((x - start) ** 2),
        np.zeros_like(start),
        jac=lambda x: x - start,
        method="SLSQP",
        bounds=[(0, 1)] * cells + [(0, most)] * (rows + columns),
        constraints={"type": "ineq", "fun": lambda x: limits @ x + 1, "jac": lambda x: limits},
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return [result.x]


if __name__ == "__main__":
    main()
