"""A prior that knows what words look like: equal words, names, numbers and cognates are likely translations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pralign.engine import Engine
from pralign.kernels.similarity import NUMBER, PUNCTUATION, WORD, Spelling, alike
from pralign.models.prior import LexicalPrior, Prior
from pralign.text.accents import without_accents
from pralign.text.corpus import Corpus
from pralign.text.index import PairIndex
from pralign.text.vocabulary import Vocabulary

_PARTS = 64


def lookalikes(corpus: Corpus, index: PairIndex, strength: float, engine: Engine) -> Prior:
    """Count each pair of words that look alike as if it had been seen up to ``strength`` times.

    Equal words get all of it; words with many letters in common, in the same order and whatever their accents, the
    more the more they have; two marks of punctuation a tenth. Different numbers get nothing.
    """
    source, target = _spelling(corpus.source, corpus.target), _spelling(corpus.target, corpus.source)
    edges = np.searchsorted(index.table.row_start, np.linspace(0, index.table.row_start[-1], _PARTS + 1)[1:-1])
    ranges = pairwise([0, *edges.tolist(), len(corpus.source)])
    parts = list(engine.map(lambda part: alike(index.table, source, target, *part), ranges))
    slots = np.concatenate([part[0] for part in parts])
    values = np.concatenate([part[1] for part in parts]) * np.float32(strength)
    elsewhere = np.zeros(len(corpus.source)), np.zeros(len(corpus.target))
    return Prior(LexicalPrior(slots, np.column_stack([values, values]), *elsewhere))


def _spelling(vocabulary: Vocabulary, other: Vocabulary) -> Spelling:
    plain = [without_accents(word) for word in vocabulary.words]
    start = np.zeros(len(plain) + 1, np.int64)
    np.cumsum([len(word) for word in plain], out=start[1:])
    letters = np.array([ord(letter) for word in plain for letter in word], np.int32)
    bits = np.left_shift(np.uint64(1), (letters % 64).astype(np.uint64))
    mask = np.zeros(len(plain), np.uint64)
    np.bitwise_or.at(mask, np.repeat(np.arange(len(plain)), np.diff(start)), bits)
    same = [other.number(word) for word in vocabulary.words]
    return Spelling(
        letters,
        start,
        mask,
        np.array([_kind(word) for word in vocabulary.words], np.int8),
        np.array([-1 if number is None else number for number in same], np.int32),
    )


def _kind(word: str) -> np.int8:
    if any(letter.isdigit() for letter in word):
        return NUMBER
    return WORD if any(letter.isalpha() for letter in word) else PUNCTUATION
