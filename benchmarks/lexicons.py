"""What lexicons and shortlists of a whole text take: time, memory and size, and whether they are right.

    python benchmarks/lexicons.py SOURCE TARGET LINKS [--scored SCORED] [--model DIR] [--check 100000]

LINKS are alignments of the text, SCORED the same with probabilities. With --check, the tables of Moses for so many
pairs are compared with counts in dictionaries of Python.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path

from measure import run
from options import positive
from tables import say, table

PRALIGN = [sys.executable, "-m", "pralign"]
HEADER = ("command", "seconds", "gigabytes", "megabytes", "lines")


def main() -> None:
    parser = argparse.ArgumentParser(description="What lexicons and shortlists take.")
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("links", type=Path)
    parser.add_argument("--scored", type=Path, help="the same links with probabilities")
    parser.add_argument("--model", type=Path, help="a saved model")
    parser.add_argument("--check", type=positive, help="compare so many pairs with a naive count")
    options = parser.parse_args()
    text = [options.source, options.target]
    commands: list[list[str | Path]] = [
        ["lexicon", *text, options.links],
        ["lexicon", *text, options.links, "--format", "moses"],
        ["lexicon", *text, options.links, "--format", "dictionary"],
        ["shortlist", *text, options.links],
    ]
    if options.scored:
        commands.append(["lexicon", *text, options.scored, "--count", "posteriors"])
    if options.model:
        commands.append(["lexicon", "--model", options.model])
    with tempfile.TemporaryDirectory() as name:
        rows = [measured(command, Path(name)) for command in commands]
        if options.check:
            say([f"{compared([*text, options.links], options.check, Path(name))} of the tables' lines differ"])
    say(table(HEADER, rows))


def measured(command: list[str | Path], folder: Path) -> list[str]:
    for old in folder.iterdir():
        old.unlink()
    took = run([*PRALIGN, *command, "-q", "-o", folder / "out"])
    written = [path.read_bytes() for path in folder.iterdir()]
    shown = " ".join(part for part in map(str, command) if "/" not in part)
    size, lines = sum(map(len, written)) / 1e6, sum(text.count(b"\n") for text in written)
    return [f"`{shown}`", f"{took.seconds:.1f}", f"{took.gigabytes:.2f}", f"{size:.1f}", f"{lines:,}"]


def compared(files: list[Path], pairs: int, folder: Path) -> int:
    """How many lines of Moses' tables are not those of a naive count."""
    parts = [folder / f"part{number}" for number in range(3)]
    for path, part in zip(files, parts, strict=True):
        with path.open("rb") as stream:
            part.write_bytes(b"".join(islice(stream, pairs)))
    run([*PRALIGN, "lexicon", *parts, "-q", "--format", "moses", "-o", folder / "lex"])
    made = [set((folder / f"lex.{name}").read_text(encoding="utf-8").split("\n")[:-1]) for name in ("f2e", "e2f")]
    return sum(len(one ^ other) for one, other in zip(made, naive(parts), strict=True))


def naive(files: list[Path]) -> list[set[str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for lines in zip(*(path.read_text(encoding="utf-8").split("\n")[:-1] for path in files), strict=True):
        source, target, links = (line.split() for line in lines)
        found = [tuple(map(int, link.split("-"))) for link in links]
        counts.update((source[i], target[j]) for i, j in found)
        counts.update((word, "NULL") for i, word in enumerate(source) if i not in {i for i, _ in found})
        counts.update(("NULL", word) for j, word in enumerate(target) if j not in {j for _, j in found})
    totals: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for words, count in counts.items():
        for word, total in zip(words, totals, strict=True):
            total[word] += count
    forward = {f"{t} {s} {count / totals[0][s]:.7f}" for (s, t), count in counts.items()}
    return [forward, {f"{s} {t} {count / totals[1][t]:.7f}" for (s, t), count in counts.items()}]


if __name__ == "__main__":
    main()
