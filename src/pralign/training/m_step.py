"""The M-step: from the counts of all shards to the parameters of each, piece by piece of the lexicon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Long, Normalizers
from pralign.kernels.lexical import add_compressed, choose_rows, compress, sum_by_word
from pralign.kernels.units import UNIT
from pralign.models.base import DirectionalModel, Statistics
from pralign.models.bidirectional import ShardStatistics
from pralign.models.estimators import Estimator
from pralign.models.lexicon import WordTables
from pralign.store import Store
from pralign.text.shard import Shard
from pralign.text.sharding import load_piece, piece_rows, slots_in_piece
from pralign.training.relatives import RelativesStep

# Keeps every pair that occurs together possible: what counts as nothing now may be what a constraint asks for later. It
# is far below what any count gives (a unit is 6e-8), so that nothing else notices.
_SMALLEST = 1e-12
_COMPRESSED = ("row", "low", "large_row", "high")


class Totals(NamedTuple):
    """Everything that is summed over shards except the counts of word pairs, which stay in pieces. All in units.

    Attributes:
        source: The counts of each source word, forward.
        target: The counts of each target word, in reverse.
        null_to_target: How much of each target word null has explained.
        null_to_source: The same for each source word.
        forward: The statistics of the forward model.
        reverse: The statistics of the reverse model.
        log_likelihood: Forward and reverse, in units of their own.
    """

    source: Long
    target: Long
    null_to_target: Long
    null_to_source: Long
    forward: Statistics
    reverse: Statistics
    log_likelihood: Long

    @classmethod
    def zero(cls, source_words: int, target_words: int, models: tuple[DirectionalModel, DirectionalModel]) -> Self:
        """Zero counts."""
        forward, reverse = models
        return cls(
            np.zeros(source_words, np.int64),
            np.zeros(target_words, np.int64),
            np.zeros(target_words, np.int64),
            np.zeros(source_words, np.int64),
            forward.zero_statistics(),
            reverse.zero_statistics(),
            np.zeros(2, np.int64),
        )

    def add(self, part: ShardTotals, models: tuple[DirectionalModel, DirectionalModel]) -> None:
        """Add those of a shard in place, whose words are numbered differently."""
        self.source[part.source_words] += part.totals.source
        self.target[part.target_words] += part.totals.target
        self.null_to_target[part.target_words] += part.totals.null_to_target
        self.null_to_source[part.source_words] += part.totals.null_to_source
        add_statistics(self.forward, part.totals.forward, part.source_words, models[0])
        add_statistics(self.reverse, part.totals.reverse, part.target_words, models[1])
        self.log_likelihood[:] += part.totals.log_likelihood


class ShardTotals(NamedTuple):
    """The totals of a shard, by its own words, which are named."""

    source_words: Long
    target_words: Long
    totals: Totals

    @classmethod
    def of(cls, shard: Shard, statistics: ShardStatistics) -> Self:
        """Sum up what the E-step has found in a shard."""
        lexical = statistics.lexical
        of_source, of_target = np.zeros(shard.source_words.size, np.int64), np.zeros(shard.target_words.size, np.int64)
        sum_by_word(shard.table, lexical.pair, of_source, of_target)
        totals = Totals(
            of_source,
            of_target,
            lexical.null_to_target,
            lexical.null_to_source,
            statistics.forward,
            statistics.reverse,
            statistics.log_likelihood,
        )
        return cls(shard.source_words, shard.target_words, totals)


def add_statistics(total: Statistics, part: Statistics, words: Long, model: DirectionalModel) -> None:
    """Add the statistics of a shard to those of all in place; ``words`` are the numbers of its words."""
    for name, counts in part.items():
        if name in model.counted_by_word:
            total[name][words] += counts
        else:
            total[name][...] += counts


def save_pair_counts(
    store: Store, prefix: str, shard: Shard, counts: NDArray[np.int64], piece_words: Sequence[int]
) -> None:
    """Put the counts of a shard's word pairs into the store, by the pieces that they belong to."""
    for piece in range(len(piece_words) - 1):
        rows = piece_rows(shard, piece_words, piece)
        save_compressed(store, f"{prefix}/{piece}", counts[rows.first : rows.last])


def save_compressed(store: Store, name: str, counts: Long) -> None:
    """Put the counts of some word pairs into the store."""
    store.save(name, dict(zip(_COMPRESSED, compress(counts), strict=True)))


def with_prior(totals: Totals, prior: tuple[Long, Long] | None) -> tuple[Long, Long]:
    """The counts of each source word and of each target word, with those of a prior."""
    if prior is None:
        return totals.source, totals.target
    return totals.source + prior[0], totals.target + prior[1]


def word_tables(
    totals: Totals,
    estimator: Estimator,
    partners: tuple[Long, Long],
    prior: tuple[Long, Long] | None,
    relatives: tuple[Double, Double] | None = None,
) -> WordTables:
    """What the M-step makes of single words: their normalizers, and the probability of each given null.

    ``partners`` are with how many words each source word and each target word occurs together, ``prior`` what is added
    to the counts of each, ``relatives`` what those of the relatives of each add up to. Words that are never trained on
    have what the prior gives them.
    """
    source, target = with_prior(totals, prior)
    null_to_target = totals.null_to_target * UNIT + estimator.null * (partners[1] > 0)
    null_to_source = totals.null_to_source * UNIT + estimator.null * (partners[0] > 0)
    null = np.array(
        [counts.sum() + estimator.added_to_null(counts.size) for counts in (null_to_target, null_to_source)]
    )
    null = np.maximum(null, _SMALLEST)
    normalizers = Normalizers(
        source * UNIT + estimator.added_to_words(partners[0]),
        target * UNIT + estimator.added_to_words(partners[1]),
        null,
        estimator.added,
    )
    if relatives is not None:
        normalizers = normalizers._replace(
            source=normalizers.source + relatives[0], target=normalizers.target + relatives[1]
        )
    return WordTables(
        estimator.null_shares(null_to_target, null[0]), estimator.null_shares(null_to_source, null[1]), normalizers
    )


@dataclass(frozen=True)
class PieceCounts:
    """Adds up the counts of a piece.

    Attributes:
        store: Where counts are.
        shards: The names of the shards that have counts.
        name: What the names of the counts begin with.
        has_prior: Whether something is added to the counts.
        earlier: The names of earlier models, whose counts are always the same.
    """

    store: Store
    shards: Sequence[str]
    name: str
    has_prior: bool
    earlier: Sequence[str] = ()

    def __call__(self, piece: int) -> Long:
        """The counts of both directions, a row a word pair, in units."""
        total = np.zeros((load_piece(self.store, piece).source.size, 2), np.int64)
        places = [(shard, self.name) for shard in self.shards] + [(model, "earlier") for model in self.earlier]
        for shard, name in places:
            counts = self.store.load(f"{name}/{shard}/{piece}")
            slots = slots_in_piece(self.store, shard, piece)
            add_compressed(slots, tuple(counts[each] for each in _COMPRESSED), total)
        if self.has_prior:
            prior = self.store.load(f"prior/{piece}")
            total[prior["slot"]] += prior["units"]
        return total


@dataclass(frozen=True)
class PieceMStep:
    """Makes probabilities of the counts of a piece, and gives each shard its own.

    Attributes:
        counts: Adds up the counts.
        others: The names of the shards that are only aligned.
        parameters: What the names of the parameters are to begin with.
        piece_words: The first target word of each piece, and the end.
        words: The new normalizers.
        estimator: How probabilities follow from counts.
        relatives: What is to be known of the relatives of words, if words lean on them.
    """

    counts: PieceCounts
    others: Sequence[str]
    parameters: str
    piece_words: Sequence[int]
    words: WordTables
    estimator: Estimator
    relatives: RelativesStep | None = None

    def __call__(self, piece: int) -> None:
        """Work on one piece."""
        store = self.counts.store
        table, total = load_piece(store, piece), self.counts(piece)
        first, last = self.piece_words[piece : piece + 2]
        normalizers = self.words.normalizers._replace(target=self.words.normalizers.target[first:last])
        probability = np.zeros(total.shape, np.float32)
        if self.relatives is not None:
            self.relatives.fill(piece, table, total, probability)
        self.estimator.estimate_pairs(table, total, self.estimator.lexical, normalizers, _SMALLEST, probability)
        del total
        for shard in (*self.counts.shards, *self.others):
            mine = choose_rows(probability, slots_in_piece(store, shard, piece))
            store.save(f"{self.parameters}/{shard}/{piece}", {"probability": mine})
