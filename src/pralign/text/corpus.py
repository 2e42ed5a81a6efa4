"""A bitext as arrays: words are numbers, sentences are slices."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Texts
from pralign.text.bitext import Pair
from pralign.text.normalisation import Normalisation
from pralign.text.vocabulary import Vocabulary, VocabularyBuilder

# A pair of 2,000 by 2,000 words takes about 200 MB while it is aligned.
MOST_CELLS = 4_000_000


@dataclass(frozen=True)
class Corpus:
    """Sentence pairs as word numbers.

    Attributes:
        source: The source vocabulary.
        target: The target vocabulary.
        texts: All tokens of both sides; numbers past the end of a vocabulary are unknown words.
        unknown: The unknown words, in the order of their numbers past the end of either vocabulary.
    """

    source: Vocabulary
    target: Vocabulary
    texts: Texts
    unknown: tuple[str, ...] = ()

    @classmethod
    def build(cls, pairs: Iterable[Pair], normalisation: Normalisation) -> Corpus:
        """Read ``pairs`` once, and number their words, frequent ones first."""
        source, target = VocabularyBuilder(), VocabularyBuilder()
        sides = array("i"), array("q", [0]), array("i"), array("q", [0])
        for source_sentence, target_sentence in pairs:
            sides[0].extend([source[word] for word in normalisation(source_sentence)])
            sides[1].append(len(sides[0]))
            sides[2].extend([target[word] for word in normalisation(target_sentence)])
            sides[3].append(len(sides[2]))
        texts = texts_of(*sides)
        source_words, source_numbers = source.by_frequency(texts.source)
        target_words, target_numbers = target.by_frequency(texts.target)
        return cls(source_words, target_words, texts._replace(source=source_numbers, target=target_numbers))

    @classmethod
    def encode(
        cls, pairs: Iterable[Pair], normalisation: Normalisation, source: Vocabulary, target: Vocabulary
    ) -> Corpus:
        """Number the words of ``pairs`` with the vocabularies of another corpus."""
        sides = array("i"), array("q", [0]), array("i"), array("q", [0])
        unknown: dict[str, int] = {}
        for source_sentence, target_sentence in pairs:
            sides[0].extend(source.numbers(normalisation(source_sentence), unknown))
            sides[1].append(len(sides[0]))
            sides[2].extend(target.numbers(normalisation(target_sentence), unknown))
            sides[3].append(len(sides[2]))
        return cls(source, target, texts_of(*sides), tuple(unknown))

    def __len__(self) -> int:
        return self.texts.source_start.size - 1

    def words(self, pair: int) -> tuple[list[str], list[str]]:
        """The source words and the target words of a pair, normalised."""
        texts = self.texts
        source = texts.source[texts.source_start[pair] : texts.source_start[pair + 1]].tolist()
        target = texts.target[texts.target_start[pair] : texts.target_start[pair + 1]].tolist()
        return self._spell(source, self.source), self._spell(target, self.target)

    def _spell(self, numbers: list[int], vocabulary: Vocabulary) -> list[str]:
        known = len(vocabulary)
        return [vocabulary.words[n] if n < known else self.unknown[n - known] for n in numbers]

    @property
    def source_lengths(self) -> NDArray[np.int64]:
        """The number of source words of each pair."""
        return np.diff(self.texts.source_start)

    @property
    def target_lengths(self) -> NDArray[np.int64]:
        """The number of target words of each pair."""
        return np.diff(self.texts.target_start)


def decodable(texts: Texts) -> NDArray[np.bool_]:
    """Which pairs can be aligned: neither side empty, and not too large."""
    cells = np.diff(texts.source_start) * np.diff(texts.target_start)
    return np.asarray((cells > 0) & (cells <= MOST_CELLS))


def blocks(pairs: NDArray[np.int64], cells: NDArray[np.int64], most_cells: int = 65_536) -> Iterator[NDArray[np.int64]]:
    """Cut a list of pair numbers into blocks of about ``most_cells`` cells.

    A block is what is worked on at once; no result depends on where blocks are cut.
    """
    if pairs.size == 0:
        return
    # A pair belongs to the block in which its last cell falls; every pair counts a little, even an empty one.
    block_of = np.cumsum(cells[pairs] + 16) // most_cells
    cuts = np.flatnonzero(np.diff(block_of)) + 1
    yield from np.split(pairs, cuts)


def texts_of(source: array[int], source_start: array[int], target: array[int], target_start: array[int]) -> Texts:
    """Texts from the growing arrays that they were read into."""
    return Texts(_as_tokens(source), np.array(source_start), _as_tokens(target), np.array(target_start))


def _as_tokens(numbers: array[int]) -> NDArray[np.int32]:
    return np.frombuffer(numbers, np.int32) if len(numbers) else np.empty(0, np.int32)
