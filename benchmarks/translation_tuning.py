"""Weights of a decoder that translate a text best, found among the best translations that it has of each line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from pralign.text.tokens import tokens
from thot_decoder import FEATURES, FIRST_WEIGHTS, Hypothesis, Weights

ORDER = 4
ROUNDS = 4
FACTORS = (0.5, 0.7, 0.85, 1.2, 1.4, 2.0)
SHIFTS = (-1.0, -0.3, -0.1, 0.1, 0.3, 1.0)
# Only ratios matter, so that one weight may stay what it is; only words may count for as well as against.
FIXED, SIGNED = FEATURES.index("language model"), FEATURES.index("words")

Translator = Callable[[Weights], list[list[Hypothesis]]]


class Tuned(NamedTuple):
    """The best weights, and the BLEU that each round began with."""

    weights: Weights
    rounds: list[float]


def tune(translator: Translator, references: Sequence[str]) -> Tuned:
    """Translate, look for weights that would choose better among all that was found so far, and begin again."""
    pool = Pool(references)
    weights, tried = FIRST_WEIGHTS, []
    for _ in range(ROUNDS):
        found = translator(weights)
        pool.add(found)
        tried.append((pool.bleu_of_first(found), weights))
        better = pool.improve(weights)
        if better == weights:
            break
        weights = better
    return Tuned(max(tried)[1], [score for score, _ in tried])


class Pool:
    """All translations found so far: their features, and what BLEU counts in them."""

    def __init__(self, references: Sequence[str]) -> None:
        self._references = [tokens(line) for line in references]
        self._lengths = sum(map(len, self._references))
        self._found: list[dict[Hypothesis, np.ndarray]] = [{} for _ in references]

    def add(self, found: Sequence[Sequence[Hypothesis]]) -> None:
        for known, reference, hypotheses in zip(self._found, self._references, found, strict=True):
            for hypothesis in hypotheses:
                if hypothesis not in known:
                    known[hypothesis] = _statistics(tokens(hypothesis.words), reference)

    def bleu_of_first(self, found: Sequence[Sequence[Hypothesis]]) -> float:
        """The BLEU of what the decoder itself has chosen."""
        return self._bleu(sum(known[each[0]] for known, each in zip(self._found, found, strict=True) if each))

    def improve(self, weights: Weights) -> Weights:
        """Change one weight after the other as long as BLEU rises."""
        features, counts = self._arrays()

        def bleu(tried: Weights) -> float:
            chosen = np.argmax(features @ np.array(tried), axis=1)
            return self._bleu(counts[np.arange(len(counts)), chosen].sum(axis=0))

        best, before = bleu(weights), -1.0
        while best > before + 0.01:
            before = best
            for place in range(len(weights)):
                rivals = [(bleu(rival), rival) for rival in _neighbours(weights, place)]
                score, rival = max(rivals, default=(best, weights))
                if score > best:
                    best, weights = score, rival
        return weights

    def _arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """Features and statistics of each line's translations; lines with fewer repeat their first."""
        most = max(map(len, self._found))
        filled = [known for known in self._found if known]
        rows = [[*known, *[next(iter(known))] * (most - len(known))] for known in filled]
        features = np.array([[hypothesis.features for hypothesis in row] for row in rows])
        counts = np.array([[known[hypothesis] for hypothesis in row] for known, row in zip(filled, rows, strict=True)])
        return features, counts

    def _bleu(self, counts: np.ndarray) -> float:
        matches, totals, length = counts[:ORDER], counts[ORDER : 2 * ORDER], counts[-1]
        if not matches.all():
            return 0.0
        brevity = min(0.0, 1 - self._lengths / length)
        return float(100 * np.exp(brevity + np.log(matches / totals).mean()))


def _neighbours(weights: Weights, place: int) -> list[Weights]:
    if place == FIXED:
        return []
    value = weights[place]
    values = [value + shift for shift in SHIFTS] if place == SIGNED else [value * factor for factor in FACTORS]
    return [(*weights[:place], new, *weights[place + 1 :]) for new in values]


def _statistics(words: Sequence[str], reference: Sequence[str]) -> np.ndarray:
    """Matches and numbers of n-grams for each n, then the number of words."""
    matches, totals = [], []
    for n in range(1, ORDER + 1):
        mine, theirs = (
            Counter(zip(*(sentence[k:] for k in range(n)), strict=False)) for sentence in (words, reference)
        )
        matches.append((mine & theirs).total())
        totals.append(mine.total())
    return np.array([*matches, *totals, len(words)])
