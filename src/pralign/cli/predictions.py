"""Alignments by other aligners, from files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pralign.errors import UsageError
from pralign.links.alignment import Alignment
from pralign.links.formats import read_alignments
from pralign.text.files import STANDARD_STREAM, read_lines


class PredictionFile:
    """A file of alignments that can be read again and again: ``i-j`` links, scored or not, or JSON lines."""

    def __init__(self, path: Path) -> None:
        """Find out the format by the first line that has links."""
        if str(path) == STANDARD_STREAM:
            raise UsageError("predictions are read from files, not from standard input")
        self._path = path
        first = next((line for line in read_lines(path) if line.strip()), "")
        self._format = "jsonl" if first.startswith("{") else "scored" if ":" in first else "pharaoh"

    def __iter__(self) -> Iterator[Alignment]:
        return read_alignments(self._path, self._format)
