"""Where everything goes in a picture of an alignment: one layout, however it is drawn afterwards.

A picture is a matrix with a row for each source word and a column for each target word. Squares are links of the gold,
with a border if they are sure. Discs are links of the alignment, larger if their score is higher, and diamonds if the
gold does not have them. All lengths are in cells of the matrix, from the top left corner to the right and down.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pralign.links.alignment import Alignment
from pralign.pictures.words import columns, shortened, visible

Role = Literal["source", "target", "heading", "key"]

LETTER = 0.56  # the size of the letters
SIDE = 0.86  # of the squares
TURN = 60  # degrees, of the target words
MOST_DRAWN = 150  # words of a sentence, in a notebook

_RADIUS = 0.36
_LEAST_AREA = 0.01  # of the largest disc; a score of zero should still be seen
_LONGEST = 40  # columns of a label
_PER_COLUMN, _WIDE_EXTRA, _PER_LETTER = 0.6, 0.25, 0.55  # of the size of the letters
_WIDE = frozenset("mwMW@%&")
_GAP = 0.25
_KEY_WIDTH = 16.0  # at least, so that the key of a small matrix is no tower
_KEY_LINE = 1.1
_SCALE = (1.0, 0.5, 0.1)


class AlignedPair(NamedTuple):
    """A sentence pair to be drawn. Printed, it is a grid of characters; in a notebook, a picture.

    Attributes:
        number: Its number, counted from one.
        source: The source words.
        target: The target words.
        alignment: The links to show.
        gold: The links as they should be, where known.
    """

    number: int
    source: Sequence[str]
    target: Sequence[str]
    alignment: Alignment
    gold: Alignment | None = None

    def __str__(self) -> str:
        from pralign.pictures.grid import grid

        return grid(self.source, self.target, self.alignment, self.gold)

    def _repr_html_(self) -> str:
        """What a notebook shows; text alone if the picture would be too large to look at."""
        from pralign.pictures.svg import notebook_svg

        if max(len(self.source), len(self.target)) > MOST_DRAWN:
            return f"<code>{self.alignment}</code>"
        return notebook_svg(self)


class Line(NamedTuple):
    """A line of the matrix, from one point to another."""

    start: tuple[float, float]
    end: tuple[float, float]


class Square(NamedTuple):
    """A link of the gold: the centre, and whether it is sure."""

    x: float
    y: float
    sure: bool


class Disc(NamedTuple):
    """A link of the alignment: the centre, the radius, whether it is wrong, and what it joins, for those who ask.

    A wrong one is to be drawn as a diamond of the same area, so that colour is not all that tells it apart.
    """

    x: float
    y: float
    radius: float
    wrong: bool = False
    note: str = ""

    @property
    def half_diagonal(self) -> float:
        """From the centre of the diamond to its corners."""
        return self.radius * math.sqrt(math.pi / 2)


class Label(NamedTuple):
    """A text, and what it is.

    A ``source`` word ends at the point given. A ``target`` word begins there and is turned upwards by ``TURN`` degrees.
    All others begin there. The point is at half the height of the letters.
    """

    x: float
    y: float
    text: str
    role: Role


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of a sentence pair: its size and what is in it."""

    width: float
    height: float
    lines: tuple[Line, ...]
    squares: tuple[Square, ...]
    discs: tuple[Disc, ...]
    labels: tuple[Label, ...]


class Key(NamedTuple):
    """What the key must explain.

    Attributes:
        gold: There is a gold.
        possible: There are possible links in it.
        wrong: There are links that are not in it.
        scores: Links have scores.
    """

    gold: bool = False
    possible: bool = False
    wrong: bool = False
    scores: bool = False

    @classmethod
    def of(cls, pairs: Sequence[AlignedPair]) -> Key:
        """What occurs in any of the pairs."""
        judged = [(pair.alignment, pair.gold) for pair in pairs if pair.gold is not None]
        return cls(
            gold=bool(judged),
            possible=any(gold.possible for _, gold in judged),
            wrong=any(not frozenset(links.links) <= frozenset(gold.links) for links, gold in judged),
            scores=any(pair.alignment.scores for pair in pairs),
        )


def draw(pair: AlignedPair, heading: str | None = None) -> Drawing:
    """Lay out the matrix of a pair, below a heading if there is one.

    Example:
        >>> pair = AlignedPair(1, ["so"], ["alors"], Alignment.of([(0, 0)], scores=[0.25]))
        >>> [disc] = draw(pair).discs
        >>> disc.radius, disc.note
        (0.18, 'so - alors (0.25)')
    """
    sources, targets = ([shortened(visible(word), _LONGEST) for word in side] for side in (pair.source, pair.target))
    slope = math.radians(TURN)
    left = max(map(_length, sources), default=0.0) + _GAP
    top = max((_length(word) * math.sin(slope) for word in targets), default=0.0) + LETTER
    labels = []
    if heading:
        labels.append(Label(0, LETTER / 2, heading, "heading"))
        top += 2 * LETTER
    labels += [Label(left - _GAP, top + i + 0.5, word, "source") for i, word in enumerate(sources)]
    labels += [Label(left + j + 0.5, top - _GAP, word, "target") for j, word in enumerate(targets)]
    ends = [left + j + 0.5 + _length(word) * math.cos(slope) + LETTER for j, word in enumerate(targets)]
    return Drawing(
        max([left + len(targets), *ends, _length(heading or "")]),
        top + len(sources),
        tuple(_lines(left, top, len(sources), len(targets))),
        tuple(_squares(pair, left, top)),
        tuple(_discs(pair, left, top)),
        tuple(labels),
    )


def draw_key(key: Key, width: float) -> Drawing:
    """Lay out the key that goes below matrices of a width."""
    writer = _KeyWriter(max(width, _KEY_WIDTH))
    writer.write("rows: source words; columns: target words")
    if key.gold:
        writer.write("link by hand" + (", sure" if key.possible else ""), sure=True)
    if key.possible:
        writer.write("link by hand, possible", sure=False)
    writer.write("predicted link", _RADIUS)
    if key.wrong:
        writer.write("predicted link, wrong", _RADIUS, wrong=True)
    if key.scores:
        writer.write_scale()
    return writer.drawing()


def _length(text: str) -> float:
    """About the length of a text in a common sans-serif font; rather too long than too short."""
    wide = sum(character.isupper() or character in _WIDE for character in text)
    return (columns(text) * _PER_COLUMN + wide * _WIDE_EXTRA) * LETTER


def _lines(left: float, top: float, rows: int, breadth: int) -> Iterator[Line]:
    if rows and breadth:
        yield from (Line((left, top + i), (left + breadth, top + i)) for i in range(rows + 1))
        yield from (Line((left + j, top), (left + j, top + rows)) for j in range(breadth + 1))


def _squares(pair: AlignedPair, left: float, top: float) -> list[Square]:
    gold = pair.gold or Alignment()
    return [Square(left + j + 0.5, top + i + 0.5, (i, j) not in gold.possible) for i, j in gold.links]


def _discs(pair: AlignedPair, left: float, top: float) -> list[Disc]:
    links, scores = pair.alignment.links, pair.alignment.scores
    right = frozenset(links if pair.gold is None else pair.gold.links)
    discs = []
    for k, (i, j) in enumerate(links):
        score = 1.0 if scores is None else scores[k]
        note = f"{visible(pair.source[i])} - {visible(pair.target[j])}"
        note += "" if scores is None else f" ({score:.2f})"
        discs.append(Disc(left + j + 0.5, top + i + 0.5, _radius(score), (i, j) not in right, note))
    return discs


def _radius(score: float) -> float:
    return _RADIUS * math.sqrt(min(max(score, _LEAST_AREA), 1.0))


class _KeyWriter:
    """Lays out the key: signs with their meanings, one after the other on as many lines as they need."""

    def __init__(self, room: float) -> None:
        self._squares: list[Square] = []
        self._discs: list[Disc] = []
        self._labels: list[Label] = []
        self._width = self._x = 0.0
        self._y = 0.5
        self._room = room

    def write(self, text: str, radius: float = 0.0, wrong: bool = False, sure: bool | None = None) -> None:
        """Add a sign, if there is one, and a text."""
        sign = 1.2 if radius or sure is not None else 0.0
        self._make_room(sign + _plain_length(text))
        if sure is not None:
            self._squares.append(Square(self._x + 0.5, self._y, sure))
        if radius:
            self._discs.append(Disc(self._x + 0.5, self._y, radius, wrong))
        self._write(sign, text)

    def write_scale(self) -> None:
        """Add discs of some scores."""
        title, entries = "score:", [(f"{score:g}", _radius(score)) for score in _SCALE]
        self._make_room(_plain_length(title) + sum(1.2 + _plain_length(text) for text, _ in entries))
        self._write(0, title)
        for text, radius in entries:
            self._x -= LETTER / 2
            self._discs.append(Disc(self._x + radius, self._y, radius))
            self._write(2 * radius + 0.2, text)

    def drawing(self) -> Drawing:
        """All that was written."""
        marks = tuple(self._squares), tuple(self._discs), tuple(self._labels)
        return Drawing(self._width, self._y + 0.5, (), *marks)

    def _make_room(self, length: float) -> None:
        if self._x and self._x + length > self._room:
            self._x, self._y = 0.0, self._y + _KEY_LINE

    def _write(self, offset: float, text: str) -> None:
        self._labels.append(Label(self._x + offset, self._y, text, "key"))
        end = self._x + offset + _plain_length(text)
        self._width = max(self._width, end)
        self._x = end + 1.5 * LETTER


def _plain_length(text: str) -> float:
    """The length of a text of small Latin letters, closer than that of any word."""
    return len(text) * _PER_LETTER * LETTER
