"""Alignments by other aligners, from files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.links.formats import ReadContext, get_format, resolve_base
from pralign.text.bitext import Bitext
from pralign.text.files import STANDARD_STREAM, read_lines


class PredictionFile:
    """A file of alignments that can be read again and again: ``i-j`` links, scored or not, or JSON lines.

    What comes from a pipe is kept, since it comes only once.

    Attributes:
        name: The name of the file.
    """

    def __init__(self, path: Path) -> None:
        """Find out the format by the first line that has links."""
        if str(path) == STANDARD_STREAM:
            raise UsageError("predictions are read from files, not from standard input")
        self.name = str(path)
        self._kept = None if path.is_file() else list(read_lines(path))
        first = next((line for line in self._lines() if line.strip()), "")
        self._format = "jsonl" if first.startswith("{") else "scored" if ":" in first else "pharaoh"

    def __iter__(self) -> Iterator[Alignment]:
        fmt = get_format(self._format)
        return fmt.read(self._lines(), ReadContext(self.name, resolve_base(fmt, None)))

    def __len__(self) -> int:
        """How many alignments there are."""
        return sum(1 for _ in self._lines())

    def _lines(self) -> Iterator[str]:
        return read_lines(self.name) if self._kept is None else iter(self._kept)


def check_numbers(predictions: Sequence[PredictionFile], bitext: Bitext) -> None:
    """Complain of predictions with more or fewer lines than there are pairs, before anything is written."""
    if predictions:
        pairs = sum(1 for _ in bitext)
        for prediction in predictions:
            if len(prediction) != pairs:
                raise InputError(f"{prediction.name} has {len(prediction)} alignments, but there are {pairs} pairs")
