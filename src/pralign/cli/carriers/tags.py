"""Inline tags, for ``pralign transfer --tags``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pralign.cli.carriers.base import Carrier
from pralign.cli.console import note
from pralign.cli.link_source import LinkSource
from pralign.errors import UsageError
from pralign.links.alignment import Alignment
from pralign.text.bitext import Bitext, Pair
from pralign.text.corpora import Choice, reader_by_name
from pralign.text.files import display_name
from pralign.text.tokenizers import Tokenization
from pralign.transfer.tag_files import HtmlTags, TagFile, TmxTags, XliffTags


class TagCarrier(Carrier):
    """Segments with inline tags, and their translations in the same file or, for HTML, in another."""

    def __init__(self, source: Path, target: Path | None, columns: str | None, tokenization: Tokenization) -> None:
        self._file = _opened(source, target, columns)
        self._tokenization = tokenization
        self.bitext = Bitext.opened_by(self._pairs, self._file.name)

    def _pairs(self) -> Iterator[Pair]:
        return self._tokenization.pairs(self._file.pairs())

    def write(self, output: Path | None, links: LinkSource, alignments: Iterable[Alignment]) -> None:
        """Write the file again, with tags in translations."""
        note(str(self._file.write(output, alignments, tokenization=self._tokenization)))


def holds_both_sides(source: Path) -> bool:
    """Whether a file with tags has the translations too, by its name."""
    reader = reader_by_name(source)
    return reader is not None and reader.name in _BOTH


_BOTH = ("tmx", "xliff")


def _opened(source: Path, target: Path | None, columns: str | None) -> TagFile:
    """The file, of the kind that its name tells.

    Raises:
        UsageError: Something is missing, or there is too much.
    """
    reader, name = reader_by_name(source), display_name(source)
    kind = "" if reader is None else reader.name
    if columns is not None and kind != "tmx":
        raise UsageError("--columns names the two languages of a TMX file; leave it out")
    if kind not in _BOTH:
        if target is None:
            raise UsageError(f"TGT is missing: {name} is taken for lines of HTML; name the file with the translations")
        return HtmlTags(source, target)
    if target is not None:
        raise UsageError(f"{name} has its translations inside; leave out TGT")
    if kind == "xliff":
        return XliffTags(source)
    chosen = Choice.of(columns).columns
    if chosen is None:
        raise UsageError(f"which languages of {name}? Say --columns en,fr or the like")
    return TmxTags(source, chosen)
