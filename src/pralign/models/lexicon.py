"""The lexicon: translation probabilities of both directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Expected, Float, Long, Normalizers, PairTable, TranslationTable
from pralign.kernels.indexing import find_slots
from pralign.kernels.lexical import MISSING, choose_rows, unseen_pairs
from pralign.schema.arrays import Array, Schema, ascending, between, indices, starts
from pralign.text.shard import Shard

Side = Literal["source", "target"]
#: Says what to expect of pairs of a shard's words, given by their places.
Expect = Callable[[tuple[Long, Long]], Expected]

# Keeps every co-occurring pair possible, and numbers out of the slow range below the normal ones.
_SMALLEST = 1e-30
# No count gets so high, nor what priors add to it; a count is still exact at this height.
_MOST_NORMALIZER = 2.0**52
# A sum of shares may be off by an error of rounding.
_PROBABILITY = between(0.0, 1.0 + 1e-5)
_NORMALIZER = between(0.0, _MOST_NORMALIZER)


@dataclass(frozen=True)
class WordTables:
    """What is known of single words: the probability of each given null, and what its counts were divided by.

    Attributes:
        null_to_target: The probability of each target word given null.
        null_to_source: The same for each source word.
        normalizers: What the counts of each word were divided by.
    """

    null_to_target: Float
    null_to_source: Float
    normalizers: Normalizers

    @classmethod
    def uniform(cls, source_partners: Long, target_partners: Long) -> Self:
        """Before training, null may explain all words equally, and each word all words that it occurs with."""
        nulls = (_uniform(target_partners), _uniform(source_partners))
        totals = np.array(
            [max(float(np.sum(partners > 0)), _SMALLEST) for partners in (target_partners, source_partners)]
        )
        normalizers = Normalizers(source_partners.astype(float), target_partners.astype(float), totals, np.zeros(2))
        return cls(*nulls, normalizers)

    def for_shard(self, shard: Shard) -> WordTables:
        """The same for the words of a shard; of unknown words nothing is known."""
        normalizers = Normalizers(
            _rows(self.normalizers.source, shard.source_words),
            _rows(self.normalizers.target, shard.target_words),
            self.normalizers.null,
            self.normalizers.added,
        )
        return WordTables(
            _rows(self.null_to_target, shard.target_words), _rows(self.null_to_source, shard.source_words), normalizers
        )

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """All of it, to be stored."""
        return {
            "null_to_target": self.null_to_target,
            "null_to_source": self.null_to_source,
            **{f"normalizers.{name}": array for name, array in self.normalizers._asdict().items()},
        }

    @classmethod
    def schema(cls) -> Schema:
        """What the arrays of :meth:`to_arrays` must be like."""
        return {
            "null_to_target": Array("float32", ("target words",), (_PROBABILITY,)),
            "null_to_source": Array("float32", ("source words",), (_PROBABILITY,)),
            "normalizers.source": Array("float64", ("source words",), (_NORMALIZER,)),
            "normalizers.target": Array("float64", ("target words",), (_NORMALIZER,)),
            "normalizers.null": Array("float64", (2,), (_NORMALIZER,)),
            "normalizers.added": Array("float64", (2,), (_NORMALIZER,)),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """What was stored."""
        normalizers = Normalizers(*(arrays[f"normalizers.{name}"] for name in Normalizers._fields))
        return cls(arrays["null_to_target"], arrays["null_to_source"], normalizers)


@dataclass(frozen=True)
class ShardLexicon:
    """The part of a lexicon that a shard needs: the probabilities of its word pairs, and its words."""

    translations: TranslationTable
    normalizers: Normalizers

    @classmethod
    def uniform(cls, shard: Shard, words: WordTables) -> Self:
        """The lexicon of a shard before training: all words that a word occurs with are equally likely."""
        own = words.for_shard(shard).normalizers
        probability = np.empty((shard.table.source.size, 2), np.float32)
        probability[:, 0] = (1.0 / np.maximum(own.source, 1.0))[shard.table.source]
        probability[:, 1] = np.repeat(1.0 / np.maximum(own.target, 1.0), np.diff(shard.table.row_start))
        return cls.of(shard, probability, words)

    @classmethod
    def of(cls, shard: Shard, probability: Float, words: WordTables, expect: Expect | None = None) -> Self:
        """The lexicon of a shard, given the probabilities of its word pairs.

        Those that are missing are filled in, as ``expect`` says of them.
        """
        own = words.for_shard(shard)
        missing = np.flatnonzero(probability[:, 0] == MISSING)
        if missing.size:
            known = words.null_to_source.size, words.null_to_target.size
            rows = np.searchsorted(shard.table.row_start, missing, side="right") - 1
            pairs = shard.table.source[missing].astype(np.int64), rows
            nothing = Expected(
                np.zeros((missing.size, 2), np.float32),
                np.zeros(shard.source_words.size),
                np.zeros(shard.target_words.size),
            )
            expected = nothing if expect is None else expect(pairs)
            filled = np.empty((missing.size, 2), np.float32)
            unseen_pairs(pairs, (shard.source_words, shard.target_words), known, own.normalizers, expected, filled)
            probability = probability.copy()
            probability[missing] = filled
        return cls(TranslationTable(probability, own.null_to_target, own.null_to_source), own.normalizers)


@dataclass(frozen=True)
class Lexicon:
    """p(target word | source word) and p(source word | target word) of all pairs that occur together.

    Attributes:
        table: The distinct word pairs.
        probability: The probabilities of both directions.
        words: What is known of single words.
    """

    table: PairTable
    probability: Float
    words: WordTables

    def tensors(self) -> dict[str, NDArray[Any]]:
        """All but its words, to be saved."""
        return {**self.table._asdict(), "probability": self.probability}

    @classmethod
    def schema(cls) -> Schema:
        """What the arrays of :meth:`tensors` must be like."""
        return {
            "row_start": Array("int64", ("target words + 1",), (starts("word pairs"),)),
            "source": Array("int32", ("word pairs",), (indices("source words"), ascending("row_start"))),
            "probability": Array("float32", ("word pairs", 2), (_PROBABILITY,)),
        }

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]], words: WordTables) -> Self:
        """What was saved."""
        return cls(PairTable(tensors["row_start"], tensors["source"]), tensors["probability"], words)

    def for_shard(self, shard: Shard, expect: Expect | None = None) -> ShardLexicon:
        """The part of it that a shard of other text needs; ``expect`` says what of pairs that were never seen."""
        rows = np.repeat(shard.target_words, np.diff(shard.table.row_start))
        slots = find_slots(self.table, shard.source_words[shard.table.source], rows)
        return ShardLexicon.of(shard, choose_rows(self.probability, slots), self.words, expect)

    def partners(self, word: int, side: Side) -> tuple[Long, Float]:
        """All words of the other side that a word occurs with, and the probability of each given the word."""
        if side == "target":
            slots = slice(self.table.row_start[word], self.table.row_start[word + 1])
            return self.table.source[slots].astype(np.int64), self.probability[slots, 1]
        found = np.flatnonzero(self.table.source == word)
        targets = np.searchsorted(self.table.row_start, found, side="right") - 1
        return targets, self.probability[found, 0]

    @property
    def translations(self) -> TranslationTable:
        """The probabilities as kernels take them."""
        return TranslationTable(self.probability, self.words.null_to_target, self.words.null_to_source)


def _rows(values: NDArray[Any], words: Long) -> NDArray[Any]:
    """The values of some words; unknown ones have zero."""
    known = words < values.size
    if known.all():
        return values[words]
    return np.where(known, values[np.where(known, words, 0)], 0) if values.size else np.zeros(words.size, values.dtype)


def _uniform(partners: Long) -> Float:
    present = partners > 0
    return (present / max(int(present.sum()), 1)).astype(np.float32)
