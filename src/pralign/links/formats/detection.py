"""Telling the format of an alignment file by its first lines."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.links.formats.base import parse_index, parse_score
from pralign.links.formats.gold import STATES
from pralign.links.formats.inline import NULL, SURE

_MOST_LINES = 1000
_MOST_SCORES = 2
_GOLD, _TALP = "?", "p"
_MARKS = (SURE, _GOLD, _TALP)
_SCORED = {f"{SURE}:", f"{_GOLD}:"}
_LEAST_FIELDS, _MOST_FIELDS = 3, 5


def detect_format(lines: Iterable[str], name: str = "the alignments") -> str:
    """The name of the format that text lines are in.

    At most the first thousand lines are looked at, fewer if they leave no doubt. The first line that is not blank tells
    files of objects (``jsonl``), of headers (``giza``) and of numbers (``naacl``) from those of links like ``0-0``.
    For the latter the answer is the format whose reader takes all of what was seen:

    ===========  ==========================================================================================
    ``gold``     A link like ``0?1``, or a line with the word ``none`` or ``skipped``, and no scores before it.
    ``talp``     A link like ``0p1``.
    ``scored``   All links have a score, like ``0-0:0.9`` or ``0?1:0.9``, or are links to ``NULL``.
    ``pharaoh``  Any others, be it that no link has a score or that only some have. Blank lines alone, too.
    ===========  ==========================================================================================

    After links, a line without any ends the looking: whoever reads the file in its format will name the line, and what
    was expected. What a file counts words from cannot be told, and neither can a format that was registered later.

    Args:
        lines: The lines, with or without their line ends. No more of them are taken than needed.
        name: What the message calls the file.

    Raises:
        InputError: The first line that is not blank looks like none of these formats; the message names it.

    Example:
        >>> detect_format(["", "0-0 1-2", "0-0 1?1"]), detect_format(["0-0:0.93 NULL-1:0.2"])
        ('gold', 'scored')
    """
    seen: set[str] = set()
    for number, line in enumerate(islice(lines, _MOST_LINES), start=1):
        tokens = line.split()
        if not tokens:
            continue
        kinds = {_kind_of_link(token) for token in tokens}
        if seen <= {SURE} and line.strip() in STATES:
            return "gold"
        if "" not in kinds:
            seen |= kinds
            if (certain := _certain(seen)) is not None:
                return certain
        elif seen:
            break
        elif (other := _other_than_links(line, tokens)) is not None:
            return other
        else:
            raise _unrecognised(line, number, name)
    return "scored" if seen & _SCORED else "pharaoh"


def _kind_of_link(token: str) -> str:
    """The mark between the positions of a link, with a colon after it if the link has a score; ``""`` for no link."""
    head, colon, tail = token.partition(":")
    if _is_null_link(head):  # only the reader of scored files takes these, with a score or without
        return f"{SURE}:"
    mark = next((mark for mark in _MARKS if mark in head), "")
    if not mark or any(parse_index(text) is None for text in head.split(mark, 1)):
        return ""
    scores = tail.split(":") if colon else []
    if len(scores) > (0 if mark == _TALP else _MOST_SCORES) or any(parse_score(text) is None for text in scores):
        return ""
    return mark + colon


def _is_null_link(head: str) -> bool:
    positions = head.split(SURE, 1)
    return NULL in positions and any(parse_index(text) is not None for text in positions)


def _certain(seen: set[str]) -> str | None:
    """The format of links of these kinds, if no further line can change it."""
    if _TALP in seen:
        return "talp"
    if seen & _SCORED:
        return "pharaoh" if seen - _SCORED else None
    return "gold" if _GOLD in seen else None


def _other_than_links(line: str, tokens: list[str]) -> str | None:
    if line.lstrip().startswith("{"):
        return "jsonl"
    if line.startswith("# Sentence pair ("):
        return "giza"
    return "naacl" if _is_naacl(tokens) else None


def _is_naacl(fields: list[str]) -> bool:
    if not _LEAST_FIELDS <= len(fields) <= _MOST_FIELDS or any(parse_index(field) is None for field in fields[:3]):
        return False
    rest = fields[4:] if fields[3:4] in (["S"], ["P"]) else fields[3:]
    return len(rest) <= 1 and all(parse_score(field) is not None for field in rest)


def _unrecognised(line: str, number: int, name: str) -> InputError:
    from pralign.links.formats import FORMATS  # which imports this module

    return InputError(
        f"{name}, line {number}: the format of alignments was not recognised: found {quoted(line.strip())}; "
        f"known are {', '.join(FORMATS)}"
    )
