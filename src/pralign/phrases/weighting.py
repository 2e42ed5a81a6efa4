"""How likely words are to translate each other, as the lexical weights of phrases ask for it."""

from __future__ import annotations

import numpy as np

from pralign.kernels.arrays import Double, Long
from pralign.kernels.phrase_pairs import WordProbabilities
from pralign.lexicons.counting import LinkCounts


def word_probabilities(counts: LinkCounts) -> WordProbabilities:
    """Relative frequencies of links, in both directions; words without a link are linked to null."""
    forward = counts.count / counts.source_total[counts.source]
    reverse = counts.count / counts.target_total[counts.target]
    rows = np.bincount(counts.source, minlength=counts.source_null.size)
    return WordProbabilities(
        np.concatenate([[0], np.cumsum(rows)]),
        counts.target,
        np.stack([forward, reverse], axis=1),
        _shares(counts.target_null),
        _shares(counts.source_null),
    )


def _shares(counts: Long) -> Double:
    total = counts.sum()
    return np.asarray(counts / total) if total else np.zeros(counts.size)
