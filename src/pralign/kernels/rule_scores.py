"""Scores of rules as cdec has them."""

import numpy as np

from pralign.kernels.compile import kernel
from pralign.kernels.phrase_pairs import parts_of, word_probability
from pralign.kernels.stopping import stop_if_asked

#: What counts for a word that nothing explains, instead of an infinite logarithm.
UNEXPLAINED = 99.0


@kernel
def largest_weights(strings, symbols, lexicon):
    """How well the words of rules explain each other: target words by source words, and the other way round.

    Each word counts as the logarithm, to the base of ten and without its sign, of the largest probability that any
    word of the other side gives it, or null.
    """
    data, start, _ = strings
    separators, nonterminals = symbols
    found = np.zeros((start.size - 1, 2))
    for k in range(start.size - 1):
        if k & 1023 == 0:
            stop_if_asked()
        parts = parts_of(data, start[k], separators)
        source, target = data[start[k] : start[k] + parts.rows], data[parts.target : parts.target + parts.columns]
        for word in target:
            if word != nonterminals.target:
                largest = lexicon.null_to_target[word]
                for other in source:
                    largest = max(largest, _given(lexicon, nonterminals, other, word, 0))
                found[k, 0] += -np.log10(largest) if largest > 0 else UNEXPLAINED
        for word in source:
            if word != nonterminals.source:
                largest = lexicon.null_to_source[word]
                for other in target:
                    largest = max(largest, _given(lexicon, nonterminals, word, other, 1))
                found[k, 1] += -np.log10(largest) if largest > 0 else UNEXPLAINED
    return found


@kernel
def _given(lexicon, nonterminals, source, target, side):
    if source == nonterminals.source or target == nonterminals.target:
        return 0.0
    return word_probability(lexicon, source, target, side)
