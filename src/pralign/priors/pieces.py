"""Priors in the pieces of the lexicon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from pralign.kernels.arrays import Long
from pralign.kernels.indexing import find_slots
from pralign.kernels.similarity import Spelling, alike
from pralign.kernels.units import UNITS
from pralign.priors.entries import UNKNOWN, PairEntries
from pralign.store import Store
from pralign.text.sharding import load_piece


class PieceTotals(NamedTuple):
    """What lookalikes add to each word, and how many pairs of each file occur together."""

    source: Long
    target: Long
    together: Long

    @classmethod
    def load(cls, store: Store, piece: int) -> Self:
        """What :class:`PiecePrior` has found in a piece."""
        return cls(**store.load(f"prior totals/{piece}"))


@dataclass(frozen=True)
class PiecePrior:
    """Finds what is known of the word pairs of a piece, and puts it into the store."""

    store: Store
    piece_words: Sequence[int]
    source_words: int
    entries: Sequence[PairEntries]
    has_looks: bool
    strength: float
    some_known: bool = False

    def __call__(self, piece: int) -> int:
        """Work on one piece; what is found goes to the store."""
        table = load_piece(self.store, piece)
        first, last = self.piece_words[piece : piece + 2]
        slots, units = [np.empty(0, np.int64)], [np.empty((0, 2), np.int64)]
        totals = np.zeros(self.source_words, np.int64), np.zeros(self.piece_words[-1], np.int64)
        if self.has_looks:
            similar, values = alike(table, *load_looks(self.store), first)
            if self.some_known:  # what their looks are worth is among their counts
                new = ~self.store.load(f"met/{piece}")["met"][similar]
                similar, values = similar[new], values[new]
            counts = np.rint(values.astype(np.float64) * self.strength * UNITS).astype(np.int64)
            slots.append(similar)
            units.append(np.column_stack([counts, counts]))
            np.add.at(totals[0], table.source[similar], counts)
            np.add.at(totals[1], first + np.searchsorted(table.row_start, similar, side="right") - 1, counts)
        together = np.zeros(len(self.entries), np.int64)
        for number, known in enumerate(self.entries):
            chosen = np.flatnonzero((known.target >= first) & (known.target < last) & (known.source != UNKNOWN))
            found = find_slots(table, known.source[chosen], known.target[chosen] - first)
            slots.append(found[found >= 0])
            units.append(known.units[chosen[found >= 0]])
            together[number] = np.unique(found[found >= 0]).size
        all_slots, where = np.unique(np.concatenate(slots), return_inverse=True)
        summed = np.zeros((all_slots.size, 2), np.int64)
        np.add.at(summed, where, np.concatenate(units))
        self.store.save(f"prior/{piece}", {"slot": all_slots, "units": summed})
        self.store.save(f"prior totals/{piece}", PieceTotals(*totals, together)._asdict())
        return piece


def save_looks(store: Store, looks: tuple[Spelling, Spelling]) -> None:
    """Put how the words of both sides are spelled into a store."""
    for side, of_side in zip(_SIDES, looks, strict=True):
        store.save(f"looks/{side}", of_side._asdict())


def load_looks(store: Store) -> tuple[Spelling, Spelling]:
    """How the words of both sides are spelled."""
    source, target = (Spelling(**store.load(f"looks/{side}")) for side in _SIDES)
    return source, target


_SIDES = ("source", "target")
