"""Files of alignments whose format may be left open, read as often as needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING

from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.links.formats import ReadContext, Record, detect_format, get_format, resolve_base
from pralign.text.files import STANDARD_STREAM, display_name, is_regular_file, line_limit, read_lines

if TYPE_CHECKING:
    from pralign.text.bitext import Bitext


class AlignmentFile:
    """A file of alignments that can be read again and again.

    What comes from a pipe or from standard input comes only once, so what was read of it is kept. It is read no further
    than it is asked for.

    Attributes:
        name: The name of the file, as messages show it.
        format: Its format.
        base: The number of the first word of a sentence in this file, 0 or 1.
        pairs: The number of sentence pairs, where somebody has found it out; for formats that leave out pairs.

    Example:
        >>> from pralign import sample
        >>> gold = AlignmentFile(sample.GOLD)
        >>> gold.format.name, gold.base
        ('gold', 0)
        >>> print(next(gold.read()))
        0-0 1?1 1-2 2-3 3?5 3?6 3-7 4-4 5-8 6?9 6-10 7?10 8-11 9-12 10-13
    """

    def __init__(
        self,
        path: str | Path,
        format: str | None = None,
        base: int | None = None,
        standard_input: bool = False,
        is_gold: bool = False,
    ) -> None:
        """Open the file, and look into it if its format is not given.

        Args:
            path: The file, compressed or not; ``-`` is standard input.
            format: The name of its format; ``None`` finds out.
            base: The number of its first word, 0 or 1; ``None`` is the format's own.
            standard_input: Whether ``-`` will do.
            is_gold: Whether it is a gold. One without possible links looks like other files of links, and is none: its
                blank lines are not labelled.

        Raises:
            UsageError: There is no such format or base, or the path is ``-`` and that will not do.
            InputError: The file cannot be read, or its format is not recognised.
        """
        if str(path) == STANDARD_STREAM and not standard_input:
            raise UsageError("these alignments are read from a file, not from standard input")
        self.name = display_name(path)
        self._path = path
        self._limit = line_limit()
        self._kept = None if is_regular_file(path) else read_lines(path, self._limit)
        found = detect_format(self.lines(), self.name) if format is None else format
        self.format = get_format("gold" if is_gold and format is None and found == "pharaoh" else found)
        self.base = resolve_base(self.format, base)
        self.pairs: int | None = None

    @property
    def one_line_a_pair(self) -> bool:
        """Whether line n of the file is about pair n. If not, lines are links (``naacl``) or a part of a pair."""
        return not self.format.may_skip_pairs

    def lines(self) -> Iterator[str]:
        """The text lines of the file, without their ends."""
        if self._kept is None:
            return read_lines(self._path, self._limit)
        self._kept, lines = tee(self._kept)
        return lines

    def read(self, pairs: int | None = None) -> Iterator[Alignment]:
        """Read the alignments, one a sentence pair, positions counted from zero.

        Args:
            pairs: The number of sentence pairs, if known. Formats that leave out pairs need it, so as not to end with
                the last pair they mention; all others have as many alignments as lines, whatever it says.

        Raises:
            InputError: While iterating: the file cannot be read, or a line is not in the format.
        """
        return self.format.read(self.lines(), self._context(pairs))

    def records(self, pairs: int | None = None) -> Iterator[Record]:
        """Like :meth:`read`, with the words and scores of pairs where the format carries them."""
        return self.format.read_records(self.lines(), self._context(pairs))

    def __iter__(self) -> Iterator[Alignment]:
        return self.read()

    def _context(self, pairs: int | None) -> ReadContext:
        known = self.pairs if pairs is None else pairs
        return ReadContext(self.name, self.base, None if self.one_line_a_pair else known)


def expect_pairs(files: Iterable[AlignmentFile], bitext: Bitext) -> None:
    """Complain of files with more or fewer alignments than there are pairs, before anything is written.

    Files in a format that leaves out pairs cannot have too few; they are told how many there are.
    """
    remaining = list(files)
    if not remaining:
        return
    pairs = sum(1 for _ in bitext)
    for file in remaining:
        file.pairs = pairs
        found = sum(1 for _ in file.lines()) if file.one_line_a_pair else pairs
        if found != pairs:
            raise InputError(f"{file.name} has {found} alignments, but there are {pairs} pairs")
