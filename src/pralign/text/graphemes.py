"""What people see as one character: the extended grapheme clusters of Unicode 16 (UAX 29).

An accent belongs to its letter, a vowel sign to its consonant, jamo make up a syllable, and joiners, skin tones and
the two halves of a flag make one picture. No package is needed for it: Python knows the categories of characters, and
the rest is short enough to be listed here. Each character becomes a letter that says how it behaves, and a regular
expression over these letters finds the clusters.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from unicodedata import category

from pralign.text.tokens import Span

# Ranges of characters whose category does not tell how they behave, by the letter of their behaviour.
_LISTED = {
    # Pictures, which joiners join.
    "X": "A9 AE 203C 2049 2122 2139 2194-2199 21A9-21AA 231A-231B 2328 2388 23CF 23E9-23F3 23F8-23FA 24C2 "
    "25AA-25AB 25B6 25C0 25FB-25FE 2600-2605 2607-2612 2614-2685 2690-2705 2708-2712 2714 2716 271D 2721 "
    "2728 2733-2734 2744 2747 274C 274E 2753-2755 2757 2763-2767 2795-2797 27A1 27B0 27BF 2934-2935 "
    "2B05-2B07 2B1B-2B1C 2B50 2B55 3030 303D 3297 3299 1F000-1F0FF 1F10D-1F10F 1F12F 1F16C-1F171 "
    "1F17E-1F17F 1F18E 1F191-1F19A 1F1AD-1F1E5 1F201-1F20F 1F21A 1F22F 1F232-1F23A 1F23C-1F23F "
    "1F249-1F3FA 1F400-1F53D 1F546-1F64F 1F680-1F6FF 1F774-1F77F 1F7D5-1F7FF 1F80C-1F80F 1F848-1F84F "
    "1F85A-1F85F 1F888-1F88F 1F8AE-1F8FF 1F90C-1F93A 1F93C-1F945 1F947-1FAFF 1FC00-1FFFD",
    # Consonants of scripts in which a sign of "no vowel" (N) joins them to the next one.
    "K": "915-939 958-95F 978-97F 995-9A8 9AA-9B0 9B2 9B6-9B9 9DC-9DD 9DF 9F0-9F1 A95-AA8 AAA-AB0 AB2-AB3 "
    "AB5-AB9 AF9 B15-B28 B2A-B30 B32-B33 B35-B39 B5C-B5D B5F B71 C15-C28 C2A-C39 C58-C5A D15-D3A",
    "N": "94D 9CD ACD B4D C4D D4D",
    # Signs that are written before what they belong to.
    "P": "600-605 6DD 70F 890-891 8E2 D4E 110BD 110CD 111C2-111C3 113D1 1193F 11941 11A3A 11A84-11A89 11D46 11F02",
    # Jamo that begin, carry and end a syllable; the halves of flags.
    "L": "1100-115F A960-A97C",
    "V": "1160-11A7 D7B0-D7C6 16D63 16D67-16D6A",
    "T": "11A8-11FF D7CB-D7FB",
    "R": "1F1E6-1F1FF",
    # Marks that older versions of Python do not know, or that are of another category: they extend what is before.
    "E": "897 9BE 9D7 B3E B57 BBE BD7 CC0 CC2 CC7-CC8 CCA-CCB CD5-CD6 D3E D57 DCF DDF ECE 1715 1734 1B35 1B3B "
    "1B3D 1B43-1B44 1BAA 1BF2-1BF3 302E-302F A953 A9C0 FF9E-FF9F 10D69-10D6D 10EFC-10EFF 111C0 11235 "
    "11241 1133E 1134D 11357 113B8 113BB-113C0 113C2 113C5 113C7-113C9 113CE-113D0 113D2 113E1-113E2 "
    "114B0 114BD 115AF 116B6 11930 1193D 11F00-11F01 11F36-11F3A 11F40-11F42 11F5A 13440 13447-13455 "
    "1611E-16129 1612D-1612F 16FF0-16FF1 1D165-1D166 1D16D-1D172 1E08F 1E4EC-1E4EF 1E5EE-1E5EF "
    "1F3FB-1F3FF E0020-E007F",
    # Likewise those that take room of their own.
    "S": "CF3 E33 EB3 1171E 113B9-113BA 113CA 113CC-113CD 11F03 11F34-11F35 11F3E-11F3F 1612A-1612C",
    # Marks of Burmese, Shan and Tai that Unicode counts as characters.
    "O": "102B-102C 1038 1062-1064 1067-106D 1083 1087-108C 108F 109A-109C 1A61 1A63-1A64 AA7B AA7D 11720-11721",
    # The two joiners, and what is reserved for controls.
    "Z": "200C",
    "J": "200D",
    "C": "20 2065 FFF0-FFF8 13439-1343F E0000-E001F E0080-E00FF E01F0-E0FFF",
}
# What the category tells: marks extend or take room; controls, formats and separators stand alone.
_OF_CATEGORY = {"Mn": "E", "Me": "E", "Mc": "S", "Cc": "C", "Cf": "C", "Zl": "C", "Zp": "C"}
_HANGUL, _HANGUL_END, _SYLLABLES_OF_VOWEL = 0xAC00, 0xD7A3, 28

_CLUSTER = re.compile(
    "C"
    "|P*(?:RR|L*(?:V+|AV*|B)T*|L+|T+"  # a flag; a syllable, in which A is one without an end, and B one with it
    "|X(?:[ENZ]*JX)*"  # pictures, joined
    "|K(?:[EJ]*N[EJN]*K)+"  # consonants, joined
    "|[^C])[ENZJS]*"
)
_JOINING = re.compile("[^OCXKAB]")


class CharacterKinds(dict[int, str]):
    """A table for ``str.translate`` that gives each character a letter, found out when the character is first met."""

    def __init__(self, kind: Callable[[str], str]) -> None:
        super().__init__()
        self._kind = kind

    def __missing__(self, code: int) -> str:
        self[code] = kind = self._kind(chr(code))
        return kind


def _ranges() -> list[tuple[int, int, str]]:
    """What is listed above, in order: the first character, the last one, and their letter."""
    found = []
    for kind, text in _LISTED.items():
        for part in text.split():
            first, _, last = part.partition("-")
            found.append((int(first, 16), int(last or first, 16), kind))
    return sorted(found)


_RANGES = _ranges()


def _kind(character: str) -> str:
    """How a character behaves in clusters: a letter that is explained above, or O, of which nothing is special."""
    code = ord(character)
    if _HANGUL <= code <= _HANGUL_END:
        return "B" if (code - _HANGUL) % _SYLLABLES_OF_VOWEL else "A"
    number = bisect_right(_RANGES, (code, 0x110000, "")) - 1
    if number >= 0 and code <= _RANGES[number][1]:
        return _RANGES[number][2]
    return _OF_CATEGORY.get(category(character), "O")


_KINDS = CharacterKinds(_kind)


def clusters(text: str) -> list[Span]:
    r"""Where the characters of a text are that people see. Spaces and controls are characters that carry no marks.

    Example:
        >>> text = "e\u0301\U0001f44d\U0001f3fd!"
        >>> [text[start:end] for start, end in clusters(text)] == ["e\u0301", "\U0001f44d\U0001f3fd", "!"]
        True
    """
    kinds = text.translate(_KINDS)
    if not _JOINING.search(kinds):
        return [(k, k + 1) for k in range(len(text))]
    return [match.span() for match in _CLUSTER.finditer(kinds)]


def borders(text: str) -> list[int]:
    r"""The places in a text that cut no character that people see, its ends too.

    Example:
        >>> borders("e\u0301t")
        [0, 2, 3]
    """
    return [0, *(end for _, end in clusters(text))]


def whole(spans: list[Span], text: str) -> list[Span]:
    r"""Spans that come one after the other, those joined that cut a cluster.

    Example:
        >>> whole([(0, 1), (1, 2), (2, 3)], "e\u0301a")
        [(0, 2), (2, 3)]
    """
    if text.isascii() or not _JOINING.search(text.translate(_KINDS)):
        return spans
    begun = {start for start, _ in clusters(text)}
    joined: list[Span] = []
    for start, end in spans:
        if start in begun:
            joined.append((start, end))
        else:
            joined[-1] = (joined[-1][0], end)
    return joined


def is_blank(text: str) -> bool:
    r"""Whether there is nothing to see: white space of all kinds, controls and formats such as U+200B alone.

    Example:
        >>> is_blank("\u00a0\u200b"), is_blank("\u200fa"), is_blank("\u0301")
        (True, False, False)
    """
    return not (text.isprintable() and text.strip(" ")) and all(map(_is_blank, text))


def _is_blank(character: str) -> bool:
    kind = category(character)
    return kind[0] == "Z" or kind == "Cc" or (kind == "Cf" and _KINDS[ord(character)] != "P")
