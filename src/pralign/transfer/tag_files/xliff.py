"""Translation files in XLIFF 1.2, and 2.0 to 2.2."""

from __future__ import annotations

from collections.abc import Iterator

from pralign.transfer.tag_files.xml import XmlPair, XmlTags
from pralign.transfer.tagged_xml import text_in
from pralign.transfer.xml_units import Element

_SOURCE, _TARGET, _SEGMENTS = "source", "target", "seg-source"


class XliffTags(XmlTags):
    """A file in XLIFF: a pair for each ``trans-unit`` (1.2) or ``segment`` (2.0 and later).

    A ``trans-unit`` whose both sides say where segments are (``mrk`` in ``seg-source`` and in ``target``) has a pair
    for each of these. Tags that are around or between them are left as they are.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> unit = '<source>a <g id="1">red</g> car</source><target>une voiture rouge</target>'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "segments.xliff")
        ...     text = f'<xliff version="1.2"><trans-unit id="1">{unit}</trans-unit></xliff>'
        ...     _ = path.write_text(text, encoding="utf-8")
        ...     print(list(XliffTags(path).pairs()))
        [('a red car', 'une voiture rouge')]
    """

    unit_names = frozenset({"trans-unit", "segment"})
    code = frozenset({"bpt", "ept", "it", "ph", "sub"})
    missing = "there are no segments (<trans-unit> or <segment>) in it"

    def pairs_of(self, unit: Element) -> Iterator[XmlPair]:
        """The pairs of a unit: one, or as many as it has segments."""
        source, target, segments = (
            self.first_with_text([child for child in unit.children() if child.name == name])
            for name in (_SOURCE, _TARGET, _SEGMENTS)
        )
        sources, targets = self._parts(segments), self._parts(target)
        if not (sources and targets):
            yield self.pair_of(source, target)
            return
        for name in dict.fromkeys([*sources, *targets]):
            pair = self.pair_of(_as_one(sources.get(name, [])), _as_one(targets.get(name, [])))
            yield pair if len(targets.get(name, [])) == 1 else pair._replace(target=None)

    def _parts(self, side: Element | None) -> dict[str, list[Element]]:
        """The segments in one side of a unit, by name."""
        parts: dict[str, list[Element]] = {}
        if side is not None and text_in(side, self.code):
            self._gather(side, parts)
        return parts

    def _gather(self, element: Element, parts: dict[str, list[Element]]) -> None:
        for child in element.children():
            if child.name == "mrk" and child.get("mtype") == "seg":
                parts.setdefault(child.get("mid") or "", []).append(child)
            elif child.name not in self.code:
                self._gather(child, parts)


def _as_one(elements: list[Element]) -> Element | None:
    """Pieces of a segment that have the same name, as one."""
    if len(elements) < 2:
        return elements[0] if elements else None
    items = [item for element in elements for item in element.items]
    return Element(elements[0].name, elements[0].attributes, elements[0].namespaces, items=items)
