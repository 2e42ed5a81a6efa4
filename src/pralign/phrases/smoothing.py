"""How probabilities of phrases follow from counts: relative frequencies, or less for what was seen seldom.

Most phrase pairs are seen once, and relative frequencies take that for certainty. Smoothing takes something from each
count; how much follows from how many phrase pairs were seen once, twice and so on. Another way to smooth is a class
with the same two methods, registered in :data:`SMOOTHINGS`.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from pralign.kernels.arrays import Double, Long
from pralign.registry import Registry

#: Counts up to this one are counted themselves.
MOST_COUNTED = 10
# Counts that are not whole are taken for the next whole number, unless they lie above one by no more than noise.
_NOISE = 1e-5


class Smoothing(Protocol):
    """A way to make probabilities of counts.

    Attributes:
        name: The name users choose it by.

    Example:
        >>> import pralign
        >>> class AllEqual(RelativeFrequencies):
        ...     name = "all-equal"
        ...     def probabilities(self, counts, discounts, given):
        ...         return np.full_like(counts, 1 / given.pairs)
        >>> all_equal: Smoothing = AllEqual()
        >>> with SMOOTHINGS.restored():
        ...     _ = SMOOTHINGS.register("all-equal", all_equal)
        ...     table = pralign.phrases.phrase_table([("the cat", "le chat")], ["0-0 1-1"], smoothing="all-equal")
        ...     [round(found.direct, 2) for found in table]
        [0.33, 0.33, 0.33]
    """

    name: str

    def discounts(self, counts: Double, seen: Long) -> Double:
        """What to take from each of some counts, if ``seen[n]`` phrase pairs were seen n times."""

    def probabilities(self, counts: Double, discounts: Double, given: Given) -> Double:
        """The probability of a phrase given another, from how often both were seen."""


class Given:
    """What is known of the phrases that probabilities depend on, one number a phrase pair each.

    Attributes:
        total: How often the phrase that is given was seen.
        taken: What was taken from all counts of that phrase.
        partners: With how many different phrases the other one was seen.
        pairs: How many different phrase pairs there are.
    """

    def __init__(self, total: Double, taken: Double, partners: Long, pairs: int) -> None:
        self.total, self.taken, self.partners, self.pairs = total, taken, partners, pairs


class RelativeFrequencies:
    """No smoothing: how often both were seen, of all times that one was."""

    name = "none"

    def discounts(self, counts: Double, seen: Long) -> Double:
        """Nothing."""
        return np.zeros_like(counts)

    def probabilities(self, counts: Double, discounts: Double, given: Given) -> Double:
        """A count's share of the total."""
        return np.asarray((counts - discounts) / given.total)


class GoodTuring(RelativeFrequencies):
    """What was seen n times counts as much as Good and Turing expect of it, (n + 1) times seen(n + 1) / seen(n).

    As in Moses: a tenth is added to how often counts were seen, no count grows, and none shrinks by more than a smaller
    one does. What is taken is left to phrases that were never seen.
    """

    name = "good-turing"
    _least = 0.01

    def discounts(self, counts: Double, seen: Long) -> Double:
        """What lies between a count and what is expected of it, for counts below nine."""
        kept = np.ones(MOST_COUNTED)
        kept[0] = self._least
        for n in range(1, MOST_COUNTED):
            expected = (n + 1) / n * (seen[n + 1] + 0.1) / (seen[n] + 0.1)
            kept[n] = max(min(expected, 1.0), kept[n - 1])
        small = counts + 1 - _NOISE < MOST_COUNTED - 1
        nearest = np.where(small, counts + 1 - 2 * _NOISE, 0).astype(np.int64)
        return np.where(small, counts * (1 - kept[nearest]), 0.0)


class KneserNey(RelativeFrequencies):
    """What is taken from counts goes to all phrases, by how many different partners they have.

    The discounts of Chen and Goodman for counts of one, two and more, as Foster, Kuhn and Johnson apply them to
    phrases. All that was taken is given back, so that probabilities add up to one over all phrases there are, those
    never seen with the given one included.
    """

    name = "kneser-ney"
    _most = (0.9, 1.9, 2.9)

    def discounts(self, counts: Double, seen: Long) -> Double:
        """One of three discounts, but no more than there is."""
        ones = max(int(seen[1]), 1)
        share = ones / (ones + 2 * seen[2])
        taken = []
        for n, most in enumerate(self._most, start=1):
            fewer, more = max(int(seen[n]), 1), int(seen[n + 1])
            taken.append(min(max(n - (n + 1) * share * more / fewer, 0.0), most))
        kinds = np.where(counts < 2, 0, np.where(counts < 3, 1, 2))
        return np.asarray(np.minimum(np.array(taken)[kinds], counts))

    def probabilities(self, counts: Double, discounts: Double, given: Given) -> Double:
        """What is left of the count, and a part of what was taken from all."""
        return np.asarray((counts - discounts + given.taken * given.partners / given.pairs) / given.total)


SMOOTHINGS = Registry[Smoothing]("smoothing", "unknown {noun} {name!r}; known are {names}")
"""The ways to smooth by name."""

for _smoothing in (RelativeFrequencies(), GoodTuring(), KneserNey()):
    SMOOTHINGS.register(_smoothing.name, _smoothing)


def counts_seen(counts: Double) -> Long:
    """How many phrase pairs were seen how often; counts above ten are left out."""
    whole = (counts + 1 - _NOISE).astype(np.int64)
    return np.bincount(whole[whole <= MOST_COUNTED], minlength=MOST_COUNTED + 1)
