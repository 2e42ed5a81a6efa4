"""The words of a text in the order of their bytes, which is the order that tables are sorted in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Int
from pralign.kernels.phrase_lines import Spelling, Spellings
from pralign.kernels.phrase_strings import NumberedWords, Separators

#: What stands between the parts of a line.
BARS = "|||"
# A word that is just that would end a part; Moses writes bars in words like this.
_ESCAPED = BARS.replace("|", "&#124;")


@dataclass(frozen=True)
class OrderedWords:
    """Numbers for the words of both sides, above zero and in the order of their bytes, bars among them.

    Attributes:
        numbers: For each word as it was numbered while reading, its number here.
        separators: The numbers of the bars.
        spellings: The bytes of words by their numbers here.
    """

    numbers: NumberedWords
    separators: Separators
    spellings: Spellings

    @classmethod
    def of(cls, source: Iterable[str], target: Iterable[str]) -> OrderedWords:
        """Order the words of both sides, given in the order in which they were numbered while reading.

        Example:
            >>> words = OrderedWords.of(["the", "house"], ["la", "maison"])
            >>> words.numbers.source.tolist(), words.separators.source
            ([2, 1], 3)
        """
        (left, bars, spelled), (right, other_bars, other_spelled) = _ordered(source), _ordered(target)
        separators = Separators(bars, other_bars, other_bars)
        return cls(NumberedWords(left, right), separators, Spellings(spelled, other_spelled))

    def source_words(self, numbers: NDArray[np.uint32]) -> tuple[str, ...]:
        """The source words with these numbers, as they are written."""
        return _spelled(self.spellings.source, numbers)

    def target_words(self, numbers: NDArray[np.uint32]) -> tuple[str, ...]:
        """The target words with these numbers, as they are written."""
        return _spelled(self.spellings.target, numbers)


def _spelled(spelling: Spelling, numbers: NDArray[np.uint32]) -> tuple[str, ...]:
    places = [(int(spelling.start[number]), int(spelling.start[number + 1])) for number in numbers.tolist()]
    return tuple(spelling.text[begin : end - 1].tobytes().decode("utf-8", "surrogatepass") for begin, end in places)


def _ordered(words: Iterable[str]) -> tuple[Int, int, Spelling]:
    """The numbers of words, that of the bars, and the bytes of all."""
    spelled = [spelled_word(_ESCAPED if word == BARS else word) for word in words]
    numbers, spelling = numbered([*spelled, BARS.encode()])
    return numbers[:-1], int(numbers[-1]), spelling


def spelled_word(word: str) -> bytes:
    """The bytes of a word."""
    return word.encode("utf-8", "surrogatepass")


def numbered(spelled: Sequence[bytes]) -> tuple[Int, Spelling]:
    """Numbers for some symbols in the order of their bytes, from one on, and their bytes by these numbers.

    Example:
        >>> numbers, spelling = numbered([b"the", b"a", b"|||"])
        >>> numbers.tolist(), spelling.text.tobytes()
        ([2, 1, 3], b'a the ||| ')
    """
    # A word comes before one that begins with it, as the space behind it comes before all letters.
    order = sorted(range(len(spelled)), key=spelled.__getitem__)
    numbers = np.empty(len(spelled), np.int32)
    numbers[order] = np.arange(1, len(spelled) + 1, dtype=np.int32)
    text = b"".join(b"%b " % spelled[k] for k in order)
    sizes = np.array([0, 0, *(len(spelled[k]) + 1 for k in order)], np.int64)
    return numbers, Spelling(np.frombuffer(text, np.uint8), np.cumsum(sizes))
