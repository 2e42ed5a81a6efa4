"""How well the place is found where two files part, and whether good text is left in peace.

    python benchmarks/parting.py SOURCE TARGET [SOURCE TARGET ...] [--lines 20000] [--times 60]

From the first lines of each text, one line, three or fifty in a row are taken out of the target side, one is taken out
of the source side, or one is doubled, at random places. A row has how often a place was named, how often it was within
three lines of the true one, how often the true one was among the lines that are named as possible, and how many
findings all looks have in the whole text, unchanged, 2,000 lines at a time.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from options import positive
from pralign.text.bitext import Bitext
from pralign.text.looks import TextSample, look_at
from pralign.text.parting import Lengths, find_parting, lengths_of
from tables import say, table

CHANGES = ("target - 1", "target - 3", "target - 50", "target + 1", "source - 1")
HEADER = ("text", "lines", "change", "named", "within 3 lines", "in the range", "findings")
SAMPLE = 2000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--lines", type=positive, default=20_000)
    parser.add_argument("--times", type=positive, default=60)
    options = parser.parse_args()
    if len(options.files) % 2:
        parser.error("give two files a text")
    texts = zip(options.files[::2], options.files[1::2], strict=True)
    say(table(HEADER, [row for files in texts for row in rows(files, options.lines, options.times)]))


def rows(files: tuple[Path, Path], most: int, times: int) -> Iterator[tuple[str, ...]]:
    """What is found in a text."""
    pairs = list(islice(Bitext.read(*files), most))
    sides = tuple(lengths_of([str(pair[side]) for pair in pairs]) for side in (0, 1))
    samples = (TextSample(files, tuple(zip(*part, strict=True)), 1 + SAMPLE * k) for k, part in enumerate(cut(pairs)))
    findings = str(sum(len(look_at(sample)) for sample in samples))
    for change in CHANGES:
        numbers = random.Random(change)
        found = [trial(sides, change, numbers.randrange(20, len(pairs) - 70)) for _ in range(times)]
        named = [answer for answer in found if answer is not None]
        near, meant = sum(near for near, _ in named), sum(meant for _, meant in named)
        counts = (f"{count}/{times}" for count in (len(named), near, meant))
        yield (f"{files[0].parent.name}/{files[0].name}", f"{len(pairs):,}", change, *counts, findings)


def cut(pairs: list) -> Iterator[list]:
    """The pairs, some at a time."""
    return (pairs[start : start + SAMPLE] for start in range(0, len(pairs), SAMPLE))


def trial(sides: tuple[Lengths, Lengths], change: str, place: int) -> tuple[bool, bool] | None:
    """Whether the place of a change is found, exactly or among others."""
    source, target = sides
    name, sign, count = change.split()
    if sign == "+":
        target = np.insert(target, place, target[place])
    elif name == "target":
        target = np.delete(target, slice(place, place + int(count)))
    else:
        source = np.delete(source, slice(place, place + int(count)))
    found = find_parting(source, target)
    return None if found is None else (abs(found.line - place) <= 3, found.first <= place <= found.last)


if __name__ == "__main__":
    main()
