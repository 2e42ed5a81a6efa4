"""Aligned text that is read once and looked at several times: kept in a store, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import numpy as np

from pralign.kernels.arrays import Int, Long, Texts
from pralign.kernels.links import LinkArrays
from pralign.lexicons.counting import LinkCounter, LinkCounts
from pralign.links.aligned import AlignedChunk, AlignmentSource, WeightedLinks, read_aligned
from pralign.phrases.progress import Tell, ignore
from pralign.phrases.words import OrderedWords
from pralign.store import Store
from pralign.text.bitext import Pair
from pralign.text.vocabulary import VocabularyBuilder

# So many places of each chunk are looked at to learn what phrases begin with, and so many words there.
_SAMPLES = 64
_PREFIX = 3


class ChunkedText:
    """Aligned text in a store.

    Attributes:
        chunks: How many chunks there are.
        pairs: How many sentence pairs.
        alignments: How many alignments.
        vocabularies: The words of both sides, by their numbers in chunks.
    """

    def __init__(
        self,
        store: Store,
        pairs: Iterable[Pair],
        alignments: AlignmentSource,
        expected: bool,
        check: Callable[[AlignedChunk], None] = lambda chunk: None,
        tell: Tell = ignore,
    ) -> None:
        """Read sentence pairs and their alignments.

        Args:
            store: Where chunks are kept.
            pairs: The sentence pairs.
            alignments: Their alignments.
            expected: Whether links count as much as their scores say.
            check: Is shown each chunk, and complains of what it finds.
            tell: Is told how many pairs have been read.
        """
        self._store = store
        self.chunks = self.pairs = self.alignments = 0
        vocabularies = VocabularyBuilder(), VocabularyBuilder()
        counter, samples = LinkCounter(), list[Int]()
        for chunk in read_aligned(pairs, alignments, vocabularies):
            check(chunk)
            counter.add(chunk, expected)
            samples += _samples(chunk)
            store.save(f"text/{self.chunks:06}", _arrays(chunk))
            self.chunks += 1
            self.pairs += chunk.pairs
            self.alignments += chunk.alignments.pair.size
            tell("reading pairs", self.pairs, None)
        self.vocabularies = list(vocabularies[0]), list(vocabularies[1])
        self._samples = samples
        self._counts = counter.counts(*map(len, vocabularies))

    @cached_property
    def words(self) -> OrderedWords:
        """The words of both sides in order."""
        return OrderedWords.of(*self.vocabularies)

    @property
    def samples(self) -> list[Int]:
        """The numbers of some words that follow each other in the source text, from places spread evenly."""
        return [self.words.numbers.source[sample] for sample in self._samples]

    @property
    def links(self) -> LinkCounts:
        """How often words are linked, by their numbers in ``words``."""
        return self.links_by(self.words)

    def links_by(self, words: OrderedWords) -> LinkCounts:
        """How often words are linked, by numbers that ordered words have, with room for all other symbols."""
        sides = []
        for numbers, spelling in zip(words.numbers, words.spellings, strict=True):
            others = np.setdiff1d(np.arange(spelling.start.size - 1), numbers)
            sides.append(np.concatenate([numbers.astype(np.int64), others]))
        counts, nulls = self._counts, list[Long]()
        for side, null in zip(sides, (counts.source_null, counts.target_null), strict=True):
            nulls.append(np.pad(null, (0, side.size - null.size)))
        return LinkCounts(counts.source, counts.target, counts.count, *nulls).renumbered(sides[0], sides[1])

    def __getitem__(self, number: int) -> AlignedChunk:
        arrays = self._store.load(f"text/{number:06}")
        texts = Texts(*(arrays[name] for name in Texts._fields))
        links = LinkArrays(*(arrays[f"link_{name}"] for name in LinkArrays._fields))
        return AlignedChunk(texts, WeightedLinks(arrays["pair"], arrays["weight"], links))

    def __iter__(self) -> Iterator[AlignedChunk]:
        return (self[number] for number in range(self.chunks))


def _arrays(chunk: AlignedChunk) -> dict[str, np.ndarray]:
    alignments = chunk.alignments
    links = {f"link_{name}": array for name, array in alignments.links._asdict().items()}
    return {**chunk.texts._asdict(), "pair": alignments.pair, "weight": alignments.weight, **links}


def _samples(chunk: AlignedChunk) -> list[Int]:
    """What some phrases may begin with, from places spread evenly over the source side."""
    texts = chunk.texts
    if texts.source.size == 0:
        return []
    places = np.linspace(0, texts.source.size, _SAMPLES, endpoint=False, dtype=np.int64)
    ends = texts.source_start[np.searchsorted(texts.source_start, places, side="right")]
    return [texts.source[place : min(place + _PREFIX, end)] for place, end in zip(places, ends, strict=True)]
