"""An alignment as a table drawn with characters: a row for each source word, a column for each target word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pralign.links.alignment import Alignment, Link
from pralign.pictures.interlinear import CONFIDENT, DOUBTFUL, NOTHING, link_colours
from pralign.pictures.words import (
    ELLIPSIS,
    Colour,
    columns,
    for_terminal,
    graphemes,
    isolated,
    painted,
    unjoined,
    visible,
)

_CELL = 3
_TALLEST = 16
_NARROWEST = 4
_GAP = 3
_FULL = "█"
_SHADES = ((0.25, "░"), (0.5, "▒"), (0.75, "▓"))
_SURE, _POSSIBLE, _NEITHER = ("[", "]"), ("(", ")"), (" ", " ")


def grid(
    source: Sequence[str],
    target: Sequence[str],
    alignment: Alignment,
    gold: Alignment | None = None,
    width: int = 100,
    colour: bool = False,
    first: int | None = None,
) -> str:
    """Draw the links between two sentences as a table.

    Source words stand to the left of their rows, target words above their columns, letter below letter. A link fills
    its cell with a block, the darker the higher its score. Where there is a gold, its sure links are cells in square
    brackets and its possible links cells in round ones, so ``[█]`` is right, a block without brackets is wrong and
    ``[ ]`` is missing.

    Args:
        source: The source words.
        target: The target words.
        alignment: The links to show; scores are cut to 0 to 1.
        gold: The links as they should be.
        width: The columns a line may take. A wider table is split into several, each with all source words.
        colour: Colour the cells with codes for terminals.
        first: The number of the first word, to show the numbers of all words too, so that links can be written down.

    Returns:
        The lines; nothing at all if one of the sentences has no words.

    Example:
        >>> links = Alignment.of([(0, 0), (1, 1)], scores=[1, 0.6])
        >>> print(grid(["it", "rains"], ["il", "pleut"], links, gold=Alignment.of([(0, 0)], possible=[(1, 0)])))
                  p
                  l
                  e
               i  u
               l  t
           it [█] ·
        rains ( ) ▓
    """
    if not source or not target:
        return ""
    longest = max(_NARROWEST, width // 3)
    labels = [for_terminal(word, longest) for word in source]
    headings = [_Heading.of(word) for word in target]
    if first is not None:
        labels = _numbered(labels, first)
        headings = [heading.above(str(j)) for j, heading in enumerate(headings, start=first)]
    margin = max(map(columns, labels)) + 1
    cells = _Cells(alignment, gold, colour)
    blocks = []
    for block in _blocks(headings, width - margin):
        lines = [" " * margin + line for line in _header([headings[j] for j in block])]
        for i, label in enumerate(labels):
            row = "".join(cells.draw((i, j), headings[j].width) for j in block)
            lines.append(" " * (margin - 1 - columns(label)) + f"{label} {row}")
        blocks.append("\n".join(line.rstrip() for line in lines))
    return "\n\n".join(blocks)


def legend(gold: bool, scores: bool, width: int = 100, colour: bool = False) -> str:
    """What the signs of :func:`grid` mean, and the colours of :func:`~pralign.pictures.interlinear.interlinear`.

    Args:
        gold: Whether there is a gold.
        scores: Whether links have scores.
        width: The columns a line may take.
        colour: Whether there are colours.

    Example:
        >>> print(legend(gold=False, scores=True))
        score of a link:   ░ below 0.25   ▒ below 0.5   ▓ below 0.75   █ 0.75 or more
    """
    paragraphs: list[list[_Entry]] = []
    if gold:
        right = [_Entry(f"[{_FULL}]", "right", "green"), _Entry(f"({_FULL})", "right, a possible link", "green")]
        wrong = [_Entry(_FULL, "wrong", "red"), _Entry("[ ]", "missed", "yellow")]
        paragraphs.append([*right, *wrong, _Entry("( )", "possible, not linked", "dim")])
    elif not scores:
        paragraphs.append([_Entry(_FULL, "link")])
    if scores:
        shades = [_Entry(shade, f"below {limit:g}") for limit, shade in _SHADES]
        paragraphs.append([_Entry("score of a link:"), *shades, _Entry(_FULL, f"{_SHADES[-1][0]:g} or more")])
    if scores and colour and not gold:
        green, yellow = (
            _Entry("green", f"from {CONFIDENT:g}", "green"),
            _Entry("yellow", f"from {DOUBTFUL:g}", "yellow"),
        )
        paragraphs.append([_Entry("its colour:"), green, yellow, _Entry("red", "below", "red")])
    return "\n".join(line for entries in paragraphs for line in _flow(entries, width, colour))


def _numbered(labels: list[str], first: int) -> list[str]:
    """The labels with their numbers before them, numbers below numbers."""
    most = max(map(columns, labels))
    digits = len(str(first + len(labels) - 1))
    return [f"{i:>{digits}} {' ' * (most - columns(label))}{label}" for i, label in enumerate(labels, start=first)]


class _Entry(NamedTuple):
    """A sign of the legend and what it means."""

    sign: str
    meaning: str = ""
    colour: Colour | None = None

    @property
    def width(self) -> int:
        return columns(f"{self.sign} {self.meaning}".rstrip())

    def draw(self, colour: bool) -> str:
        return f"{painted(self.sign, self.colour if colour else None)} {self.meaning}".rstrip()


def _flow(entries: list[_Entry], width: int, colour: bool) -> Iterator[str]:
    """The entries beside each other, on as many lines as they need."""
    line: list[_Entry] = []
    for entry in entries:
        if line and sum(_GAP + each.width for each in line) + entry.width > width:
            yield (" " * _GAP).join(each.draw(colour) for each in line)
            line = []
        line.append(entry)
    yield (" " * _GAP).join(each.draw(colour) for each in line)


class _Heading(NamedTuple):
    """A target word from top to bottom, and the columns it takes."""

    letters: list[str]
    width: int
    number: str = ""

    def above(self, number: str) -> _Heading:
        """The same with a number below it."""
        return self._replace(number=number, width=max(self.width, len(number) + 1))

    @classmethod
    def of(cls, word: str) -> _Heading:
        letters = graphemes(unjoined(visible(word)))
        if len(letters) > _TALLEST:
            letters = [*letters[: _TALLEST - 1], ELLIPSIS]
        # A letter of two columns fits a cell of three with a blank between it and the next.
        return cls([isolated(letter) for letter in letters], max(_CELL, *(columns(letter) + 1 for letter in letters)))


def _blocks(headings: list[_Heading], room: int) -> Iterator[list[int]]:
    """The columns that fit beside each other; at least one each time."""
    block: list[int] = []
    for j, heading in enumerate(headings):
        if block and sum(headings[k].width for k in block) + heading.width > room:
            yield block
            block = []
        block.append(j)
    yield block


def _header(headings: list[_Heading]) -> list[str]:
    height = max(len(heading.letters) for heading in headings)
    standing = [[""] * (height - len(heading.letters)) + heading.letters for heading in headings]
    rows = [*zip(*standing, strict=True)]
    if any(heading.number for heading in headings):
        rows.append(tuple(heading.number for heading in headings))
    return [
        "".join(_centred(text, columns(text), heading.width) for text, heading in zip(row, headings, strict=True))
        for row in rows
    ]


class _Cells:
    """Draws the cells of one table."""

    def __init__(self, alignment: Alignment, gold: Alignment | None, colour: bool) -> None:
        self._shades = dict.fromkeys(alignment.links, _FULL)
        if alignment.scores is not None:
            self._shades = {link: _shade(score) for link, score in zip(alignment.links, alignment.scores, strict=True)}
        self._sure = frozenset() if gold is None else gold.sure
        self._possible = frozenset() if gold is None else gold.possible
        self._colours = link_colours(alignment, gold)
        self._coloured = colour

    def draw(self, link: Link, width: int) -> str:
        """The cell of a link, whether it is one or not."""
        left, right = _SURE if link in self._sure else _POSSIBLE if link in self._possible else _NEITHER
        middle = self._shades.get(link, NOTHING if left == " " else " ")
        text = painted(f"{left}{middle}{right}", self._colour(link) if self._coloured else None)
        return _centred(text, _CELL, width)

    def _colour(self, link: Link) -> Colour | None:
        if link in self._shades:
            return self._colours.get(link)
        return "yellow" if link in self._sure else "dim"


def _shade(score: float) -> str:
    return next((shade for limit, shade in _SHADES if score < limit), _FULL)


def _centred(text: str, size: int, width: int) -> str:
    before = (width - size) // 2
    return " " * before + text + " " * (width - size - before)
