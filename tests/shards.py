"""Small corpora of made-up words in many small shards, and what models say of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pralign.decoding.evidence import AlignableShard
from pralign.engine import ThreadEngine
from pralign.store import MemoryStore
from pralign.text.corpus import Corpus
from pralign.text.cutting import ShardSizes, shard_corpus
from pralign.text.normalisation import Normalisation
from pralign.text.shard import Shard
from pralign.text.sharding import ShardedCorpus, add_corpus, load_shard
from pralign.training.state import TrainingState
from pralign.training.tasks import spelled_words
from pralign.training.trainer import Trainer, TrainingPlan

Sentences = list[tuple[list[str], list[str]]]

LONGEST = 12
# Even small corpora have several shards of several chunks, and several pieces.
SMALL = ShardSizes(chunk=300, shard=2000, piece=150)
# And with these, several blocks.
BLOCK_CELLS = 150


def random_sentences(seed: int, pairs: int, words: int = 30, most: int = 15) -> Sentences:
    """Frequent and rare words in sentences of any length, also none."""
    rng = np.random.default_rng(seed)

    def draw(letter: str) -> list[str]:
        return [f"{letter}{int(words * rng.random() ** 2)}" for _ in range(rng.integers(0, most + 1))]

    return [(draw("s"), draw("t")) for _ in range(pairs)]


def sharded(pairs: Sentences, longest: int = LONGEST, sizes: ShardSizes = SMALL) -> ShardedCorpus:
    return shard_corpus(pairs, Normalisation(), longest, MemoryStore(), ThreadEngine(1), sizes)


@dataclass(frozen=True)
class Learned:
    """A corpus, and what training on it has come to."""

    corpus: ShardedCorpus
    state: TrainingState

    @property
    def names(self) -> list[str]:
        """The shards that were trained on."""
        return [str(number) for number in range(self.corpus.shards)]

    def open(self, name: str) -> AlignableShard:
        """A shard that was trained on, or was to be aligned."""
        shard, store = load_shard(self.corpus.store, name), self.corpus.store
        model = self.state.model_of(store, shard, name, self.corpus.pieces)
        own = self.state.own_counts(store, name) if name in self.names else None
        return AlignableShard(shard, model, own, spelled_words(shard, self.corpus.source, self.corpus.target))


def learn(corpus: ShardedCorpus, schedule: tuple[tuple[str, int], ...], **options: Any) -> Learned:
    """Train; the shard of long pairs is to be aligned too, if there is one."""
    aligned = (*options.pop("aligned", ()), *corpus.untrained)
    plan = TrainingPlan(corpus, schedule, aligned=aligned, **options)
    return Learned(corpus, Trainer(plan, ThreadEngine(1)).run())


def add_pairs(corpus: ShardedCorpus, name: str, pairs: Sentences) -> Shard:
    """More text, whose words are all known, as a shard that is not trained on."""
    return add_corpus(corpus, name, Corpus.encode(pairs, Normalisation(), corpus.source, corpus.target))


def small_blocks(shard: Shard, pairs: Any = None, most_cells: int = BLOCK_CELLS, cells_at_once: int = 1000) -> Any:
    """In the place of ``Shard.blocks``: the same in small blocks."""
    return _blocks(shard, pairs, most_cells, cells_at_once)


_blocks = Shard.blocks
