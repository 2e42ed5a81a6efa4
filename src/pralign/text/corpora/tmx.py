"""Translation memories (TMX): units of the same text in several languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from pralign.errors import InputError, UsageError
from pralign.text.corpora.base import READERS, Choice, CorpusReader, Row
from pralign.text.corpora.xml import XML_LANGUAGE, elements, local_name, text_of
from pralign.text.files import display_name

#: Inline elements whose content is code of other formats.
CODE = ("bpt", "ept", "it", "ph", "ut")

# So many units are looked at before a language counts as missing.
_LOOKED_AT = 1000


class TmxReader(CorpusReader):
    """A pair for each translation unit; units that lack one of the languages are pairs with an empty side."""

    name = "tmx"
    suffixes: ClassVar[tuple[str, ...]] = (".tmx",)

    def rows(self, path: str | Path, choice: Choice) -> Iterator[Row]:
        """Yield the pairs of two languages: those that were chosen, or those that the first unit has."""
        name = display_name(path)
        wanted = choice.columns
        found: set[str] = set()
        number = 0
        for number, unit in enumerate(elements(path, ["tu"]), start=1):
            variants = [(language_of(variant), variant) for variant in unit if local_name(variant) == "tuv"]
            if wanted is None:
                wanted = _only_two(variants, name, number)
            source, target = (_text(variants, language) for language in wanted)
            if number <= _LOOKED_AT:
                found.update(language for language, _ in variants)
            if number == _LOOKED_AT:
                _check_found(wanted, found, name)
            yield Row(source, target, _extras(unit))
        if wanted is None:
            raise InputError(f"{name}: there are no translation units (<tu>) in it")
        _check_found(wanted, found, name)


def _check_found(wanted: tuple[str, str], found: set[str], name: str) -> None:
    """Complain of a language that no unit has."""
    for language in wanted:
        if not any(matches(there, language) for there in found):
            raise UsageError(f"{name} has no text in {language!r}; there are {', '.join(sorted(found)) or 'none'}")


def language_of(variant: Any) -> str:
    """The language of a variant of a unit, as its attribute says."""
    return str(variant.get(XML_LANGUAGE) or variant.get("lang") or "")


def matches(language: str, wanted: str) -> bool:
    """Whether a language is the one that is wanted, which may leave out its region.

    Example:
        >>> matches("en-US", "en"), matches("EN", "en"), matches("en", "en-US")
        (True, True, False)
    """
    language, wanted = language.lower().replace("_", "-"), wanted.lower().replace("_", "-")
    return language == wanted or language.startswith(f"{wanted}-")


def _only_two(variants: list[tuple[str, Any]], name: str, number: int) -> tuple[str, str]:
    languages = list(dict.fromkeys(language for language, _ in variants))
    if len(languages) != 2:
        raise UsageError(
            f"{name}: unit {number} has {len(languages)} languages ({', '.join(languages) or 'none'}); choose two, "
            "such as --columns en,fr"
        )
    return languages[0], languages[1]


def _text(variants: list[tuple[str, Any]], wanted: str) -> str:
    """The text of a unit in a language: of that very name rather than of a region; nothing if there is none."""
    fitting = [pair for pair in variants if matches(pair[0], wanted)]
    fitting.sort(key=lambda pair: pair[0].lower() != wanted.lower())
    for _, variant in fitting:
        for segment in variant:
            if local_name(segment) == "seg":
                return text_of(segment, CODE)
    return ""


def _extras(unit: Any) -> dict[str, Any]:
    identifier = unit.get("tuid")
    return {} if identifier is None else {"tuid": identifier}


READERS.register(TmxReader.name, TmxReader())
