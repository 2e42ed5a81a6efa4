"""Where the words of a line begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Self

from pralign.errors import UsageError

#: Where a word begins, and where it has ended, counted in characters of the line.
Span = tuple[int, int]

_WORD = re.compile(r"[^ \t]+")


def tokens(line: str) -> list[str]:
    r"""Split a line into its words: a tab becomes a space, spaces separate, empty pieces are dropped.

    Only the ASCII space and the tab separate words. Python's own ``str.split()`` would also split at a
    no-break space (U+00A0), which French puts inside ``10 000``: one more word there would shift the index
    of every word after it, and with it every link.

    Example:
        >>> tokens("il  y a\t10\u00a0000 mots ")
        ['il', 'y', 'a', '10\xa0000', 'mots']
    """
    words = line.replace("\t", " ").split(" ")
    return [word for word in words if word] if "" in words else words


def word_spans(line: str) -> list[Span]:
    """Where the words of :func:`tokens` are.

    Example:
        >>> word_spans(" il  pleut")
        [(1, 3), (5, 10)]
    """
    return [match.span() for match in _WORD.finditer(line)]


def words_of(sentence: str | Sequence[str]) -> Sequence[str]:
    """The words of a sentence, which is text with spaces between them, or is words already.

    Example:
        >>> words_of("il pleut"), words_of(("il", "pleut"))
        (['il', 'pleut'], ('il', 'pleut'))
    """
    return tokens(sentence) if isinstance(sentence, str) else sentence


class Tokens(tuple[str, ...]):
    """The words of a sentence, which know where they stand in its text.

    It is a sequence of words like any other, equal to the tuple of them, and can be given wherever a sentence is. A
    part of it, such as ``words[1:]``, is a plain tuple.

    Attributes:
        text: The sentence as it was written.
        spans: Where each word begins and ends in it, in characters.

    Example:
        >>> words = Tokens("Il pleut.", [(0, 2), (3, 8), (8, 9)])
        >>> list(words), words.spans[1]
        (['Il', 'pleut', '.'], (3, 8))
    """

    text: str
    spans: tuple[Span, ...]

    def __new__(cls, text: str, spans: Iterable[Span]) -> Self:
        """Cut ``text`` at ``spans``.

        Raises:
            UsageError: Spans overlap, are not in order, or go beyond the text.
        """
        kept = tuple(spans)
        places = list(chain.from_iterable(kept))
        if places and (places[0] < 0 or places[-1] > len(text) or places != sorted(places)):
            raise UsageError(
                f"spans are in order, do not overlap, and lie within the {len(text)} characters of the text"
            )
        made = super().__new__(cls, [text[start:end] for start, end in kept])
        made.text, made.spans = text, kept
        return made

    @classmethod
    def joined(cls, words: Sequence[str]) -> Self:
        """Words that come without a text, with spaces between them.

        Example:
            >>> Tokens.joined(["10 000", "mots"]).spans
            ((0, 6), (7, 11))
        """
        spans, end = [], -1
        for word in words:
            start = end + 1
            end = start + len(word)
            spans.append((start, end))
        return cls(" ".join(words), spans)

    def __reduce__(self) -> tuple[type[Self], tuple[str, tuple[Span, ...]]]:
        return type(self), (self.text, self.spans)
