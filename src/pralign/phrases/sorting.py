"""Sorting more strings than fit into memory: sorted runs in a store, cut into ranges, which are merged one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Int
from pralign.kernels.strings import Strings, between, cut_places, joined, sorted_distinct
from pralign.store import Store

# So many ranges of a run are kept together: with fewer there are many files, with more a file takes long to open.
_TOGETHER = 16


class StringSorter:
    """Strings that are added in runs and read back range by range, distinct and in order.

    All runs are cut at the same places, so a range is what lies between two of them in every run. Neither the number
    of runs nor that of ranges makes a difference to what comes out, one range after the other.
    """

    def __init__(self, store: Store, cuts: Strings, name: str = "runs") -> None:
        """Keep runs in ``store``, cut before each of the sorted strings ``cuts``."""
        self._store, self._cuts, self._name = store, cuts, name

    @property
    def ranges(self) -> int:
        """How many ranges there are."""
        return self._cuts.start.size

    def add(self, run: str, strings: Strings) -> None:
        """Sort some strings, and keep them under a name of their own."""
        ordered = Strings(*sorted_distinct(strings))
        places = [0, *cut_places(ordered, self._cuts).tolist(), ordered.start.size - 1]
        for first in range(0, self.ranges, _TOGETHER):
            group: dict[str, NDArray[np.generic]] = {}
            for number in range(first, min(first + _TOGETHER, self.ranges)):
                part = between(ordered, places[number], places[number + 1])
                group |= {f"{name}.{number}": array for name, array in part._asdict().items()}
            self._store.save(f"{self._name}/{first // _TOGETHER}/{run}", group)

    def merged(self, number: int) -> Strings:
        """The strings of a range."""
        wanted = [f"{name}.{number}" for name in Strings._fields]
        names = sorted(self._store.names(f"{self._name}/{number // _TOGETHER}/"))
        parts = [Strings(*self._store.load(name, wanted).values()) for name in names]
        return Strings(*sorted_distinct(joined(parts)))

    def forget(self) -> None:
        """Delete all runs."""
        for name in self._store.names(f"{self._name}/"):
            self._store.delete(name)


def cuts_between(samples: Sequence[Int], ranges: int) -> Strings:
    """Strings that cut others into ranges of about the same size, by a sample of what the others begin with."""
    ordered = sorted({tuple(sample.tolist()) for sample in samples if sample.size})
    places = sorted({len(ordered) * number // ranges for number in range(1, ranges)})
    chosen = [ordered[place] for place in places if 0 < place < len(ordered)]
    start = np.cumsum([0, *map(len, chosen)])
    data = np.array([number for string in chosen for number in string], np.uint32)
    return Strings(data, start, np.zeros(len(chosen), np.int64))
