"""Which pair to label next: the one whose labels should teach most.

A link is in *doubt* by the probability that what would be said of it is wrong; the doubts of a pair add up to the
errors that are to be expected in it. Doubts of words that were in doubt before count less, so that nobody gets five
pairs of the same kind; and a long pair costs more of a person's time than a short one. Where much of a pair is in doubt
to the generative model, the translation is free, and people would not agree on its links either: such pairs come last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.labelling.proposing import Grid

# Doubts below this are left out: most cells of a grid are as good as certain.
LEAST_DOUBT = 0.02
# From here on people would agree that a link is in doubt.
_CLEAR_DOUBT = 0.2
# Pairs with more errors a word than this teach little. It was found on Japanese, where half of the pairs have nearly
# as many; in Swedish and Czech hardly any pair has. It is a measure of the generative model: what labels have taught is
# surer of itself, so that ever more free translations would come through.
MOST_ERRORS = 0.22
Words = tuple[Sequence[str], Sequence[str]]


@dataclass(frozen=True)
class Candidate:
    """A pair that could be labelled, and what is in doubt about it.

    Attributes:
        number: Which pair of the text it is.
        words: Its words, made comparable.
        rows: The source words of the links in doubt, by their positions.
        columns: Their target words.
        doubt: How likely what would be said of them is wrong.
    """

    number: int
    words: Words
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    doubt: NDArray[np.float32]

    @classmethod
    def of(cls, number: int, words: Words, grid: Grid, threshold: float) -> Candidate:
        """A pair, by the probabilities of its links."""
        probability = np.zeros((len(words[0]), len(words[1])), np.float32) if grid is None else grid
        doubt = np.where(probability >= threshold, 1 - probability, probability)
        rows, columns = np.nonzero(doubt >= LEAST_DOUBT)
        return cls(number, words, rows, columns, doubt[rows, columns])

    @property
    def expected_errors(self) -> float:
        """How many links are to be expected wrong or missing."""
        return float(self.doubt.sum())

    @property
    def length(self) -> int:
        """How many words there are, of both sides."""
        return len(self.words[0]) + len(self.words[1])

    @property
    def is_free(self) -> bool:
        """Whether so much is in doubt that the translation is probably a free one."""
        return self.expected_errors > MOST_ERRORS * self.length


class Choice(NamedTuple):
    """A pair that was chosen, and why, in a phrase."""

    number: int
    gain: float
    reason: str


class SeenDoubts:
    """How much has been in doubt about each word in pairs that are labelled, or chosen to be."""

    def __init__(self) -> None:
        self._sides: tuple[Counter[str], Counter[str]] = (Counter(), Counter())

    def add(self, candidate: Candidate) -> None:
        """Take note of a pair that is, or will be, labelled."""
        for side, places in zip((0, 1), (candidate.rows, candidate.columns), strict=True):
            for place, doubt in zip(places.tolist(), candidate.doubt.tolist(), strict=True):
                self._sides[side][candidate.words[side][place]] += doubt
        for side in (0, 1):
            for word in candidate.words[side]:
                self._sides[side][word] += 0

    def gain(self, candidate: Candidate) -> float:
        """The doubts of a pair, each worth less the more its two words have been in doubt before."""
        before = [np.array([self._sides[side].get(word, 0) for word in candidate.words[side]]) for side in (0, 1)]
        weight = 1 + before[0][candidate.rows] + before[1][candidate.columns]
        return float((candidate.doubt / weight).sum() / candidate.length**0.5)

    def new_words(self, candidate: Candidate) -> int:
        """How many words of a pair no labelled pair has."""
        return sum(
            word not in seen for seen, words in zip(self._sides, candidate.words, strict=True) for word in set(words)
        )


def ranked(
    candidates: Iterable[Candidate], seen: SeenDoubts, most: int, free: Container[int] = frozenset()
) -> list[Choice]:
    """The best pairs to label, the best first; each is chosen as if those before it were labelled already.

    Args:
        candidates: The pairs that could be labelled.
        seen: What was in doubt before; what is chosen is added.
        most: How many are wanted.
        free: The numbers of free translations, which come last.
    """
    doubtful = [candidate for candidate in candidates if candidate.doubt.size]
    choices: list[Choice] = []
    for is_free in (False, True):
        remaining = [candidate for candidate in doubtful if (candidate.number in free) is is_free]
        gains = [seen.gain(candidate) for candidate in remaining]
        while remaining and len(choices) < most:
            best = _next_best(remaining, gains, seen.gain)
            chosen, gain = remaining.pop(best), gains.pop(best)
            choices.append(Choice(chosen.number, gain, _reason(chosen, seen.new_words(chosen))))
            seen.add(chosen)
    return choices


def _next_best(candidates: Sequence[Candidate], gains: list[float], gain: Callable[[Candidate], float]) -> int:
    """The place of the best one. Gains only fall as more is chosen, so few have to be worked out anew."""
    fresh: set[int] = set()
    while True:
        best = max(range(len(gains)), key=lambda place: (gains[place], -candidates[place].number))
        if best in fresh:
            return best
        gains[best] = gain(candidates[best])
        fresh.add(best)


def _reason(candidate: Candidate, new_words: int) -> str:
    doubtful = int((candidate.doubt >= _CLEAR_DOUBT).sum())
    parts = [f"about {max(candidate.expected_errors, 0.1):.1f} errors expected"]
    if doubtful:
        parts.append("one link in doubt" if doubtful == 1 else f"{doubtful} links in doubt")
    if new_words:
        parts.append("one word not labelled yet" if new_words == 1 else f"{new_words} words not labelled yet")
    return ", ".join(parts)
