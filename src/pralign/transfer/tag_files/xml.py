"""What documents in XML have in common: they are read piece by piece, and written as they were."""

from __future__ import annotations

import codecs
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, NamedTuple

from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.outputs import open_binary_output, open_output
from pralign.text.compression import OPENERS
from pralign.text.files import STANDARD_STREAM, display_name, is_regular_file, line_limit
from pralign.text.tokenizers import BY_SPACES, Tokenization
from pralign.transfer.tag_files.base import TagFile
from pralign.transfer.tag_files.work import TagCounts, TagWork
from pralign.transfer.tagged_xml import Segment, text_in
from pralign.transfer.xml_encoding import xml_text
from pralign.transfer.xml_units import Element, shown, xml_units


class XmlPair(NamedTuple):
    """A segment and its translation in a document.

    Attributes:
        texts: The text of both.
        source: What holds the segment, unless it is in pieces.
        target: What holds its translation, likewise.
    """

    texts: tuple[str, str]
    source: Element | None
    target: Element | None


class XmlTags(TagFile):
    """A document in XML.

    Attributes:
        unit_names: The names of elements that hold both sides.
        code: The names of elements inside segments that hold codes of other formats.
        missing: What to say if there are no units.
    """

    unit_names: ClassVar[frozenset[str]]
    code: ClassVar[frozenset[str]]
    missing: ClassVar[str]

    def __init__(self, path: str | Path) -> None:
        """Name the file, which is read more than once.

        Raises:
            UsageError: It can be read only once.
        """
        self._path, self._limit = path, line_limit()
        self.name = display_name(path)
        if str(path) == STANDARD_STREAM or (Path(path).exists() and not is_regular_file(path)):
            raise UsageError(f"{self.name} is read twice, to align it and to write it: give it as a file")

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The text of each segment, and of its translation."""
        with xml_text(self._path) as (_, blocks):
            for piece in self.pieces(blocks):
                if isinstance(piece, Element):
                    for pair in self.pairs_of(piece):
                        yield pair.texts

    def write(
        self,
        output: str | Path | None,
        alignments: Iterable[Alignment],
        *,
        tokenization: Tokenization = BY_SPACES,
        replace: bool = False,
    ) -> TagCounts:
        """Write the document as it was, in the encoding that it was in, with tags in translations."""
        work = TagWork(self.name, alignments, tokenization)
        with xml_text(self._path) as (encoding, blocks), _written(output, encoding) as write:
            number = 0
            for piece in self.pieces(blocks):
                if isinstance(piece, Element):
                    number += 1
                    for pair in self.pairs_of(piece):
                        self._fill(pair, work, shown(piece, number), replace)
                write(piece.markup() if isinstance(piece, Element) else piece)
            return work.finish()

    def first_with_text(self, elements: Sequence[Element]) -> Element | None:
        """The first one that has text, or else the first, if there is one."""
        if len(elements) > 1:
            return next((element for element in elements if text_in(element, self.code)), elements[0])
        return elements[0] if elements else None

    def _fill(self, pair: XmlPair, work: TagWork, where: str, replace: bool) -> None:
        """Put tags into a translation."""
        has_words = work.begin(*pair.texts, where)
        if not has_words or pair.source is None or pair.target is None:
            return
        try:
            segment = Segment.of(pair.source, self.code, pair.target.namespaces)
            if segment.tagged.tags:
                translation = Segment.of(pair.target, self.code)
                if translation.tagged.tags and not replace:
                    work.counts.kept += 1
                else:
                    pair.target.refill(translation.with_tags(work.placed(segment.tagged)))
        except InputError as error:
            raise InputError(f"{self.name}, {where}: {error}") from error

    def pieces(self, blocks: Iterable[str]) -> Iterator[str | Element]:
        """Units, and what is between them."""
        is_empty = True
        for piece in xml_units(blocks, self.unit_names, self.name, self._limit):
            is_empty = is_empty and isinstance(piece, str)
            yield piece
        if is_empty:
            raise InputError(f"{self.name}: {self.missing}")

    def pair_of(self, source: Element | None, target: Element | None) -> XmlPair:
        """A segment and its translation."""
        text, translation = (text_in(side, self.code) if side is not None else "" for side in (source, target))
        return XmlPair((text, translation), source, target)

    @abstractmethod
    def pairs_of(self, unit: Element) -> Iterator[XmlPair]:
        """The pairs of a unit."""


@contextmanager
def _written(output: str | Path | None, encoding: str) -> Iterator[Callable[[str], object]]:
    """What writes text in an encoding."""
    if encoding == "utf-8":
        with open_output(output) as stream:
            yield stream.write
        return
    if output is None or str(output) == STANDARD_STREAM or Path(output).suffix.removeprefix(".") in OPENERS:
        raise UsageError(
            f"text in {encoding} is written to a file that is not compressed; name one, or convert the input to UTF-8"
        )
    encoder = codecs.getincrementalencoder(encoding)("xmlcharrefreplace")
    with open_binary_output(output) as stream:
        yield lambda text: stream.write(encoder.encode(text))
        stream.write(encoder.encode("", final=True))
