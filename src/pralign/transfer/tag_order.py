"""In which order the beginnings and ends of tags are written, once it is known where each stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pralign.transfer.tagged_text import NO_PARENT, Edge, Tag, TaggedText

# At the same place come first ends of what floats, then tags that are in nothing of it, then its beginnings.
_ENDS, _BETWEEN, _BEGINS = range(3)


class _Entry(NamedTuple):
    """Something directly inside a tag; entries sort as they are written.

    Something without width comes after all that ends at its place, and before all that begins there.
    """

    start: int
    end: int
    zone: int
    rank: int  # in the source
    tag: int
    closes: bool


def ordered(source: TaggedText, tags: Sequence[Tag]) -> tuple[Edge, ...]:
    """The edges of tags in the order in which they are written.

    Args:
        source: The text that the tags come from.
        tags: The same tags in another text: tags stay inside their parents, and those that nest do not overlap.
    """
    ranks = {edge: rank for rank, edge in enumerate(source.edges)}
    entries: dict[int, list[_Entry]] = {}
    for number, tag in enumerate(tags):
        if not tag.floats:
            rank = ranks[Edge(number, False)]
            zone = _BETWEEN
            entries.setdefault(tag.parent, []).append(_Entry(tag.start, tag.end, zone, rank, number, False))
    if any(tag.floats for tag in tags):
        _Floating(source, tags, ranks).enter(entries)
    return tuple(_walk(entries, tags))


def _walk(entries: dict[int, list[_Entry]], tags: Sequence[Tag]) -> list[Edge]:
    """Beginnings, what is inside, and ends."""
    edges: list[Edge] = []
    waiting: list[_Entry | Edge] = sorted(entries.get(NO_PARENT, ()), reverse=True)
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, Edge):
            edges.append(entry)
            continue
        edges.append(Edge(entry.tag, entry.closes))
        if tags[entry.tag].nests:
            waiting.append(Edge(entry.tag, True))
            waiting.extend(sorted(entries.get(entry.tag, ()), reverse=True))
    return edges


class _Floating:
    """Finds out inside which tags marks that float are written: the innermost ones that they cannot be outside of."""

    def __init__(self, source: TaggedText, tags: Sequence[Tag], ranks: dict[Edge, int]) -> None:
        self._tags, self._ranks = tags, ranks
        self._homes = _homes(source)
        self._nested: dict[int, list[int]] = {}
        for number, tag in enumerate(tags):
            if tag.nests and tag.end > tag.start:
                self._nested.setdefault(tag.parent, []).append(number)

    def enter(self, entries: dict[int, list[_Entry]]) -> None:
        """Put the marks into the entries, and give others at the same place their zones."""
        at_places: dict[tuple[int, int], list[int]] = {}
        marks: list[tuple[int, _Entry]] = []
        for number, tag in enumerate(self._tags):
            if not tag.floats:
                continue
            for closes, at in enumerate((tag.start, tag.end)):
                edge = Edge(number, bool(closes))
                empty = tag.start == tag.end
                home = self._inside(at, tag.parent if empty else self._homes[edge])
                zone = _BETWEEN if empty else (_BEGINS, _ENDS)[closes]
                marks.append((home, _Entry(at, at, zone, self._ranks[edge], number, bool(closes))))
                if not empty:
                    at_places.setdefault((home, at), []).append(number)
        for home, entry in marks:
            entries.setdefault(home, []).append(entry)
        for home in {home for home, _ in at_places}:
            entries[home] = [self._zoned(entry, at_places.get((home, entry.start), ())) for entry in entries[home]]

    def _inside(self, at: int, home: int) -> int:
        """The innermost tag that a place is truly inside of; ``home``, if it is also at an edge of that."""
        while home != NO_PARENT and not self._tags[home].start <= at <= self._tags[home].end:
            home = self._tags[home].parent
        inner: int | None = home
        while inner is not None:
            home = inner
            inside = (n for n in self._nested.get(home, ()) if self._tags[n].start < at < self._tags[n].end)
            inner = next(inside, None)
        return home

    def _zoned(self, entry: _Entry, floating: Sequence[int]) -> _Entry:
        """An entry that stays on that side of marks at its place on which it was in the source."""
        if entry.start != entry.end or self._tags[entry.tag].floats:
            return entry
        for number in floating:
            if self._ranks[Edge(number, False)] < entry.rank < self._ranks[Edge(number, True)]:
                return entry._replace(zone=_ENDS if self._tags[number].end == entry.start else _BEGINS)
        return entry


def _homes(source: TaggedText) -> dict[Edge, int]:
    """The innermost tag that nests around each edge of marks that float."""
    homes: dict[Edge, int] = {}
    around = [NO_PARENT]
    for edge in source.edges:
        tag = source.tags[edge.tag]
        if tag.floats:
            homes[edge] = around[-1]
        elif edge.closes:
            around.pop()
        elif tag.nests:
            around.append(edge.tag)
    return homes
