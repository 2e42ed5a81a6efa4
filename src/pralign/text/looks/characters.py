"""Characters that are not seen, or that are not what was written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pralign.text.looks.base import ENOUGH, Finding, look
from pralign.text.looks.sample import Side, TextSample
from pralign.text.tokenizers import SPACES

# In so many lines of a hundred, and in so many lines at least, characters are no accident.
_SHARE, _LEAST = 0.01, 5

_NO_BREAK = "\u00a0\u202f\u2007"
# Within a number they are meant, as in 10 000.
_NOT_IN_NUMBER = re.compile(f"(?<!\\d)[{_NO_BREAK}]|[{_NO_BREAK}](?!\\d)")
_ZERO_WIDTH = "\u200b\u2060\u00ad\u200e\u200f"
# UTF-8 that was read as if it were Latin-1 or Windows-1252.
_MOJIBAKE = re.compile("[ÃÂÐÑ][\u0080-\u00bf]|â€|Ã[\u0152-\u0192\u02c6\u02dc\u2013-\u203a\u2122]")
# Not those five and the numbers by which the tokeniser of Moses writes its own characters.
_ENTITY = re.compile(
    r"&(?!(?:amp|lt|gt|quot|apos|#91|#93|#124|bar|bra|ket);)(?:#\d{2,5}|#x[0-9a-fA-F]{2,5}|[a-zA-Z]{2,8});"
)
_TAG = re.compile(r"</?(?:b|i|u|br|p|div|span|a|em|strong|font|seg|sup|sub)(?: [^<>]*)?/?>", re.I)


@look("nul")
def nul(sample: TextSample) -> Iterator[Finding]:
    """Zero bytes."""
    yield from _first(
        sample, "nul", "\0", "holds NUL bytes, which belong to no text; remove them: tr -d '\\0' < FILE > NEW"
    )


@look("byte-order-mark")
def byte_order_mark(sample: TextSample) -> Iterator[Finding]:
    """Byte-order marks that are not at the beginning of a file, where they are no part of the text."""
    advice = "begins with a byte-order mark (U+FEFF), as where files were joined; remove it: sed 's/\\xef\\xbb\\xbf//g'"
    yield from _first(sample, "byte-order-mark", "\ufeff", advice, at_start=True)


def _first(sample: TextSample, name: str, character: str, advice: str, at_start: bool = False) -> Iterator[Finding]:
    """The first line of each file with a character."""
    for file, lines in zip(sample.names, sample.lines, strict=True):
        for number, line in enumerate(lines, start=sample.first):
            if character in (line[:1] if at_start else line):
                yield Finding(name, advice, file, number)
                break


@look("mojibake", hides=["no-break-spaces", "zero-width"])
def mojibake(sample: TextSample) -> Iterator[Finding]:
    """Text that was once read in the wrong encoding, and text of which characters were lost."""
    advice = (
        "letters were read in the wrong encoding, so that é became Ã©; write the file again from its source as UTF-8"
    )
    yield from _frequent(sample.sides, "mojibake", "ÃÂÐÑâ", advice, _MOJIBAKE)


@look("lost-characters")
def lost_characters(sample: TextSample) -> Iterator[Finding]:
    """Replacement characters."""
    advice = "has replacement characters (U+FFFD), where letters were lost; write it again from its source as UTF-8"
    yield from _frequent(sample.sides, "lost-characters", "\ufffd", advice)


@look("no-break-spaces")
def no_break_spaces(sample: TextSample) -> Iterator[Finding]:
    """No-break spaces, which separate no words where spaces do."""
    advice = (
        "has no-break spaces, which separate no words; make them spaces: sed 's/\\xc2\\xa0/ /g; s/\\xe2\\x80\\xaf/ /g'"
    )
    by_spaces = [side for side in sample.sides if side.tokenize == SPACES]
    yield from _frequent(by_spaces, "no-break-spaces", _NO_BREAK, advice, _NOT_IN_NUMBER)


@look("zero-width")
def zero_width(sample: TextSample) -> Iterator[Finding]:
    """Invisible characters inside words, by which equal words differ."""
    advice = "has invisible characters (such as U+200B or U+00AD), by which equal words differ; remove them first"
    yield from _frequent(sample.sides, "zero-width", _ZERO_WIDTH, advice)


@look("entities")
def entities(sample: TextSample) -> Iterator[Finding]:
    """Character entities of HTML."""
    advice = "has characters written as in HTML; turn them into characters first (html.unescape of Python does)"
    yield from _frequent(sample.sides, "entities", "&", advice, _ENTITY)


@look("markup")
def markup(sample: TextSample) -> Iterator[Finding]:
    """Tags of HTML within sentences."""
    yield from _frequent(sample.sides, "markup", "<", "has tags of HTML between its words; remove them first", _TAG)


def _frequent(
    sides: Iterable[Side], name: str, characters: str, advice: str, pattern: re.Pattern[str] | None = None
) -> Iterator[Finding]:
    """Sides in which characters are no accident, alone or as a pattern has them, with the first line where they are."""
    for side in sides:
        if len(side.filled) < ENOUGH or not any(map(side.text.__contains__, characters)):
            continue
        found = pattern or re.compile(f"[{characters}]")
        numbers = [number for number, line in enumerate(side.sentences, start=side.first) if found.search(line)]
        if len(numbers) >= max(_LEAST, _SHARE * len(side.filled)):
            share = f"{100 * len(numbers) / len(side.filled):.0f} % of its lines"
            yield Finding(name, f"{advice} ({share})", side.name, numbers[0])
