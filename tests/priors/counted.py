"""Priors spelled out: words instead of numbers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pralign.models.prior import LexicalPrior
from pralign.text.corpus import Corpus
from pralign.text.index import PairIndex
from pralign.text.vocabulary import Vocabulary

Pairs = dict[tuple[str, str], tuple[float, float]]


def counts_of(prior: LexicalPrior, corpus: Corpus, index: PairIndex) -> Pairs:
    """The pairs that a prior counts, each with its forward and its reverse count."""
    assert np.all(np.diff(prior.slots) > 0), "a pair is counted once, and pairs are in order"
    assert prior.counts.shape == (prior.slots.size, 2)
    source = np.searchsorted(index.table.row_start, prior.slots, side="right") - 1
    target = index.table.target[prior.slots]
    rows = zip(source.tolist(), target.tolist(), prior.counts.tolist(), strict=True)
    return {(corpus.source.words[s], corpus.target.words[t]): (forward, reverse) for s, t, (forward, reverse) in rows}


def masses_of(masses: NDArray[np.float64], vocabulary: Vocabulary) -> dict[str, float]:
    """The words that have a mass."""
    return {word: mass for word, mass in zip(vocabulary.words, masses.tolist(), strict=True) if mass != 0}


def together(sentences: Iterable[tuple[list[str], list[str]]]) -> set[tuple[str, str]]:
    """The pairs of words that occur together."""
    return {(s, t) for source, target in sentences for s in source for t in target}
