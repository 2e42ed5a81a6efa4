"""XML from outside: read as a stream, never as a tree, and never trusted.

Nothing is fetched, entities cannot be declared, and whatever could grow has a bound: a unit, a tag, how deep elements
are nested, how many names they have, and what a compressed file becomes. So memory does not depend on the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.text.corpora.xml_units import Shape, Unit, UnitCollector
from pralign.text.extras import needed
from pralign.text.kinds import other_kind
from pralign.text.raw import allow_more, display_name, open_bytes

_BLOCK = 1 << 16
_DEEPEST = 256
_MOST_NAMES = 10_000
_MOST_TEXTS = 10_000
_MOST_COMPLAINTS = 100
_LONGEST_QUOTE = 200  # characters of what the parser says
# A tag, a comment or the like comes as a whole, with all its attributes: it may be so many times smaller than a unit.
_TAGS = 16


def read_units(path: str | Path, shape: Shape, limit: int) -> Iterator[Unit]:
    """The units of an XML file, one by one.

    Args:
        path: The file, compressed or not; ``-`` is standard input.
        shape: Where units and their texts are.
        limit: How many bytes a unit may have, or little more.

    Raises:
        InputError: The file cannot be read, is no XML, declares or uses entities of its own, or a part of it is larger
            than it may be. The message names the line where that is known.
        UsageError: lxml is not installed.
    """
    etree = needed("lxml.etree", "xml")
    watch = _Watch(display_name(path), limit, UnitCollector(shape), etree)
    parser = etree.XMLParser(
        target=watch.collector, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    with open_bytes(path, limit) as stream:
        try:
            block = stream.read(_BLOCK)
            if trouble := other_kind(block, path):
                raise InputError(f"{watch.name}: {trouble}")
            while block:
                parser.feed(block)
                watch.check(len(block), parser)
                yield from watch.collector.taken()
                block = stream.read(_BLOCK)
            parser.close()
        except etree.XMLSyntaxError as error:
            raise watch.refusal(error.msg, error.lineno) from error
    yield from watch.collector.taken()


@dataclass
class _Watch:
    """Looks after each block of a file at what it has become.

    Attributes:
        name: What messages call the file.
        limit: How many bytes a unit may have.
        collector: What collects units.
        etree: The package that parses.
        in_unit: How many bytes have come since the open unit began, or a little fewer.
        unit: Its number.
        in_tag: How many bytes have come since anything was found in them.
    """

    name: str
    limit: int
    collector: UnitCollector
    etree: Any
    in_unit: int = 0
    unit: int = 0
    in_tag: int = 0

    def check(self, size: int, parser: Any) -> None:
        """Complain if what has been read is not what it should be.

        Args:
            size: How many bytes the last block had.
            parser: What has parsed it.

        Raises:
            InputError: It is too large, too deep, or uses what is not declared.
        """
        collector = self.collector
        self.in_tag = 0 if collector.has_moved() else self.in_tag + size
        if self.in_tag > max(self.limit // _TAGS, _BLOCK):
            what = f"a tag, comment, CDATA section or declaration after the beginning of unit {collector.units}"
            raise self._too_large(what, self.in_tag)
        self.in_unit = self.in_unit + size if collector.in_unit and collector.units == self.unit else 0
        self.unit = collector.units
        if self.in_unit > self.limit:
            raise self._too_large(f"unit {self.unit}", self.in_unit)
        if collector.texts > _MOST_TEXTS:
            raise InputError(f"{self.name}: unit {self.unit} has more than {_MOST_TEXTS:,} texts")
        if collector.depth > _DEEPEST:
            raise InputError(f"{self.name}: elements are nested more than {_DEEPEST} deep after unit {self.unit}")
        if len(collector.names) + len(collector.other_names) > _MOST_NAMES:
            raise InputError(f"{self.name}: more than {_MOST_NAMES:,} names of elements, attributes and the like")
        self._check_complaints(parser.feed_error_log)

    def _too_large(self, what: str, size: int) -> InputError:
        return InputError(f"{self.name}: {what} has {size:,} bytes or more; {allow_more(self.limit)}")

    def _check_complaints(self, complaints: Any) -> None:
        """Refuse what the parser only warns of: an entity that it does not know would be left out without a word."""
        levels, types = self.etree.ErrorLevels, self.etree.ErrorTypes
        for number, complaint in enumerate(complaints, start=1):
            is_entity = complaint.type in (types.WAR_UNDECLARED_ENTITY, types.ERR_UNDECLARED_ENTITY)
            if complaint.level > levels.WARNING or is_entity or number > _MOST_COMPLAINTS:
                raise self.refusal(complaint.message, complaint.line)

    def refusal(self, message: str | None, line: int | None) -> InputError:
        """What to say of a file that the parser does not take, to be raised by the caller."""
        where = f"{self.name}, line {line}" if line else self.name
        found = (message or "it ends too early").partition(", line ")[0].strip()[:_LONGEST_QUOTE]
        if self.collector.declared and not self.collector.depth and not self.collector.units and "ntity" in found:
            return InputError(
                f"{where}: entities of its own (<!ENTITY ...>) are not read ({found}); put their text in place, and "
                "remove them from the document type declaration (<!DOCTYPE ...>)"
            )
        if "Entity" in found and "not defined" in found:
            return InputError(f"{where}: {found}; write the character itself, or its number, such as &#160; for &nbsp;")
        return InputError(f"{where}: no well-formed XML: {quoted(found, _LONGEST_QUOTE)}")
