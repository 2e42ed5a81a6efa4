"""Counting strings of numbers in bounded memory: what phrase tables and rule tables have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from pralign.engine import ThreadEngine
from pralign.kernels.phrase_pairs import WordProbabilities
from pralign.kernels.strings import Strings, joined
from pralign.phrases.progress import Tell, ignore, telling
from pralign.phrases.scoring import Discounting, RangeGrouper, ScoredRange, TargetTotals, no_counts
from pralign.phrases.smoothing import Smoothing
from pralign.phrases.sorting import StringSorter
from pralign.phrases.words import OrderedWords
from pralign.store import Store
from pralign.store.spilling import SpillingStore

# Shares of the memory: what stays of the store, a run of one thread, and a range of one thread. A run takes twice its
# strings while it is sorted, and a range three times while it is put together and written.
STORED = 3
_RUN, _RANGE = 10, 16
_BYTES = 16  # of a string, besides its numbers


class StoredTable:
    """A table that keeps things in a store, until it is closed."""

    _store: SpillingStore

    def close(self) -> None:
        """Forget everything."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True)
class StringCounter:
    """Counts the strings of a text, and scores them.

    Attributes:
        store: Where strings are kept.
        engine: Who works.
        memory: How many bytes strings may take.
        words: The words of both sides.
        oriented: Whether strings tell how phrases stand to their neighbours.
        tell: Is told how far it has come.
    """

    store: Store
    engine: ThreadEngine
    memory: int
    words: OrderedWords
    oriented: bool = False
    tell: Tell = ignore

    def ranges_for(self, size: int) -> int:
        """How many ranges there should be for strings of so many bytes."""
        return max(1, -(-size * _RANGE * self.engine.workers // self.memory))

    def count(
        self,
        found: Callable[[int], Iterator[Strings]],
        chunks: int,
        cuts: Strings,
        lexicon: WordProbabilities,
        smoothing: Smoothing,
    ) -> CountedStrings:
        """Count the strings of all chunks.

        Args:
            found: The strings of a chunk, some at a time.
            chunks: How many chunks there are.
            cuts: Where to cut strings into ranges.
            lexicon: How likely words are to translate each other.
            smoothing: How probabilities follow from counts.
        """
        sorter = StringSorter(self.store, cuts)
        maker = _RunMaker(found, sorter, self.memory // (_RUN * self.engine.workers))
        for _ in telling(self.engine.run(maker, range(chunks)), "extracting", chunks, self.tell):
            pass
        grouper = RangeGrouper(sorter, self.store, self.words, lexicon, self.oriented)
        merged = self.engine.run(grouper, range(sorter.ranges))
        seen = sum(telling(merged, "merging", sorter.ranges, self.tell), no_counts())
        sorter.forget()
        discounting = Discounting(smoothing, seen)
        totals = TargetTotals(self.store, sorter.ranges, discounting)
        for _ in self.engine.run(totals, range(sorter.ranges)):
            pass
        return CountedStrings(self.store, sorter.ranges, discounting)


@dataclass(frozen=True)
class CountedStrings:
    """Strings that have been counted, range by range.

    Attributes:
        store: Where they are.
        ranges: How many ranges there are.
        discounting: How they are smoothed.
    """

    store: Store
    ranges: int
    discounting: Discounting

    def __len__(self) -> int:
        """How many different phrase pairs or rules there are."""
        return self.discounting.pairs

    def scored(self, number: int) -> ScoredRange:
        """A range with its scores."""
        return ScoredRange(self.store, number, self.ranges, self.discounting)


@dataclass(frozen=True)
class _RunMaker:
    """Makes sorted runs of the strings of a chunk, each of about so many bytes."""

    found: Callable[[int], Iterator[Strings]]
    sorter: StringSorter
    share: int

    def __call__(self, number: int) -> None:
        runs, waiting, size = 0, list[Strings](), 0
        for strings in self.found(number):
            waiting.append(strings)
            size += size_of(strings)
            if size >= self.share:
                self.sorter.add(f"{number:06}.{runs:06}", joined(waiting))
                runs, waiting, size = runs + 1, [], 0
        if waiting:
            self.sorter.add(f"{number:06}.{runs:06}", joined(waiting))


def size_of(strings: Strings) -> int:
    """How many bytes strings take."""
    return strings.data.nbytes + _BYTES * strings.units.size
