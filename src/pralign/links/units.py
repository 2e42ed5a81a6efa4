"""Alignments over other units than the words they were made for: words between spaces, characters, or pieces of words.

A link joins all units of one side that share a character with its source word to all that share one with its target
word. Units that consist of nothing but spaces are never linked. A word all of whose characters are lost on the way to
pieces, which some models do to characters that nobody sees, has no links over pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment, Link
from pralign.links.bounds import check_bounds
from pralign.text.bitext import Sentence
from pralign.text.pieces import PieceModel
from pralign.text.tokens import Span, Tokens, word_spans

TOKENS, WORDS, CHARACTERS, PIECES = "tokens", "words", "characters", "pieces"
#: What links can join, by name.
UNITS = (TOKENS, WORDS, CHARACTERS, PIECES)

# So many links an alignment may become: those of a page of text without spaces on both sides.
_MOST_LINKS = 1 << 24


class Unit(NamedTuple):
    """The units of a sentence: what each is called, and where it stands in the text.

    Spans begin in the order of the text. That of a unit that is nothing but spaces is empty.
    """

    names: Sequence[str]
    spans: Sequence[Span]


@dataclass(frozen=True)
class Units:
    """What alignments are to be over.

    Attributes:
        name: One of :data:`UNITS`: ``tokens``, the words that were aligned; ``words``, what stands between spaces;
            ``characters``, all of them, spaces counted; ``pieces``, those of a model.
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
        text = words.text
        if self.name == TOKENS:
            return Unit(words, words.spans)
        if self.name == CHARACTERS:
            return Unit(text, [(k, k + (character not in " \t")) for k, character in enumerate(text)])
        if self.pieces is not None:
            return Unit(*self.pieces[side](text))
        spans = word_spans(text)
        return Unit([text[start:end] for start, end in spans], spans)

    def converted(self, alignment: Alignment, source: Sentence, target: Sentence) -> Alignment:
        """An alignment of the words of a pair, over these units.

        Raises:
            InputError: A link joins a word that is not there, or there would be too many links.
        """
        if self.name == TOKENS:
            return alignment
        left, right = placed(source), placed(target)
        check_bounds(alignment, (len(left), len(right)), "the alignment")
        return converted(alignment, (left.spans, self.of(left, 0).spans), (right.spans, self.of(right, 1).spans))


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

    Raises:
        InputError: There would be too many links.

    Example:
        >>> words, pieces = [(0, 5), (6, 9)], [(0, 3), (3, 5), (5, 9)]
        >>> print(converted(Alignment.of("0-0 1-1"), (words, pieces), (words, words)))
        0-0 1-0 2-1
    """
    if not alignment.links:  # nor is its state another one
        return alignment
    lefts, rights = overlaps(*source), overlaps(*target)
    if sum(len(lefts[i]) * len(rights[j]) for i, j in alignment.links) > _MOST_LINKS:
        raise InputError(
            f"words are so long that their links would become over {_MOST_LINKS:,} links of one pair; let the text be "
            "cut into shorter words, such as by --tokenize icu"
        )
    scores: dict[Link, float] = {}
    sure: set[Link] = set()
    given = alignment.scores or (1.0,) * len(alignment.links)
    for score, (i, j) in sorted(zip(given, alignment.links, strict=True)):  # so that the highest score comes last
        scores.update(dict.fromkeys(product(lefts[i], rights[j]), score))
        if alignment.possible and (i, j) not in alignment.possible:
            sure.update(product(lefts[i], rights[j]))
    possible = frozenset(scores.keys() - sure) if alignment.possible else frozenset()
    links = tuple(sorted(scores))
    return Alignment(links, None if alignment.scores is None else tuple([scores[link] for link in links]), possible)


def overlaps(units: Sequence[Span], others: Sequence[Span]) -> list[list[int]]:
    """For each unit, those of the others that share a character with it; both are in the order of the text.

    Units whose spans are empty stand nowhere, and share nothing.

    Example:
        >>> overlaps([(0, 5), (6, 9)], [(0, 3), (3, 7), (8, 9)])
        [[0, 1], [1, 2]]
    """
    found, first = [], 0
    for start, end in units:
        while first < len(others) and others[first][1] <= start:
            first += 1
        shared: list[int] = []
        for k in range(first, len(others)):
            other_start, other_end = others[k]
            if other_start >= end or start == end:
                break
            if start < other_end > other_start:
                shared.append(k)
        found.append(shared)
    return found
