"""What phrase tables take, whether they are always the same, and whether they are those of Moses.

    python benchmarks/phrases.py SOURCE TARGET LINKS [--scored SCORED] [--model DIR] [--moses DIR]

LINKS are alignments of the text, SCORED the same with probabilities. DIR of --moses holds what Moses made of the same
text and links with phrases of up to seven words: extract.gz, extract.inv.gz, extract.o.gz and, if wanted,
phrase-table.gz and reordering-table.gz; what is not there is not compared. Nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import sys
import tempfile
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from measure import run
from tables import say, table

PRALIGN = [sys.executable, "-m", "pralign"]
HEADER = ("options", "pairs/s", "seconds", "gigabytes", "megabytes", "phrase pairs")
SAME = [["--threads", "1"], ["--threads", "2"], ["--memory", "100M"], ["--memory", "4G"]]
ALIKE = ("extract.gz", "extract.inv.gz", "extract.o.gz", "reordering-table.gz")


def main() -> None:
    parser = argparse.ArgumentParser(description="What phrase tables take.")
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("links", type=Path)
    parser.add_argument("--scored", type=Path, help="the same links with probabilities")
    parser.add_argument("--model", type=Path, help="a saved model, to count by its posteriors")
    parser.add_argument("--moses", type=Path, help="what Moses made of the same")
    options = parser.parse_args()
    text = [options.source, options.target]
    pairs = sum(1 for _ in options.source.open("rb"))
    runs: list[tuple[Path, list[str]]] = [(options.links, []), *((options.links, each) for each in SAME)]
    runs += [(options.links, ["--smoothing", "kneser-ney"])]
    if options.scored:
        runs.append((options.scored, ["--count", "posteriors"]))
    if options.model:
        runs.append((options.links, ["--count", "posteriors", "--model", str(options.model)]))
    with tempfile.TemporaryDirectory() as name:
        rows, sums = [], set()
        for links, given in runs:
            row, checksum = measured([*text, links], given, pairs, Path(name))
            rows.append(row)
            if given == [] or given in SAME:
                sums.add(checksum)
        say(table(HEADER, rows))
        say("the same bytes each time" if len(sums) == 1 else f"NOT THE SAME BYTES: {len(sums)} kinds")
        if options.moses:
            compare([*text, options.links], options.moses, Path(name))


def measured(files: list[Path], given: list[str], pairs: int, folder: Path) -> tuple[list[str], str]:
    """What one table takes, and a checksum of it."""
    took = run([*PRALIGN, "phrases", *files, "-q", "-o", folder / "table.gz", *given])
    content = (folder / "table.gz").read_bytes()
    lines = sum(1 for _ in unpacked(folder / "table.gz"))
    shown = " ".join("DIR" if "/" in part else part for part in given)
    figures = (f"{pairs / took.seconds:,.0f}", f"{took.seconds:.1f}", f"{took.gigabytes:.2f}")
    return [f"`{shown}`", *figures, f"{len(content) / 1e6:.1f}", f"{lines:,}"], hashlib.sha256(content).hexdigest()


def compare(files: list[Path], moses: Path, folder: Path) -> None:
    """Say how many lines are not those of Moses."""
    written = ["-o", folder / "phrase-table.gz", "--reordering", folder / "reordering-table.gz"]
    run([*PRALIGN, "phrases", *files, "-q", "--extract", folder / "extract", *written])
    for name in ALIKE:
        if (moses / name).exists():
            lines = list(zip_longest(unpacked(moses / name), unpacked(folder / name)))
            say(f"{name}: {sum(one != other for one, other in lines):,} of {len(lines):,} lines differ")
    if (moses / "phrase-table.gz").exists():
        compare_tables(moses / "phrase-table.gz", folder / "phrase-table.gz")


def compare_tables(moses: Path, ours: Path) -> None:
    """Scores of Moses are single precision, and its lexical weights are made of words' rounded to seven digits."""
    count, different, most = 0, 0, 0.0
    for one, other in zip_longest(unpacked(moses), unpacked(ours), fillvalue=" ||| " * 4):
        left, right = one.split(" ||| "), other.split(" ||| ")
        count += 1
        if left[:2] != right[:2] or left[3:] != right[3:]:
            different += 1
        else:
            scores = zip(map(float, left[2].split()), map(float, right[2].split()), strict=True)
            most = max(most, *(abs(a - b) for a, b in scores))
    say(f"phrase-table.gz: {different:,} of {count:,} lines differ in more than scores, these by at most {most:.1e}")


def unpacked(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        yield from stream


if __name__ == "__main__":
    main()
