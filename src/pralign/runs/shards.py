"""The shards of a run, opened for aligning; labelled pairs among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from pralign.constraints.projection import ShardWords
from pralign.decoding.evidence import AlignableShard
from pralign.decoding.labelled import golds_of
from pralign.engine import Engine
from pralign.kernels.arrays import Int, Long
from pralign.kernels.own_counts import OwnCounts, choose, find_pairs, fingerprints, joined, no_own_counts
from pralign.links.alignment import Alignment
from pralign.links.labelled import Labelled
from pralign.models.lexicon import Expect
from pralign.models.relatives import BaseMeasure, Level, Relatives
from pralign.runs.recipe import Recipe
from pralign.store import Store
from pralign.text.corpus import Corpus
from pralign.text.shard import Shard
from pralign.text.sharding import ShardedCorpus, add_corpus, load_shard
from pralign.text.vocabulary import Vocabulary
from pralign.training.relatives import kept_levels
from pralign.training.state import StoredState, TrainingState
from pralign.training.tasks import spelled_words

LABELLED = "labelled"


@dataclass(frozen=True)
class StoredBase:
    """What to expect of words that were never seen together, put together from a store only where it is needed."""

    store: Store
    pieces: int
    lookalikes: float
    relatives: Relatives | None

    def of(self, state: TrainingState, classes: tuple[Int, Int] | None = None) -> BaseMeasure:
        """What is to be expected in a state, of all words or only of those that are in some classes of forms."""
        relatives, levels = self.relatives, tuple[Level, ...]()
        if relatives is not None and state.parameters is not None:
            name, needed = f"classes/{state.parameters}", None
            if classes is not None:
                needed = list(zip(*classes, strict=True))
            levels = tuple(kept_levels(self.store, name, relatives.levels, self.pieces, needed))
        return BaseMeasure(self.lookalikes, relatives, levels)

    def expected(self, state: TrainingState, shard: Shard, words: ShardWords) -> Expect:
        """Says what to expect of pairs of the words of a shard."""
        classes = None
        if self.relatives is not None:
            classes = (
                self.relatives.source.classes_of(shard.source_words, words[0]),
                self.relatives.target.classes_of(shard.target_words, words[1]),
            )
        return partial(self.of(state, classes).expected, *words, classes=classes)


@dataclass(frozen=True)
class Opener:
    """Finds shards that were trained on by their names, with everything that aligning them needs.

    Attributes:
        state: Where the state of training lies.
        pieces: How many pieces the lexicon has.
        vocabularies: The words of both sides, for constraints that look at them.
    """

    state: StoredState
    pieces: int
    vocabularies: tuple[Vocabulary, Vocabulary] | None = None

    @property
    def store(self) -> Store:
        """Where everything is."""
        return self.state.store

    def __call__(self, name: str) -> AlignableShard:
        """The shard called ``name``."""
        shard, state = load_shard(self.store, name), self.state.load()
        words = None if self.vocabularies is None else spelled_words(shard, *self.vocabularies)
        model = state.model_of(self.store, shard, name, self.pieces)
        return AlignableShard(shard, model, state.own_counts(self.store, name), words)


@dataclass(frozen=True)
class StrangerOpener:
    """The same for text that was not trained on, with words and word pairs that may be new."""

    state: StoredState
    pieces: int
    vocabularies: tuple[Vocabulary, Vocabulary]
    base: StoredBase
    unknown: tuple[str, ...] = ()

    @property
    def store(self) -> Store:
        """Where everything is."""
        return self.state.store

    def __call__(self, name: str) -> AlignableShard:
        """The shard called ``name``."""
        return self.in_state(self.state.load(), name)

    def in_state(self, state: TrainingState, name: str) -> AlignableShard:
        """The shard called ``name``, in a state that need not be stored yet."""
        shard = load_shard(self.store, name)
        words = spelled_words(shard, *self.vocabularies, self.unknown)
        expect = self.base.expected(state, shard, words)
        return AlignableShard(shard, state.model_of(self.store, shard, name, self.pieces, expect), None, words)


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
    def of(cls, corpus: ShardedCorpus, recipe: Recipe, labelled: Sequence[Labelled], engine: Engine) -> LabelledShard:
        """Put labelled pairs into the store, and look them up in the text."""
        sentences = ((source, target) for source, target, _ in labelled)
        text = Corpus.encode(recipe.tokenization.pairs(sentences), recipe.normalisation, corpus.source, corpus.target)
        golds = golds_of(labelled, text)
        add_corpus(corpus, LABELLED, text)
        names = corpus.shard_names if recipe.estimator.leaves_out else ()
        found = dict(zip(names, engine.map(LabelledFinder(corpus.store), names), strict=True))
        return cls(golds, text.unknown, {name: places for name, places in found.items() if places[0].size})

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


@dataclass(frozen=True)
class LabelledFinder:
    """Finds labelled pairs in a shard that is trained on."""

    store: Store

    def __call__(self, name: str) -> tuple[Long, Long]:
        """Which of the labelled pairs are in the shard called ``name``, and where."""
        labelled, trained = load_shard(self.store, LABELLED), load_shard(self.store, name)
        texts = trained.global_texts()
        prints = fingerprints(texts, trained.pairs)
        order = np.argsort(prints, kind="stable")
        places = find_pairs(labelled.global_texts(), labelled.pairs, prints[order], trained.pairs[order], texts)
        here = np.flatnonzero(places >= 0)
        return here, np.searchsorted(trained.pairs, places[here])
