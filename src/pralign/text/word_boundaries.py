"""The word boundaries of Unicode (UAX 29), quickly.

The package uniseg knows the Word_Break property of each character. Each becomes a letter of its property, and a
regular expression over these letters finds the words, many times as fast as the package itself. What Unicode lets a
reader skip, marks and formats that follow another character (rule WB4), is left out before.
"""

from __future__ import annotations

import re
from functools import cache

from pralign.text.extras import needed
from pralign.text.graphemes import CharacterKinds
from pralign.text.tokens import Span

_LETTERS = {
    "ALetter": "A",
    "Hebrew_Letter": "H",
    "Numeric": "9",
    "Katakana": "K",
    "ExtendNumLet": "_",
    "MidLetter": "m",
    "MidNumLet": "M",
    "MidNum": "u",
    "Single_Quote": "q",
    "Double_Quote": "d",
    "Regional_Indicator": "R",
    "WSegSpace": "W",
    "Extend": "e",
    "Format": "e",
    "ZWJ": "j",
    "CR": "C",
    "LF": "C",
    "Newline": "C",
}
# Y is a letter that is a picture, too. A small x, y or w goes with what is before it, whatever that is.
_LETTER = "[AHYy]"
_WORD = re.compile(
    "(?:RR|[AHYy9]+|[^C])(?:"
    "(?<=[AHYy9])[AHYy9]+"  # WB5, WB8-10
    f"|(?<={_LETTER})[mMq](?={_LETTER})|(?<={_LETTER}[mMq]){_LETTER}"  # WB6-7
    "|(?<=H)q|(?<=H)d(?=H)|(?<=Hd)H"  # WB7a-c
    "|(?<=9)[uMq](?=9)|(?<=9[uMq])9"  # WB11-12
    "|(?<=K)K|(?<=[AHYy9K_])_|(?<=_)[AHYy9K]"  # WB13
    "|[xyw])*"
)
_SKIPPED = re.compile("[ej]")


@cache
def _kinds() -> CharacterKinds:
    """The letter of each character."""
    word_break = needed("uniseg.wordbreak", "text").word_break
    is_picture = needed("uniseg.emoji", "text").extended_pictographic

    def kind(character: str) -> str:
        if character in " \t":  # which always end a word here, so that no mark can belong to them
            return "C"
        letter = _LETTERS.get(word_break(character).value, "O")
        return {"O": "X", "A": "Y"}[letter] if is_picture(character) else letter

    return CharacterKinds(kind)


def bounded(text: str) -> list[Span]:
    """Where words are, and all else that boundaries set apart, such as signs; not spaces, tabs and ends of lines.

    Raises:
        UsageError: The package uniseg is not installed.

    Example:
        >>> bounded("l'an 3.14!")
        [(0, 4), (5, 9), (9, 10)]
    """
    kinds = text.translate(_kinds())
    if not _SKIPPED.search(kinds) and "WW" not in kinds:
        return [match.span() for match in _WORD.finditer(kinds)]
    kinds = kinds.replace("jX", "jx").replace("jY", "jy")  # WB3c
    kinds = re.sub("(?<=W)W", "w", kinds)  # WB3d
    places = [k for k, kind in enumerate(kinds) if kind not in "ej" or not k or kinds[k - 1] == "C"]
    found = _WORD.finditer("".join([kinds[k] for k in places]))
    places.append(len(text))
    return [(places[match.start()], places[match.end()]) for match in found]
