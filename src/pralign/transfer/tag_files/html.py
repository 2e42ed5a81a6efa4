"""Lines of HTML, and their translations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pralign.links.alignment import Alignment
from pralign.outputs import open_output
from pralign.text.files import display_name, line_limit, read_lines
from pralign.text.pairing import paired
from pralign.text.tokenizers import BY_SPACES, Tokenization
from pralign.transfer.tag_files.base import TagFile
from pralign.transfer.tag_files.work import TagCounts, TagWork
from pralign.transfer.tagged_html import read_html, written_html
from pralign.transfer.tagged_text import TaggedText


class HtmlTags(TagFile):
    """A file with a line of HTML for each segment, and one with its translations, which are text without tags.

    What is written is HTML: the text of translations is escaped, with or without tags.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     source, target = Path(folder, "source.html"), Path(folder, "target.txt")
        ...     _ = source.write_text("a <b>red</b> car"), target.write_text("une voiture rouge")
        ...     print(list(HtmlTags(source, target).pairs()))
        [('a red car', 'une voiture rouge')]
    """

    def __init__(self, source: str | Path, target: str | Path) -> None:
        """Name both files."""
        self._files, self._limit = (source, target), line_limit()
        self._names = (display_name(source), display_name(target))
        self.name = " and ".join(self._names)

    def _lines(self) -> Iterator[tuple[str, str]]:
        source, target = (read_lines(path, self._limit) for path in self._files)
        return paired(source, target, self._names)

    def _read(self) -> Iterator[tuple[TaggedText, str]]:
        for number, (line, target) in enumerate(self._lines(), start=1):
            yield read_html(line, f"{self._names[0]}, line {number}"), target

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The text of each line, and its translation."""
        return ((tagged.text, target) for tagged, target in self._read())

    def write(
        self,
        output: str | Path | None,
        alignments: Iterable[Alignment],
        *,
        tokenization: Tokenization = BY_SPACES,
        replace: bool = False,
    ) -> TagCounts:
        """Write the translations as HTML, one a line. There are no tags in them that could be replaced."""
        work = TagWork(self.name, alignments, tokenization)
        with open_output(output) as stream:
            for number, (tagged, target) in enumerate(self._read(), start=1):
                has_words = work.begin(tagged.text, target, f"line {number}")
                result = work.placed(tagged) if has_words and tagged.tags else TaggedText(target)
                stream.write(f"{written_html(result)}\n")
            return work.finish()
