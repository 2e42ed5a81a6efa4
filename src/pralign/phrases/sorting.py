"""Sorting more strings than fit into memory: sorted runs in a store, cut into ranges, which are merged one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pralign.kernels.arrays import Int
from pralign.kernels.strings import Strings, cut_places, joined, sorted_distinct
from pralign.phrases.parted import load_part, save_parts
from pralign.store import Store


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
        places = np.array([0, *cut_places(ordered, self._cuts).tolist(), ordered.units.size], np.int64)
        arrays = {"data": ordered.data, "length": np.diff(ordered.start), "units": ordered.units}
        edges = {"data": ordered.start[places], "length": places, "units": places}
        save_parts(self._store, f"{self._name}/{run}", arrays, edges)

    def merged(self, number: int) -> Strings:
        """The strings of a range."""
        names = sorted(self._store.names(f"{self._name}/"))
        parts = []
        for name in names:
            part = load_part(self._store, name, number, "data", "length", "units")
            parts.append(Strings(part["data"], np.concatenate([[0], np.cumsum(part["length"])]), part["units"]))
        return Strings(*sorted_distinct(joined(parts)))

    def forget(self) -> None:
        """Delete all runs."""
        for name in self._store.names(f"{self._name}/"):
            self._store.delete(name)


def cuts_between(samples: Sequence[Int], ranges: int) -> Strings:
    """Strings that cut others into ranges of about the same size, by a sample of what the others begin with."""
    ordered = sorted(tuple(sample.tolist()) for sample in samples if sample.size)
    places = {len(ordered) * number // ranges for number in range(1, ranges)}
    chosen = sorted({ordered[place] for place in places if place < len(ordered)})
    start = np.cumsum([0, *map(len, chosen)])
    data = np.array([number for string in chosen for number in string], np.uint32)
    return Strings(data, start, np.zeros(len(chosen), np.int64))
