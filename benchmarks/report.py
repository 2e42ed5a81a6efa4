"""What a report takes: time, memory and size, for a test set with a gold and for a whole corpus without.

    python benchmarks/report.py CORPUS [--size all]

CORPUS is laid out as corpora.py says. The small report is of the test pairs, three systems that were trained on them,
and a gold; where there is no gold of all test pairs, one of the systems stands in for it, since only time and size are
measured. In the large one, words at the same place are linked, with made-up probabilities.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from corpora import LANGUAGES, prepare
from measure import run
from options import size
from tables import say, table

PRALIGN = [sys.executable, "-m", "pralign"]
SYSTEMS = {"ibm1": ["--model", "ibm1"], "hmm": ["--model", "hmm"], "default": []}
HEADER = ("report", "pairs", "seconds", "gigabytes", "megabytes")


def main() -> None:
    parser = argparse.ArgumentParser(description="What a report takes.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--size", type=size, default=None, help="lines of training text for the large report")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        rows = [small(options.corpus, Path(name)), large(options.corpus, options.size, Path(name))]
    say(table(HEADER, rows))


def small(corpus: Path, folder: Path) -> list[str]:
    """Test pairs, three systems, a gold."""
    texts = [corpus / f"test.{language}" for language in LANGUAGES[corpus.name]]
    given = []
    for system, settings in SYSTEMS.items():
        run([*PRALIGN, "align", *texts, *settings, "--format", "scored", "-o", folder / system, "--quiet"])
        given += ["--system", f"{system}={folder / system}"]
    whole = corpus / "test.gold"
    gold = whole if whole.exists() else folder / "default"
    pairs = sum(1 for _ in texts[0].open("rb"))
    return report([*texts, *given, "--gold", gold], folder, "test pairs, 3 systems, gold", pairs)


def large(corpus: Path, lines: int | None, folder: Path) -> list[str]:
    """The whole text, one system, no gold."""
    prepared = prepare(corpus, lines, folder)
    links = folder / "links"
    with prepared.source.open() as source, prepared.target.open() as target, links.open("w") as stream:
        for left, right in zip(source, target, strict=True):
            shared = min(len(left.split()), len(right.split()))
            stream.write(" ".join(f"{k}-{k}:0.{k % 10}5" for k in range(shared)) + "\n")
    arguments = [prepared.source, prepared.target, "--system", f"made={links}"]
    return report(arguments, folder, "whole text, sampled, no gold", prepared.pairs)


def report(arguments: list[str | Path], folder: Path, name: str, pairs: int) -> list[str]:
    page = folder / "report.html"
    measured = run([*PRALIGN, "report", *arguments, "-o", page])
    size_of_page = page.stat().st_size / 1e6
    return [name, f"{pairs:,}", f"{measured.seconds:.1f}", f"{measured.gigabytes:.2f}", f"{size_of_page:.2f}"]


if __name__ == "__main__":
    main()
