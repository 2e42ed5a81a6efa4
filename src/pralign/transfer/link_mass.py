"""How much links say for putting some words of the source on a run of words of the target."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from pralign.links.alignment import Alignment
from pralign.text.tokens import Span, Tokens

#: A word of the source, and which share of its characters is meant.
Covered = tuple[int, float]

# Sums of scores that differ by no more are the same.
_TINY = 1e-9


class Run(NamedTuple):
    """Target words one after the other.

    Attributes:
        first: The first one.
        last: The one after the last one.
        gain: The mass of links inside minus that of links that lead elsewhere.
        confidence: The share that the mass inside has in that of all links of the words of both sides, times the score
            that links inside have on average.
    """

    first: int
    last: int
    gain: float
    confidence: float


class LinkMass:
    """The links of a pair, with a mass each: its score, between 0 and 1, or 1 if there are none.

    Example:
        >>> pair = Tokens.joined("a red car".split()), Tokens.joined("une voiture rouge".split())
        >>> mass = LinkMass(pair, Alignment.of("0-0 1-2 2-1"))
        >>> mass.best_run(mass.covered(2, 9), 0, 3)
        Run(first=1, last=3, gain=2.0, confidence=1.0)
    """

    def __init__(self, words: tuple[Tokens, Tokens], alignment: Alignment) -> None:
        """Sum up links, which are within bounds."""
        self._spans: Sequence[Span] = words[0].spans
        self.starts = [start for start, _ in self._spans]
        self.ends = [end for _, end in self._spans]
        self.linked: list[list[tuple[int, float]]] = [[] for _ in self._spans]
        self.totals = [0.0] * len(words[1])
        if alignment.scores is None:
            for i, j in alignment.links:
                self.linked[i].append((j, 1.0))
                self.totals[j] += 1.0
            return
        for (i, j), score in zip(alignment.links, alignment.scores, strict=True):
            if score > 0:  # which is false for what is no number
                mass = min(score, 1.0)
                self.linked[i].append((j, mass))
                self.totals[j] += mass

    def words_in(self, start: int, end: int) -> tuple[int, int]:
        """The first source word that has characters between two places, and the one after the last."""
        first = bisect_right(self.ends, start)
        return first, max(first, bisect_left(self.starts, end, first))

    def covered(self, start: int, end: int) -> list[Covered]:
        """The source words that have characters between two places; words of none have no share."""
        first, last = self.words_in(start, end)
        words = []
        for i in range(first, last):
            begins, ends = self._spans[i]
            if begins >= start and ends <= end:
                words.append((i, 1.0))
            else:
                words.append((i, (min(end, ends) - max(start, begins)) / (ends - begins)))
        return words

    def best_run(self, covered: Sequence[Covered], first: int, last: int, taken: bytearray | None = None) -> Run | None:
        """The run of target words from ``first`` up to ``last`` that links of some source words favour most.

        It is the one with the highest gain: the mass of links to it, minus that of its links to other source words. Of
        several with the same gain it is the one that ends first, without words that add nothing to either end. If none
        has a gain above zero, it is the one word with a link for which least speaks against it.

        Args:
            covered: The source words.
            first: The first word that may belong to the run.
            last: The one after the last.
            taken: Words that may not, by their numbers.

        Returns:
            The run, or nothing if there are no links to any of these words.
        """
        inside: dict[int, float] = {}
        for i, share in covered:
            for j, mass in self.linked[i]:
                if first <= j < last and not (taken and taken[j]):
                    inside[j] = inside.get(j, 0.0) + share * mass
        if not inside:
            return None
        gain, begin, end = self._highest(inside, taken)
        if begin == end:
            begin = max(inside, key=lambda j: (2 * inside[j] - self.totals[j], -j))
            gain, end = 2 * inside[begin] - self.totals[begin], begin + 1
        return Run(begin, end, gain, self._confidence(covered, begin, end))

    def _highest(self, inside: dict[int, float], taken: bytearray | None) -> tuple[float, int, int]:
        """The run with the highest sum, and the sum, if that is above zero."""
        lowest = min(inside)
        best = total = 0.0
        start, run = lowest, (0, 0)
        for j in range(lowest, max(inside) + 1):
            if taken and taken[j]:
                total, start = 0.0, j + 1
                continue
            total += 2 * inside.get(j, 0.0) - self.totals[j]
            if total > best + _TINY:
                best, run = total, (start, j + 1)
            elif total <= _TINY:
                total, start = 0.0, j + 1
        return best, *run

    def _confidence(self, covered: Sequence[Covered], begin: int, end: int) -> float:
        everything = kept = links = 0.0
        for i, share in covered:
            for j, mass in self.linked[i]:
                everything += share * mass
                if begin <= j < end:
                    kept += share * mass
                    links += share
        others = sum(self.totals[begin:end]) - kept
        return min(kept / (everything + max(others, 0.0)) * kept / links, 1.0) if kept > 0 else 0.0

    def counterpart(self, word: int, first: int, last: int) -> Run | None:
        """The target words from ``first`` up to ``last`` that stand for one source word.

        Of those that are linked to it, these are neighbours of each other with the highest mass together, the first of
        several.
        """
        best: Run | None = None
        begin = end = -1
        mass, surest = 0.0, 0.0
        for j, score in self.linked[word]:
            if not first <= j < last:
                continue
            if j != end:
                begin, mass, surest = j, 0.0, 0.0
            end, mass, surest = j + 1, mass + score, max(surest, score)
            if best is None or mass > best.gain + _TINY:
                best = Run(begin, end, mass, surest)
        return best
