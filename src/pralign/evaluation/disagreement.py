"""Where two systems differ, and how many pairs have to be labelled to tell which of them is better."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from statistics import NormalDist

from pralign.errors import UsageError
from pralign.evaluation.iteration import Side, WordsOfPair, side_index
from pralign.evaluation.lengths import class_labels
from pralign.evaluation.significance import CHANCE, FEWEST_PAIRS
from pralign.links.alignment import Alignment, Link
from pralign.links.bounds import Lengths
from pralign.text.pairing import paired

POWER = 0.8
_NAMES = "the first system", "the second system"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """How many links two systems share, and how many only one of them draws. Counts add.

    Attributes:
        both: Links of both.
        first: Links of the first alone.
        second: Links of the second alone.
        pairs: The number of sentence pairs.
        different: The number of those where the two do not draw the same links.
    """

    both: int = 0
    first: int = 0
    second: int = 0
    pairs: int = 0
    different: int = 0

    @property
    def share(self) -> float:
        """The links that only one draws as a share of all that either does, 0 where there are none."""
        either = self.both + self.first + self.second
        return (self.first + self.second) / either if either else 0.0

    @property
    def different_share(self) -> float:
        """The pairs where they differ as a share of all, 0 where there are none."""
        return self.different / self.pairs if self.pairs else 0.0

    def __add__(self, other: Disagreement) -> Disagreement:
        return Disagreement(
            self.both + other.both,
            self.first + other.first,
            self.second + other.second,
            self.pairs + other.pairs,
            self.different + other.different,
        )


def disagreement(first: Alignment, second: Alignment) -> Disagreement:
    """Compare the links that two systems draw in a sentence pair; sure or possible makes no difference.

    Example:
        >>> disagreement(Alignment.of([(0, 0), (1, 1)]), Alignment.of([(1, 1), (2, 1)]))
        Disagreement(both=1, first=1, second=1, pairs=1, different=1)
    """
    return _compared(frozenset(first.links), frozenset(second.links))


def _compared(one: Set[Link], other: Set[Link]) -> Disagreement:
    return Disagreement(len(one & other), len(one - other), len(other - one), 1, int(one != other))


def disagreement_by_length(
    lengths: Iterable[Lengths], first: Iterable[Alignment], second: Iterable[Alignment], edges: Sequence[int]
) -> list[tuple[str, Disagreement]]:
    """Compare two systems apart for short and for long sentences, by the number of source words.

    Raises:
        InputError: The inputs have different numbers of lines.
        UsageError: The edges do not rise from at least one word.
    """
    labels = class_labels(edges, "lengths are classed by numbers of words that rise, such as 10, 20, 30")
    totals = [Disagreement()] * len(labels)
    for (source, _), (one, other) in paired(lengths, paired(first, second, _NAMES), ("the text", _NAMES[0])):
        totals[bisect_left(edges, source)] += disagreement(one, other)
    return list(zip(labels, totals, strict=True))


def disagreement_by_frequency(
    pairs: Iterable[WordsOfPair],
    first: Iterable[Alignment],
    second: Iterable[Alignment],
    frequencies: Mapping[str, int],
    side: Side,
    edges: Sequence[int],
) -> list[tuple[str, Disagreement]]:
    """Compare two systems apart for rare and for frequent words: a link belongs to the class of its word on one side.

    A sentence pair is counted in every class that a link of it belongs to.

    Raises:
        InputError: The inputs have different numbers of lines.
        UsageError: The edges do not rise from at least one, or there is no such side.
    """
    labels, column = (
        class_labels(edges, "words are classed by frequencies that rise, such as 5, 50, 500"),
        side_index(side),
    )
    totals = [Disagreement()] * len(labels)
    for words, (one, other) in paired(pairs, paired(first, second, _NAMES), ("the text", _NAMES[0])):
        classes = [bisect_left(edges, frequencies.get(word, 0)) for word in words[column]]
        parts = [_by_class(each, classes, column) for each in (one, other)]
        for place in parts[0].keys() | parts[1].keys():
            totals[place] += _compared(*(part.get(place, set()) for part in parts))
    return list(zip(labels, totals, strict=True))


def _by_class(alignment: Alignment, classes: Sequence[int], column: int) -> dict[int, set[Link]]:
    found: dict[int, set[Link]] = defaultdict(set)
    for link in alignment.links:
        found[classes[link[column]]].add(link)
    return found


@dataclass(frozen=True, slots=True)
class PairsNeeded:
    """How many differing pairs have to be labelled, if the better system is right about some share of what differs.

    Attributes:
        share: Of the links that only one of two systems draws, and that the labels decide, this share speaks for the
            better one.
        decided: The share of such links that the labels decide; the others are merely possible.
        fewer_errors: How many errors a differing pair the better one makes less, on average.
        apart: How many pairs it takes if each link speaks for either on its own.
        together: How many it takes if all that differ in a pair speak for the same system: the careful number.

    Example:
        >>> needed = pairs_needed([2, 3, 1, 4, 2, 2], share=0.75)
        >>> isinstance(needed, PairsNeeded), needed.share, needed.decided
        (True, 0.75, 1.0)
    """

    share: float
    decided: float
    fewer_errors: float
    apart: int
    together: int


def pairs_needed(
    sizes: Sequence[int], share: float, decided: float = 1.0, power: float = POWER, chance: float = CHANCE
) -> PairsNeeded:
    """How many of the pairs where two systems differ have to be labelled for a paired test to tell them apart.

    A link that only one system draws is an error of it, or else one that the other misses, or, if it is merely
    possible, neither. So in a pair with m such links, of which the labels decide k, the difference between the two
    numbers of errors lies between -k and k, and in a pair where both draw the same links it is zero, whatever the
    labels say. Let each of the m links be decided with probability d; then E[k] = d·E[m] and
    E[k²] = d²·E[m²] + d·(1 - d)·E[m]. Let each of the k speak for the better system with probability q, and e = 2q - 1.
    Then the difference has mean e·E[k] and the variance

    ============  ===========================================
    apart         (1 - e²)·E[k] + e²·(E[k²] - E[k]²)
    together      E[k²] - e²·E[k]²
    ============  ===========================================

    for links that are independent, and for such as all speak for the same system in a pair. Let v be that variance, and
    z₁ and z₂ the quantiles of the normal distribution at 1 - ``chance`` / 2 and at ``power``. If sums of differences
    were normal, a two-sided test of n pairs drawn at random would find the better system with probability ``power``
    once n·e·E[k] ≥ (z₁ + z₂)·√(n·v). But they are whole numbers and go in steps, so that at worst a sum has to be a
    step higher; where n is small, that matters. The step is what it takes to let one link, or all those of a pair,
    speak for the other system, 2d or 2·E[k] on average. So the answer is the least n with
    n·e·E[k] - step ≥ (z₁ + z₂)·√(n·v).

    Args:
        sizes: For each pair where they differ, how many links only one of the two draws.
        share: q, more than a half.
        decided: d, more than none: the fewer links are decided, the more pairs it takes.
        power: How often the test is to find the difference.
        chance: Below which p a difference is hardly chance.

    Raises:
        UsageError: There is no pair where they differ, or a number is not between its bounds.

    Example:
        >>> pairs_needed([2, 4, 6, 4] * 50, 0.75)
        PairsNeeded(share=0.75, decided=1.0, fewer_errors=2.0, apart=20, together=36)
        >>> pairs_needed([2, 4, 6, 4] * 50, 0.75, decided=0.5)
        PairsNeeded(share=0.75, decided=0.5, fewer_errors=1.0, apart=20, together=43)
    """
    if not sizes or min(sizes) < 1:
        raise UsageError("pairs where two systems differ have at least one link that only one of them draws")
    if not (0.5 < share <= 1 and 0 < power < 1 and 0 < chance < 1):
        raise UsageError(f"a share lies above 0.5, power and chance between 0 and 1; not {share}, {power}, {chance}")
    if not 0 < decided <= 1:
        raise UsageError(f"the share of links that are decided lies above 0 and is at most 1; not {decided}")
    mean, square = _moments(sizes, decided)
    gain = 2 * share - 1
    effect = gain * mean
    apart = (1 - gain**2) * mean + gain**2 * (square - mean**2)
    together = square - effect**2
    normal = NormalDist()
    quantiles = normal.inv_cdf(1 - chance / 2) + normal.inv_cdf(power)
    kinds = (apart, 2 * decided), (together, 2 * mean)
    numbers = (max(FEWEST_PAIRS, _least(effect, quantiles**2 * variance, step)) for variance, step in kinds)
    return PairsNeeded(share, decided, effect, *numbers)


def _least(mean: float, variance: float, step: float) -> int:
    """The least n for which n·mean - step ≥ √(n·variance)."""
    variance = max(0.0, variance)  # where it is none, rounding may make it negative
    root = (math.sqrt(variance) + math.sqrt(variance + 4 * mean * step)) / (2 * mean)
    return math.ceil(root**2)


def _moments(sizes: Sequence[int], decided: float) -> tuple[float, float]:
    """The means of the number of decided links in a pair and of its square."""
    mean, square = sum(sizes) / len(sizes), sum(size * size for size in sizes) / len(sizes)
    return decided * mean, decided**2 * square + decided * (1 - decided) * mean
