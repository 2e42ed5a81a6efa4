"""How many labels a ranking saves: an annotator who answers from a gold, led by the ranking or by chance.

    python benchmarks/labelling.py CORPUS... [--size 20000] [--pairs 60] [--against 100] [--splits 4] [--draws 3]
                                             [--every 10] [--threads 2]

Each CORPUS is laid out as corpora.py says. A model is trained on its text. The development pairs are cut in half: from
one half pairs are labelled, the other is aligned and scored. Ranked pairs are labelled as `pralign label` asks for
them: it learns from what is labelled, ranks what is left, and so on. Each split is a new cut; random pairs are drawn
several times for each. AER is that of what `match fit` makes of the labels.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora import LANGUAGES, prepare
from options import positive, size
from pralign.aligner import Aligner
from pralign.evaluation import evaluate
from pralign.labelling.candidates import CandidatePool
from pralign.labelling.proposing import Proposer
from pralign.links.labelled import Labelled
from pralign.text.bitext import Bitext
from tables import say, table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    parser.add_argument("--size", type=size, default=20_000, help="lines of training text")
    parser.add_argument("--pairs", type=positive, default=60, help="how many ranked pairs are labelled")
    parser.add_argument("--against", type=positive, default=100, help="how many random pairs are labelled")
    parser.add_argument("--splits", type=positive, default=4)
    parser.add_argument("--draws", type=positive, default=3, help="how often random pairs are drawn for each split")
    parser.add_argument("--every", type=positive, default=10, help="after how many pairs it learns again")
    parser.add_argument("--threads", type=positive, default=2)
    options = parser.parse_args()
    for corpus in options.corpora:
        if corpus.resolve().name not in LANGUAGES:
            parser.error(f"a corpus is one of {', '.join(LANGUAGES)}")
    rows = []
    for corpus in options.corpora:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(corpus.resolve(), Path(folder), options)
            if len(bench.labelled) < 2 * options.against:
                parser.error(f"{corpus} has {len(bench.labelled)} labelled pairs, and {2 * options.against} are needed")
            rows.append([corpus.resolve().name, *bench.row()])
    titles = ["", "model alone", f"random {options.pairs}", f"random {options.against}", f"ranked {options.pairs}"]
    say(table([*titles, "words a random pair", "words a ranked one"], rows))


class Bench:
    """A corpus, its model, and its labelled pairs."""

    def __init__(self, corpus: Path, folder: Path, options: argparse.Namespace) -> None:
        prepared = prepare(corpus, options.size, folder)
        bitext = Bitext.read(prepared.source, prepared.target)
        start, golds = prepared.golds["dev"]
        pairs = islice(bitext, start, start + len(golds))
        self.labelled: list[Labelled] = [(*pair, gold) for pair, gold in zip(pairs, golds, strict=True)]
        self.words = [(source.split(), target.split()) for source, target, _ in self.labelled]
        self.model = Aligner(threads=options.threads).fit(bitext)
        self.proposer = Proposer.of(self.model, bitext)
        self.name, self.options = corpus.name, options

    def row(self) -> list[str]:
        """The mean AER of each way over all splits, and how long pairs are."""
        rows = []
        for split in range(self.options.splits):
            rows.append(self._split(np.random.default_rng(split)))
            print(self.name, f"split {split}:", *(f"{value:.4f}" for value in rows[-1]), flush=True)
        *errors, random, ranked = np.mean(rows, axis=0)
        return [*(f"{100 * error:.2f}" for error in errors), f"{random:.0f}", f"{ranked:.0f}"]

    def _split(self, chance: np.random.Generator) -> list[float]:
        order = chance.permutation(len(self.labelled))
        half = len(order) // 2
        pool, test = order[:half], order[half:]
        alone = evaluate(self.model.align(self.words[pair] for pair in test), [self.labelled[pair][2] for pair in test])
        random = [
            np.mean([self._error(chance.choice(pool, count, replace=False), test) for _ in range(self.options.draws)])
            for count in (self.options.pairs, self.options.against)
        ]
        ranked = self._ranked(pool)
        lengths = [float(np.mean([sum(map(len, self.words[pair])) for pair in pairs])) for pairs in (pool, ranked)]
        return [alone.aer, *map(float, random), self._error(ranked, test), *lengths]

    def _ranked(self, pool: NDArray[np.int64]) -> NDArray[np.int64]:
        """Pairs as the ranking asks for them, having learned from those before."""
        candidates = CandidatePool(lambda number: self.words[pool[number]], len(pool), seed=0)
        chosen: list[int] = []
        proposer = self.proposer
        while len(chosen) < self.options.pairs:
            count = min(self.options.every, self.options.pairs - len(chosen))
            best = candidates.best(proposer, chosen, frozenset(chosen), count)
            chosen += [choice.number for choice in best]
            if len(chosen) < self.options.pairs:
                proposer = self.proposer.learned_from(self._of(pool[chosen]), self.options.threads)
        return pool[chosen]

    def _error(self, learned: NDArray[np.int64], test: NDArray[np.int64]) -> float:
        taught = self.proposer.learned_from(self._of(learned), self.options.threads).taught
        assert taught is not None
        links = taught.align(self.words[pair] for pair in test)
        return evaluate(links, [self.labelled[pair][2] for pair in test]).aer

    def _of(self, pairs: Sequence[int] | NDArray[np.int64]) -> list[Labelled]:
        return [self.labelled[pair] for pair in pairs]


if __name__ == "__main__":
    main()
