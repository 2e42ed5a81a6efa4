"""XML from outside, read as a stream so that it can be written again as it was, character by character.

Units, which are elements of some names, come as small trees whose every piece knows how it was written. All that is
between them comes as it is. Put together, the pieces are the document again: quotes, empty elements, references,
comments and line ends stay as somebody has chosen them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.parsers import expat

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.text.files import LONGEST_LINE

_SEPARATOR = "}"  # between a namespace and a name
_DEEPEST = 256


class Text(NamedTuple):
    """Text of an element.

    Attributes:
        text: What it says.
        markup: How it is written: plainly, or as a reference or a section of character data.
    """

    text: str
    markup: str

    def cut(self, start: int, end: int) -> str:
        """How the characters from ``start`` up to ``end`` are written."""
        if (start, end) == (0, len(self.text)):
            return self.markup
        return self.text[start:end] if self.markup == self.text else escaped(self.text[start:end])


def escaped(text: str) -> str:
    """Text as it can stand in XML.

    Example:
        >>> escaped("a < b & c")
        'a &lt; b &amp; c'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@dataclass(slots=True)
class Element:
    """An element as it was written.

    Attributes:
        name: Its name, without namespace and prefix.
        attributes: Its attributes; names that have a namespace are like ``{namespace}name``.
        namespaces: The namespaces that are known inside it, by prefix; the prefix of the default one is empty.
        opening: How it begins.
        closing: How it ends; nothing, if it ends where it begins.
        items: What is inside: elements, text, and all else, such as comments, as it was written.
    """

    name: str
    attributes: Mapping[str, str]
    namespaces: Mapping[str, str]
    opening: str = ""
    closing: str = ""
    items: list[Element | Text | str] = field(default_factory=list)

    def get(self, name: str) -> str | None:
        """The value of an attribute."""
        return self.attributes.get(name)

    def children(self) -> Iterator[Element]:
        """The elements directly inside."""
        return (item for item in self.items if isinstance(item, Element))

    def refill(self, content: str) -> None:
        """Let other content, as it is to be written, take the place of what is inside."""
        self.items = [content]

    def markup(self) -> str:
        """The element as it was written."""
        pieces: list[str] = []
        self._write(pieces)
        return "".join(pieces)

    def _write(self, pieces: list[str]) -> None:
        pieces.append(self.opening)
        for item in self.items:
            if isinstance(item, Element):
                item._write(pieces)
            else:
                pieces.append(item if isinstance(item, str) else item.markup)
        pieces.append(self.closing)


def xml_units(
    blocks: Iterable[str], names: Iterable[str], file: str, limit: int = LONGEST_LINE
) -> Iterator[str | Element]:
    """The pieces of a document in order: units of some names, of any namespace, and what is between them as it is.

    Args:
        blocks: The text of the document.
        names: The names of units.
        file: What messages call it.
        limit: How many bytes of UTF-8 a unit may have, and anything else that has no elements inside.

    Raises:
        InputError: It is no XML, declares entities of its own, or a part of it is larger than a line may be.

    Example:
        >>> pieces = list(xml_units(["<r><!-- 1 --><u a='1'>x &amp; y</u></r>"], ["u"], "FILE"))
        >>> pieces[0], pieces[1].name, pieces[1].attributes, pieces[1].items, pieces[2]
        ('<r><!-- 1 -->', 'u', {'a': '1'}, [Text(text='x ', markup='x '), Text(text='&', markup='&amp;'), \
Text(text=' y', markup=' y')], '</r>')
    """
    scanner = _Scanner(frozenset(names), file, limit)
    for block in blocks:
        yield from scanner.feed(block.encode())
    yield from scanner.feed(b"", final=True)


class _Scanner:
    """Makes pieces of what the parser says, and of what it was fed since it has last said something."""

    def __init__(self, names: frozenset[str], file: str, limit: int) -> None:
        self._names, self._file = names, file
        self._window = bytearray()  # what was fed and belongs to no piece yet
        self._before = 0  # how many bytes were fed before that
        self._limit = limit
        self._begun = self._units = 0  # where the last unit began, and how many there were
        self._ready: list[str | Element] = []
        self._opened: list[Element] = []  # of a unit
        self._scopes: list[Mapping[str, str]] = [{}]  # of all elements that are open
        self._declared: dict[str, str] = {}
        self._pending: Element | str | None = None  # whose markup ends with the next event
        self._section: list[str] | None = None  # of character data
        self._parser = parser = expat.ParserCreate("utf-8", _SEPARATOR)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartNamespaceDeclHandler = self._declare
        parser.EntityDeclHandler = self._refuse_entity

    def feed(self, data: bytes, final: bool = False) -> list[str | Element]:
        """The pieces that are whole once this is read."""
        self._window += data
        try:
            self._parser.Parse(data, final)
        except expat.ExpatError as error:
            message = expat.ErrorString(error.code)
            raise InputError(f"{self._file}, line {error.lineno}: no well-formed XML: {message}") from error
        self._check(self._before + len(self._window) - (self._begun if self._opened else self._before))
        if final:
            self._pass_on(self._before + len(self._window))
        ready, self._ready = self._ready, []
        return ready

    def _taken(self, end: int) -> str:
        """The markup up to a place that was not taken before."""
        size = end - self._before
        markup = self._window[:size].decode()
        del self._window[:size]
        self._before = end
        return markup

    def _pass_on(self, end: int) -> None:
        """Make a piece of what is outside of units."""
        if markup := self._taken(end):
            self._ready.append(markup)

    def _declare(self, prefix: str | None, namespace: str | None) -> None:
        self._declared[prefix or ""] = namespace or ""

    def _start(self, qualified: str, attributes: dict[str, str]) -> None:
        name = qualified.rpartition(_SEPARATOR)[2]
        if len(self._scopes) > _DEEPEST:
            line = self._parser.CurrentLineNumber
            raise InputError(f"{self._file}, line {line}: more than {_DEEPEST} elements inside each other")
        self._scopes.append({**self._scopes[-1], **self._declared} if self._declared else self._scopes[-1])
        self._declared = {}
        if not self._opened and name not in self._names:
            self._pass_on(self._parser.CurrentByteIndex)
            return
        self._settle()
        named = {f"{{{key}" if _SEPARATOR in key else key: value for key, value in attributes.items()}
        element = Element(name, named, self._scopes[-1])
        if self._opened:
            self._opened[-1].items.append(element)
        else:
            self._listen(True)
            self._begun, self._units = self._before, self._units + 1
        self._opened.append(element)
        self._pending = element

    def _end(self, _: str) -> None:
        self._scopes.pop()
        if not self._opened:
            self._pass_on(self._parser.CurrentByteIndex)
            return
        self._settle()
        element = self._opened.pop()
        if not element.opening.endswith("/>"):
            element.closing = self._taken(self._before + self._window.index(b">") + 1)
        if not self._opened:
            self._listen(False)
            self._check(self._before - self._begun)
            self._ready.append(element)

    def _listen(self, inside: bool) -> None:
        """Let the parser tell of all that is inside a unit, and only of elements outside."""
        parser = self._parser
        parser.CharacterDataHandler = self._text if inside else None
        parser.StartCdataSectionHandler = self._begin_section if inside else None
        parser.EndCdataSectionHandler = self._end_section if inside else None
        parser.DefaultHandler = self._other if inside else None

    def _settle(self) -> None:
        """Give what came last its markup, which ends here; outside of units, all that came is a piece."""
        pending, self._pending = self._pending, None
        markup = self._taken(self._parser.CurrentByteIndex)
        if isinstance(pending, Element):
            pending.opening = markup
        elif pending is not None:
            self._opened[-1].items.append(Text(pending, markup))
        elif markup:
            (self._opened[-1].items if self._opened else self._ready).append(markup)

    def _text(self, text: str) -> None:
        if self._section is not None:
            self._section.append(text)
            return
        self._settle()
        self._pending = text

    def _begin_section(self) -> None:
        self._settle()
        self._section = []

    def _end_section(self) -> None:
        self._pending, self._section = "".join(self._section or ()), None

    def _other(self, _: str) -> None:
        if self._section is None:
            self._settle()

    def _check(self, size: int) -> None:
        """Complain of a part that is too large."""
        if size > self._limit:
            raise InputError(
                f"{self._file}: unit {self._units}, or what follows it, is longer than {self._limit:,} bytes; if that "
                "is meant, allow more by --max-line"
            )

    def _refuse_entity(self, *_: object) -> None:
        # A few lines of these can stand for more text than there is memory for, or for files of the machine.
        raise InputError(
            f"{self._file}: declares entities of its own (<!ENTITY ...>), which is refused; put their text in place"
        )


def shown(element: Element, number: int) -> str:
    """What messages call a unit: its number, and its name if it has one.

    Example:
        >>> shown(Element("tu", {"tuid": "a7"}, {}), 3)
        "unit 3 ('a7')"
    """
    name = element.get("id") or element.get("tuid")
    return f"unit {number}{f' ({quoted(name)})' if name else ''}"
