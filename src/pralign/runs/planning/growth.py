"""How the words and word pairs of a text grow with it: curves through what nested samples have, and beyond."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.indexing import pair_table
from pralign.runs.planning.sampling import NumberedSample

# Samples are halved so often, and are made of so many groups of neighbouring pairs. Of small parts, so many are looked
# at.
_HALVINGS = 5
_GROUPS = 64
_PARTS = 4
# Growth slows down: doublings add less and less, but never less than this. A growth of one is proportional.
_SLOWEST_WORDS = 0.25
_SLOWEST_PAIRS = 0.5
# By how much the exponent falls at most while a text gets e times as large.
_MOST_SLOWING = 0.035
# Runs of neighbouring pairs that are looked at, and how many pairs each has at least. What comes out may be above
# one by chance, but not by much.
_RUNS = 6
_LEAST_RUN = 8
_MOST_NEARNESS = 1.2


@dataclass(frozen=True)
class Growth:
    """A quantity that grows with the number of pairs, slower and slower, on logarithmic scales.

    Attributes:
        sizes: Numbers of pairs, in ascending order.
        values: The quantity for each.
        slowest: The least exponent far beyond.

    Example:
        >>> square_root = Growth((100.0, 400.0), (10.0, 20.0), 0.5)
        >>> square_root(100), square_root(10_000)
        (10, 100)
    """

    sizes: tuple[float, ...]
    values: tuple[float, ...]
    slowest: float

    def __call__(self, size: float) -> int:
        """The quantity for so many pairs."""
        if not size or not self.values[-1]:
            return 0
        x, sizes, values = np.log(size), np.log(self.sizes), np.log(np.maximum(self.values, 1e-9))
        if x <= sizes[0]:  # few pairs have hardly a word in common
            return round(float(np.exp(values[0] + (x - sizes[0]))))
        if x <= sizes[-1]:
            return round(float(np.exp(np.interp(x, sizes, values))))
        return round(float(np.exp(values[-1] + self._beyond(float(x - sizes[-1])))))

    def _beyond(self, distance: float) -> float:
        """How much the logarithm grows beyond the last size, over a distance on the logarithmic scale."""
        exponent, slowing = self.tendency
        until = min(max(exponent - self.slowest, 0.0) / slowing, distance) if slowing else distance
        return (
            exponent * until
            - slowing * until**2 / 2
            + max(self.slowest, exponent - slowing * until) * (distance - until)
        )

    @property
    def tendency(self) -> tuple[float, float]:
        """The exponent at the last size, and by how much it falls while a text gets e times as large."""
        if len(self.sizes) < 2:
            return 1.0, _MOST_SLOWING
        sizes, values = np.log(self.sizes), np.log(np.maximum(self.values, 1e-9))
        exponents, places = np.diff(values) / np.diff(sizes), (sizes[1:] + sizes[:-1]) / 2
        if exponents.size == 1:
            return float(exponents[0]), 0.0
        slope = np.polyfit(places, exponents, 1)[0]
        slowing = float(np.clip(-slope, 0.0, _MOST_SLOWING))
        exponent = float(exponents.mean() - slowing * (sizes[-1] - places.mean()))
        return float(np.clip(exponent, self.slowest, 1.0)), slowing


@dataclass(frozen=True)
class TextGrowth:
    """How a text grows.

    Attributes:
        source_words: Different words of the source side, by the number of pairs.
        target_words: The same for the target side.
        word_pairs: Different word pairs, if pairs come from all over the text.
        run: How many neighbouring pairs were looked at together.
        nearness: How many different word pairs such a run has, as a share of those of as many pairs from all over.
    """

    source_words: Growth
    target_words: Growth
    word_pairs: Growth
    run: float
    nearness: float

    @classmethod
    def of(cls, sample: NumberedSample) -> TextGrowth:
        """Look at a sample, at every other group of its pairs, at every fourth, and so on."""
        size = sample.trained.size
        groups = np.arange(size) * min(_GROUPS, size) // max(size, 1)
        points = {point.size: point for point in (_point(sample, groups, 2**n) for n in range(_HALVINGS, -1, -1))}
        sizes, *curves = zip(*(points[size] for size in sorted(points)), strict=True)
        source, target, together = curves
        pairs = Growth(sizes, together, _SLOWEST_PAIRS)
        words = Growth(sizes, source, _SLOWEST_WORDS), Growth(sizes, target, _SLOWEST_WORDS)
        return cls(*words, pairs, *_nearness(sample, pairs))

    def listed(self, pairs: int, shards: int) -> int:
        """How many word pairs so many shards of so many pairs list, all together.

        Neighbouring pairs have more words in common. The longer a run of them, the less so, and all of the text is as
        it is.
        """
        shard = pairs / shards
        if shard >= pairs or self.run >= pairs:
            return self.word_pairs(pairs)
        place = np.clip(np.log(max(shard, self.run) / self.run) / np.log(pairs / self.run), 0.0, 1.0)
        near = float(self.nearness + (1.0 - self.nearness) * place)
        return round(shards * near * self.word_pairs(shard))


class _Point(NamedTuple):
    """So many pairs, and the different words of both sides and different word pairs that they have."""

    size: float
    source: float
    target: float
    together: float


def _point(sample: NumberedSample, groups: NDArray[np.int64], step: int) -> _Point:
    """What every ``step``-th group has; of small parts the mean of several, since stretches of a text differ."""
    some = range(0, step, step // _PARTS) if step >= 2 * _PARTS else range(1)
    masks = [groups % step == first for first in some]
    figures = [(float(mask.sum()), *_words(sample, mask), _word_pairs(sample, mask)) for mask in masks]
    return _Point(*np.mean(figures, axis=0).tolist())


def _words(sample: NumberedSample, mask: NDArray[np.bool_]) -> tuple[float, float]:
    texts = sample.corpus.texts
    source = texts.source[np.repeat(mask, np.diff(texts.source_start))]
    target = texts.target[np.repeat(mask, np.diff(texts.target_start))]
    return float(np.unique(source).size), float(np.unique(target).size)


def _word_pairs(sample: NumberedSample, mask: NDArray[np.bool_]) -> float:
    corpus = sample.corpus
    table = pair_table(corpus.texts, mask & sample.trained, len(corpus.source), len(corpus.target))
    return float(table.row_start[-1])


def _nearness(sample: NumberedSample, pairs: Growth) -> tuple[float, float]:
    """The length of runs of neighbouring pairs, and what share of word pairs they have."""
    size, stretches = sample.trained.size, int(sample.stretch_of[-1]) + 1 if sample.stretch_of.size else 0
    length = max(size // (2 * _RUNS) if stretches < 2 * _RUNS else int((sample.stretch_of == 0).sum()), 1)
    if length < _LEAST_RUN:
        return float(max(size, 1)), 1.0
    found = []
    for first in np.linspace(0, size - length, _RUNS).astype(np.int64).tolist():
        begin = first // length * length
        mask = np.zeros(size, np.bool_)
        mask[begin : begin + length] = True
        found.append(_word_pairs(sample, mask))
    return float(length), min(float(np.mean(found)) / max(pairs(length), 1), _MOST_NEARNESS)
