"""An alignment as lines of words that a person can read."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

from pralign.links.alignment import Alignment

NOTHING = "·"


def interlinear(source: Sequence[str], target: Sequence[str], alignment: Alignment, width: int = 100) -> str:
    """Each source word with the target words it is linked to underneath, wrapped at ``width`` columns.

    Target words that have no link are listed at the end.

    Example:
        >>> print(interlinear(["a", "red", "car"], ["une", "voiture", "rouge"], Alignment.of([(0, 0), (1, 2), (2, 1)])))
        a    red    car
        une  rouge  voiture
    """
    below = [[target[j] for i, j in alignment.links if i == position] for position in range(len(source))]
    columns = [(word, " ".join(words) or NOTHING) for word, words in zip(source, below, strict=True)]
    lines: list[str] = []
    row: list[tuple[str, str]] = []
    used = 0
    for column in columns:
        size = max(map(_width, column)) + 2
        if row and used + size > width:
            lines += [*_render(row), ""]
            row, used = [], 0
        row.append(column)
        used += size
    lines += _render(row)
    linked = {j for _, j in alignment.links}
    free = [word for j, word in enumerate(target) if j not in linked]
    if free:
        lines.append(f"(no link: {' '.join(free)})")
    return "\n".join(lines)


def _render(row: list[tuple[str, str]]) -> list[str]:
    above, below = [], []
    for top, bottom in row:
        size = max(_width(top), _width(bottom))
        above.append(top + " " * (size - _width(top)))
        below.append(bottom + " " * (size - _width(bottom)))
    return ["  ".join(above).rstrip(), "  ".join(below).rstrip()]


def _width(text: str) -> int:
    """The columns a text takes on a terminal."""
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
