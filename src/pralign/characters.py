"""Characters that must not be shown as they are, and text from outside made fit for messages."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import category

_LONGEST_QUOTE = 60
# So many names are listed in messages, and so much of each.
_MOST_LISTED, _LONGEST_LISTED = 20, 40
# Controls, halves of surrogate pairs, separators of lines and paragraphs, and what is not seen but acts on other text.
_HARMFUL = ("Cc", "Cs", "Zl", "Zp", "Cf")
#: Of the format characters, those that shape the letters of a word or are seen themselves (Arabic, Kaithi, flags).
SHAPING = frozenset(
    "\u200c\u200d\u06dd\u070f\u08e2\u0890\u0891\U000110bd\U000110cd"
    + "".join(map(chr, [*range(0x600, 0x606), *range(0xE0020, 0xE0080)]))
)


def is_harmful(character: str) -> bool:
    r"""Whether a character could move the cursor, end a line, turn the direction of text, or hide something.

    Example:
        >>> [is_harmful(character) for character in ("é", "\u5bb6", "\x1b", "\u2028", "\u202e")]
        [False, False, True, True, True]
    """
    return character not in SHAPING and (category(character) in _HARMFUL or _is_no_character(character))


def escaped(text: str) -> str:
    r"""Text from outside as a message on a terminal may hold it: on one line, and without any codes.

    Words of all scripts stay as they are. Control characters (line ends and tabs too), line separators, characters that
    turn the direction of text, and other invisible ones are written as in a string of Python.

    Example:
        >>> print(escaped("maison \u5bb6 \u05d1\u05d9\u05ea"), escaped("a\x1b[31m\nb\u202e"))
        maison 家 בית a\x1b[31m\nb\u202e
    """
    if text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode() if is_harmful(character) else character for character in text
    )


def quoted(text: str, most: int = _LONGEST_QUOTE) -> str:
    """Text from outside between quotes, and only its beginning if it is long.

    Example:
        >>> print(quoted("maison"), quoted("very long indeed", 9))
        'maison' 'very long…'
    """
    return repr(text if len(text) <= most else text[:most] + "…")


def listed(names: Iterable[object]) -> str:
    """Some names for a message, which is no longer than people read.

    Example:
        >>> listed(["en", "fr"]), listed([])
        ('en, fr', 'none')
    """
    every = [str(name) for name in names]
    shown = [name if len(name) <= _LONGEST_LISTED else f"{name[:_LONGEST_LISTED]}…" for name in every[:_MOST_LISTED]]
    more = f" and {len(every) - len(shown)} more" if len(every) > len(shown) else ""
    return (", ".join(shown) or "none") + more


def _is_no_character(character: str) -> bool:
    code = ord(character)
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
