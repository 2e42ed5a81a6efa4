"""How the files of a text are read: as was said, or as their names tell."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pralign.errors import UsageError
from pralign.text.files import display_name
from pralign.text.layouts import BARS, TSV
from pralign.text.sides import is_treebank

if TYPE_CHECKING:
    from pralign.text.corpora import Choice, CorpusReader


def check_two(files: Sequence[str | Path], layout: str | None, choice: Choice) -> None:
    """Complain of two files of which one holds both sides.

    Raises:
        UsageError: It does, or something was said of such a file.
    """
    from pralign.text.corpora import READERS, Choice, reader_by_name

    _check_layout(layout)
    if choice != Choice():
        raise UsageError("columns and headers are those of one file with both sides; there are two files")
    if layout in READERS and layout != TSV:
        raise UsageError(f"a {layout} file holds both sides; there are two files")
    for path in files:
        reader = reader_by_name(path)
        if reader is not None and reader.name != TSV:
            raise UsageError(f"{display_name(path)} is a {reader.name} file, which holds both sides; give it alone")


def reader_of(path: str | Path, layout: str | None, choice: Choice) -> CorpusReader | None:
    """What reads a file with both sides, unless it is read line by line.

    Raises:
        UsageError: There is no such layout, or the file holds one side only.
    """
    from pralign.text.corpora import READERS, Choice, reader_by_name

    if layout == BARS:
        if choice != Choice():
            raise UsageError("a file with three bars has no columns to choose and no header")
        return None
    _check_layout(layout)
    if layout is None and is_treebank(path):
        raise UsageError(
            f"TGT is missing: {display_name(path)} is a treebank of one side; name the other side after it"
        )
    reader = reader_by_name(path) if layout is None else READERS[layout]
    if reader is None and choice != Choice():
        reader = READERS[TSV]
    return None if reader is READERS[TSV] and choice == Choice() else reader


def _check_layout(layout: str | None) -> None:
    from pralign.text.corpora import READERS

    if layout is not None and layout not in (BARS, *READERS):
        raise UsageError(f"a layout is {', '.join([BARS, *READERS])}, not {layout}")
