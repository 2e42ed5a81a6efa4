"""Segments of XLIFF and TMX as tagged text, and tagged text as the content of segments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pralign.errors import InputError
from pralign.text.corpora.base import one_line
from pralign.transfer.joined_lines import JoinedLines
from pralign.transfer.markup import MOST_TAGS, Markup
from pralign.transfer.tagged_text import PlacedEdge, TaggedText, TagKind
from pralign.transfer.xml_units import Element, Text, escaped

#: Marks that begin something, each with those that end it.
MARKS = {"bpt": "ept", "bx": "ex", "sc": "ec", "sm": "em"}
_BEGINNINGS = {end: begin for begin, end in MARKS.items()}
_QUOTE = '"'
_NAME = re.compile(r"<[^\s/>]+")


@dataclass
class Segment:
    """What is in an element that holds a segment: ``source`` and ``target`` of XLIFF, ``seg`` of TMX.

    Attributes:
        tagged: The text and the tags. The text is what corpus readers make of it: on one line, without codes.
        texts: The text as it is written.
        others: Where comments, instructions and references to entities are in the text, and what they are.
        line: How that text became one line.
    """

    tagged: TaggedText
    texts: list[Text]
    others: list[tuple[int, str]]
    line: JoinedLines

    @classmethod
    def of(cls, element: Element, code: frozenset[str], namespaces: Mapping[str, str] | None = None) -> Segment:
        """Read an element.

        - Elements with text inside are elements.
        - Codes and empty elements are points, all that is in them included; but two marks that belong together are a
          pair: in XLIFF 1.2 and TMX by ``rid``, ``id`` or ``i``, in XLIFF 2 by ``id`` and ``startRef``.

        Args:
            element: The element.
            code: The names of elements whose content is code of another format, and no text.
            namespaces: What prefixes mean where tags will stand; those that mean something else get a declaration.

        Raises:
            InputError: There are too many tags.
        """
        reading = _Reading(code, _missing(element.namespaces, namespaces))
        reading.enter(element)
        return reading.segment()

    def with_tags(self, placed: TaggedText) -> str:
        """What the element contains once it has these tags, which are at places of its text, and no others."""
        inserted = [(at, -1, markup) for at, markup in self.others]
        for number, (at, tag, closes) in enumerate(placed.places()):
            inserted.append((self.line.apart(at), number, placed.tags[tag].payload[closes]))
        inserted.sort()
        pieces: list[str] = []
        start = number = 0
        for text in self.texts:
            begin, length = 0, len(text.text)
            while number < len(inserted) and inserted[number][0] < start + length:
                end = inserted[number][0] - start
                pieces += [text.cut(begin, end), inserted[number][2]]
                begin, number = end, number + 1
            pieces.append(text.cut(begin, length))
            start += length
        return "".join(pieces + [markup for _, _, markup in inserted[number:]])


@dataclass
class _Reading:
    """An element while it is read."""

    code: frozenset[str]
    missing: Mapping[str, str]
    texts: list[Text] = field(default_factory=list)
    others: list[tuple[int, str]] = field(default_factory=list)
    length: int = 0
    tags: list[tuple[TagKind, Markup]] = field(default_factory=list)
    edges: list[PlacedEdge] = field(default_factory=list)
    begun: dict[tuple[str, str | None], list[int]] = field(default_factory=dict)

    def enter(self, element: Element) -> None:
        """Read all that is inside an element."""
        for item in element.items:
            if isinstance(item, Text):
                self.texts.append(item)
                self.length += len(item.text)
            elif isinstance(item, str):
                self.others.append((self.length, item))
            elif item.name in self.code or not item.items:
                self._point(item)
            else:
                number = self._begin(TagKind.ELEMENT, Markup(self._opening(item), item.closing))
                self.enter(item)
                self.edges.append(PlacedEdge(self.length, number, True))

    def segment(self) -> Segment:
        """What was read, with marks that belong to nothing as points."""
        line = JoinedLines.of("".join([text.text for text in self.texts]))
        edges = [PlacedEdge(line.joined(at), tag, closes) for at, tag, closes in self.edges]
        return Segment(TaggedText.of(line.text, self.tags, edges), self.texts, self.others, line)

    def _begin(self, kind: TagKind, markup: Markup) -> int:
        if len(self.tags) == MOST_TAGS:
            raise InputError(f"has more than {MOST_TAGS:,} tags")
        self.tags.append((kind, markup))
        self.edges.append(PlacedEdge(self.length, len(self.tags) - 1))
        return len(self.tags) - 1

    def _point(self, element: Element) -> None:
        """Read a code or something empty, which may belong to another."""
        markup = self._opening(element) + element.markup()[len(element.opening) :]
        if element.name in _BEGINNINGS:
            begin = self.begun.get((_BEGINNINGS[element.name], _name_of(element)))
            if begin and element.get("isolated") != "yes":
                number = begin.pop()
                self.tags[number] = TagKind.MARKS, self.tags[number][1]._replace(closing=markup)
                self.edges.append(PlacedEdge(self.length, number, True))
                return
        number = self._begin(TagKind.POINT, Markup(markup))
        if element.name in MARKS and element.get("isolated") != "yes":
            self.begun.setdefault((element.name, _name_of(element)), []).append(number)

    def _opening(self, element: Element) -> str:
        """How an element begins where it is to stand, with the namespaces that are not known there."""
        if not self.missing:
            return element.opening
        name = _NAME.match(element.opening)
        end = name.end() if name else 0
        declared = [
            f' xmlns{f":{prefix}" if prefix else ""}="{escaped(namespace).replace(_QUOTE, "&quot;")}"'
            for prefix, namespace in self.missing.items()
            if not re.search(rf"\sxmlns{f':{prefix}' if prefix else ''}\s*=", element.opening)
        ]
        return element.opening[:end] + "".join(declared) + element.opening[end:]


def _missing(here: Mapping[str, str], there: Mapping[str, str] | None) -> dict[str, str]:
    """The namespaces that mean something else at another place."""
    if there is None or here == there:
        return {}
    return {prefix: here.get(prefix, "") for prefix in (*here, "") if here.get(prefix, "") != there.get(prefix, "")}


def _name_of(element: Element) -> str | None:
    """What a mark has in common with that which belongs to it."""
    if element.name in ("sc", "sm"):
        return element.get("id")
    if element.name in ("ec", "em"):
        return element.get("startRef")
    return element.get("rid") or element.get("id") or element.get("i")


def text_in(element: Element, code: frozenset[str]) -> str:
    """The text in an element, but for codes, on one line; quicker than with its tags."""
    pieces: list[str] = []
    _gather(element, code, pieces)
    return str(one_line("".join(pieces)))


def _gather(element: Element, code: frozenset[str], pieces: list[str]) -> None:
    for item in element.items:
        if isinstance(item, Text):
            pieces.append(item.text)
        elif isinstance(item, Element) and item.name not in code:
            _gather(item, code, pieces)
