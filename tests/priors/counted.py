"""Priors spelled out: words instead of numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from pralign.engine import ThreadEngine
from pralign.kernels.units import UNITS
from pralign.models.prior import Prior
from pralign.store import MemoryStore
from pralign.text.bitext import Pair
from pralign.text.cutting import ShardSizes, shard_corpus
from pralign.text.normalisation import Normalisation
from pralign.text.sharding import ShardedCorpus

Pairs = dict[tuple[str, str], tuple[float, float]]
Masses = dict[str, float]

LONGEST = 12


def sharded(pairs: Iterable[Pair], normalisation: Normalisation | None = None, threads: int = 1) -> ShardedCorpus:
    """A text whose lexicon is in many pieces."""

    def sizes(cells: int, words: int, workers: int) -> ShardSizes:
        return ShardSizes(shard=100, piece=8)

    return shard_corpus(
        pairs, normalisation or Normalisation(), LONGEST, MemoryStore(), ThreadEngine(threads), sizes, (50, 50)
    )


def counts_of(corpus: ShardedCorpus) -> Pairs:
    """The pairs that a prior counts, each with its forward and its reverse count."""
    counts: Pairs = {}
    for piece in range(corpus.pieces):
        table, known = corpus.piece(piece), corpus.store.load(f"prior/{piece}")
        slots, units = known["slot"], known["units"]
        assert np.all(np.diff(slots) > 0), "a pair is counted once, and pairs are in order"
        assert units.shape == (slots.size, 2)
        source = table.source[slots]
        target = corpus.piece_words[piece] + np.searchsorted(table.row_start, slots, side="right") - 1
        for s, t, (forward, reverse) in zip(source.tolist(), target.tolist(), units.tolist(), strict=True):
            counts[corpus.source.words[s], corpus.target.words[t]] = forward / UNITS, reverse / UNITS
    return counts


def elsewhere_of(prior: Prior, corpus: ShardedCorpus) -> tuple[Masses, Masses]:
    """The words of both sides that are known from pairs that do not occur together, and how often they count there."""
    sources: Masses = defaultdict(float)
    targets: Masses = defaultdict(float)
    for (source, target), (forward, reverse) in counts_of(corpus).items():
        sources[source] += forward
        targets[target] += reverse
    return _less(prior.totals[0], corpus.source.words, sources), _less(prior.totals[1], corpus.target.words, targets)


def _less(totals: np.ndarray, words: list[str], known: Masses) -> Masses:
    left = {word: total / UNITS - known[word] for word, total in zip(words, totals.tolist(), strict=True)}
    return {word: mass for word, mass in left.items() if mass != 0}


def together(sentences: Iterable[tuple[list[str], list[str]]]) -> set[tuple[str, str]]:
    """The pairs of words that occur together."""
    return {(s, t) for source, target in sentences for s in source for t in target}
