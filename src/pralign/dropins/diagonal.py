"""The model of fast_align: IBM 2 with places near the diagonal (Dyer, Chahuneau and Smith, 2013).

Of target word *j* of *n*, the source word *i* of *m* has the prior weight exp(-tension · |i/m - j/n|), normalised over
*i* to what is left by null.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pralign.dropins.tables import NULL, TranslationTable
from pralign.links.alignment import Link

Floats = NDArray[np.float64]

LEAST_TENSION, MOST_TENSION = 0.1, 14.0
_STEPS = 30
_SIZES = 1000


@dataclass(frozen=True)
class DiagonalModel:
    """What forced alignment goes by.

    Attributes:
        table: Probabilities of made words given words.
        tension: How much places near the diagonal are preferred; ``None`` takes all places alike.
        null: The prior of null; only with a tension, since otherwise null is a place like all others.
        ratio: How many made words there are for each given one, for the probability of a length.
        use_null: Whether words can come from null. If not, its prior is nobody's, as it is in fast_align.
    """

    table: TranslationTable
    tension: float | None = None
    null: float = 0.08
    ratio: float = 1.0
    use_null: bool = True

    def align(self, given: Sequence[str], made: Sequence[str]) -> tuple[list[Link], float]:
        """The likeliest given word for each made word that is not null's, and the log-probability of what is made.

        Example:
            >>> table = TranslationTable()
            >>> table.put("house", "maison", 0.5)
            >>> DiagonalModel(table).align(["the", "house"], ["maison"])[0]
            [(1, 0)]
        """
        score = log_length(len(made), len(given), self.ratio)
        if not given or not made:
            return [], score
        links = []
        places = self._places(len(given), len(made))
        for j, word in enumerate(made):
            likely = places[j] * np.array([self.table.probability(each, word) for each in given])
            unlinked = self.table.probability(NULL, word) * self._null(len(given)) if self.use_null else 0.0
            best = int(likely.argmax())
            if likely[best] > unlinked:
                links.append((best, j))
            total = unlinked + float(likely.sum())
            score += math.log(total) if total else -math.inf
        return links, score

    def _null(self, size: int) -> float:
        return 1 / (size + 1) if self.tension is None else self.null

    def _places(self, given: int, made: int) -> Floats:
        """The prior of each place of a given word, for each made word."""
        if self.tension is None:
            return np.full((made, given), 1 / (given + self.use_null))
        weights = np.exp(self.tension * features(given, made))
        places: Floats = weights / weights.sum(axis=1, keepdims=True) * (1 - self.null)
        return places


def features(given: int, made: int) -> Floats:
    """How far each given word is from the diagonal, as a negative number, for each made word."""
    rows, columns = np.arange(1, made + 1)[:, None] / made, np.arange(1, given + 1) / given
    distances: Floats = -np.abs(columns - rows)
    return distances


def log_length(made: int, given: int, ratio: float) -> float:
    """The log-probability of so many made words for so many given ones, by a Poisson distribution."""
    mean = 0.05 + given * ratio
    return math.log(mean) * made - math.lgamma(made + 1) - mean


class LinkShape:
    """How long sentences are and where their links are, collected pair by pair."""

    def __init__(self) -> None:
        self.sizes: Counter[tuple[int, int]] = Counter()
        self.words = self.linked = 0
        self._distance = 0.0
        self._ratios = 0.0
        self._pairs = 0

    def add_pair(self, given: int, made: int) -> None:
        """Take in the lengths of a pair."""
        if given and made:
            self.sizes[given, made] += 1
            self.words += made
            self._ratios += made / given
            self._pairs += 1

    def add_links(self, links: Sequence[Link], given: int, made: int) -> None:
        """Take in the links of a pair, with places of given words first."""
        self.linked += len(links)
        self._distance -= sum(abs((i + 1) / given - (j + 1) / made) for i, j in links)

    @property
    def ratio(self) -> float:
        """How many made words there are for a given one, as a mean over pairs; 1 if there are no pairs."""
        return self._ratios / self._pairs if self._pairs else 1.0

    @property
    def feature(self) -> float:
        """How far links are from the diagonal, as a negative mean."""
        return self._distance / self.linked if self.linked else 0.0

    def tension(self) -> float:
        """The tension with which the model expects links to be as far from the diagonal as they are."""
        sizes = dict(self.sizes.most_common(_SIZES))
        low, high = LEAST_TENSION, MOST_TENSION
        if not sizes:
            return low
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if expected_feature(sizes, middle) < self.feature else (low, middle)
        return (low + high) / 2


def expected_feature(sizes: Mapping[tuple[int, int], int], tension: float) -> float:
    """How far from the diagonal the model expects links to be, as a negative mean over made words."""
    total = words = 0.0
    for (given, made), count in sizes.items():
        distances = features(given, made)
        weights = np.exp(tension * distances)
        total += count * float(((weights * distances).sum(axis=1) / weights.sum(axis=1)).sum())
        words += count * made
    return total / words
