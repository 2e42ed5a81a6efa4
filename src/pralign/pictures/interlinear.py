"""An alignment as lines of words that a person can read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from pralign.links.alignment import Alignment, Link
from pralign.pictures.words import Colour, columns, for_terminal, painted

NOTHING = "·"
CONFIDENT, DOUBTFUL = 0.8, 0.4


def interlinear(
    source: Sequence[str],
    target: Sequence[str],
    alignment: Alignment,
    width: int = 100,
    *,
    gold: Alignment | None = None,
    colour: bool = False,
    first: int | None = None,
) -> str:
    """Each source word with the target words it is linked to underneath, wrapped at ``width`` columns.

    Target words that have no link are listed at the end, and where there is a gold, the sure links that are missing.

    Args:
        source: The source words.
        target: The target words.
        alignment: The links to show.
        width: The columns a line may take.
        gold: The links as they should be.
        colour: Colour the target words with codes for terminals, as :func:`link_colours` says.
        first: The number of the first word, to show the numbers of all words too: those of source words above them,
            those of target words below.

    Example:
        >>> print(interlinear(["a", "red", "car"], ["une", "voiture", "rouge"], Alignment.of([(0, 0), (1, 2), (2, 1)])))
        a    red    car
        une  rouge  voiture
    """
    above, below = [for_terminal(word) for word in source], [for_terminal(word) for word in target]
    colours = link_colours(alignment, gold) if colour else {}
    lines: list[str] = []
    row: list[_Stack] = []
    used = 0
    links = {i: list(group) for i, group in groupby(alignment.links, key=itemgetter(0))}
    for position, word in enumerate(above):
        stack = _stack(word, [(below[j], colours.get((i, j))) for i, j in links.get(position, ())], colour)
        if first is not None:
            partners = " ".join(str(first + j) for _, j in links.get(position, ()))
            stack = stack.between(str(first + position), partners, "dim" if colour else None)
        size = stack.width + 2
        if row and used + size > width:
            lines += [*_render(row), ""]
            row, used = [], 0
        row.append(stack)
        used += size
    lines += _render(row)
    linked = {j for _, j in alignment.links}
    separator = " " if first is None else ", "
    free = [_named(word, first, j) for j, word in enumerate(below) if j not in linked]
    if free:
        lines.append(painted(f"(no link: {separator.join(free)})", "dim" if colour else None))
    missed = sorted(gold.sure - frozenset(alignment.links)) if gold is not None else []
    if missed:
        pairs = separator.join(_named(f"{above[i]}-{below[j]}", first, i, j) for i, j in missed)
        lines.append(painted(f"(missed: {pairs})", "yellow" if colour else None))
    return "\n".join(lines)


def _named(words: str, first: int | None, *positions: int) -> str:
    """Words with their numbers, if these are wanted."""
    if first is None:
        return words
    return f"{words} {'-'.join(str(first + position) for position in positions)}"


def link_colours(alignment: Alignment, gold: Alignment | None = None) -> dict[Link, Colour]:
    """The colour of each link: what is known of it, as a traffic light.

    With a gold, links that are sure or possible there are green, all others red. Without one, the score decides: green
    from 0.8, yellow from 0.4, red below. Without scores, links have no colour.

    Example:
        >>> link_colours(Alignment.of([(0, 0), (1, 1)], scores=[0.9, 0.1]))
        {(0, 0): 'green', (1, 1): 'red'}
    """
    if gold is not None:
        right = frozenset(gold.links)
        return {link: "green" if link in right else "red" for link in alignment.links}
    return {link: _by_score(score) for link, score in zip(alignment.links, alignment.scores or (), strict=False)}


def _by_score(score: float) -> Colour:
    return "green" if score >= CONFIDENT else "yellow" if score >= DOUBTFUL else "red"


class _Stack(NamedTuple):
    """Texts above each other, and the columns that each of them takes."""

    lines: tuple[str, ...]
    widths: tuple[int, ...]

    @property
    def width(self) -> int:
        return max(self.widths)

    def between(self, above: str, below: str, colour: Colour | None) -> _Stack:
        """The same with a line above and a line below."""
        lines = painted(above, colour), *self.lines, painted(below, colour)
        return _Stack(lines, (len(above), *self.widths, len(below)))

    def padded(self) -> list[str]:
        return [text + " " * (self.width - width) for text, width in zip(self.lines, self.widths, strict=True)]


def _stack(word: str, below: list[tuple[str, Colour | None]], colour: bool) -> _Stack:
    plain = " ".join(text for text, _ in below) or NOTHING
    shown = " ".join(painted(text, code) for text, code in below) or painted(NOTHING, "dim" if colour else None)
    return _Stack((word, shown), (columns(word), columns(plain)))


def _render(row: list[_Stack]) -> list[str]:
    if not row:
        return ["", ""]
    return ["  ".join(line).rstrip() for line in zip(*(stack.padded() for stack in row), strict=True)]
