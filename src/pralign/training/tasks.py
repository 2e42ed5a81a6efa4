"""What is done with one shard: tasks that read a store and write to it, wherever they are done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pralign.constraints.projection import ShardWords
from pralign.models.base import Statistics
from pralign.text.shard import Shard
from pralign.text.sharding import describe_shard, load_shard
from pralign.text.vocabulary import Vocabulary
from pralign.training.e_step import Spec, count_best_paths, e_step
from pralign.training.m_step import save_pair_counts
from pralign.training.state import StoredState
from pralign.training.totals import ShardTotals, save_totals


@dataclass(frozen=True)
class ShardEStep:
    """The E-step of a shard that lies in a store; what is too large to hand back is put there too."""

    state: StoredState
    step: int
    spec: Spec
    piece_words: Sequence[int]
    vocabularies: tuple[Vocabulary, Vocabulary] | None = None

    def totals_of(self, name: str) -> str:
        """What the totals of a shard are called in the store."""
        return f"totals/{self.step}/{name}"

    def describe(self, name: str) -> str:
        """What is done with a shard."""
        return f"E-step {self.step} of {describe_shard(self.state.store, name)}"

    def __call__(self, name: str) -> str:
        """Work on the shard called ``name``, unless it was done before; its totals are the last to be put there."""
        store, step = self.state.store, self.step
        if store.has(self.totals_of(name)):
            return name
        state, shard = self.state.load(), load_shard(store, name)
        model = state.model_of(store, shard, name, len(self.piece_words) - 1)
        words = None if self.vocabularies is None else spelled_words(shard, *self.vocabularies)
        result = e_step(self.spec, model, shard, state.own_counts(store, name), words)
        if result.own is not None:
            store.save(f"own/{step}/{name}", result.own._asdict())
        save_pair_counts(store, f"counts/{step}/{name}", shard, result.statistics.lexical.pair, self.piece_words)
        save_totals(store, self.totals_of(name), ShardTotals.of(shard, result.statistics), result.cost)
        return name


@dataclass(frozen=True)
class ShardPaths:
    """Counts the best paths of a shard that lies in a store, for the models that are to follow."""

    before: StoredState
    after: StoredState
    pieces: int

    def __call__(self, name: str) -> tuple[tuple[np.ndarray, np.ndarray], tuple[Statistics, Statistics]]:
        """The words of the shard called ``name``, and what both models count in it."""
        store = self.before.store
        shard = load_shard(store, name)
        words = shard.source_words, shard.target_words
        models, state = self.after.load().models, self.before.load()
        following = models[0].for_words(*words), models[1].for_words(*words[::-1])
        model = state.model_of(store, shard, name, self.pieces)
        return words, count_best_paths(model, following, shard, state.own_counts(store, name))


def spelled_words(shard: Shard, source: Vocabulary, target: Vocabulary, unknown: Sequence[str] = ()) -> ShardWords:
    """The words of a shard."""
    return source.spelled(shard.source_words, unknown), target.spelled(shard.target_words, unknown)
