"""Sentence pairs as they come, put aside in chunks of numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pralign.kernels.arrays import Int, Long, Texts
from pralign.store import Store
from pralign.text.bitext import Pair
from pralign.text.corpus import texts_of
from pralign.text.earlier import EarlierWords
from pralign.text.normalisation import Normalisation
from pralign.text.vocabulary import VocabularyBuilder

# A chunk has this share of the text before it, so that large texts do not become too many files.
_SHARE = 100


@dataclass(frozen=True)
class Chunk:
    """What is remembered of a part of the text that was put aside: how much it is."""

    pairs: int
    cells: int


class ReadText(NamedTuple):
    """A text that was put aside: its chunks, and the words of both sides in the order they came, with frequencies."""

    chunks: Sequence[Chunk]
    words: tuple[VocabularyBuilder, VocabularyBuilder]
    frequencies: tuple[Long, Long]


class _Frequencies:
    """How often each word occurs, of a vocabulary that goes on growing."""

    def __init__(self) -> None:
        self._counts: Long = np.zeros(1024, np.int64)
        self._words = 0

    def add(self, tokens: Int) -> None:
        """Count the words of a part of the text."""
        words, counts = np.unique(tokens, return_counts=True)
        self.add_counts(words.astype(np.int64), counts)

    def add_counts(self, words: Long, counts: Long) -> None:
        """Add what was counted of some words."""
        self._words = max(self._words, int(words.max()) + 1 if words.size else 0)
        if self._words > self._counts.size:
            self._counts = np.pad(self._counts, (0, 2 * self._words - self._counts.size))
        self._counts[words] += counts

    @property
    def counts(self) -> Long:
        """How often each word occurs."""
        return self._counts[: self._words]


def read_text(
    pairs: Iterable[Pair],
    normalisation: Normalisation,
    store: Store,
    chunk_cells: tuple[int, int],
    earlier: Sequence[EarlierWords] = (),
) -> ReadText:
    """Put a text aside in chunks of about so many cells, at least and at most, and count its words.

    Words of ``earlier`` models come first, as often as they were seen there.
    """
    source, target = VocabularyBuilder(), VocabularyBuilder()
    frequencies = _Frequencies(), _Frequencies()
    for model in earlier:
        sides = zip((source, target), frequencies, model.words, model.counts, strict=True)
        for builder, frequency, words, counts in sides:
            frequency.add_counts(np.fromiter((builder[word] for word in words.words), np.int64, len(words)), counts)
    chunks = []
    for number, chunk in enumerate(_chunks(pairs, normalisation, (source, target), chunk_cells)):
        store.save(chunk_name(number), chunk._asdict())
        cells = int((np.diff(chunk.source_start) * np.diff(chunk.target_start)).sum())
        for frequency, tokens in zip(frequencies, (chunk.source, chunk.target), strict=True):
            frequency.add(tokens)
        chunks.append(Chunk(chunk.source_start.size - 1, cells))
    return ReadText(chunks, (source, target), (frequencies[0].counts, frequencies[1].counts))


def chunk_name(number: int) -> str:
    """What a chunk is called in the store."""
    return f"read/{number}"


def _chunks(
    pairs: Iterable[Pair],
    normalisation: Normalisation,
    words: tuple[VocabularyBuilder, VocabularyBuilder],
    chunk_cells: tuple[int, int],
) -> Iterator[Texts]:
    of_source, of_target = words[0].__getitem__, words[1].__getitem__
    least, most = chunk_cells
    sides = _nothing()
    cells, before = 0, 0
    for source_sentence, target_sentence in pairs:
        source_words, target_words = normalisation(source_sentence), normalisation(target_sentence)
        sides[0].extend(map(of_source, source_words))
        sides[1].append(len(sides[0]))
        sides[2].extend(map(of_target, target_words))
        sides[3].append(len(sides[2]))
        cells += len(source_words) * len(target_words) + 16
        if cells >= least and cells >= min(before // _SHARE, most):
            yield texts_of(*sides)
            sides = _nothing()
            cells, before = 0, before + cells
    if not before or len(sides[1]) > 1:  # a text without pairs is one chunk without pairs
        yield texts_of(*sides)


def _nothing() -> tuple[array[int], array[int], array[int], array[int]]:
    return array("i"), array("q", [0]), array("i"), array("q", [0])
