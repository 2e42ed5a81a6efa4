"""Alignments over other units than the words they were made for: words between spaces, characters, or pieces of words.

A link joins all units of one side that share a character with its source word to all that share one with its target
word. Units that consist of nothing but spaces are never linked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pralign.errors import UsageError
from pralign.links.alignment import Alignment, Link
from pralign.text.bitext import Sentence
from pralign.text.pieces import PieceModel
from pralign.text.tokens import Span, Tokens, word_spans

TOKENS, WORDS, CHARACTERS, PIECES = "tokens", "words", "characters", "pieces"
#: What links can join, by name.
UNITS = (TOKENS, WORDS, CHARACTERS, PIECES)


class Unit(NamedTuple):
    """The units of a sentence: what each is called, and where it stands in the text."""

    names: Sequence[str]
    spans: Sequence[Span]


@dataclass(frozen=True)
class Units:
    """What alignments are to be over.

    Attributes:
        name: One of :data:`UNITS`.
        pieces: What cuts source and target sentences into pieces, if these are the units.

    Example:
        >>> pair = Tokens("don't", [(0, 2), (2, 5)]), Tokens("ne pas", [(0, 2), (3, 6)])
        >>> print(Units("words").converted(Alignment.of("1-0 1-1"), *pair))
        0-0 0-1
        >>> print(Units("characters").converted(Alignment.of("0-1"), *pair))
        0-3 0-4 0-5 1-3 1-4 1-5
    """

    name: str = TOKENS
    pieces: tuple[PieceModel, PieceModel] | None = None

    def __post_init__(self) -> None:
        if self.name not in UNITS:
            raise UsageError(f"units are {', '.join(UNITS)}, not {self.name}")
        if (self.name == PIECES) != (self.pieces is not None):
            raise UsageError("pieces of words need the models that cut them, and no other units do: give two models")

    def of(self, sentence: Sentence, side: int) -> Unit:
        """The units of a sentence of the source (0) or target (1) side."""
        words = placed(sentence)
        if self.name == TOKENS:
            return Unit(words, words.spans)
        if self.name == CHARACTERS:
            return Unit(words.text, [(k, k + 1) for k in range(len(words.text))])
        if self.pieces is not None:
            found = self.pieces[side](words.text)
            return Unit(found.pieces, found.spans)
        spans = word_spans(words.text)
        return Unit([words.text[start:end] for start, end in spans], spans)

    def converted(self, alignment: Alignment, source: Sentence, target: Sentence) -> Alignment:
        """An alignment of the words of a pair, over these units."""
        if self.name == TOKENS:
            return alignment
        sides = (placed(source), placed(target))
        over = [self.of(words, side).spans for side, words in enumerate(sides)]
        return converted(alignment, (sides[0].spans, over[0]), (sides[1].spans, over[1]))


BY_TOKENS = Units()
"""Links join the words that the aligner has seen."""


def placed(sentence: Sentence) -> Tokens:
    """The words of a sentence with their places in it; words that come without a text have spaces between them."""
    if isinstance(sentence, Tokens):
        return sentence
    return Tokens(sentence, word_spans(sentence)) if isinstance(sentence, str) else Tokens.joined(sentence)


def converted(
    alignment: Alignment,
    source: tuple[Sequence[Span], Sequence[Span]],
    target: tuple[Sequence[Span], Sequence[Span]],
) -> Alignment:
    """An alignment over some units of a text, over others: a link for each two that share characters with linked ones.

    Where several links become one, it has the highest of their scores, and is possible only if all of them are.

    Args:
        alignment: The links.
        source: Where the units of the source side are that it joins, and where those are that it is to join.
        target: Likewise for the target side.

    Example:
        >>> words, pieces = [(0, 5), (6, 9)], [(0, 3), (3, 5), (5, 9)]
        >>> print(converted(Alignment.of("0-0 1-1"), (words, pieces), (words, words)))
        0-0 1-0 2-1
    """
    lefts, rights = overlaps(*source), overlaps(*target)
    scores: dict[Link, float] = {}
    sure: set[Link] = set()
    given = alignment.scores or (1.0,) * len(alignment.links)
    for link, score in zip(alignment.links, given, strict=True):
        is_sure = link not in alignment.possible
        for i in lefts[link[0]]:
            for j in rights[link[1]]:
                scores[i, j] = max(score, scores.get((i, j), score))
                if is_sure:
                    sure.add((i, j))
    possible = frozenset(scores.keys() - sure) if alignment.possible else frozenset()
    return Alignment.unchecked(scores.keys(), None if alignment.scores is None else scores.values(), possible)


def overlaps(units: Sequence[Span], others: Sequence[Span]) -> list[list[int]]:
    """For each unit, those of the others that share a character with it; both are in the order of the text.

    Example:
        >>> overlaps([(0, 5), (6, 9)], [(0, 3), (3, 7), (8, 9)])
        [[0, 1], [1, 2]]
    """
    found, first = [], 0
    for start, end in units:
        while first < len(others) and others[first][1] <= start:
            first += 1
        shared, k = [], first
        while k < len(others) and others[k][0] < end:
            if others[k][1] > max(others[k][0], start):  # those that stand nowhere share nothing
                shared.append(k)
            k += 1
        found.append(shared)
    return found
