"""Lines of HTML as tagged text, and tagged text as lines of HTML."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.transfer.joined_lines import JoinedLines
from pralign.transfer.markup import MOST_TAGS, Markup, written
from pralign.transfer.tagged_text import PlacedEdge, TaggedText, TagKind

#: Elements that have no end.
VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
#: Elements whose content is no text.
CODE = frozenset({"script", "style"})

_DEEPEST = 256
_UNFINISHED = re.compile(r"<[A-Za-z/!?]")


def read_html(line: str, where: str) -> TaggedText:
    """The text of a line with tags of HTML in it; payloads are :class:`~pralign.transfer.markup.Markup`.

    Elements have to be closed, in the right order. Void elements (``<br>``), elements that close themselves (``<x/>``),
    comments, and scripts and styles with all that is in them are points. References to characters become these.

    Args:
        line: The line.
        where: The file and the number of the line, for messages.

    Raises:
        InputError: A tag is not closed, or closes what is not open.

    Example:
        >>> tagged = read_html("R&amp;D <b class=x>works</b><br>", "FILE, line 1")
        >>> tagged.text, [tag.payload.opening for tag in tagged.tags]
        ('R&D works', ['<b class=x>', '<br>'])
        >>> written_html(tagged)
        'R&amp;D <b class=x>works</b><br>'
    """
    reader = _LineReader(line, where)
    reader.read()
    return reader.tagged()


def written_html(tagged: TaggedText) -> str:
    """A line of HTML."""
    return written(tagged, _escaped)


def _escaped(text: str) -> str:
    return escape(text, quote=False)


def _short(name: str) -> str:
    """The name of a tag for messages."""
    return quoted(name)[1:-1]


class _LineReader(HTMLParser):
    """Reads one line. How something is written is known when the next thing begins."""

    def __init__(self, line: str, where: str) -> None:
        super().__init__(convert_charrefs=True)
        self._line, self._where = line, where
        self._texts: list[str] = []
        self._length = 0
        self._tags: list[tuple[TagKind, Markup]] = []
        self._edges: list[PlacedEdge] = []
        self._opened: list[tuple[str, int]] = []
        self._pending: tuple[int, bool] | None = None  # the tag that something belongs to, and whether it ends it
        self._begun = 0  # where that is in the line

    def read(self) -> None:
        """Read all of the line."""
        try:
            self.feed(self._line)
            if _UNFINISHED.match(self.rawdata):
                raise InputError(f"{self._where}: {quoted(self.rawdata)} does not end; write &lt; for < in a text")
            self.close()
        except (AssertionError, ValueError) as error:  # of the parser, at sections or numbers that HTML does not have
            raise InputError(f"{self._where}: no HTML: {quoted(str(error))}") from error
        self._settle(len(self._line))
        if self._opened:
            raise InputError(f"{self._where}: <{_short(self._opened[-1][0])}> is not closed")

    def tagged(self) -> TaggedText:
        """What was read."""
        line = JoinedLines.of("".join(self._texts))
        edges = [PlacedEdge(line.joined(at), tag, closes) for at, tag, closes in self._edges]
        return TaggedText.of(line.text, self._tags, edges)

    def _settle(self, end: int) -> None:
        """Give what began last its markup."""
        if self._pending is not None:
            tag, closes = self._pending
            markup = self._line[self._begun : end]
            kind, before = self._tags[tag]
            self._tags[tag] = (kind, before._replace(closing=markup) if closes else before._replace(opening=markup))
        self._pending = None

    def _event(self, tag: int | None = None, closes: bool = False) -> None:
        """Something begins, which belongs to a tag perhaps; inside of code, nothing does."""
        _, at = self.getpos()
        self._settle(at)
        if tag is not None:
            self._pending, self._begun = (tag, closes), at

    def _in_code(self) -> bool:
        return bool(self._opened) and self._opened[-1][0] in CODE

    def _begin(self, kind: TagKind) -> int:
        if len(self._tags) == MOST_TAGS or len(self._opened) == _DEEPEST:
            raise InputError(f"{self._where}: more than {MOST_TAGS:,} tags, or {_DEEPEST} inside each other")
        number = len(self._tags)
        self._event(number)
        self._tags.append((kind, Markup("")))
        self._edges.append(PlacedEdge(self._length, number))
        return number

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        if tag in VOID:
            self._begin(TagKind.POINT)
        else:
            self._opened.append((tag, self._begin(TagKind.POINT if tag in CODE else TagKind.ELEMENT)))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins and ends."""
        self._begin(TagKind.POINT)

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        if tag in VOID:
            self._begin(TagKind.POINT)
            return
        if not self._opened or self._opened[-1][0] != tag:
            opened = f"<{_short(self._opened[-1][0])}>" if self._opened else "nothing"
            raise InputError(f"{self._where}: </{_short(tag)}> closes an element, but {opened} is open")
        if self._in_code():
            self._opened.pop()  # its markup goes on to the end of this tag
            return
        _, number = self._opened.pop()
        self._event(number, True)
        self._edges.append(PlacedEdge(self._length, number, True))

    def handle_data(self, data: str) -> None:
        """There is text."""
        if not self._in_code():
            self._event()
            self._texts.append(data)
            self._length += len(data)

    def handle_comment(self, data: str) -> None:
        """There is a comment."""
        self._begin(TagKind.POINT)

    def handle_decl(self, decl: str) -> None:
        """There is a declaration."""
        self._begin(TagKind.POINT)

    def handle_pi(self, data: str) -> None:
        """There is an instruction."""
        self._begin(TagKind.POINT)

    def unknown_decl(self, data: str) -> None:
        """There is something like a section of character data."""
        self._begin(TagKind.POINT)
