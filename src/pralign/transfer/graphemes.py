"""What readers see as one character, which no tag may cut."""

from __future__ import annotations

from unicodedata import category

_JOINER = "\u200d"
_JOINING = frozenset("\u200c\u200d")


def is_inside_character(text: str, at: int) -> bool:
    r"""Whether a place in a text is inside what readers see as one character.

    That is before a mark that the letter before it carries, beside what joins characters, inside a flag, between the
    letters of a Hangul syllable, in a line end of two characters, and in a surrogate pair.

    Example:
        >>> is_inside_character("e\u0301t\u00e9", 1), is_inside_character("e\u0301t\u00e9", 2)
        (True, False)
    """
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if after < "\u0300":
        return before + after == "\r\n"
    return (
        after in _JOINING
        or before == _JOINER
        or category(after)[0] == "M"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or "\U000e0020" <= after <= "\U000e007f"
        or _is_half_of_a_flag(text, at)
        or _is_within_a_syllable(before, after)
        or ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff")
    )


def _is_half_of_a_flag(text: str, at: int) -> bool:
    """Whether the indicator at a place is the second one of a flag."""
    first = at
    while first >= 0 and "\U0001f1e6" <= text[first] <= "\U0001f1ff":
        first -= 1
    return first < at and (at - first) % 2 == 0


def _is_within_a_syllable(before: str, after: str) -> bool:
    """Whether a medial or final Hangul letter follows what it belongs to."""
    if "\u1160" <= after <= "\u11ff":
        return "\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"
    return False


def beyond_character(text: str, at: int) -> int:
    r"""The place itself, or the end of the character that it is inside; later places never come before earlier ones.

    Example:
        >>> beyond_character("e\u0301t", 1), beyond_character("e\u0301t", 2)
        (2, 2)
    """
    while is_inside_character(text, at):
        at += 1
    return at
