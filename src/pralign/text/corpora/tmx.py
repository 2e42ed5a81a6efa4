"""Translation memories (TMX): units of the same text in several languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from pralign.characters import listed
from pralign.errors import InputError, UsageError
from pralign.text.corpora.base import READERS, Choice, CorpusReader, Row
from pralign.text.corpora.xml import read_units
from pralign.text.corpora.xml_units import XML_LANGUAGE, Attributes, Shape, Unit
from pralign.text.raw import display_name

SHAPE = Shape(
    units=frozenset({"tu"}),
    between="tuv",
    texts=frozenset({"seg"}),
    code=frozenset({"bpt", "ept", "it", "ph", "ut", "sub"}),
    around="header",
)
#: The language of a header that speaks for no unit.
ALL_LANGUAGES = "*all*"

# So many different lists of languages are remembered.
_REMEMBERED = 100


class TmxReader(CorpusReader):
    """A pair for each translation unit; units that lack one of the languages are pairs with an empty side.

    Of a unit that has a language several times, the first text in that very language counts, or else the first in one
    of its regions. Codes inside texts, and the text inside of codes (``sub``), are left out.
    """

    name = "tmx"
    suffixes: ClassVar[tuple[str, ...]] = (".tmx",)

    def rows(self, path: str | Path, choice: Choice, limit: int) -> Iterator[Row]:
        """Yield the pairs of two languages: those that were chosen, or those that the first unit has."""
        name = display_name(path)
        wanted = choice.columns
        picks: dict[tuple[str, ...], tuple[int, int]] = {}  # by the languages of a unit, which are mostly the same
        seen: dict[str, None] = {}
        missing = {0, 1}
        number = 0
        for number, unit in enumerate(read_units(path, SHAPE, limit), start=1):
            languages = tuple([language_of(text.attributes) for text in unit.texts])
            if wanted is None:
                wanted = _only_two(languages, unit, f"{name}, unit {number}")
            picked = picks.get(languages)
            if picked is None:
                picked = _picked(languages, wanted)
                missing -= {side for side in (0, 1) if picked[side] >= 0}
                if len(picks) < _REMEMBERED:
                    picks[languages] = picked
                    seen.update(dict.fromkeys(languages[:_REMEMBERED]))
            texts, (source, target) = unit.texts, picked
            yield Row(
                texts[source].text if source >= 0 else "", texts[target].text if target >= 0 else "", _extras(unit)
            )
        if wanted is None or not number:
            raise InputError(f"{name}: there are no translation units (<tu>) in it")
        for side in missing:
            raise UsageError(f"{name} has no text in {wanted[side]!r}; there are {listed(seen)}")


def language_of(attributes: Attributes) -> str:
    """The language of a variant of a unit, as its attributes say."""
    return attributes.get(XML_LANGUAGE) or attributes.get("lang") or ""


def matches(language: str, wanted: str) -> bool:
    """Whether a language is the one that is wanted, which may leave out its region.

    Example:
        >>> matches("en-US", "en"), matches("EN", "en"), matches("en", "en-US")
        (True, True, False)
    """
    language, wanted = _normal(language), _normal(wanted)
    return language == wanted or language.startswith(f"{wanted}-")


def _normal(language: str) -> str:
    return language.strip().lower().replace("_", "-")


def _only_two(languages: Sequence[str], unit: Unit, where: str) -> tuple[str, str]:
    """The two languages of a unit, first that of which the header says that it is the source."""
    found = list(dict.fromkeys(languages))
    if len(found) != 2:
        raise UsageError(
            f"{where} has {len(found)} language{'' if len(found) == 1 else 's'} ({listed(found)}); choose two, such as "
            "--columns en,fr"
        )
    source = unit.around.get("srclang", ALL_LANGUAGES)
    found.sort(key=lambda language: not matches(language, source))
    return found[0], found[1]


def _picked(languages: Sequence[str], wanted: tuple[str, str]) -> tuple[int, int]:
    """Which of a unit's texts are those in the wanted languages; -1 where there is none."""
    return _pick(languages, wanted[0]), _pick(languages, wanted[1])


def _pick(languages: Sequence[str], wanted: str) -> int:
    fitting = [k for k, language in enumerate(languages) if matches(language, wanted)]
    return min(fitting, key=lambda k: (_normal(languages[k]) != _normal(wanted), k), default=-1)


def _extras(unit: Unit) -> dict[str, Any]:
    identifier = unit.attributes.get("tuid")
    return {} if identifier is None else {"tuid": identifier}


READERS.register(TmxReader.name, TmxReader())
