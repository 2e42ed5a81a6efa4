"""What words look like: with and without accents and vowels, and letter by letter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Int, Long
from pralign.text.accents import without_accents

VOWELS = frozenset("aeiou")
# No word is compared further than this; what is longer is hardly a word.
LONGEST_WORD = 50


@dataclass(frozen=True)
class WordShapes:
    """The words of one side. Words of both sides that look the same have the same number.

    Attributes:
        exact: Equal for words that are equal.
        plain: Equal for words that are equal without their accents.
        skeleton: Equal for words that are equal without accents and vowels; below zero where nothing is left.
        length: The number of letters.
        letters: The letters of all words without accents, one word after the other.
        start: Where the letters of each word begin.
    """

    exact: Int
    plain: Int
    skeleton: Int
    length: Int
    letters: Int
    start: Long

    def __add__(self, more: WordShapes) -> WordShapes:
        """These words, followed by ``more``."""
        return WordShapes(
            np.concatenate([self.exact, more.exact]),
            np.concatenate([self.plain, more.plain]),
            np.concatenate([self.skeleton, more.skeleton]),
            np.concatenate([self.length, more.length]),
            np.concatenate([self.letters, more.letters]),
            np.concatenate([self.start, more.start[1:] + self.start[-1]]),
        )


@dataclass(frozen=True)
class Speller:
    """Numbers what words look like, the same for both sides.

    Attributes:
        known: The numbers of an earlier speller, which stay as they are.
    """

    known: Mapping[str, int] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)

    def further(self) -> Speller:
        """A speller for more words, which can be compared with those of this one and are forgotten with it."""
        return Speller(self._numbers)

    def forms(self, words: Iterable[str]) -> WordShapes:
        """The looks of words."""
        exact, plain, skeleton = [], [], []
        letters: list[str] = []
        for word in words:
            bare = without_accents(word)
            bones = "".join(letter for letter in bare if letter.lower() not in VOWELS)
            exact.append(self._number(word))
            plain.append(self._number(bare))
            skeleton.append(self._number(bones) if bones else -1)
            letters.append(bare[:LONGEST_WORD])
        start = np.zeros(len(letters) + 1, np.int64)
        np.cumsum([len(word) for word in letters], out=start[1:])
        codes: NDArray[np.int32] = np.array([ord(letter) for word in letters for letter in word], np.int32)
        return WordShapes(
            np.array(exact, np.int32),
            np.array(plain, np.int32),
            np.array(skeleton, np.int32),
            np.diff(start).astype(np.int32),
            codes,
            start,
        )

    def _number(self, form: str) -> int:
        number = self.known.get(form)
        return self._numbers.setdefault(form, len(self.known) + len(self._numbers)) if number is None else number
