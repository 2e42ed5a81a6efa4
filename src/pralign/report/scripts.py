"""Which script a text is written in, and whether it has italics."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping

SLANTING = ("Latn", "Grek", "Cyrl")
"""The scripts that have italics; in others, slanted letters are only hard to read."""

UNKNOWN = "Zyyy"

# The first word of the Unicode name of a letter, and the code of its script (ISO 15924).
_CODES = {
    "LATIN": "Latn",
    "GREEK": "Grek",
    "CYRILLIC": "Cyrl",
    "ARMENIAN": "Armn",
    "GEORGIAN": "Geor",
    "HEBREW": "Hebr",
    "ARABIC": "Arab",
    "SYRIAC": "Syrc",
    "ETHIOPIC": "Ethi",
    "DEVANAGARI": "Deva",
    "BENGALI": "Beng",
    "GURMUKHI": "Guru",
    "GUJARATI": "Gujr",
    "ORIYA": "Orya",
    "TAMIL": "Taml",
    "TELUGU": "Telu",
    "KANNADA": "Knda",
    "MALAYALAM": "Mlym",
    "SINHALA": "Sinh",
    "THAI": "Thai",
    "LAO": "Laoo",
    "TIBETAN": "Tibt",
    "MYANMAR": "Mymr",
    "KHMER": "Khmr",
    "HANGUL": "Kore",
    "HIRAGANA": "Jpan",
    "KATAKANA": "Jpan",
    "CJK": "Hani",
}
_FEW = 20
_MOST_WORDS = 5000


def script_of(frequencies: Mapping[str, int]) -> str:
    """The code of the script that most letters of a text are in, such as ``Latn``; ``Zyyy`` if none is known.

    Chinese characters are Japanese if one letter in twenty is kana.

    Args:
        frequencies: How often the text has each word; of many words, the first ones are looked at.

    Example:
        >>> [script_of(words) for words in ({"Haus": 2, "東京": 1}, {"東京": 3, "に": 1}, {"שלום": 1}, {"1": 1})]
        ['Latn', 'Jpan', 'Hebr', 'Zyyy']
    """
    found = Counter[str]()
    for word, count in list(frequencies.items())[:_MOST_WORDS]:
        for letter in filter(str.isalpha, word):
            found[_code(letter)] += count
    if found["Jpan"] * _FEW > found["Hani"]:
        found["Jpan"] += found.pop("Hani", 0)
    return max(found, key=lambda code: found[code], default=UNKNOWN)


def slants(frequencies: Mapping[str, int]) -> bool:
    """Whether the script of a text has italics."""
    return script_of(frequencies) in SLANTING


def _code(letter: str) -> str:
    first = unicodedata.name(letter, "").partition(" ")[0]
    return _CODES.get(first, UNKNOWN)
