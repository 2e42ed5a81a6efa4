"""Models that grow: merged from parts, and gone on from, beside one that was trained on all of the text at once.

    python benchmarks/growth.py CORPUS [--size 100000] [--parts 4] [--threads 2] [--preset default] [--iterations S,...]

CORPUS is a directory as corpora.py says. Its lines are dealt out to the parts one by one, labelled ones among them. A
row each: all of the text; the first part alone; the parts, trained apart and merged; all parts but the last, gone on
from with the last. For ``--iterations`` (such as ``fhmm=3,ibm1=1+fhmm=3``, with + between stages) there is a row each.
A row has the AER on development pairs and the seconds of its last step; parts can be trained on as many machines.
Only development pairs are scored, so that test pairs have no part in any choice.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpora import Prepared, prepare
from measure import Measured, run
from options import names, positive, size
from pralign import sample
from tables import say, table

PRALIGN = [sys.executable, "-m", "pralign"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--size", type=size, default="100000")
    parser.add_argument("--parts", type=positive, default=4)
    parser.add_argument("--threads", default="2")
    parser.add_argument("--preset", default="default")
    parser.add_argument("--iterations", type=names, default="", help="of going on; without it, what is usual")
    options = parser.parse_args()
    if options.parts < 2:
        parser.error("a text is dealt out to two parts at least")
    with tempfile.TemporaryDirectory() as folder:
        run([*PRALIGN, "align", sample.SOURCE, sample.TARGET, "--preset", options.preset, "-q"])  # compile, if need be
        corpus = prepare(options.corpus.resolve(), options.size, Path(folder))
        say(table(["", "AER dev", "seconds", "GB"], compare(Growth(corpus, options, Path(folder)), options)))


def compare(growth: Growth, options: argparse.Namespace) -> Iterator[list[str]]:
    """A row a way to come to a model."""
    yield growth.row("all at once", "all", growth.train("all", range(options.parts)))
    for part in range(options.parts):
        measured = growth.train(f"part{part}", [part])
        if part == 0:
            yield growth.row("the first part alone", "part0", measured)
    parts = [growth.folder / f"part{part}" for part in range(options.parts)]
    merged = run([*PRALIGN, "merge", *parts, "--save", growth.folder / "merged", "--threads", options.threads, "-q"])
    yield growth.row("parts, merged", "merged", merged)
    yield growth.row("all but the last part", "most", growth.train("most", range(options.parts - 1)))
    for stages in options.iterations or [""]:
        flags = ["--from", str(growth.folder / "most")]
        flags += ["--iterations", stages.replace("+", ",")] if stages else []
        grown = growth.train("grown", [options.parts - 1], flags)
        yield growth.row(f"gone on with the last {stages}", "grown", grown)


@dataclass(frozen=True)
class Growth:
    """A text that is dealt out, and models of some of it."""

    corpus: Prepared
    options: argparse.Namespace
    folder: Path

    def train(self, name: str, parts: Sequence[int], flags: Sequence[str] = ()) -> Measured:
        """Train a model on some of the parts."""
        chosen = set(parts)
        paths = []
        for side, path in enumerate((self.corpus.source, self.corpus.target)):
            lines = path.read_text(encoding="utf-8").split("\n")[:-1]
            paths.append(self.folder / f"text.{side}")
            kept = (line for number, line in enumerate(lines) if number % self.options.parts in chosen)
            paths[-1].write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
        settings = flags or ["--preset", self.options.preset]
        save = ["--save", self.folder / name, "--threads", self.options.threads, "-q"]
        return run([*PRALIGN, "train", *paths, *settings, *save])

    def row(self, title: str, name: str, measured: Measured) -> list[str]:
        """How well a model aligns the development pairs, which it may or may not have been trained on."""
        start, golds = self.corpus.golds["dev"]
        links, last = self.folder / "links", start + len(golds)
        paths = []
        for side, path in enumerate((self.corpus.source, self.corpus.target)):
            lines = path.read_text(encoding="utf-8").split("\n")[:last]
            paths.append(self.folder / f"labelled.{side}")
            paths[-1].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        run([*PRALIGN, "align", *paths, "--load", self.folder / name, "--no-adapt", "-o", links, "-q"])
        only_dev = Prepared(*paths, last, 0, {"dev": (start, golds)})
        aer = only_dev.scores(links)["dev"].aer
        return [title, f"{100 * aer:.2f}", f"{measured.seconds:.1f}", f"{measured.gigabytes:.2f}"]


if __name__ == "__main__":
    main()
