"""Lines that a translator is tuned and tested on: from the beginning of the training files, which is not trained on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from pralign.text.bitext import Bitext
from pralign.text.files import read_lines
from pralign.text.tokens import tokens

Pair = tuple[str, str]


class Lines(NamedTuple):
    """Lines and their translations."""

    source: list[str]
    target: list[str]


class HeldOut(NamedTuple):
    """Lines to tune weights on, to tune thresholds on (so that these are not judged by the former), and to test on."""

    weights: Lines
    tune: Lines
    test: Lines

    @property
    def all_lines(self) -> list[str]:
        """All lines that will be translated."""
        return [line for part in self for line in part.source]


def hold_out(files: Sequence[Path], first: int, most_words: int, sizes: Mapping[str, int], known: set[Pair]) -> HeldOut:
    """So many lines of each kind, of the first of some files; lower-cased, each once, and none that is trained on."""
    pairs = islice(Bitext.read(files[0], files[1]), first)
    lowered = (tuple(" ".join(tokens(str(side).lower())) for side in pair) for pair in pairs)
    fresh = list(dict.fromkeys(pair for pair in lowered if _fits(pair, most_words) and pair not in known))
    if len(fresh) < sum(sizes.values()):
        raise SystemExit(f"only {len(fresh)} held-out pairs have at most {most_words} words; ask for fewer")
    rest = iter(fresh)
    parts = {name: list(islice(rest, size)) for name, size in sizes.items()}
    return HeldOut(**{name: Lines(*map(list, zip(*part, strict=True))) for name, part in parts.items()})


def sentences(path: Path) -> Iterator[str]:
    """The lines of a text."""
    return read_lines(path)


def _fits(pair: tuple[str, ...], most: int) -> bool:
    # Tables of phrases have bars between their fields, and a word like that would be one of them.
    return all(0 < len(tokens(side)) <= most and "|||" not in side for side in pair)
