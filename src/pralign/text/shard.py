"""A stretch of text with everything that working on it needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Int, Long, PairTable, Texts
from pralign.kernels.indexing import cell_slots, pair_table
from pralign.text.corpus import blocks

# How many cells have their slots looked up at a time: with one row of the table at hand for all of them, but few enough
# for the processor's cache.
CELLS_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class Block:
    """Some pairs of a shard: the unit of work.

    Attributes:
        texts: The texts of the shard.
        pairs: The numbers of the pairs in the shard.
        slots: The slot of each of their cells in the table of the shard, target-major, one pair after the other.
    """

    texts: Texts
    pairs: Long
    slots: Int

    @property
    def transposed_texts(self) -> Texts:
        """The texts as the reverse direction sees them."""
        texts = self.texts
        return Texts(texts.target, texts.target_start, texts.source, texts.source_start)


@dataclass(frozen=True)
class Shard:
    """Sentence pairs as numbers of their own words, and the word pairs that occur together in them.

    Attributes:
        texts: The sentences; words are numbered within the shard.
        source_words: The numbers of the source words in the vocabulary, in ascending order.
        target_words: The same for the target words.
        included: Whether each sentence pair is worked on. Empty ones and, for training, long ones are not.
        table: The distinct word pairs of the included sentence pairs.
        numbers: The number of each sentence pair in the corpus.
    """

    texts: Texts
    source_words: Long
    target_words: Long
    included: NDArray[np.bool_]
    table: PairTable
    numbers: Long

    @classmethod
    def of(cls, texts: Texts, included: NDArray[np.bool_], numbers: Long) -> Shard:
        """The shard of some texts, whose words are numbered as in the vocabularies."""
        source_words, source = np.unique(texts.source, return_inverse=True)
        target_words, target = np.unique(texts.target, return_inverse=True)
        own = Texts(source.astype(np.int32), texts.source_start, target.astype(np.int32), texts.target_start)
        table = pair_table(own, included, source_words.size, target_words.size)
        return cls(own, source_words.astype(np.int64), target_words.astype(np.int64), included, table, numbers)

    def __len__(self) -> int:
        return int(self.numbers.size)

    @property
    def pairs(self) -> Long:
        """The numbers, in the shard, of the pairs that are worked on."""
        return np.flatnonzero(self.included)

    @property
    def source_lengths(self) -> Long:
        """The number of source words of each pair."""
        return np.diff(self.texts.source_start)

    @property
    def target_lengths(self) -> Long:
        """The number of target words of each pair."""
        return np.diff(self.texts.target_start)

    def blocks(
        self, pairs: Long | None = None, most_cells: int = 131_072, cells_at_once: int = CELLS_AT_ONCE
    ) -> Iterator[Block]:
        """Included pairs, or some of them, in blocks of about ``most_cells`` cells; results never depend on the cut."""
        chosen = self.pairs if pairs is None else pairs
        cells = self.source_lengths * self.target_lengths
        for part in blocks(chosen, cells, cells_at_once):
            slots = cell_slots(self.texts, part, self.table, self.source_words.size)
            begin = 0
            for numbers in blocks(part, cells, most_cells):
                end = begin + int(cells[numbers].sum())
                yield Block(self.texts, numbers, slots[begin:end])
                begin = end

    def block(self, pairs: Long) -> Block:
        """Some included pairs as one block."""
        return Block(self.texts, pairs, cell_slots(self.texts, pairs, self.table, self.source_words.size))

    def global_texts(self) -> Texts:
        """The sentences with words numbered as in the vocabularies."""
        texts = self.texts
        return Texts(
            self.source_words[texts.source].astype(np.int32),
            texts.source_start,
            self.target_words[texts.target].astype(np.int32),
            texts.target_start,
        )

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """All of it, to be stored."""
        return {
            **self.texts._asdict(),
            "source_words": self.source_words,
            "target_words": self.target_words,
            "included": self.included,
            "row_start": self.table.row_start,
            "partner": self.table.source,
            "numbers": self.numbers,
        }

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Shard:
        """What was stored."""
        return cls(
            Texts(*(arrays[name] for name in Texts._fields)),
            arrays["source_words"],
            arrays["target_words"],
            arrays["included"],
            PairTable(arrays["row_start"], arrays["partner"]),
            arrays["numbers"],
        )
