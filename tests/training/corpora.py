"""Small random corpora of made-up words."""

from __future__ import annotations

from functools import partial

import numpy as np
from hypothesis import strategies as st

from pralign.engine import Engine
from pralign.kernels.arrays import CellSlots
from pralign.models.bidirectional import BidirectionalModel
from pralign.text.corpus import Corpus, blocks
from pralign.text.index import PairIndex
from pralign.text.normalisation import Normalisation
from pralign.training.em import Task, train

Sentence = list[str]
Sentences = list[tuple[Sentence, Sentence]]

LONGEST = 12


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


def build(pairs: Sentences, longest: int = LONGEST, threads: int = 1) -> tuple[Corpus, PairIndex]:
    corpus = Corpus.build(pairs, Normalisation())
    return corpus, PairIndex.build(corpus, longest, threads)


def unindexed(corpus: Corpus) -> CellSlots:
    return CellSlots(np.zeros(len(corpus) + 1, np.int64), np.empty(0, np.int32))


def trained(pairs: Sentences, schedule: tuple[tuple[str, int], ...], **options: object) -> BidirectionalModel:
    return train(Task(*build(pairs), schedule, Engine(1), **options)).model


# Real blocks hold tens of thousands of cells. With so few, even a small corpus has many blocks.
small_blocks = partial(blocks, most_cells=200)
