"""The corpora that benchmarks run on: labelled pairs first, then so many lines of training text, lower-cased.

A corpus is a directory with ``test.X``, ``dev.X``, ``dev.gold`` and perhaps ``train.X`` (plain or .xz) for two
languages X. Labels of the first test pairs may be there too, as ``test-firstN.gold``.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pralign.evaluation import Scores, evaluate
from pralign.links.alignment import Alignment
from pralign.links.formats import read_alignments

LANGUAGES = {
    "hu": ("en", "hu"),
    "ru": ("en", "ru"),
    "zh": ("en", "zh"),
    "czenali": ("en", "cs"),
    "sv": ("en", "sv"),
    "hansards": ("en", "fr"),
    "kftt": ("en", "ja"),
}


@dataclass(frozen=True)
class Prepared:
    """Two files to align, and labels for some of their lines."""

    source: Path
    target: Path
    pairs: int
    cells: int
    golds: dict[str, tuple[int, list[Alignment]]]

    def scores(self, alignments: Path) -> dict[str, Scores]:
        """The scores of a file of alignments on each labelled part."""
        found = list(islice(read_alignments(alignments), max(start + len(gold) for start, gold in self.golds.values())))
        return {name: evaluate(found[start : start + len(gold)], gold) for name, (start, gold) in self.golds.items()}


def prepare(directory: Path, size: int | None, workspace: Path) -> Prepared:
    """Write the corpus with ``size`` lines of training text (``None``: all of it) into ``workspace``."""
    languages = LANGUAGES[directory.name]
    paths = [workspace / f"{directory.name}-{size or 'all'}.{language}" for language in languages]
    lengths: list[list[int]] = [[], []]
    for path, language, length in zip(paths, languages, lengths, strict=True):
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            for line in _lines(directory, language, size):
                stream.write(line)
                length.append(len(line.split()))
    tests = _count(directory / f"test.{languages[0]}")
    golds = {"dev": (tests, list(read_alignments(directory / "dev.gold", "gold")))}
    for path in directory.glob("test-first*.gold"):
        golds[path.stem] = (0, list(read_alignments(path, "gold")))
    cells = sum(i * j for i, j in zip(*lengths, strict=True))
    return Prepared(*paths, len(lengths[0]), cells, golds)


def _lines(directory: Path, language: str, size: int | None) -> Iterator[str]:
    for part in ("test", "dev"):
        with (directory / f"{part}.{language}").open(encoding="utf-8", newline="\n") as stream:
            yield from (line.lower() for line in stream)
    for path, opened in ((directory / f"train.{language}", open), (directory / f"train.{language}.xz", lzma.open)):
        if path.exists():
            with opened(path, "rt", encoding="utf-8", newline="\n") as stream:
                yield from (line.lower() for line in islice(stream, size))
            return


def _count(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(1 for _ in stream)
