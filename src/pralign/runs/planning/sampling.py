"""A sample of a text: stretches of neighbouring pairs, spread evenly over it, while it is read once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count, islice

import numpy as np
from numpy.typing import NDArray

from pralign.text.bitext import Pair, Sentence
from pralign.text.corpus import Corpus, decodable
from pralign.text.normalisation import Normalisation

#: How many pairs a stretch has, and how many cells a sample has at most, roughly.
STRETCH = 512
MOST_CELLS = 24_000_000


@dataclass(frozen=True)
class Sample:
    """Some pairs of a text.

    Attributes:
        pairs: How many pairs the text has.
        stretches: Stretches of neighbouring pairs, in their order.
    """

    pairs: int
    stretches: tuple[tuple[Pair, ...], ...]

    @property
    def drawn(self) -> list[Pair]:
        """All pairs of the sample."""
        return [pair for stretch in self.stretches for pair in stretch]


def draw(pairs: Iterable[Pair], most_cells: int = MOST_CELLS, stretch: int = STRETCH) -> Sample:
    """Read all of a text, count its pairs, and keep stretches of it.

    Every stretch is kept until there are too many cells. Then every other one is dropped, and from there on every
    other one is passed over, and so on: the sample stays evenly spread, and need not know how much is yet to come.

    Example:
        >>> sample = draw([("a b", "c")] * 50, most_cells=24, stretch=3)
        >>> sample.pairs, [len(stretch) for stretch in sample.stretches]
        (50, [3, 3, 3, 3, 2])
    """
    iterator = iter(pairs)
    kept: list[tuple[Pair, ...]] = []
    total, every, cells = 0, 1, 0
    for place in count():
        if place % every == 0 and cells > most_cells and len(kept) > 1:
            kept, every = kept[::2], 2 * every
            cells = sum(map(rough_cells, kept))
        wanted = place % every == 0
        part = tuple(islice(iterator, stretch)) if wanted else ()
        size = len(part) if wanted else sum(1 for _ in islice(iterator, stretch))
        if part:
            kept.append(part)
            cells += rough_cells(part)
        total += size
        if size < stretch:
            return Sample(total, tuple(kept))
    raise AssertionError("a text has an end")


def rough_cells(pairs: Iterable[Pair]) -> int:
    """About how many cells pairs have, without splitting them into words."""
    return sum(_length(source) * _length(target) for source, target in pairs)


def _length(sentence: Sentence) -> int:
    return sentence.count(" ") + bool(sentence) if isinstance(sentence, str) else len(sentence)


@dataclass(frozen=True)
class NumberedSample:
    """A sample as arrays.

    Attributes:
        corpus: The pairs, words numbered.
        trained: Which of them would be trained on.
        stretch_of: The number of the stretch of each.
    """

    corpus: Corpus
    trained: NDArray[np.bool_]
    stretch_of: NDArray[np.int64]

    @classmethod
    def of(cls, sample: Sample, normalisation: Normalisation, longest: int) -> NumberedSample:
        """Number the words of a sample; pairs with a longer side are not trained on."""
        corpus = Corpus.build(sample.drawn, normalisation)
        trained = decodable(corpus.texts) & (corpus.source_lengths <= longest) & (corpus.target_lengths <= longest)
        sizes = [len(stretch) for stretch in sample.stretches]
        return cls(corpus, trained, np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64)))

    def learnable(self, sample: Sample) -> Sample:
        """Those pairs of the sample, which these are the numbers of, that would be trained on."""
        kept = iter(self.trained.tolist())
        parts = (tuple(pair for pair in stretch if next(kept)) for stretch in sample.stretches)
        return Sample(sample.pairs, tuple(part for part in parts if part))

    @property
    def cells(self) -> NDArray[np.int64]:
        """The cells of each pair."""
        return np.asarray(self.corpus.source_lengths * self.corpus.target_lengths)
