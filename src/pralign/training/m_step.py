"""The M-step: from the counts of all shards to the parameters of each, piece by piece of the lexicon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Long, Normalizers
from pralign.kernels.lexical import add_compressed, choose_rows, compress
from pralign.kernels.units import UNIT
from pralign.models.estimators import Estimator
from pralign.models.lexicon import WordTables
from pralign.store import Store
from pralign.text.shard import Shard
from pralign.text.sharding import load_piece, piece_rows, slots_in_piece
from pralign.training.relatives import RelativesStep
from pralign.training.totals import Totals

# Keeps every pair that occurs together possible: what counts as nothing now may be what a constraint asks for later. It
# is far below what any count gives (a unit is 6e-8), so that nothing else notices.
_SMALLEST = 1e-12
_COMPRESSED = ("row", "low", "large_row", "high")


def save_pair_counts(
    store: Store, name: str, shard: Shard, counts: NDArray[np.int64], piece_words: Sequence[int]
) -> None:
    """Put the counts of a shard's word pairs into the store, by the pieces that they belong to."""
    arrays: dict[str, NDArray[Any]] = {}
    for piece in range(len(piece_words) - 1):
        rows = piece_rows(shard, piece_words, piece)
        arrays |= dict(zip(_compressed(piece), compress(counts[rows.first : rows.last]), strict=True))
    store.save(name, arrays)


def save_earlier_counts(store: Store, model: str, piece: int, counts: Long) -> None:
    """Put the counts of the word pairs of an earlier model that belong to a piece into the store."""
    store.save(_counted(model, piece), dict(zip(_COMPRESSED, compress(counts), strict=True)))


def _counted(model: str, piece: int) -> str:
    return f"counted/{model}/{piece}"


def _compressed(piece: int) -> list[str]:
    return [f"{part}/{piece}" for part in _COMPRESSED]


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
        for shard in self.shards:
            counts = self.store.load(f"{self.name}/{shard}", _compressed(piece))
            add_compressed(slots_in_piece(self.store, shard, piece), tuple(counts.values()), total)
        for model in self.earlier:
            counts = self.store.load(_counted(model, piece), _COMPRESSED)
            add_compressed(slots_in_piece(self.store, model, piece), tuple(counts.values()), total)
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
        step: The step that the parameters belong to, for which the new normalizers lie in the store.
        piece_words: The first target word of each piece, and the end.
        estimator: How probabilities follow from counts.
        relatives: What is to be known of the relatives of words, if words lean on them.
    """

    counts: PieceCounts
    others: Sequence[str]
    step: int
    piece_words: Sequence[int]
    estimator: Estimator
    relatives: RelativesStep | None = None

    def describe(self, piece: int) -> str:
        """What is done with a piece."""
        return f"M-step {self.step} of piece {piece} of the lexicon"

    def __call__(self, piece: int) -> None:
        """Work on one piece, unless it was done before."""
        store, name = self.counts.store, f"parameters/{self.step}/{piece}"
        if store.has(name):
            return
        normalizers = WordTables.from_arrays(store.load(f"words/{self.step}")).normalizers
        table, total = load_piece(store, piece), self.counts(piece)
        first, last = self.piece_words[piece : piece + 2]
        normalizers = normalizers._replace(target=normalizers.target[first:last])
        probability = np.zeros(total.shape, np.float32)
        if self.relatives is not None:
            self.relatives.fill(piece, table, total, probability)
        self.estimator.estimate_pairs(table, total, self.estimator.lexical, normalizers, _SMALLEST, probability)
        del total
        shards = (*self.counts.shards, *self.others)
        store.save(name, {shard: choose_rows(probability, slots_in_piece(store, shard, piece)) for shard in shards})
