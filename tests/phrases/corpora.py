"""Small aligned texts."""

from __future__ import annotations

import random
from typing import NamedTuple

from pralign.links.alignment import Alignment

Links = list[tuple[int, int]]


class Aligned(NamedTuple):
    pairs: list[tuple[str, str]]
    links: list[Links]

    @property
    def alignments(self) -> list[Alignment]:
        return [Alignment.of(links) for links in self.links]


def random_aligned(seed: int, pairs: int = 30, words: int = 6, most: int = 8, density: float = 0.25) -> Aligned:
    """Sentences of few different words, so that phrases come again, with links at random, near the diagonal or not."""
    draw = random.Random(seed)
    text, links = [], []
    for _ in range(pairs):
        rows, columns = draw.randint(0, most), draw.randint(0, most)
        source = " ".join(draw.choice("abcdefgh"[:words]) for _ in range(rows))
        target = " ".join(draw.choice("tuvwxyzé"[:words]) for _ in range(columns))
        text.append((source, target))
        near = draw.random() < 0.7
        links.append(
            [
                (i, j)
                for i in range(rows)
                for j in range(columns)
                if draw.random() < (density * (2 if abs(i - j) < 2 else 0.2) if near else density)
            ]
        )
    return Aligned(text, links)
