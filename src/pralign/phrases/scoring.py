"""Scores of phrase pairs: range by range of the source, with what is known of target phrases in all ranges.

A range holds all pairs of its source phrases. Those of a target phrase are anywhere, so what was counted of it is put
together by fingerprints of target phrases, part by part, and goes back to where it is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Long
from pralign.kernels.phrase_lines import reordering_lines, table_lines
from pralign.kernels.phrase_pairs import (
    PairGroups,
    WordProbabilities,
    chosen_strings,
    group_pairs,
    lexical_weights,
    target_fingerprints,
)
from pralign.kernels.strings import Strings
from pralign.kernels.units import UNITS, as_counts
from pralign.phrases.parted import load_part, save_parts
from pralign.phrases.smoothing import MOST_COUNTED, Given, Smoothing, counts_seen
from pralign.phrases.sorting import StringSorter
from pralign.phrases.words import OrderedWords
from pralign.store import Store

# What is known of a target phrase, see OfPhrase.
_KNOWN = ("total", "taken", "partners")


@dataclass(frozen=True)
class RangeGrouper:
    """Puts together the phrase pairs of a range, and keeps them in a store with what needs no other range.

    Attributes:
        sorter: Where strings are.
        store: Where phrase pairs go.
        words: The words of both sides.
        lexicon: How likely words are to translate each other.
        oriented: Whether strings tell how phrases stand to their neighbours.
    """

    sorter: StringSorter
    store: Store
    words: OrderedWords
    lexicon: WordProbabilities
    oriented: bool

    def __call__(self, number: int) -> Long:
        """Look at a range; returns how many phrase pairs were seen how often, and first how many there are."""
        strings, separators = self.sorter.merged(number), self.words.separators
        groups = PairGroups(*group_pairs(strings, separators, self.oriented))
        pairs = Strings(*chosen_strings(strings, groups.string, groups.units, separators))
        reverse = Strings(*chosen_strings(strings, groups.reverse, groups.units, separators))
        weights = lexical_weights(pairs, reverse, separators, self.lexicon)
        group = {**pairs._asdict(), "source": groups.source, "lexical": weights, "orientation": groups.orientation}
        self.store.save(f"pairs/{number}", group)
        self._save_targets(number, pairs, target_fingerprints(pairs, separators))
        seen = counts_seen(as_counts(groups.units))
        seen[0] = groups.units.size
        return seen

    def _save_targets(self, number: int, pairs: Strings, prints: NDArray[np.uint64]) -> None:
        parts = self.sorter.ranges
        part = (prints[:, 0] >> np.uint64(32)) % np.uint64(parts)
        order = np.argsort(part, kind="stable")
        edges = np.searchsorted(part[order], np.arange(parts + 1))
        group = {"place": order, "print": prints[order], "units": pairs.units[order]}
        save_parts(self.store, f"targets/{number}", group, dict.fromkeys(group, edges))


@dataclass(frozen=True)
class Discounting:
    """A way to smooth, and how many phrase pairs were seen how often.

    Attributes:
        smoothing: The way to smooth.
        seen: How many were seen once, twice, and so on; first, how many there are.
    """

    smoothing: Smoothing
    seen: Long

    @property
    def pairs(self) -> int:
        """How many phrase pairs there are."""
        return int(self.seen[0])

    def discounts(self, units: Long) -> Long:
        """What to take from each count, in units."""
        taken = self.smoothing.discounts(as_counts(units), self.seen)
        return np.minimum(np.rint(taken * UNITS).astype(np.int64), units)

    def probabilities(self, units: Long, of_given: OfPhrase, of_other: OfPhrase) -> Double:
        """The probabilities of phrases given others."""
        total, taken = as_counts(of_given.total), as_counts(of_given.taken)
        given = Given(total, taken, of_other.partners, self.pairs)
        return self.smoothing.probabilities(as_counts(units), as_counts(self.discounts(units)), given)


@dataclass(frozen=True)
class OfPhrase:
    """What is known of one phrase of each phrase pair: how often it was seen, what was taken of that, its partners."""

    total: Long
    taken: Long
    partners: Long

    @classmethod
    def by_group(cls, first: Long, counts: Long, taken: Long) -> OfPhrase:
        """Sums over groups of pairs that begin at these places, for each of their pairs."""
        if counts.size == 0:
            return cls(counts, counts, counts)
        sizes = np.diff(np.append(first, counts.size))
        sums = (np.add.reduceat(counts, first), np.add.reduceat(taken, first), sizes)
        return cls(*(np.repeat(each, sizes) for each in sums))


@dataclass(frozen=True)
class TargetTotals:
    """Puts together what was counted of some target phrases in all ranges, and sends it back to them.

    Attributes:
        store: Where counts are, and totals go.
        ranges: How many ranges there are, and as many parts of target phrases.
        discounting: What is taken from counts.
    """

    store: Store
    ranges: int
    discounting: Discounting

    def __call__(self, part: int) -> None:
        """Look at a part of the target phrases."""
        loaded = [
            load_part(self.store, f"targets/{number}", part, "place", "print", "units") for number in range(self.ranges)
        ]
        place, prints, units = (np.concatenate([each[name] for each in loaded]) for name in ("place", "print", "units"))
        order = np.lexsort((prints[:, 1], prints[:, 0]))
        prints = prints[order]
        new = np.ones(units.size, np.bool_)
        new[1:] = (prints[1:] != prints[:-1]).any(axis=1)
        known = OfPhrase.by_group(np.flatnonzero(new), units[order], self.discounting.discounts(units[order]))
        back = np.empty(units.size, np.int64)
        back[order] = np.arange(units.size)
        group = {"place": place, **{name: getattr(known, name)[back] for name in _KNOWN}}
        edges = np.cumsum([0, *(each["place"].size for each in loaded)])
        save_parts(self.store, f"totals/{part}", group, dict.fromkeys(group, edges))


class ScoredRange:
    """The phrase pairs of a range, with all that is known of them.

    Attributes:
        strings: The phrase pairs.
        source: What is known of the source phrase of each.
        target: What is known of its target phrase.
    """

    def __init__(self, store: Store, number: int, ranges: int, discounting: Discounting) -> None:
        self._discounting = discounting
        arrays = store.load(f"pairs/{number}")
        self.strings = Strings(*(arrays[name] for name in Strings._fields))
        self._lexical, self._orientation = arrays["lexical"], arrays["orientation"]
        counts = self.strings.units
        first = np.flatnonzero(np.diff(arrays["source"], prepend=-1))
        self.source = OfPhrase.by_group(first, counts, discounting.discounts(counts))
        self.target = OfPhrase(*(np.empty(counts.size, np.int64) for _ in range(3)))
        for part in range(ranges):
            known = load_part(store, f"totals/{part}", number, "place", *_KNOWN)
            for name in _KNOWN:
                getattr(self.target, name)[known["place"]] = known[name]

    @cached_property
    def scores(self) -> Double:
        """The four scores of Moses: source given target, its lexical weight, target given source, and its weight."""
        counts, discounting = self.strings.units, self._discounting
        inverse = discounting.probabilities(counts, self.target, self.source)
        direct = discounting.probabilities(counts, self.source, self.target)
        return np.stack([inverse, self._lexical[:, 1], direct, self._lexical[:, 0]], axis=1)

    def table_lines(self, words: OrderedWords) -> bytes:
        """The lines of a phrase table."""
        totals = self.source.total, self.target.total
        lines: NDArray[np.uint8] = table_lines(self.strings, self.scores, *totals, words.spellings, words.separators)
        return lines.tobytes()

    def reordering_lines(self, words: OrderedWords) -> bytes:
        """The lines of a table for reordering."""
        counts = as_counts(self._orientation)
        lines: NDArray[np.uint8] = reordering_lines(self.strings, counts, words.spellings, words.separators)
        return lines.tobytes()


def no_counts() -> Long:
    """Nothing was seen."""
    return np.zeros(MOST_COUNTED + 1, np.int64)
