"""The shards of a run, opened for aligning; labelled pairs among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from pralign.decoding.evidence import AlignableShard
from pralign.decoding.labelled import golds_of
from pralign.kernels.arrays import Long
from pralign.kernels.own_counts import OwnCounts, choose, find_pairs, fingerprints, joined, no_own_counts
from pralign.links.alignment import Alignment
from pralign.links.labelled import Labelled
from pralign.models.relatives import BaseMeasure
from pralign.runs.recipe import Recipe
from pralign.text.corpus import Corpus
from pralign.text.sharding import ShardedCorpus, add_corpus, load_shard
from pralign.training.state import TrainingState
from pralign.training.trainer import spelled_words

LABELLED = "labelled"


@dataclass(frozen=True)
class Opener:
    """Finds the shards of a run by their names, with everything that aligning them needs.

    What is to be expected of words that were never seen together is put together only for text that needs it.
    """

    corpus: ShardedCorpus
    state: TrainingState
    base: Callable[[], BaseMeasure]
    with_words: bool = False
    unknown: tuple[str, ...] = ()

    def __call__(self, name: str) -> AlignableShard:
        """The shard called ``name``."""
        store = self.corpus.store
        shard = load_shard(store, name)
        trained = name in self.corpus.shard_names
        words = None
        if self.with_words or not trained:
            words = spelled_words(shard, self.corpus.source, self.corpus.target, self.unknown)
        expect = None if trained or words is None else partial(self.base().expected, *words)
        model = self.state.model_of(store, shard, name, self.corpus.pieces, expect)
        own = self.state.own_counts(store, name) if trained else None
        return AlignableShard(shard, model, own, words)


@dataclass(frozen=True)
class LabelledShard:
    """Labelled pairs as a shard of a run.

    Attributes:
        golds: The gold alignments of the pairs that can be aligned.
        unknown: The words that do not occur in the text.
        found: For each shard that is trained on, which of the labelled pairs are in it, and where.
    """

    golds: list[Alignment]
    unknown: tuple[str, ...]
    found: dict[str, tuple[Long, Long]]

    @classmethod
    def of(cls, corpus: ShardedCorpus, recipe: Recipe, labelled: Sequence[Labelled]) -> LabelledShard:
        """Put labelled pairs into the store, and look them up in the text."""
        sentences = ((source, target) for source, target, _ in labelled)
        text = Corpus.encode(sentences, recipe.normalisation, corpus.source, corpus.target)
        golds = golds_of(labelled, text)
        shard = add_corpus(corpus, LABELLED, text)
        texts = shard.global_texts()
        found = {}
        for name in corpus.shard_names if recipe.estimator.leaves_out else ():
            trained = load_shard(corpus.store, name)
            others = trained.global_texts()
            prints = fingerprints(others, trained.pairs)
            order = np.argsort(prints, kind="stable")
            places = find_pairs(texts, shard.pairs, prints[order], trained.pairs[order], others)
            here = np.flatnonzero(places >= 0)
            if here.size:
                found[name] = here, np.searchsorted(trained.pairs, places[here])
        return cls(golds, text.unknown, found)

    def own_counts(self, corpus: ShardedCorpus, state: TrainingState) -> OwnCounts | None:
        """What those of the labelled pairs that were trained on have added to the counts."""
        if state.own is None or not self.found:
            return None
        rows = np.full(len(self.golds), -1, np.int64)
        parts, size = [], 0
        for name, (here, places) in self.found.items():
            own = state.own_counts(corpus.store, name) or no_own_counts(0)
            parts.append(choose(own, places))
            rows[here] = size + np.arange(here.size)
            size += here.size
        chosen: OwnCounts = choose(joined(parts), rows)
        return chosen
