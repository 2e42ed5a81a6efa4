"""What a text has counted, found again from the model that was trained on it.

A model keeps probabilities and what they were divided by. Their product is the count of a pair of words with everything
that was added to it: by the prior, by the relatives of the words, and since the two look alike. All of that can be
worked out again and taken off, so that models of several texts can be added up and given their priors once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pralign.engine import Engine
from pralign.kernels.arrays import Double, Float, Long
from pralign.kernels.own_counts import LEAST, OWN_UNIT
from pralign.kernels.relatives import LEAST_KEPT
from pralign.kernels.similarity import Spelling, alike_pairs
from pralign.kernels.units import UNIT, UNITS, as_units
from pralign.models.estimators import Estimator
from pralign.models.lexicon import Lexicon
from pralign.models.relatives import BaseMeasure
from pralign.text.lookalikes import spelling
from pralign.text.vocabulary import Vocabulary

# Probabilities that are no higher were raised to this, so that there was no count behind them.
_NOTHING = np.float32(1.001e-12)
# So many pairs are looked at together.
_AT_ONCE = 500_000


class RecoveredCounts(NamedTuple):
    """What a text has counted, in units.

    Attributes:
        pairs: The counts of each word pair of the lexicon, forward and reverse.
        source: The counts of each source word, forward; those of pairs that a dictionary knew elsewhere among them.
        target: The counts of each target word, in reverse.
        null_to_target: How much of each target word null has explained.
        null_to_source: The same for each source word.
    """

    pairs: Long
    source: Long
    target: Long
    null_to_target: Long
    null_to_source: Long


def recover_counts(
    lexicon: Lexicon, base: BaseMeasure, estimator: Estimator, words: tuple[Vocabulary, Vocabulary], engine: Engine
) -> RecoveredCounts:
    """What the text of a model has counted.

    Where each pair was learned from without its own counts, these are whole multiples of a unit and not tiny, which
    makes most results exact. Otherwise they are as exact as single precision, and with relatives, what is far below
    what a prior adds is taken for nothing.

    Args:
        lexicon: The lexicon of the model.
        base: What was added since words look alike, and by relatives.
        estimator: How probabilities have followed from counts.
        words: The source words and the target words.
        engine: Where the work is done.
    """
    looks = (spelling(*words), spelling(*words[::-1])) if base.lookalikes > 0 else None
    task = Recovery(lexicon, base, estimator, looks)
    pairs = np.empty((lexicon.table.source.size, 2), np.int64)
    alike = np.zeros(len(words[0]), np.int64), np.zeros(len(words[1]), np.int64)
    for rows in engine.run(task, _ranges(lexicon.table.row_start)):
        pairs[rows.first : rows.last] = rows.units
        for total, of_words in zip(alike, rows.alike, strict=True):
            total += of_words
    source, target = (
        np.maximum(as_units(total) - similar, 0) for total, similar in zip(task.totals(), alike, strict=True)
    )
    return RecoveredCounts(pairs, source, target, *task.nulls())


def _ranges(row_start: Long) -> Iterator[tuple[int, int]]:
    """Ranges of target words that have about as many pairs as are looked at together."""
    edges = np.searchsorted(row_start, np.arange(0, row_start[-1], _AT_ONCE))
    words = np.unique(np.append(edges, [0, row_start.size - 1])).tolist()
    yield from pairwise(words)


class _Rows(NamedTuple):
    """The counts of the pairs from the first to before the last, and what look-alikes have added to words."""

    first: int
    last: int
    units: Long
    alike: tuple[Long, Long]


@dataclass(frozen=True)
class Recovery:
    """Finds the counts behind pairs of a lexicon, without or with what was added since words look alike."""

    lexicon: Lexicon
    base: BaseMeasure
    estimator: Estimator
    looks: tuple[Spelling, Spelling] | None

    def __call__(self, words: tuple[int, int]) -> _Rows:
        """The counts of the pairs of a range of target words."""
        table, normalizers = self.lexicon.table, self.lexicon.words.normalizers
        first, last = table.row_start[list(words)].tolist()
        sources = table.source[first:last].astype(np.int64)
        targets = np.repeat(np.arange(*words), np.diff(table.row_start[words[0] : words[1] + 1]))
        counts = self.counts(self.lexicon.probability[first:last], sources, targets)
        alike = np.zeros(normalizers.source.size, np.int64), np.zeros(normalizers.target.size, np.int64)
        if self.looks is not None:
            likeness = alike_pairs((sources, targets), *self.looks).astype(np.float64)
            added = np.rint(likeness * self.base.lookalikes * UNITS).astype(np.int64)
            counts -= (added * UNIT)[:, None]
            np.add.at(alike[0], sources, added)
            np.add.at(alike[1], targets, added)
        return _Rows(first, last, self.in_units(counts, self.least), alike)

    def counts(self, probability: Float, sources: Long, targets: Long) -> Double:
        """The counts of pairs of words, given by their numbers, that have these probabilities."""
        normalizers = self.lexicon.words.normalizers
        raised = np.empty(probability.shape)
        for direction, of_pairs in enumerate((normalizers.source[sources], normalizers.target[targets])):
            raised[:, direction] = self.estimator.raised_counts(probability[:, direction].copy(), of_pairs)
        raised = np.where(probability > _NOTHING, raised - self.estimator.lexical, 0.0)
        return self.base.without_relatives(raised, (sources, targets))

    def nulls(self) -> tuple[Long, Long]:
        """How much of each target word null has explained, and of each source word."""
        words = self.lexicon.words
        to_target, to_source = (
            self.in_units(
                self.estimator.raised_counts(shares, np.full(shares.size, of_null)) - self.estimator.null, 0.0
            )
            for shares, of_null in zip(
                (words.null_to_target, words.null_to_source), words.normalizers.null, strict=True
            )
        )
        return to_target, to_source

    def totals(self) -> tuple[Double, Double]:
        """The counts of each source word and of each target word; what look-alikes have added is among them."""
        table, normalizers = self.lexicon.table, self.lexicon.words.normalizers
        partners = np.bincount(table.source, minlength=normalizers.source.size), np.diff(table.row_start)
        source, target = (
            total - self.estimator.added_to_words(met) - mass
            for total, met, mass in zip(normalizers[:2], partners, self.base.masses, strict=True)
        )
        return source, target

    @property
    def least(self) -> float:
        """Less than this is no count of a pair, but an error of rounding."""
        if self.estimator.leaves_out:
            return float(LEAST) / 2
        return int(LEAST_KEPT) * UNIT if self.base.relatives is not None else 0.0

    def in_units(self, counts: Double, least: float) -> Long:
        """Counts that are not below ``least``, in units."""
        grain = float(OWN_UNIT) if self.estimator.leaves_out else UNIT
        return as_units(np.where(counts >= least, np.rint(np.maximum(counts, 0.0) / grain) * grain, 0.0))
