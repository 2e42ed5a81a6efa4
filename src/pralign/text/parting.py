"""Where two sides that go together line by line part, told by the lengths of their lines.

Translations are about as long as what they translate. Say that up to some line, line *i* of one side fits line *i* of
the other, and from there on line *i* fits line *i* + *k*, clearly better than it fits line *i*: then *k* lines were
added or lost there. What fits how well is the squared difference of the logarithms of lengths, as in *A Program for
Aligning Sentences in Bilingual Corpora* (Gale and Church, 1993), cut off where lines are not related.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Lengths = NDArray[np.float32]

#: So many lines may have been added or lost at one place, besides all that one side has more.
FARTHEST = 10

# How much the logarithms of the lengths of translations differ, and what a pair costs at most.
_DEVIATION = 0.25
_MOST = 4.0
# A parting has to make the lines after it cheaper by so much.
_CLEAR = 20.0
# Places that cost so little more than the best one may be meant just as well; if they are many lines, none is named.
_DOUBT = 3.0
_WIDEST = 100
# Texts that are sorted by length fit themselves at every offset: near the place, the difference has to show too.
_NEAR = 100
_SHARP = 8.0
# Lines in any order fit somewhere by chance, but not that much better.
_LESS = 0.7
# What lines that have nothing to do with each other cost at least, where lengths differ, and how much less others cost.
_UNLIKE, _HARDLY_LESS = 1.0, 0.9
# Of two places so near to each other, the better one is meant.
_SAME = 10


class Parting(NamedTuple):
    """Where two sides part, in lines counted from zero.

    Attributes:
        line: The first line of the source side that does not fit the same line of the target side.
        first: It may be this line.
        last: Or this one, or any between.
        offset: How many lines more the target side has there; below zero, the source side has more.
    """

    line: int
    first: int
    last: int
    offset: int


def lengths_of(lines: Iterable[str]) -> Lengths:
    """The logarithms of the lengths of lines."""
    return np.log1p(np.fromiter(map(len, lines), np.float32))


def find_parting(source: Lengths, target: Lengths, clear: float = _CLEAR) -> Parting | None:
    """The first place where two sides part, if it can be told.

    Args:
        source: The lengths of the lines of one side.
        target: Those of the other, as many or not.
        clear: How clear it has to be: how many times less likely the lines after it are without it, as a logarithm.
    """
    sides = Sides(source, target)
    found = [place for offset in sides.offsets if (place := sides.parting(offset, clear))]
    if not found:
        return None
    first = min(place.line for _, place in found)
    _, best = max((gain, place) for gain, place in found if place.line <= first + _SAME)
    return best if best.last - best.first <= _WIDEST else None


def fit(source: Lengths, target: Lengths) -> bool:
    """Whether each line clearly fits the same line of the other side, as far as both go, better than those around."""
    sides = Sides(source, target)
    both = min(source.size, target.size)
    return all(sides.sums(offset)[both] - sides.unmoved[both] > _CLEAR for offset in (-2, -1, 1, 2))


def unrelated(source: Lengths, target: Lengths) -> bool:
    """Whether the lengths of lines have nothing to do with those of the same lines of the other side.

    That is so if lines fit their own partners hardly better than they fit lines far away, and lengths do differ.
    """
    sides, count = Sides(source, target), source.size
    others = [Sides(source, np.roll(target, count * part // 4)).unmoved[-1] for part in (1, 2, 3)]
    return bool(min(others) >= _UNLIKE * count and sides.unmoved[-1] >= _HARDLY_LESS * max(others))


class Sides:
    """The lengths of both sides, and what it costs to put them beside each other."""

    def __init__(self, source: Lengths, target: Lengths) -> None:
        self._source = source
        self._target = target
        self._both = min(source.size, target.size)
        middles = [np.median(side[: self._both]) if self._both else 0.0 for side in (target, source)]
        self._ratio = np.float32(middles[0] - middles[1])  # how much longer lines of the target side are
        self.unmoved = self.sums(0)

    @property
    def offsets(self) -> list[int]:
        """The offsets to try."""
        return sorted({*range(-FARTHEST, FARTHEST + 1), self._target.size - self._source.size} - {0})

    def sums(self, offset: int) -> NDArray[np.float64]:
        """What the first 0, 1, 2, … lines of the source side cost, each beside the line ``offset`` after its own."""
        return np.concatenate([[0.0], np.cumsum(self._costs(offset, 0, self._source.size), dtype=np.float64)])

    def _costs(self, offset: int, begin: int, end: int) -> Lengths:
        first, last = max(begin, -offset), min(end, self._target.size - offset)
        costs = np.full(max(end - begin, 0), _MOST, np.float32)
        if last > first:
            ratios = self._target[first + offset : last + offset] - self._source[first:last] - self._ratio
            costs[first - begin : last - begin] = np.minimum(ratios * ratios / np.float32(2 * _DEVIATION**2), _MOST)
        return costs

    def rise(self, offset: int) -> NDArray[np.float64]:
        """What an offset would cost more than none if it began after the first 0, 1, 2, … pairs, but for a constant.

        It rises as long as the offset fits worse than none, and falls from where it fits better. Where the source side
        has lines more, these have no partner under the offset, and cost nothing.
        """
        skipped = max(-offset, 0)
        count = min(self._source.size - skipped, self._target.size)
        if count < 1:
            return np.zeros(1)
        return self.sums(offset)[skipped : skipped + count + 1] - self.unmoved[: count + 1]

    def parting(self, offset: int, clear: float) -> tuple[float, Parting] | None:
        """The best place for an offset to begin, and how much is gained by it, if that is clear."""
        rise = self.rise(offset)
        gain, place, end = deepest_fall(rise)
        if gain < clear or not _is_sharp(rise, place) or not self._is_exact(offset, place + max(-offset, 0)):
            return None
        meant = np.flatnonzero(rise[: end + 1] >= rise[place] - _DOUBT)
        return gain, Parting(place, int(meant[0]), int(meant[-1]), offset)

    def _is_exact(self, offset: int, begin: int) -> bool:
        """Whether the lines from here on fit at this offset, and not just as well at the next ones."""
        end = min(begin + _NEAR, self._source.size)
        here, *others = (self._costs(offset + step, begin, end).sum() for step in (0, -1, 1))
        return bool(min(others) - here >= _SHARP / 2 and here <= _LESS * min(others))


def deepest_fall(values: NDArray[np.float64]) -> tuple[float, int, int]:
    """How far values fall at most from one place to a later one, and from where to where."""
    falls = np.maximum.accumulate(values) - values
    end = int(falls.argmax())
    return float(falls[end]), int(values[: end + 1].argmax()), end


def _is_sharp(rise: NDArray[np.float64], place: int) -> bool:
    """Whether what is before a place and what is after it differ near it already, and not only in the long run."""
    before, after = rise[max(place - _NEAR, 0)], rise[min(place + _NEAR, rise.size - 1)]
    needed = min(_SHARP, _SHARP * max(place - 5, 0) / 25)  # a place near the beginning has little before it
    return bool(rise[place] - before >= needed and rise[place] - after >= _SHARP)
