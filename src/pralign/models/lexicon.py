"""The lexicon: translation probabilities of both directions, and the lattices made from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import (
    CellSlots,
    Contributions,
    Double,
    Lattice,
    Masses,
    PairTable,
    Texts,
    TranslationTable,
)
from pralign.kernels.leaving_out import leave_out
from pralign.kernels.lexical import (
    add_counts,
    divide_pairs,
    expected_logarithms,
    fill_lattices,
    shares_by_logarithm,
    sum_by_word,
)
from pralign.models.base import Inference
from pralign.models.estimation import POSSIBLE_WORDS, Estimation
from pralign.models.prior import LexicalPrior

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
        masses: What the probabilities have to be multiplied by to be counts.
    """

    table: PairTable
    translations: TranslationTable
    masses: Masses

    @classmethod
    def uniform(cls, table: PairTable, targets: int) -> Lexicon:
        """All words that a word occurs with are equally likely translations of it, and all words of null."""
        in_source = np.diff(table.row_start) > 0
        in_target = np.bincount(table.target, minlength=targets) > 0
        ones = LexicalCounts(np.ones((table.target.size, 2)), in_target.astype(float), in_source.astype(float))
        return _estimated(table, ones, Estimation(), None)

    def lattices(
        self, texts: Texts, cells: CellSlots, pairs: NDArray[np.int64], own: Contributions | None = None
    ) -> Lattices:
        """The emissions of a block of pairs; ``cells`` knows the slots of those that were indexed.

        What the pairs have added to the counts themselves, ``own``, is left out of them.
        """
        source = texts.source_start[pairs + 1] - texts.source_start[pairs]
        target = texts.target_start[pairs + 1] - texts.target_start[pairs]
        cell_start = _starts(source * target)
        built = Lattices(_lattice(source, target, cell_start), _lattice(target, source, cell_start))
        lexicon = (self.table, self.translations, self.masses)
        fill_lattices(texts, pairs, lexicon, cells, built.forward, built.reverse)
        if own is not None:
            leave_out(texts, pairs, self.masses, own, (built.forward, built.reverse))
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

    def maximise(self, counts: LexicalCounts, estimation: Estimation, prior: LexicalPrior | None = None) -> Lexicon:
        """The M-step: the counts, with those of ``prior``, as probabilities; words never trained on stay impossible."""
        raised = LexicalCounts(
            counts.pair,
            counts.null_to_target + estimation.null * (self.translations.null_to_target > 0),
            counts.null_to_source + estimation.null * (self.translations.null_to_source > 0),
        )
        return _estimated(self.table, raised, estimation, prior)


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


def _estimated(table: PairTable, counts: LexicalCounts, how: Estimation, prior: LexicalPrior | None) -> Lexicon:
    """The lexicon of these counts; those of null are already raised. The counts of a prior are added in place."""
    masses = _prior_masses(table, counts, how)
    if prior is not None:
        prior.add_to(counts.pair)
        np.add(masses.source, prior.elsewhere_source, out=masses.source)
        np.add(masses.target, prior.elsewhere_target, out=masses.target)
    sum_by_word(table, counts.pair, masses.source, masses.target)
    probability = np.empty(counts.pair.shape, np.float32)
    by_logarithm = how.estimator == "vb"
    estimate = expected_logarithms if by_logarithm else divide_pairs
    estimate(table, counts.pair, how.lexical, masses, _SMALLEST, probability)
    null_to_target = _null_shares(counts.null_to_target, masses.null[0], by_logarithm)
    null_to_source = _null_shares(counts.null_to_source, masses.null[1], by_logarithm)
    return Lexicon(table, TranslationTable(probability, null_to_target, null_to_source), masses)


def _null_shares(counts: Double, mass: float, by_logarithm: bool) -> NDArray[np.float32]:
    if not by_logarithm:
        return np.asarray(counts / mass, np.float32)
    shares = np.empty(counts.size, np.float32)
    shares_by_logarithm(counts, mass, shares)
    return shares


def _prior_masses(table: PairTable, counts: LexicalCounts, how: Estimation) -> Masses:
    """What the prior adds to the count of each word, and all the counts of null."""
    source, target = np.diff(table.row_start), np.bincount(table.target, minlength=counts.null_to_target.size)
    null_extra = np.zeros(2)
    if how.estimator != "em":
        source, target = (np.where(partners > 0, POSSIBLE_WORDS, 0) for partners in (source, target))
        # Null may explain any word of the text, but as a word it could be more words than a small text has.
        null_extra = how.null * np.maximum(POSSIBLE_WORDS - np.array([target.size, source.size]), 0)
    null = np.array([counts.null_to_target.sum(), counts.null_to_source.sum()]) + null_extra
    added = np.float64(how.lexical)
    prior = np.array([added, added * POSSIBLE_WORDS]) if how.estimator != "em" else np.zeros(2)
    return Masses(source * added, target * added, np.maximum(null, _SMALLEST), prior)


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
