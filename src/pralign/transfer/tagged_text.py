"""Text with inline tags: formatting, placeholders and other marks, whatever format they come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from pralign.errors import UsageError

#: The parent of a tag that is inside no other.
NO_PARENT = -1


class TagKind(Enum):
    """What a tag is made of.

    Attributes:
        ELEMENT: A beginning and an end that nest with those of all other elements, such as ``<b>`` and ``</b>``.
        MARKS: A beginning and an end that are marks of their own, such as ``<bx/>`` and ``<ex/>``, and may overlap with
            anything.
        POINT: A tag without content, such as ``<br/>``.
    """

    ELEMENT = "element"
    MARKS = "marks"
    POINT = "point"


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag of a text.

    Attributes:
        kind: What it is made of.
        start: Where it begins, in characters of the text.
        end: Where it ends; that of a point is its start.
        parent: The number of the innermost tag around it that nests, or :data:`NO_PARENT`.
        floats: Whether it overlaps with others. All other tags nest, marks too: what they stand for in a format of
            their own is nested as a rule, and would be broken if they were not.
        payload: Whatever belongs to the tag.
        confidence: How sure its place is, from 0 to 1. Tags that stand where somebody has put them have 1.
    """

    kind: TagKind
    start: int
    end: int
    parent: int = NO_PARENT
    floats: bool = False
    payload: Any = None
    confidence: float = 1.0

    @property
    def nests(self) -> bool:
        """Whether others can be inside it."""
        return self.kind is not TagKind.POINT and not self.floats


class Edge(NamedTuple):
    """A beginning or an end of a tag; a point has a beginning only.

    Attributes:
        tag: The number of the tag.
        closes: Whether it is the end.
    """

    tag: int
    closes: bool


class PlacedEdge(NamedTuple):
    """An edge of a tag together with where it stands, as text is read.

    Attributes:
        at: Where it stands, in characters of the text.
        tag: The number of the tag.
        closes: Whether it is the end.
    """

    at: int
    tag: int
    closes: bool = False


@dataclass(frozen=True, slots=True)
class TaggedText:
    """A text and its tags. Who writes it walks along :attr:`edges`.

    Attributes:
        text: The text without tags.
        tags: The tags, in the order in which they begin in the text that they come from.
        edges: Beginnings and ends of all tags as they stand in this text. Several may stand at the same place.

    Example:
        >>> tags = [(TagKind.ELEMENT, "b"), (TagKind.POINT, "br")]
        >>> tagged = TaggedText.of("it rains", tags, [(3, 0, False), (8, 1, False), (8, 0, True)])
        >>> [(tag.start, tag.end, tag.parent) for tag in tagged.tags]
        [(3, 8, -1), (8, 8, 0)]
        >>> [f"{at}{'/' if closes else ''}{tagged.tags[tag].payload}" for at, tag, closes in tagged.places()]
        ['3b', '8br', '8/b']
    """

    text: str
    tags: tuple[Tag, ...] = ()
    edges: tuple[Edge, ...] = ()

    @classmethod
    def of(
        cls, text: str, tags: Sequence[tuple[TagKind, Any]], edges: Iterable[PlacedEdge | tuple[int, int, bool]]
    ) -> TaggedText:
        """Text with tags as it was read.

        Args:
            text: The text without tags.
            tags: The kind and the payload of each tag, in the order in which they begin.
            edges: Their beginnings and ends, in order.

        Raises:
            UsageError: A tag does not begin and end once, in this order, within the text; or elements overlap.
        """
        placed = [PlacedEdge(*edge) for edge in edges]
        kinds = [kind for kind, _ in tags]
        starts, ends = _offsets(len(text), kinds, placed)
        floating = _floating(kinds, placed)
        parents = _parents(kinds, placed, floating)
        made = [
            Tag(kind, starts[k], ends[k], parents[k], floating[k], payload) for k, (kind, payload) in enumerate(tags)
        ]
        return cls(text, tuple(made), tuple([Edge(tag, closes) for _, tag, closes in placed]))

    def places(self) -> Iterator[PlacedEdge]:
        """All edges in order, with where they stand."""
        for number, closes in self.edges:
            tag = self.tags[number]
            yield PlacedEdge(tag.end if closes else tag.start, number, closes)


def _offsets(length: int, kinds: Sequence[TagKind], edges: Sequence[PlacedEdge]) -> tuple[list[int], list[int]]:
    """Where tags begin and end."""
    starts, ends = [-1] * len(kinds), [-1] * len(kinds)
    last = begun = 0
    for at, tag, closes in edges:
        if not last <= at <= length:
            raise UsageError(f"edges of tags come in order and within the text, but one at {at} follows one at {last}")
        last = at
        if not 0 <= tag < len(kinds):
            raise UsageError(f"there is no tag {tag}")
        if closes:
            if starts[tag] < 0 or kinds[tag] is TagKind.POINT or ends[tag] >= 0:
                raise UsageError(f"tag {tag} ends before it begins, ends twice, or is a point and has no end")
            ends[tag] = at
            continue
        if tag != begun:
            raise UsageError(f"tags begin once, in the order of their numbers, but {tag} begins where {begun} should")
        begun, starts[tag] = begun + 1, at
        if kinds[tag] is TagKind.POINT:
            ends[tag] = at
    if -1 in ends:
        raise UsageError(f"tag {ends.index(-1)} does not end")
    return starts, ends


def _floating(kinds: Sequence[TagKind], edges: Sequence[PlacedEdge]) -> list[bool]:
    """Which pairs of marks overlap with an element, or with marks that begin inside them and end outside."""
    floating = [False] * len(kinds)
    opened: list[int] = []
    for _, tag, closes in edges:
        if floating[tag]:
            continue
        if not closes:
            if kinds[tag] is not TagKind.POINT:
                opened.append(tag)
        elif opened[-1] == tag:
            opened.pop()
        elif kinds[tag] is TagKind.MARKS:
            floating[tag] = True
            opened.remove(tag)
        else:
            while (other := opened.pop()) != tag:
                if kinds[other] is TagKind.ELEMENT:
                    raise UsageError(f"elements do not overlap, but tag {tag} ends inside tag {other}")
                floating[other] = True
    return floating


def _parents(kinds: Sequence[TagKind], edges: Sequence[PlacedEdge], floating: Sequence[bool]) -> list[int]:
    """The innermost tag that nests around each; around all of it, if it floats."""
    parents = [NO_PARENT] * len(kinds)
    around = [NO_PARENT]
    for _, tag, closes in edges:
        if not closes:
            parents[tag] = around[-1]
            if kinds[tag] is not TagKind.POINT and not floating[tag]:
                around.append(tag)
        elif not floating[tag]:
            around.pop()
        else:
            while parents[tag] not in around:
                parents[tag] = parents[parents[tag]]
    return parents
