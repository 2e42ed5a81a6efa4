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
        """Read ``pairs`` once, and number their words."""
        source, target = VocabularyBuilder(), VocabularyBuilder()
        source_tokens, target_tokens = array("i"), array("i")
        source_start, target_start = array("q", [0]), array("q", [0])
        for source_sentence, target_sentence in pairs:
            source_tokens.extend([source[word] for word in normalisation(source_sentence)])
            target_tokens.extend([target[word] for word in normalisation(target_sentence)])
            source_start.append(len(source_tokens))
            target_start.append(len(target_tokens))
        source_words, source_numbers = source.by_frequency(_as_tokens(source_tokens))
        target_words, target_numbers = target.by_frequency(_as_tokens(target_tokens))
        texts = Texts(source_numbers, np.array(source_start), target_numbers, np.array(target_start))
        return cls(source_words, target_words, texts)

    @classmethod
    def encode(
        cls, pairs: Iterable[Pair], normalisation: Normalisation, source: Vocabulary, target: Vocabulary
    ) -> Corpus:
        """Number the words of ``pairs`` with the vocabularies of another corpus."""
        source_tokens, target_tokens = array("i"), array("i")
        source_start, target_start = array("q", [0]), array("q", [0])
        unknown: dict[str, int] = {}
        for source_sentence, target_sentence in pairs:
            source_tokens.extend(source.numbers(normalisation(source_sentence), unknown))
            target_tokens.extend(target.numbers(normalisation(target_sentence), unknown))
            source_start.append(len(source_tokens))
            target_start.append(len(target_tokens))
        texts = Texts(
            _as_tokens(source_tokens),
            np.array(source_start),
            _as_tokens(target_tokens),
            np.array(target_start),
        )
        return cls(source, target, texts, tuple(unknown))

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


def blocks(pairs: NDArray[np.int64], cells: NDArray[np.int64], most_cells: int = 65_536) -> Iterator[NDArray[np.int64]]:
    """Cut a list of pair numbers into blocks of about ``most_cells`` cells.

    The cuts depend on the corpus alone, never on the number of threads, so that sums over blocks are reproducible.
    """
    if pairs.size == 0:
        return
    # A pair belongs to the block in which its last cell falls; every pair counts a little, even an empty one.
    block_of = np.cumsum(cells[pairs] + 16) // most_cells
    cuts = np.flatnonzero(np.diff(block_of)) + 1
    yield from np.split(pairs, cuts)


def _as_tokens(numbers: array[int]) -> NDArray[np.int32]:
    return np.frombuffer(numbers, np.int32) if len(numbers) else np.empty(0, np.int32)
