"""The likelihood of a class bigram model, written out, and an exchange that computes it anew for every candidate."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

BOUNDARY = -1  # the class of what stands before and after each sentence


def naive_objective(sentences: Sequence[Sequence[int]], class_of: Sequence[int]) -> float:
    pairs: Counter[tuple[int, int]] = Counter()
    for sentence in filter(None, sentences):
        row = [BOUNDARY, *(class_of[word] for word in sentence), BOUNDARY]
        pairs.update(pairwise(row))
    left: Counter[int] = Counter()
    right: Counter[int] = Counter()
    for (first, second), count in pairs.items():
        left[first] += count
        right[second] += count
    singles = [-n * math.log(n) for n in [*left.values(), *right.values()]]
    return math.fsum([n * math.log(n) for n in pairs.values()] + singles)


def naive_sweep(
    sentences: Sequence[Sequence[int]], class_of: Sequence[int], classes: int, words: int, least: float = 1e-9
) -> list[int]:
    """The classes after each of the first ``words`` words has moved to its best class, the first of equals."""
    now = list(class_of)
    occurring = {word for sentence in sentences for word in sentence}
    for word in sorted(occurring & set(range(words))):
        values = [naive_objective(sentences, [*now[:word], new, *now[word + 1 :]]) for new in range(classes)]
        for new, value in enumerate(values):
            if value > values[now[word]] + least:
                now[word] = new
    return now
