"""Translation files (XLIFF 1.2, and 2.0 to 2.2): segments with their translations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from pralign.errors import InputError
from pralign.text.corpora.base import READERS, Choice, CorpusReader, Row
from pralign.text.corpora.xml import read_units
from pralign.text.corpora.xml_units import Shape, Unit
from pralign.text.raw import display_name

SOURCE, TARGET, SEGMENTS = "source", "target", "seg-source"
# A trans-unit of XLIFF 1.2, or a segment of 2.0 and later, which stands in a unit.
SHAPE = Shape(
    units=frozenset({"trans-unit", "segment"}),
    texts=frozenset({SOURCE, TARGET, SEGMENTS}),
    code=frozenset({"bpt", "ept", "it", "ph", "sub"}),
    around="unit",
    marks="mrk",
)


class XliffReader(CorpusReader):
    """A pair for each segment; one that is not translated is a pair with an empty side.

    A ``trans-unit`` of XLIFF 1.2 is cut into segments where both of its sides say where they are (``seg-source``).
    Codes inside texts, and the text inside of codes (``sub``), are left out; so are earlier translations
    (``alt-trans``) and what stands between segments (``ignorable``).
    """

    name = "xliff"
    suffixes: ClassVar[tuple[str, ...]] = (".xliff", ".xlf", ".sdlxliff", ".mqxliff", ".mxliff")
    has_columns = False

    def rows(self, path: str | Path, choice: Choice, limit: int) -> Iterator[Row]:
        """Yield the pairs."""
        empty = True
        for unit in read_units(path, SHAPE, limit):
            empty = False
            yield from _rows(unit)
        if empty:
            raise InputError(f"{display_name(path)}: there are no segments (<trans-unit> or <segment>) in it")


def _rows(unit: Unit) -> Iterator[Row]:
    texts = {text.name: text for text in reversed(unit.texts)}  # the first of each kind counts
    extras = _extras(unit)
    sources = texts[SEGMENTS].parts if SEGMENTS in texts else {}
    targets = texts[TARGET].parts if TARGET in texts else {}
    if sources and targets:
        for name in dict.fromkeys([*sources, *targets]):
            yield Row(sources.get(name, ""), targets.get(name, ""), extras | {"segment": name})
        return
    source, target = (texts[side].text if side in texts else "" for side in (SOURCE, TARGET))
    yield Row(source, target, extras)


def _extras(unit: Unit) -> dict[str, Any]:
    """What a pair is called: by the name of its unit and, where there are several in one, of its segment."""
    own, around = unit.attributes.get("id"), unit.around.get("id")
    named = {"id": own} if around is None else {"id": around, "segment": own}
    return {key: value for key, value in named.items() if value is not None}


READERS.register(XliffReader.name, XliffReader())
