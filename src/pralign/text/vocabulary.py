"""Words and their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


class Vocabulary:
    """The words of one side, numbered from zero.

    Example:
        >>> vocabulary = Vocabulary(["the", "house"])
        >>> vocabulary.number("house"), vocabulary.number("barn"), vocabulary.words[0]
        (1, None, 'the')
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Only text that is read later asks for it, and it takes as much memory as the words."""
        return {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def number(self, word: str) -> int | None:
        """The number of ``word``, or ``None`` if it is unknown."""
        return self._numbers.get(word)

    def numbers(self, words: Iterable[str], unknown: dict[str, int]) -> list[int]:
        """The numbers of ``words``; unknown ones get numbers past the end, the same for equal words.

        ``unknown`` remembers them, so that one dictionary shared by two vocabularies gives a word that is unknown to
        both the same distance past the end of each.
        """
        known, size = self._numbers, len(self.words)
        found = []
        for word in words:
            number = known.get(word)
            found.append(size + unknown.setdefault(word, len(unknown)) if number is None else number)
        return found

    def numbers_of(self, other: Vocabulary) -> NDArray[np.int64]:
        """The number that each word of another vocabulary has here, -1 for those that are not here."""
        known = self._numbers
        return np.fromiter((known.get(word, -1) for word in other.words), np.int64, len(other))

    def spelled(self, numbers: NDArray[np.int64], unknown: Sequence[str] = ()) -> list[str]:
        """The words with these numbers; those past the end are ``unknown`` words, in their order."""
        size = len(self.words)
        return [self.words[n] if n < size else unknown[n - size] for n in numbers.tolist()]


class VocabularyBuilder(dict[str, int]):
    """Numbers words in the order they come; a word that is not there yet gets the next number."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number

    def by_frequency(self, tokens: NDArray[np.int32]) -> tuple[Vocabulary, NDArray[np.int32]]:
        """Renumber so that frequent words come first: the vocabulary, and ``tokens`` with the new numbers.

        Frequent pairs then lie close together in every table, which caches like.
        """
        frequency = np.bincount(tokens, minlength=len(self))
        order = np.argsort(-frequency, kind="stable")
        rank = np.empty(len(self), np.int32)
        rank[order] = np.arange(len(self), dtype=np.int32)
        words = list(self)
        return Vocabulary([words[k] for k in order]), rank[tokens]
