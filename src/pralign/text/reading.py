"""Reading sentence pairs once: words are numbered as they come, and the text is put aside in chunks."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pralign.kernels.arrays import Int, Long, Texts
from pralign.store import Store
from pralign.text.bitext import Pair
from pralign.text.corpus import texts_of
from pralign.text.earlier import EarlierWords
from pralign.text.normalisation import Normalisation
from pralign.text.vocabulary import VocabularyBuilder


@dataclass(frozen=True)
class Chunk:
    """What is remembered of a part of the text that was put aside: how much it is."""

    pairs: int
    cells: int


class Frequencies:
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


def read_chunks(
    pairs: Iterable[Pair],
    normalisation: Normalisation,
    store: Store,
    most_cells: int,
    earlier: Sequence[EarlierWords] = (),
) -> tuple[list[Chunk], tuple[VocabularyBuilder, VocabularyBuilder], tuple[Frequencies, Frequencies]]:
    """Put the text aside in chunks, words numbered in the order they come, and count them.

    Words of ``earlier`` models come first, as often as they were seen there.
    """
    source, target = VocabularyBuilder(), VocabularyBuilder()
    frequencies = Frequencies(), Frequencies()
    for model in earlier:
        for builder, frequency, words, counts in zip(
            (source, target), frequencies, model.words, model.counts, strict=True
        ):
            numbers = np.fromiter((builder[word] for word in words.words), np.int64, len(words))
            frequency.add_counts(numbers, counts)
    chunks = []
    for number, chunk in enumerate(_chunks(pairs, normalisation, source, target, most_cells)):
        store.save(f"read/{number}", chunk._asdict())
        cells = int((np.diff(chunk.source_start) * np.diff(chunk.target_start)).sum())
        for frequency, tokens in zip(frequencies, (chunk.source, chunk.target), strict=True):
            frequency.add(tokens)
        chunks.append(Chunk(chunk.source_start.size - 1, cells))
    return chunks, (source, target), frequencies


def _chunks(
    pairs: Iterable[Pair],
    normalisation: Normalisation,
    source: VocabularyBuilder,
    target: VocabularyBuilder,
    most_cells: int,
) -> Iterator[Texts]:
    sides = array("i"), array("q", [0]), array("i"), array("q", [0])
    of_source, of_target = source.__getitem__, target.__getitem__
    cells = 0
    nothing_yet = True  # a text without pairs is one chunk without pairs
    for source_sentence, target_sentence in pairs:
        source_words, target_words = normalisation(source_sentence), normalisation(target_sentence)
        sides[0].extend(map(of_source, source_words))
        sides[1].append(len(sides[0]))
        sides[2].extend(map(of_target, target_words))
        sides[3].append(len(sides[2]))
        cells += len(source_words) * len(target_words) + 16
        if cells >= most_cells:
            yield texts_of(*sides)
            nothing_yet = False
            sides = array("i"), array("q", [0]), array("i"), array("q", [0])
            cells = 0
    if nothing_yet or len(sides[1]) > 1:
        yield texts_of(*sides)
