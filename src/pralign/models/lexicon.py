"""The lexicon: translation probabilities of both directions, and the lattices made from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import CellSlots, Double, Lattice, PairTable, Texts, TranslationTable
from pralign.kernels.lexical import add_counts, fill_lattices, normalise_pairs
from pralign.models.base import Inference

Side = Literal["source", "target"]

# Keeps every co-occurring pair possible, and numbers out of the slow range below the normal ones.
_SMALLEST = 1e-30


class LexicalCounts(NamedTuple):
    """Expected counts of word pairs (both directions side by side) and of words explained by null."""

    pair: Double
    null_to_target: Double
    null_to_source: Double


class Lattices(NamedTuple):
    """A block of pairs in both directions; ``forward`` generates the target words, ``reverse`` the source words.

    Lattices that were changed after the lexicon made them keep in ``log_likelihood`` what the models said of the pairs
    before, forward and reverse.
    """

    forward: Lattice
    reverse: Lattice
    log_likelihood: tuple[Double, Double] | None = None


@dataclass(frozen=True)
class Lexicon:
    """p(target word | source word) and p(source word | target word) of all pairs that occur together.

    Attributes:
        table: The distinct word pairs.
        translations: The probabilities of both directions, and of the words explained by null.
    """

    table: PairTable
    translations: TranslationTable

    @classmethod
    def uniform(cls, table: PairTable, targets: int) -> Lexicon:
        """All words that a word occurs with are equally likely translations of it, and all words of null."""
        in_source = np.diff(table.row_start) > 0
        in_target = np.bincount(table.target, minlength=targets) > 0
        ones = LexicalCounts(np.ones((table.target.size, 2)), in_target.astype(float), in_source.astype(float))
        return cls(table, _normalise(table, ones, 0.0))

    def lattices(self, texts: Texts, cells: CellSlots, pairs: NDArray[np.int64]) -> Lattices:
        """The emissions of a block of pairs; ``cells`` knows the slots of those that were indexed."""
        source = texts.source_start[pairs + 1] - texts.source_start[pairs]
        target = texts.target_start[pairs + 1] - texts.target_start[pairs]
        cell_start = _starts(source * target)
        built = Lattices(_lattice(source, target, cell_start), _lattice(target, source, cell_start))
        fill_lattices(texts, pairs, self.table, cells, self.translations, built.forward, built.reverse)
        return built

    def partners(self, word: int, side: Side) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """All words of the other side that a word occurs with, and the probability of each given the word."""
        if side == "source":
            slots = slice(self.table.row_start[word], self.table.row_start[word + 1])
            return self.table.target[slots].astype(np.int64), self.translations.probability[slots, 0]
        found = np.flatnonzero(self.table.target == word)
        sources = np.searchsorted(self.table.row_start, found, side="right") - 1
        return sources, self.translations.probability[found, 1]

    def no_counts(self) -> LexicalCounts:
        """Expected counts of nothing, to add to."""
        sources, targets = self.translations.null_to_source.size, self.translations.null_to_target.size
        return LexicalCounts(np.zeros((self.table.target.size, 2)), np.zeros(targets), np.zeros(sources))

    def maximise(self, counts: LexicalCounts, smoothing: float) -> Lexicon:
        """The M-step: normalise the counts, each raised by ``smoothing``; words never trained on stay impossible."""
        raised = LexicalCounts(
            counts.pair,
            counts.null_to_target + smoothing * (self.translations.null_to_target > 0),
            counts.null_to_source + smoothing * (self.translations.null_to_source > 0),
        )
        return Lexicon(self.table, _normalise(self.table, raised, smoothing))


def add_lexical_counts(
    counts: LexicalCounts,
    texts: Texts,
    cells: CellSlots,
    pairs: NDArray[np.int64],
    inferences: tuple[Inference, Inference],
) -> None:
    """Add the posteriors of a block, forward and reverse, to ``counts`` in place."""
    forward, reverse = inferences
    add_counts(texts, pairs, cells, forward.posterior, reverse.posterior, tuple(counts))


def _normalise(table: PairTable, counts: LexicalCounts, pair_smoothing: float) -> TranslationTable:
    probability = np.empty(counts.pair.shape, np.float32)
    normalise_pairs(table, counts.pair, pair_smoothing, _SMALLEST, probability)
    return TranslationTable(probability, _distribution(counts.null_to_target), _distribution(counts.null_to_source))


def _distribution(counts: Double) -> NDArray[np.float32]:
    return np.asarray(counts / max(float(counts.sum()), _SMALLEST), np.float32)


def _starts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    starts = np.zeros(sizes.size + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def _lattice(states: NDArray[np.int64], observed: NDArray[np.int64], cell_start: NDArray[np.int64]) -> Lattice:
    observed_start = _starts(observed)
    return Lattice(
        np.empty(cell_start[-1], np.float32),
        np.empty(observed_start[-1], np.float32),
        states.astype(np.int32),
        observed_start,
        cell_start,
        np.ones(states.size),
    )
