"""Priors in the pieces of the lexicon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

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


@dataclass(frozen=True)
class PiecePrior:
    """Finds what is known of the word pairs of a piece, and puts it into the store."""

    store: Store
    piece_words: Sequence[int]
    source_words: int
    entries: Sequence[PairEntries]
    looks: tuple[Spelling, Spelling] | None
    strength: float

    def __call__(self, piece: int) -> PieceTotals:
        """Work on one piece."""
        table = load_piece(self.store, piece)
        first, last = self.piece_words[piece : piece + 2]
        slots, units = [np.empty(0, np.int64)], [np.empty((0, 2), np.int64)]
        totals = np.zeros(self.source_words, np.int64), np.zeros(self.piece_words[-1], np.int64)
        if self.looks is not None:
            similar, values = alike(table, *self.looks, first)
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
        return PieceTotals(*totals, together)
