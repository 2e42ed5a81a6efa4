"""The texts of translation.py: to train on, to tune weights on, to tune thresholds on and to test on, all unlabelled.

The first lines of the training text are held out: what is tuned on and tested on comes from there, whatever the size of
the text to train on, which comes after. Lower-cased; pairs with a side of no words or of too many are left out, and so
are held-out pairs that the training text has too, both sides alike.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from pralign.text.tokens import tokens

HELD_OUT = 10_000
TRAINED_WORDS = 40

Pair = tuple[str, str]


class Sides(NamedTuple):
    """Two files that translate each other line by line."""

    source: Path
    target: Path

    def lines(self) -> tuple[list[str], list[str]]:
        source, target = (path.read_text(encoding="utf-8").split("\n")[:-1] for path in self)
        return source, target


@dataclass(frozen=True)
class Sizes:
    """How many lines each text has (that to train on: before long ones are left out), and their longest."""

    train: int
    weights: int
    tune: int
    test: int
    words: int


class Texts(NamedTuple):
    """A text to train on, two to tune on (weights, so that thresholds are not judged by them) and one to test on."""

    train: Sides
    weights: Sides
    tune: Sides
    test: Sides


def write_texts(directory: Path, languages: tuple[str, str], sizes: Sizes, folder: Path) -> Texts:
    """Write the texts into a folder, translated from the first language into the second."""
    texts = Texts(*(Sides(*(folder / f"{part}.{side}" for side in languages)) for part in Texts._fields))
    lines = zip(*(_lines(directory, language) for language in languages), strict=True)
    held_out = [pair for pair in islice(lines, HELD_OUT) if _fits(pair, sizes.words)]
    train = [pair for pair in islice(lines, sizes.train) if _fits(pair, TRAINED_WORDS)]
    known = set(train)
    fresh = list(dict.fromkeys(pair for pair in held_out if pair not in known))
    wanted = (sizes.weights, sizes.tune, sizes.test)
    if len(fresh) < sum(wanted):
        raise SystemExit(f"only {len(fresh)} held-out pairs have at most {sizes.words} words; ask for fewer")
    _write(train, texts.train)
    rest = iter(fresh)
    for size, sides in zip(wanted, texts[1:], strict=True):
        _write(islice(rest, size), sides)
    return texts


def _lines(directory: Path, language: str) -> Iterator[str]:
    path = directory / f"train.{language}"
    opened, path = (open, path) if path.exists() else (lzma.open, path.with_name(f"{path.name}.xz"))
    with opened(path, "rt", encoding="utf-8", newline="\n") as stream:
        yield from (" ".join(tokens(line.rstrip("\n").lower())) for line in stream)


def _fits(pair: Pair, most: int) -> bool:
    # Tables of phrases have bars between their fields, and a word like that would be one of them.
    return all(0 < len(tokens(side)) <= most and "|||" not in side for side in pair)


def _write(pairs: Iterable[Pair], sides: Sides) -> None:
    for path, lines in zip(sides, zip(*pairs, strict=True), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
