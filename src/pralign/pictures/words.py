"""Words made fit to be shown: harmless characters only, measured and cut by the columns they take."""

from __future__ import annotations

from typing import Literal
from unicodedata import bidirectional, category

from rich.cells import cell_len

from pralign.characters import SHAPING, is_harmful

Colour = Literal["green", "yellow", "red", "dim"]

ELLIPSIS = "…"
_JOINER, _NON_JOINER = "\N{ZERO WIDTH JOINER}", "\N{ZERO WIDTH NON-JOINER}"
_CARRIER = "\N{DOTTED CIRCLE}"
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_BLANK = "\N{BRAILLE PATTERN BLANK}"
_FIRST_STRONG, _END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
_NO_ISOLATES = str.maketrans("", "", _FIRST_STRONG + _END)  # of which older tables say that they take a column
_PICTURES = {chr(code): chr(0x2400 + code) for code in range(0x20)} | {
    "\x7f": "\N{SYMBOL FOR DELETE}",
    "\N{LINE SEPARATOR}": "\N{SYMBOL FOR NEWLINE}",
    "\N{PARAGRAPH SEPARATOR}": "\N{SYMBOL FOR NEWLINE}",
}
# Marks of direction order the letters of a word, and cannot turn what is around it where words are isolated.
_KEPT = SHAPING | {"\u200e", "\u200f", "\u061c"}
_CODES: dict[Colour, int] = {"green": 32, "yellow": 33, "red": 31, "dim": 2}


def visible(word: str) -> str:
    r"""What of a word can be shown, in a picture or on a terminal, without harm to anything around it.

    Control characters, which would move the cursor or end up as a broken file, are shown as their pictures (␛ for
    escape) or as � where there is none. Characters that turn the direction of what follows are left out, as are others
    that cannot be seen. Letters, marks, signs and emoji stay as they are. A mark without a letter sits on a dotted
    circle, not on the word before. A word of which nothing would be seen is shown as its code points.

    Example:
        >>> visible("maison"), visible("a\x1b[31m"), visible("\u202eabc"), visible("\u200f"), visible("\u0301")
        ('maison', 'a␛[31m', 'abc', 'U+200F', '◌́')
    """
    text = "".join(map(_harmless, word))
    if not any(map(_is_seen, text)):
        return ",".join(f"U+{ord(character):04X}" for character in word)
    text = text.lstrip(_JOINER + _NON_JOINER)
    alone = cell_len(text[0]) == 0 and category(text[0]) != "Cf"
    return _CARRIER + text if alone else text


def graphemes(text: str) -> list[str]:
    """The characters as people see them: a letter with its marks, an emoji with all it is joined to.

    A simplification of the rules of Unicode that needs no tables: what takes no column of its own goes with what is
    before it, two letters of a flag go together, and so do pictographs with a joiner between them.

    Example:
        >>> [len(part) for part in graphemes("e\u0301te\u0301")]
        [2, 1, 2]
    """
    found: list[str] = []
    for character in text:
        if found and _belongs_to(found[-1], character):
            found[-1] += character
        else:
            found.append(character)
    return found


def for_terminal(word: str, most: int | None = None) -> str:
    """A word as a terminal may show it: visible, cut to ``most`` columns if given, and unable to turn a line.

    Terminals that know of right-to-left scripts put neighbouring words of such a script in the reverse order, which
    would exchange the columns of a table. An isolate around each word, invisible itself, keeps them apart.

    Example:
        >>> for_terminal("incomprehensible", 8)
        'incompr…'
    """
    text = unjoined(visible(word))
    return isolated(text if most is None else shortened(text, most))


def columns(text: str) -> int:
    """The columns a text takes on a terminal: none for a combining mark, two for a Chinese character."""
    return cell_len(text.translate(_NO_ISOLATES))


def shortened(text: str, most: int) -> str:
    """The text itself if it takes at most ``most`` columns, or else its beginning and an ellipsis."""
    if columns(text) <= most:
        return text
    kept, room = "", most - columns(ELLIPSIS)
    for grapheme in graphemes(text):
        room -= columns(grapheme)
        if room < 0:
            break
        kept += grapheme
    return kept + ELLIPSIS


def runs_leftwards(text: str) -> bool:
    """Whether any of the text is read from right to left."""
    return any(bidirectional(character) in ("R", "AL", "AN") for character in text)


def isolated(text: str) -> str:
    """The text within an isolate if any of it is read from right to left."""
    return f"{_FIRST_STRONG}{text}{_END}" if runs_leftwards(text) else text


def unjoined(text: str) -> str:
    """The text without joiners, but for those within emoji; terminals do not join letters, and then miscount them."""
    if _JOINER not in text:
        return text
    around = zip(" " + text, text, text[1:] + " ", strict=False)
    return "".join(
        character
        for before, character, after in around
        if character != _JOINER or (_is_pictograph(after) and (_is_pictograph(before) or category(before) == "Mn"))
    )


def painted(text: str, colour: Colour | None) -> str:
    """The text with the codes that make a terminal show it in a colour; without a colour, the text itself."""
    return text if colour is None or not text else f"\x1b[{_CODES[colour]}m{text}\x1b[0m"


def _harmless(character: str) -> str:
    if character in _PICTURES:
        return _PICTURES[character]
    if character in _KEPT or not is_harmful(character):
        return character
    return "" if category(character) == "Cf" else _UNKNOWN


def _is_seen(character: str) -> bool:
    if character == "\N{COMBINING GRAPHEME JOINER}" or _is_variation_selector(character):
        return False
    kind = category(character)
    return kind[0] == "M" or (kind != "Zs" and character != _BLANK and cell_len(character) > 0)


def _is_variation_selector(character: str) -> bool:
    return 0xFE00 <= ord(character) <= 0xFE0F or 0xE0100 <= ord(character) <= 0xE01EF


def _is_pictograph(character: str) -> bool:
    # The letters of flags are no pictographs. What is newer than the tables of this Python has no category yet.
    code = ord(character)
    return (category(character) == "So" or 0x1F000 <= code <= 0x1FAFF) and not _is_flag_letter(character)


def _is_flag_letter(character: str) -> bool:
    return "\N{REGIONAL INDICATOR SYMBOL LETTER A}" <= character <= "\N{REGIONAL INDICATOR SYMBOL LETTER Z}"


def _belongs_to(before: str, character: str) -> bool:
    if _is_flag_letter(character):
        return len(before) == 1 and _is_flag_letter(before)
    if before.endswith(_JOINER) and _is_pictograph(character):
        return True
    return category(character)[0] == "M" or cell_len(character) == 0
