"""Collapsed estimation in one direction with dictionaries of words: each pair's counts are summed over all others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from oracles.naive_em import Infer, Sentences, Word

UNIT = 2.0**-14
LEAST = 0.01


@dataclass
class Own:
    """What a pair has added to the counts."""

    word: dict[tuple[Word, Word], float] = field(default_factory=lambda: defaultdict(float))
    null: dict[Word, float] = field(default_factory=lambda: defaultdict(float))


@dataclass
class Collapsed:
    """The counts of all pairs, and a prior: ``alpha`` a pair of words, ``possible`` times that a word."""

    sentences: Sentences
    alpha: float
    null_prior: float
    possible: int

    def __post_init__(self) -> None:
        self.own = [Own() for _ in self.sentences]
        self.vocabulary = {word for _, observed in self.sentences for word in observed}

    def probability(self, state: Word, word: Word, without: int | None = None) -> float:
        """p(word | state) by the counts of all pairs but one."""
        others = [own.word for n, own in enumerate(self.own) if n != without]
        count = sum(own.get((state, word), 0.0) for own in others)
        total = sum(value for own in others for (first, _), value in own.items() if first == state)
        return (count + self.alpha) / (total + self.alpha * self.possible)

    def null_probability(self, word: Word, without: int | None = None) -> float:
        """p(word | null) by the counts of all pairs but one."""
        others = [own.null for n, own in enumerate(self.own) if n != without]
        count = sum(own.get(word, 0.0) for own in others)
        words = max(len(self.vocabulary), self.possible)
        total = sum(value for own in others for value in own.values())
        return (count + self.null_prior) / (total + self.null_prior * words)

    def emissions(self, n: int) -> tuple[list[list[float]], list[float]]:
        """The emissions of pair ``n``, from the counts of all other pairs."""
        states, observed = self.sentences[n]
        emission = [[self.probability(state, word, n) for state in states] for word in observed]
        return emission, [self.null_probability(word, n) for word in observed]

    def iterate(self, infer: Infer, emissions: Sequence[tuple[list[list[float]], list[float]]]) -> None:
        """Replace what every pair has added by what is expected with these emissions."""
        self.own = [counted(*pair, infer(*emission)) for pair, emission in zip(self.sentences, emissions, strict=True)]


def counted(states: Sequence[Word], observed: Sequence[Word], posteriors) -> Own:
    own = Own()
    for j, word in enumerate(observed):
        own.null[word] += rounded(posteriors.null[j])
        for i, state in enumerate(states):
            if posteriors.link[j][i] >= LEAST:
                own.word[state, word] += rounded(posteriors.link[j][i])
    return own


def rounded(value: float) -> float:
    return int(value / UNIT + 0.5) * UNIT
