"""How words are spelled, to find those that look alike: equal words, names, numbers and cognates."""

from __future__ import annotations

import numpy as np

from pralign.kernels.similarity import NUMBER, PUNCTUATION, WORD, Spelling
from pralign.text.accents import without_accents
from pralign.text.vocabulary import Vocabulary


def spelling(vocabulary: Vocabulary, other: Vocabulary) -> Spelling:
    """How the words of a vocabulary are spelled, to be compared with those of another.

    Each pair of words that look alike counts as seen before: equal words fully; words with many letters in common, in
    the same order and whatever their accents, the more the more they have; two marks of punctuation a tenth. Different
    numbers get nothing.
    """
    plain = [without_accents(word) for word in vocabulary.words]
    start = np.zeros(len(plain) + 1, np.int64)
    np.cumsum([len(word) for word in plain], out=start[1:])
    letters = np.frombuffer("".join(plain).encode("utf-32-le", "surrogatepass"), np.int32)
    bits = np.left_shift(np.uint64(1), (letters % 64).astype(np.uint64))
    mask = np.zeros(len(plain), np.uint64)
    np.bitwise_or.at(mask, np.repeat(np.arange(len(plain)), np.diff(start)), bits)
    numbers = {word: number for number, word in enumerate(other.words)}
    same = np.fromiter((numbers.get(word, -1) for word in vocabulary.words), np.int32, len(plain))
    del numbers
    return Spelling(
        letters,
        start,
        mask,
        np.fromiter((_kind(word) for word in vocabulary.words), np.int8, len(plain)),
        same,
    )


def _kind(word: str) -> np.int8:
    if any(letter.isdigit() for letter in word):
        return NUMBER
    return WORD if any(letter.isalpha() for letter in word) else PUNCTUATION
