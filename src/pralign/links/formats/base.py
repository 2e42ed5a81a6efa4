"""What every alignment file format has in common: the interface, the records, and how errors are worded."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.links.alignment import Alignment, Link

_LONGEST_INDEX = 9  # digits; no sentence is longer, and every index still fits a 32-bit integer
# Where nothing tells the number of pairs, a file may stand for so many, and so many more for each that it mentions.
_MOST_PAIRS = 10_000
_MOST_SKIPPED = 100


class Record(NamedTuple):
    """One sentence pair as a file may hold it: its alignment and, where known, its words and its score.

    Attributes:
        alignment: The links of the pair.
        source: The source words, or ``None`` where only positions are known.
        target: The target words, or ``None``.
        score: A number for the whole pair, such as its probability under a model.
        extras: What else is known of the pair, by name.
    """

    alignment: Alignment
    source: Sequence[str] | None = None
    target: Sequence[str] | None = None
    score: float | None = None
    extras: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ReadContext:
    """What a reader must know besides the text lines.

    Attributes:
        name: The file's name, for messages.
        base: The number of the first word of a sentence in this file, 0 or 1.
        lines: How many pairs the file stands for, or ``None`` if only the file can tell. Formats that write
            nothing for an empty alignment need it to get the number of pairs right.
    """

    name: str
    base: int = 0
    lines: int | None = None

    def error(self, number: int, found: str, expected: str) -> InputError:
        """The error for text line ``number`` (counted from 1), to be raised by the caller."""
        return InputError(f"{self.name}, line {number}: found {quoted(found)}; expected {expected}")

    def sentence_id(self, number: int, text: str) -> int:
        """The sentence id in ``text``, checked: ids count from 1 and do not exceed ``lines``.

        Raises:
            InputError: It is no such id.
        """
        value = parse_index(text)
        if value is None or value < 1:
            raise self.error(number, text, "a sentence id: a whole number, 1 or more")
        if self.lines is not None and value > self.lines:
            raise self.error(number, text, f"a sentence id from 1 to {self.lines}, the number of pairs")
        return value

    def pairs(self, highest: int, number: int, mentioned: int) -> int:
        """How many pairs a file stands for that leaves some out.

        An id is only a claim: without ``lines``, a few bytes could ask for a billion empty alignments. So it must be
        in proportion to what the file holds.

        Args:
            highest: The highest sentence id.
            number: The text line that has it.
            mentioned: How many pairs or links the file has.

        Raises:
            InputError: So many pairs are hardly meant.
        """
        if self.lines is not None:
            return self.lines
        if highest > (most := _MOST_PAIRS + _MOST_SKIPPED * mentioned):
            raise self.error(
                number,
                str(highest),
                f"a sentence id of at most {most} in so small a file; if there are more pairs, say how many "
                "(--lines N) or give their text (--source and --target)",
            )
        return highest


class AlignmentFormat(ABC):
    """A way to write alignments as text.

    To add a format, derive from this class, set ``name`` and ``description``, write :meth:`read` and
    :meth:`write`, and pass an instance to :func:`pralign.links.formats.register_format`.

    Attributes:
        name: The name users choose it by.
        description: One line for people, shown in help texts.
        default_base: The number of the first word in files of this format, 0 or 1.
        base_is_ambiguous: Files with either base are common, so a program should say which one it used.
        needs_text: Writing needs the words of both sides.
        carries_text: Files may contain the words; :meth:`read_records` returns them.
        holds_possible: Possible links survive; other formats write the sure links only.
        holds_scores: Scores of links survive.
        may_skip_pairs: A file may leave out pairs, so that only ``ReadContext.lines`` tells their number.
    """

    name: str
    description: str
    default_base: int = 0
    base_is_ambiguous: bool = False
    needs_text: bool = False
    carries_text: bool = False
    holds_possible: bool = False
    holds_scores: bool = False
    may_skip_pairs: bool = False

    @abstractmethod
    def read(self, lines: Iterable[str], context: ReadContext) -> Iterator[Alignment]:
        """Yield one alignment a pair, with positions counted from zero whatever the file's base.

        Raises:
            InputError: A line is not in this format; the message names file, line and what was found.
        """

    @abstractmethod
    def write(self, records: Iterable[Record], base: int) -> Iterator[str]:
        """Yield text lines without line ends; a pair may take none, one or several.

        Raises:
            InputError: A record lacks something the format cannot do without.
        """

    def unwritable(self, words: Sequence[str]) -> str | None:
        """The first of some words that a file of this format cannot hold, if there is one."""
        return None

    def read_records(self, lines: Iterable[str], context: ReadContext) -> Iterator[Record]:
        """Like :meth:`read`, with the words and the score of each pair where the format carries them."""
        return map(Record, self.read(lines, context))


class LinkCollector:
    """Gathers the links of one pair in the order a file lists them.

    A link that is listed as sure and as possible is sure. A repeated link counts once, its last score wins.
    Scores are kept only if every link has one, because an alignment has scores for all its links or none.

    Example:
        >>> pair = LinkCollector()
        >>> pair.add((1, 0), possible=True)
        >>> pair.add((0, 0))
        >>> pair.alignment()
        Alignment(links=((0, 0), (1, 0)), scores=None, possible=frozenset({(1, 0)}))
    """

    __slots__ = ("_scores", "_sure")

    def __init__(self) -> None:
        self._scores: dict[Link, float | None] = {}
        self._sure: set[Link] = set()

    def add(self, link: Link, *, possible: bool = False, score: float | None = None) -> None:
        """Add one link, positions counted from zero."""
        self._scores[link] = score
        if not possible:
            self._sure.add(link)

    def alignment(self) -> Alignment:
        """The alignment of everything added so far."""
        links = sorted(self._scores)
        scores = [score for link in links if (score := self._scores[link]) is not None]
        complete = bool(links) and len(scores) == len(links)
        possible = frozenset(links) - self._sure
        return Alignment(tuple(links), tuple(scores) if complete else None, possible)


def parse_index(text: str) -> int | None:
    """The whole number that ``text`` spells in plain digits, or ``None``.

    Stricter than :class:`int`, which also takes signs, underscores and digits of other scripts.
    """
    if text.isdigit() and text.isascii() and len(text) <= _LONGEST_INDEX:
        return int(text)
    return None


def parse_score(text: str) -> float | None:
    """The finite number that ``text`` spells, or ``None``."""
    if "_" in text:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def format_score(score: float, number: int) -> str:
    """Write a score in fixed notation with six decimals, as every reader of numbers understands it.

    Raises:
        InputError: The score of pair ``number`` is infinite or not a number.
    """
    if not math.isfinite(score):
        raise InputError(f"pair {number}: the score {score} cannot be written; scores must be finite numbers")
    return f"{score:.6f}"


def from_base(base: int) -> str:
    """What to expect of a position in a file that counts from ``base``, and what to do if it does not."""
    if base == 0:
        return "positions counted from 0"
    return f"positions counted from {base}; for a file that counts from 0, choose base 0"


def sure_links(alignment: Alignment) -> Sequence[Link]:
    """The sure links in sorted order."""
    possible = alignment.possible
    return [link for link in alignment.links if link not in possible] if possible else alignment.links
