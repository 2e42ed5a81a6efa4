"""What is wanted of a large XML file: units that hold texts, collected while the file passes by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pralign.text.corpora.base import one_line

XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"

Attributes = Mapping[str, str]
_NONE: Attributes = {}


@dataclass(frozen=True)
class Shape:
    """Where texts are in a kind of XML, by names of elements; namespaces do not count.

    Attributes:
        units: What holds the same text several times.
        texts: What holds one of them.
        code: What holds codes of other formats inside a text. Nothing inside is read, not even text for people: what
            a footnote or a tooltip says is no part of the sentence that it is in.
        between: What stands between a unit and its texts; without it, they are right inside.
        around: What stands before or around units and is remembered.
        marks: What marks a part of a text by ``mtype="seg"``, and names it by ``mid``.
    """

    units: frozenset[str]
    texts: frozenset[str]
    code: frozenset[str]
    between: str | None = None
    around: str | None = None
    marks: str | None = None


class UnitText(NamedTuple):
    """A text of a unit.

    Attributes:
        name: What its element is called.
        attributes: Those of the element between it and the unit, or else of the unit.
        text: The text that people read, on one line.
        parts: The parts of it that are marked, by name.
    """

    name: str
    attributes: Attributes
    text: str
    parts: Mapping[str, str]


class Unit(NamedTuple):
    """A unit with its texts; those that are empty are left out.

    Attributes:
        attributes: What its element says.
        around: What the last element said that is remembered.
        texts: The texts in their order.
    """

    attributes: Attributes
    around: Attributes
    texts: list[UnitText]


class _LocalNames(dict[str, str]):
    """The names of elements without their namespaces, each found out once."""

    def __missing__(self, tag: str) -> str:
        name = self[tag] = tag.rpartition("}")[2]
        return name


class UnitCollector:
    """Takes what a parser of XML finds, and keeps no more than the unit that it is in.

    Its methods ``start``, ``end``, ``data``, ``doctype``, ``start_ns``, ``pi`` and ``close`` are what lxml calls. They
    are called for everything in a file, and so do as little as they can.

    Attributes:
        depth: How many elements are open.
        names: The names that elements have had, with namespaces and without.
        other_names: The names of all else, which the parser remembers too.
        units: How many units have begun.
        declared: Whether there was a document type declaration.
    """

    def __init__(self, shape: Shape) -> None:
        self.depth = self.units = 0
        self.names = _LocalNames()
        self.other_names: set[str] = set()
        self.declared = False
        self._units, self._texts, self._between, self._outside = shape.units, shape.texts, shape.between, shape.around
        self._code, self._marks = shape.code, shape.marks
        self._level = 1 if shape.between is None else 2
        self._found: list[Unit] = []
        self._unit = Unit(_NONE, _NONE, [])
        self._around: Attributes = _NONE
        self._parent: str | None = None
        self._attributes: Attributes = _NONE
        # The strings of the text that is open; where in them begins what is skipped, and where what is marked.
        self._strings: list[str] = []
        self.data = self._strings.append
        self._skipped_from = self._part_from = 0
        self._name = self._part = ""
        self._parts: dict[str, str] = {}
        # At which depth a unit, a text, something to skip and a marked part are open, if they are.
        self._unit_at = self._text_at = self._skipped_at = self._part_at = 0
        self._started, self._seen = False, 0

    def start(self, tag: str, attributes: Attributes) -> None:
        """An element begins."""
        self._started = True
        self.depth = depth = self.depth + 1
        name = self.names[tag]
        if attributes:
            self.other_names.update(attributes)
        if self._text_at:
            if not self._skipped_at:
                self._start_inside(name, attributes)
        elif self._unit_at:
            level = depth - self._unit_at
            if level == self._level:
                if name in self._texts and self._parent == self._between:
                    self._text_at, self._name = depth, name
                    self._strings.clear()
            elif level == 1:
                self._parent, self._attributes = name, attributes
        elif name in self._units:
            self._unit_at = depth
            self.units += 1
            self._unit = Unit(attributes, self._around, [])
            self._parent, self._attributes = None, attributes
        elif name == self._outside:
            self._around = attributes

    def _start_inside(self, name: str, attributes: Attributes) -> None:
        """An element begins inside a text."""
        if name in self._code:
            self._skipped_at, self._skipped_from = self.depth, len(self._strings)
        elif name == self._marks and not self._part_at and attributes.get("mtype") == "seg":
            self._part_at, self._part, self._part_from = self.depth, attributes.get("mid", ""), len(self._strings)

    def end(self, tag: str) -> None:
        """An element ends."""
        depth = self.depth
        self.depth = depth - 1
        if self._text_at:
            if depth == self._skipped_at:
                del self._strings[self._skipped_from :]
                self._skipped_at = 0
            elif depth == self._part_at:
                self._parts[self._part] = self._parts.get(self._part, "") + "".join(self._strings[self._part_from :])
                self._part_at = 0
            elif depth == self._text_at:
                self._end_text()
        elif depth == self._unit_at:
            self._unit_at = 0
            self._found.append(self._unit)

    def _end_text(self) -> None:
        text = one_line("".join(self._strings))
        if text:
            parts = {name: one_line(part) for name, part in self._parts.items()} if self._parts else _NONE
            self._unit.texts.append(UnitText(self._name, self._attributes, text, parts))
        self._text_at = 0
        self._parts = {}
        self._strings.clear()

    def doctype(self, name: str, public: str | None, system: str | None) -> None:
        """There is a document type declaration. Since it ends here, the parser has nowhere to put entities."""
        self.declared = True

    def start_ns(self, prefix: str, uri: str) -> None:
        """A namespace gets a prefix."""
        self.other_names.update((prefix, uri))

    def pi(self, target: str, data: str | None) -> None:
        """There is a processing instruction."""
        self._started = True
        self.other_names.add(target)

    def close(self) -> None:
        """The file ends."""

    @property
    def in_unit(self) -> bool:
        """Whether a unit is open."""
        return self._unit_at > 0

    @property
    def texts(self) -> int:
        """How many texts the last unit has so far."""
        return len(self._unit.texts)

    def taken(self) -> list[Unit]:
        """The units that were found since the last call."""
        found, self._found = self._found, []
        return found

    def has_moved(self) -> bool:
        """Whether anything has come since the last call; what is outside of texts is forgotten."""
        moved = self._started or len(self._strings) != self._seen
        if not self._text_at:
            self._strings.clear()
        self._started, self._seen = False, len(self._strings)
        return moved
