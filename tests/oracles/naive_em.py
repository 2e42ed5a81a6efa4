"""Expectation maximisation in one direction with dictionaries of words, in double precision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

Word = Hashable
Sentences = Sequence[tuple[Sequence[Word], Sequence[Word]]]
"""States first, then the observed words."""

LEAST = 1e-30
"""What a word is worth that a state word never explains, though it occurs with it."""
LEAST_NULL = 1e-9
"""What a word is worth that null never explains."""


class Table(NamedTuple):
    """p(observed word | state word) of the pairs that occur together, and p(observed word | null)."""

    word: dict[tuple[Word, Word], float]
    null: dict[Word, float]


class Posteriors(NamedTuple):
    link: Sequence[Sequence[float]]
    null: Sequence[float]
    log_likelihood: float


Infer = Callable[[list[list[float]], list[float]], Posteriors]


def uniform(sentences: Sentences) -> Table:
    partners: dict[Word, set[Word]] = defaultdict(set)
    for states, observed in sentences:
        for state in states:
            partners[state].update(observed)
    word = {(state, other): 1 / len(others) for state, others in partners.items() for other in others}
    vocabulary = {other for _, observed in sentences for other in observed}
    return Table(word, {other: 1 / len(vocabulary) for other in vocabulary})


def emissions(table: Table, states: Sequence[Word], observed: Sequence[Word]) -> tuple[list[list[float]], list[float]]:
    emission = [[max(table.word[state, word], LEAST) for state in states] for word in observed]
    return emission, [max(table.null[word], LEAST_NULL) for word in observed]


class Counts(NamedTuple):
    """How often each pair of words, and null and each word, is expected to be linked."""

    word: dict[tuple[Word, Word], float]
    null: dict[Word, float]
    log_likelihood: float

    def totals(self) -> dict[Word, float]:
        """The counts of each state word."""
        totals: dict[Word, float] = defaultdict(float)
        for (state, _), count in self.word.items():
            totals[state] += count
        return totals


def expect(table: Table, sentences: Sentences, infer: Infer) -> Counts:
    """The expected counts under a table."""
    word_count = dict.fromkeys(table.word, 0.0)
    null_count = dict.fromkeys(table.null, 0.0)
    log_likelihood = 0.0
    for states, observed in sentences:
        posteriors = infer(*emissions(table, states, observed))
        log_likelihood += posteriors.log_likelihood
        for j, word in enumerate(observed):
            null_count[word] += posteriors.null[j]
            for i, state in enumerate(states):
                word_count[state, word] += posteriors.link[j][i]
    return Counts(word_count, null_count, log_likelihood)


def iterate(table: Table, sentences: Sentences, infer: Infer, smoothing: float = 0.0) -> tuple[Table, float]:
    """One iteration: the next table, and the log-likelihood of the sentences under this one."""
    counts = expect(table, sentences, infer)
    totals: dict[Word, float] = defaultdict(float)
    for (state, _), count in counts.word.items():
        totals[state] += count + smoothing
    null_count = {word: count + (smoothing if table.null[word] > 0 else 0) for word, count in counts.null.items()}
    null_total = sum(null_count.values())
    word_next = {
        (state, word): (count + smoothing) / totals[state] if totals[state] else 0.0
        for (state, word), count in counts.word.items()
    }
    null_next = {word: count / null_total if null_total else 0.0 for word, count in null_count.items()}
    return Table(word_next, null_next), counts.log_likelihood
