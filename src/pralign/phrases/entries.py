"""Phrase pairs for programs: as they were found, and as a table has them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pralign.kernels.phrase_pairs import parts_of
from pralign.kernels.phrase_strings import has_link
from pralign.kernels.spans import ORIENTATIONS
from pralign.kernels.units import as_counts
from pralign.links.alignment import Alignment
from pralign.phrases.extraction import FoundPhrases
from pralign.phrases.scoring import ScoredRange
from pralign.phrases.words import OrderedWords

#: How a phrase pair stands to a neighbour, in the words of Moses.
ORIENTATION_NAMES = ("mono", "swap", "other")


@dataclass(frozen=True, slots=True)
class PhrasePair:
    """A phrase pair where it was found.

    Attributes:
        source: The source words.
        target: The target words.
        alignment: The links inside, counted from the first word of each side.
        pair: The number of the sentence pair, from zero.
        count: What it counts: one, or how often it is expected.
        before: How it stands to the target word before: ``"mono"``, ``"swap"`` or ``"other"``; nothing if nobody asks.
        after: The same for the target word after.

    Example:
        >>> from pralign import phrases
        >>> [found, *_] = phrases.extract([("the house", "la maison")], ["0-0 1-1"])
        >>> isinstance(found, PhrasePair), found.source, found.target, str(found.alignment)
        (True, ('the',), ('la',), '0-0')
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: Alignment
    pair: int
    count: float = 1.0
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """What phrase pairs and rules of a table have in common.

    Attributes:
        source: The source words or symbols.
        target: The target words or symbols.
        alignment: The links inside that were seen most often.
        inverse: The probability of the source side given the target side.
        inverse_weight: Its lexical weight.
        direct: The probability of the target side given the source side.
        direct_weight: Its lexical weight.
        count: How often both were seen together.
        source_count: How often the source side was seen.
        target_count: How often the target side was seen.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: Alignment
    inverse: float
    inverse_weight: float
    direct: float
    direct_weight: float
    count: float
    source_count: float
    target_count: float


class ScoredPhrasePair(Scored):
    """A phrase pair of a table, with its scores, see :class:`Scored`.

    Example:
        >>> from pralign import phrases
        >>> [found, *_] = phrases.phrase_table([("the house", "la maison")], ["0-0 1-1"])
        >>> isinstance(found, ScoredPhrasePair), found.source, found.target, found.direct
        (True, ('house',), ('maison',), 1.0)
    """

    __slots__ = ()


def found_pairs(found: FoundPhrases, vocabularies: tuple[list[str], list[str]], first: int) -> Iterator[PhrasePair]:
    """The phrase pairs of some alignments; ``first`` is the number of the first sentence pair of their chunk."""
    texts, alignments = found.chunk
    links = alignments.links
    counts = as_counts(found.units).tolist()
    for k, (owner, low, high, begin, end) in enumerate(zip(*(part.tolist() for part in found.spans), strict=True)):
        pair = int(alignments.pair[owner])
        rows, columns = int(texts.source_start[pair]), int(texts.target_start[pair])
        source = [vocabularies[0][word] for word in texts.source[rows + low : rows + high].tolist()]
        target = [vocabularies[1][word] for word in texts.target[columns + begin : columns + end].tolist()]
        here = slice(links.start[owner], links.start[owner + 1])
        joined = zip(links.source[here].tolist(), links.target[here].tolist(), strict=True)
        inside = [(i - low, j - begin) for i, j in joined if low <= i < high and begin <= j < end]
        names: list[str | None] = [None, None]
        if found.orientations.size:
            names = [ORIENTATION_NAMES[place] for place in divmod(int(found.orientations[k]), ORIENTATIONS)]
        alignment = Alignment.unchecked(inside)
        yield PhrasePair(tuple(source), tuple(target), alignment, first + pair, counts[k], names[0], names[1])


def scored_pairs(scored: ScoredRange, words: OrderedWords) -> Iterator[ScoredPhrasePair]:
    """The phrase pairs of a range of a table."""
    data, start, units = scored.strings
    numbers = [as_counts(each).tolist() for each in (units, scored.source.total, scored.target.total)]
    for k, (scores, *counts) in enumerate(zip(scored.scores.tolist(), *numbers, strict=True)):
        begin = int(start[k])
        parts = parts_of(data, begin, words.separators)
        source = words.source_words(data[begin : begin + parts.rows])
        target = words.target_words(data[parts.target : parts.target + parts.columns])
        cells = [(i, j) for i in range(parts.rows) for j in range(parts.columns)]
        links = [(i, j) for i, j in cells if has_link(data, parts.links, parts.rows, i, j)]
        yield ScoredPhrasePair(source, target, Alignment.unchecked(links), *scores, *counts)
