"""Why two files that should have as many lines as each other have not: what can be told from the lines themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pralign.errors import PralignError
from pralign.text.files import is_regular_file, read_lines
from pralign.text.parting import Parting, find_parting, fit, lengths_of

Opener = Callable[[], Iterator[str]]

# So many lines are looked at, 40 MB of lengths.
_MOST_LINES = 5_000_000
# Characters at which other programs end lines: Python's splitlines, editors, databases.
_SEPARATORS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_DEFAULT = "line n of one has to translate line n of the other, so add what is missing or remove what is too much"


@dataclass(frozen=True)
class _Side:
    """What is counted of a file.

    Attributes:
        name: The name of the file.
        lines: How many lines it has.
        blank: How many of them are blank.
        blank_end: How many of these are the last ones.
        separators: How many characters there are inside lines at which other programs would end them.
    """

    name: str
    lines: int
    blank: int
    blank_end: int
    separators: int


def why_unequal(names: tuple[str, str], openers: tuple[Opener, Opener]) -> str:
    """What to do about two files with different numbers of lines, by what the lines look like.

    Args:
        names: What the files are called.
        openers: What reads each of them again.
    """
    try:
        sides = [_count(name, opener()) for name, opener in zip(names, openers, strict=True)]
        return _by_counts(sides) or _by_lengths(names, openers) or _DEFAULT
    except PralignError:  # it has changed meanwhile
        return _DEFAULT


def differ_in_lines(files: Sequence[str | Path]) -> bool:
    """Whether two files have different numbers of lines or cannot be read; ``False`` if they can be read only once."""
    if len(files) != 2 or not all(map(is_regular_file, files)):
        return False
    try:
        return len({sum(1 for _ in read_lines(path)) for path in files}) > 1
    except PralignError:
        return True


def _count(name: str, lines: Iterable[str]) -> _Side:
    count = blank = blank_end = separators = 0
    for line in lines:
        count += 1
        if line.strip(" \t"):
            blank_end = 0
            if not line.isprintable():
                separators += sum(map(line.count, _SEPARATORS))
        else:
            blank += 1
            blank_end += 1
    return _Side(name, count, blank, blank_end, separators)


def _by_counts(sides: list[_Side]) -> str | None:
    """A cause that shows in mere numbers."""
    short, long = sorted(sides, key=lambda side: side.lines)
    surplus = long.lines - short.lines
    are = "line is" if surplus == 1 else f"{surplus} lines are"
    if short.lines == 0:
        return f"{short.name} is empty; is it the right file?"
    if long.blank_end - short.blank_end == surplus:
        return f"the last {are} blank in {long.name}; remove {'it' if surplus == 1 else 'them'}"
    more = f"{surplus} {{}}{'s' if surplus > 1 else ''}"
    if short.separators == surplus:
        return (
            f"inside its lines, {short.name} has {more.format('separator')} such as U+2028 or \\r, at which "
            f"{long.name} was cut; turn them into line ends or into spaces in both"
        )
    if long.blank - short.blank == surplus:
        return f"{long.name} has {more.format('blank line')} more; drop the pair of each in both, or put it back"
    return None


def _by_lengths(names: tuple[str, str], openers: tuple[Opener, Opener]) -> str | None:
    """Where the lengths of lines stop to fit each other."""
    source, target = (lengths_of(islice(opener(), _MOST_LINES)) for opener in openers)
    place = find_parting(source, target)
    if place is not None:
        return f"they seem to part {where(place)}, where {surplus_of(place, names)}; put that right first"
    if fit(source, target):
        short, long = names if source.size < target.size else names[::-1]
        return f"they seem to fit as far as {short} goes, so its end is missing or the end of {long} is too much"
    return None


def where(place: Parting, first: int = 1) -> str:
    """Where two sides part, for people, if the first line has the number ``first``."""
    if place.last - place.first <= _NARROW:
        return f"near line {place.line + first}"
    return f"between lines {place.first + first} and {place.last + first}"


_NARROW = 6


def surplus_of(place: Parting, names: tuple[str, str]) -> str:
    """Which side has how many lines more where they part."""
    count = abs(place.offset)
    name = names[1] if place.offset > 0 else names[0]
    return f"{name} has {count} line{'s' if count > 1 else ''} more"
