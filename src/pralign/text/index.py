"""The pair index of a corpus: one list of distinct co-occurring word pairs for both directions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pralign.errors import InputError
from pralign.kernels.arrays import CellSlots, PairTable
from pralign.kernels.indexing import count_slots, fill_slots, group_by_word
from pralign.text.corpus import Corpus

MOST_SLOTS = 2**31 - 1


@dataclass(frozen=True)
class PairIndex:
    """Which word pairs occur together in the pairs that are trained on.

    Attributes:
        table: The distinct word pairs.
        cells: For each cell of each indexed sentence pair, its slot in the table.
        pairs: The numbers of the indexed sentence pairs.
    """

    table: PairTable
    cells: CellSlots
    pairs: NDArray[np.int64]

    @classmethod
    def build(cls, corpus: Corpus, longest: int, threads: int = 1) -> PairIndex:
        """Index the pairs of a corpus whose sides are neither empty nor longer than ``longest`` tokens."""
        source, target = corpus.source_lengths, corpus.target_lengths
        eligible = (source > 0) & (target > 0) & (source <= longest) & (target <= longest)
        start = np.zeros(len(corpus) + 1, np.int64)
        np.cumsum(np.where(eligible, source * target, 0), out=start[1:])
        cells = CellSlots(start, np.empty(start[-1], np.int32))
        occurrences = group_by_word(corpus.texts.target, corpus.texts.target_start, len(corpus.target))
        ranges = _ranges(corpus, occurrences, threads)
        words = len(corpus.source)
        with ThreadPoolExecutor(threads) as pool:
            counts = list(pool.map(lambda r: count_slots(corpus.texts, start, occurrences, words, *r), ranges))
            row_start = np.zeros(words + 1, np.int64)
            np.cumsum(np.sum(counts, axis=0), out=row_start[1:])
            if row_start[-1] > MOST_SLOTS:
                raise InputError(
                    f"the corpus has {row_start[-1]} distinct word pairs; at most {MOST_SLOTS} are possible"
                )
            slot_target = np.full(row_start[-1], -1, np.int32)
            free = row_start[:-1] + np.cumsum(counts, axis=0) - counts
            list(
                pool.map(
                    lambda r, first: fill_slots(corpus.texts, cells, occurrences, first, slot_target, *r),
                    ranges,
                    free,
                )
            )
        return cls(PairTable(row_start, slot_target), cells, np.flatnonzero(eligible))


def _ranges(corpus: Corpus, occurrences: tuple[NDArray[np.int64], ...], parts: int) -> list[tuple[int, int]]:
    """Cut the target words into ranges of about equal work; the index is the same for any cut."""
    first = occurrences[0]
    goals = np.linspace(0, first[-1], parts + 1)[1:-1]
    edges = [0, *np.searchsorted(first, goals).tolist(), len(corpus.target)]
    return list(pairwise(edges))


def no_cells(corpus: Corpus) -> CellSlots:
    """The slots of a corpus that is not indexed."""
    return CellSlots(np.zeros(len(corpus) + 1, np.int64), np.empty(0, np.int32))
