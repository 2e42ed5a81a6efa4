"""Small random corpora of made-up words, cut into shards, and models that were trained on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from pralign.engine import ThreadEngine
from pralign.kernels.arrays import PairTable, Texts
from pralign.kernels.units import UNITS
from pralign.models.bidirectional import BidirectionalModel, LexicalCounts, ShardStatistics
from pralign.models.estimators import EM, Estimator
from pralign.models.ibm1 import IBM1
from pralign.models.lexicon import Lexicon
from pralign.store import MemoryStore, Store
from pralign.text.corpus import Corpus
from pralign.text.cutting import ShardSizes, shard_corpus
from pralign.text.normalisation import Normalisation
from pralign.text.shard import Shard
from pralign.text.sharding import ShardedCorpus
from pralign.training.m_step import PieceCounts, PieceMStep, save_pair_counts, word_tables
from pralign.training.progress import Listener, ignore
from pralign.training.state import TrainingState
from pralign.training.totals import ShardTotals, Totals
from pralign.training.trainer import Judge, Trainer, TrainingPlan

Sentence = list[str]
Sentences = list[tuple[Sentence, Sentence]]
Stages = tuple[tuple[str, int], ...]

LONGEST = 12
#: All of a small corpus in one shard and one piece.
WHOLE = ShardSizes()


def sentence(letter: str, words: int = 5, least: int = 0, most: int = 6) -> st.SearchStrategy[Sentence]:
    # One integer a word, with many small ones: frequent and rare words, and repetitions within a sentence.
    return st.lists(st.integers(0, words - 1).map(lambda k: f"{letter}{k}"), min_size=least, max_size=most)


def sentences(least: int = 0, most: int = 6, pairs: int = 5) -> st.SearchStrategy[Sentences]:
    """Corpora with at least one pair that can be trained on."""
    pair = st.tuples(sentence("s", least=least, most=most), sentence("t", least=least, most=most))
    full = st.tuples(sentence("s", least=1, most=min(most, LONGEST)), sentence("t", least=1, most=min(most, LONGEST)))
    return st.tuples(full, st.lists(pair, max_size=pairs)).map(lambda parts: [parts[0], *parts[1]])


def random_sentences(seed: int, pairs: int, words: int = 30, most: int = 15) -> Sentences:
    """Frequent and rare words in sentences of any length, also none."""
    rng = np.random.default_rng(seed)

    def draw(letter: str) -> Sentence:
        return [f"{letter}{int(words * rng.random() ** 2)}" for _ in range(rng.integers(0, most + 1))]

    return [(draw("s"), draw("t")) for _ in range(pairs)]


def transposed(pairs: Sentences) -> Sentences:
    return [(target, source) for source, target in pairs]


def cut_into(shards: int, piece: int = 2_000_000) -> ShardSizes:
    """Sizes that cut even a small corpus into so many shards, if it has as many pairs."""
    return ShardSizes(chunk=1, piece=piece, least_shards=shards)


def build(
    pairs: Sequence[tuple[str | Sentence, str | Sentence]],
    longest: int = LONGEST,
    sizes: ShardSizes = WHOLE,
    threads: int = 1,
    store: Store | None = None,
    normalisation: Normalisation | None = None,
) -> ShardedCorpus:
    store = MemoryStore() if store is None else store
    return shard_corpus(pairs, normalisation or Normalisation(), longest, store, ThreadEngine(threads), sizes)


def trained_numbers(corpus: ShardedCorpus) -> NDArray[np.int64]:
    """The numbers of the pairs that are trained on."""
    shards = map(corpus.shard, range(corpus.shards))
    return np.concatenate([shard.numbers[shard.pairs] for shard in shards])


def included(corpus: ShardedCorpus, pairs: Sentences) -> Sentences:
    """The pairs that are trained on."""
    return [pairs[number] for number in trained_numbers(corpus)]


def lengths(corpus: ShardedCorpus) -> tuple[int, int]:
    """How many source words and target words are trained on."""
    shards = [corpus.shard(number) for number in range(corpus.shards)]
    return (
        sum(int(shard.source_lengths[shard.pairs].sum()) for shard in shards),
        sum(int(shard.target_lengths[shard.pairs].sum()) for shard in shards),
    )


def encoded(corpus: ShardedCorpus, pairs: Sentences) -> Shard:
    """Text that is not trained on, numbered with the vocabularies of a corpus."""
    text = Corpus.encode(pairs, Normalisation(), corpus.source, corpus.target)
    return Shard.of(
        text.texts, np.diff(text.texts.source_start) * np.diff(text.texts.target_start) > 0, np.arange(len(text))
    )


def whole_table(corpus: ShardedCorpus) -> PairTable:
    """The word pairs of all pieces in one table."""
    pieces = [corpus.piece(number) for number in range(corpus.pieces)]
    sizes = np.concatenate([np.diff(piece.row_start) for piece in pieces])
    source = np.concatenate([piece.source for piece in pieces])
    return PairTable(np.concatenate([[0], np.cumsum(sizes)]), source)


def word_pairs(shard: Shard) -> NDArray[np.int64]:
    """The word pairs of a shard by their numbers in the vocabularies, source and target, a row each."""
    targets = np.repeat(shard.target_words, np.diff(shard.table.row_start))
    return np.column_stack([shard.source_words[shard.table.source], targets])


def lexicon_of(corpus: ShardedCorpus, state: TrainingState) -> Lexicon:
    """The lexicon of a state, put together from the shards, which have to agree."""
    table = whole_table(corpus)
    rows = np.repeat(np.arange(len(corpus.target)), np.diff(table.row_start))
    places = {pair: slot for slot, pair in enumerate(zip(table.source.tolist(), rows.tolist(), strict=True))}
    probability = np.full((table.source.size, 2), -1.0, np.float32)
    for number in range(corpus.shards):
        shard = corpus.shard(number)
        found = state.model_of(corpus.store, shard, str(number), corpus.pieces).lexicon.translations.probability
        slots = np.array([places[s, t] for s, t in word_pairs(shard).tolist()], np.int64)
        before = probability[slots]
        assert np.all((before == found) | (before == -1.0))
        probability[slots] = found
    assert not np.any(probability == -1.0)
    return Lexicon(table, probability, state.words)


@dataclass(frozen=True)
class Trained:
    """A corpus, and the state that training on it has come to."""

    corpus: ShardedCorpus
    state: TrainingState

    @cached_property
    def lexicon(self) -> Lexicon:
        return lexicon_of(self.corpus, self.state)

    @property
    def forward(self) -> Any:
        return self.state.forward

    @property
    def reverse(self) -> Any:
        return self.state.reverse

    def shard_model(self, number: int = 0) -> BidirectionalModel:
        """The model with the parameters of a shard."""
        corpus = self.corpus
        return self.state.model_of(corpus.store, corpus.shard(number), str(number), corpus.pieces)

    def model_for(self, shard: Shard) -> BidirectionalModel:
        """The model with the parameters of a shard of other text."""
        return BidirectionalModel(
            self.lexicon.for_shard(shard),
            self.forward.for_words(shard.source_words, shard.target_words),
            self.reverse.for_words(shard.target_words, shard.source_words),
        )


def train(
    corpus: ShardedCorpus,
    schedule: Stages,
    estimator: Estimator | None = None,
    threads: int = 1,
    judge: Judge | None = None,
    listener: Listener = ignore,
    **options: Any,
) -> Trained:
    plan = TrainingPlan(corpus, schedule, EM() if estimator is None else estimator, **options)
    return Trained(corpus, Trainer(plan, ThreadEngine(threads), judge, listener).run())


def trained(pairs: Sentences, schedule: Stages, estimator: Estimator | None = None, **options: Any) -> Trained:
    return train(build(pairs), schedule, estimator, **options)


def start(pairs: Sentences, name: str) -> Trained:
    """A model before its first iteration."""
    corpus = build(pairs)
    return Trained(corpus, Trainer(TrainingPlan(corpus, ((name, 1),)), ThreadEngine(1)).initial())


def maximised(corpus: ShardedCorpus, counts: Sequence[NDArray[np.float64]], estimator: Estimator) -> Lexicon:
    """The lexicon that an estimator makes of counts of word pairs, target words and source words of a single shard."""
    assert (corpus.shards, corpus.pieces) == (1, 1)
    shard, store = corpus.shard(0), corpus.store
    models = IBM1(), IBM1()
    lexical = LexicalCounts(*(np.rint(part * UNITS).astype(np.int64) for part in counts))
    part = ShardTotals.of(shard, ShardStatistics(lexical, {}, {}, np.zeros(2, np.int64)))
    totals = Totals.zero(len(corpus.source), len(corpus.target), models)
    totals.add(part, models)
    save_pair_counts(store, "made up/0", shard, lexical.pair, corpus.piece_words)
    words = word_tables(totals, estimator, (corpus.source_partners, corpus.target_partners), None)
    summed = PieceCounts(store, ["0"], "made up", has_prior=False)
    store.save("words/1", words.to_arrays())
    PieceMStep(summed, (), 1, corpus.piece_words, estimator)(0)
    learned = store.load("parameters/1/0")["0"]
    store.delete("parameters/1/0")
    return Lexicon(whole_table(corpus), learned, words)


def sentence_texts(texts: Texts, pair: int) -> tuple[list[int], list[int]]:
    """The word numbers of both sides of a pair."""
    return (
        texts.source[texts.source_start[pair] : texts.source_start[pair + 1]].tolist(),
        texts.target[texts.target_start[pair] : texts.target_start[pair + 1]].tolist(),
    )
