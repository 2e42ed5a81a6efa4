"""Translation memories (TMX)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pralign.characters import quoted
from pralign.errors import UsageError
from pralign.text.corpora.tmx import matches
from pralign.transfer.tag_files.xml import XmlPair, XmlTags
from pralign.transfer.xml_units import Element

_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
# So many languages are remembered for messages.
_REMEMBERED = 100


class TmxTags(XmlTags):
    """A translation memory: a pair for each unit, with an empty side if it lacks one of the languages.

    Of several texts in a language, the first in that very language counts, or else the first in one of its regions.

    Example:
        >>> import tempfile
        >>> sides = '<tuv xml:lang="en"><seg>a <ph x="1"/> car</seg></tuv><tuv xml:lang="fr"><seg>une auto</seg></tuv>'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "memory.tmx")
        ...     _ = path.write_text(f'<tmx version="1.4"><body><tu>{sides}</tu></body></tmx>', encoding="utf-8")
        ...     print(list(TmxTags(path, ("en", "fr")).pairs()))
        [('a  car', 'une auto')]
    """

    unit_names = frozenset({"tu"})
    code = frozenset({"bpt", "ept", "it", "ph", "ut", "sub"})
    missing = "there are no translation units (<tu>) in it"

    def __init__(self, path: str | Path, languages: tuple[str, str]) -> None:
        """Name the file and the languages of source and target, such as ``("en", "fr")``.

        Raises:
            UsageError: The file can be read only once.
        """
        super().__init__(path)
        self.languages = languages

    def pairs_of(self, unit: Element) -> Iterator[XmlPair]:
        """The pair of a unit."""
        texts = [
            (language_of(variant), segment)
            for variant in unit.children()
            if variant.name == "tuv"
            for segment in variant.children()
            if segment.name == "seg"
        ]
        source, target = (self.first_with_text(_in_language(texts, language)) for language in self.languages)
        yield self.pair_of(source, target)

    def pieces(self, blocks: Iterable[str]) -> Iterator[str | Element]:
        """Units, and what is between them; at the end, a language that no unit has is complained of.

        Raises:
            UsageError: There is one.
        """
        found: dict[str, None] = {}
        for piece in super().pieces(blocks):
            if isinstance(piece, Element) and len(found) < _REMEMBERED:
                found.update((language_of(child), None) for child in piece.children() if child.name == "tuv")
            yield piece
        for language in self.languages:
            if len(found) < _REMEMBERED and not any(matches(there, language) for there in found):
                there = ", ".join(map(quoted, sorted(found)))
                raise UsageError(f"{self.name} has no text in {quoted(language)}; there are {there or 'none'}")


def language_of(variant: Element) -> str:
    """The language of a variant of a unit, as its attributes say."""
    return variant.get(_LANGUAGE) or variant.get("lang") or ""


def _in_language(texts: list[tuple[str, Element]], wanted: str) -> list[Element]:
    """The texts in a language, first those in that very one."""
    fitting = [(language, segment) for language, segment in texts if matches(language, wanted)]
    fitting.sort(key=lambda pair: not matches(wanted, pair[0]))
    return [segment for _, segment in fitting]
