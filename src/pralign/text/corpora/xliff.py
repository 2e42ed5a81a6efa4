"""Translation files (XLIFF 1.2, and 2.0 to 2.2): segments with their translations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from pralign.errors import InputError
from pralign.text.corpora.base import READERS, Choice, CorpusReader, Row
from pralign.text.corpora.xml import elements, local_name, text_of
from pralign.text.files import display_name

#: Inline elements of XLIFF 1.2 whose content is code of other formats.
CODE = ("bpt", "ept", "it", "ph")
#: What holds a segment and its translation in XLIFF 1.2, and in 2.0 and later.
SEGMENTS = ("trans-unit", "segment")


class XliffReader(CorpusReader):
    """A pair for each segment; one that is not translated is a pair with an empty side."""

    name = "xliff"
    suffixes: ClassVar[tuple[str, ...]] = (".xliff", ".xlf", ".sdlxliff", ".mqxliff")
    has_columns = False

    def rows(self, path: str | Path, choice: Choice) -> Iterator[Row]:
        """Yield the pairs."""
        empty = True
        for segment in elements(path, SEGMENTS):
            empty = False
            sides = {local_name(child): child for child in reversed(segment) if isinstance(child.tag, str)}
            source, target = (text_of(sides[side], CODE) if side in sides else "" for side in ("source", "target"))
            yield Row(source, target, _extras(segment))
        if empty:
            raise InputError(f"{display_name(path)}: there are no segments (<trans-unit> or <segment>) in it")


def _extras(segment: Any) -> dict[str, Any]:
    identifier = segment.get("id")
    unit = segment.getparent()
    if identifier is None and unit is not None and local_name(unit) == "unit":
        identifier = unit.get("id")
    return {} if identifier is None else {"id": identifier}


READERS.register(XliffReader.name, XliffReader())
