"""Lists of alignments by adding up the probabilities of all there are; slow and obvious."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from itertools import product

from oracles.naive_alignments import Alignment, Choice

Choices = tuple[Choice, ...]


def posterior(alignments: Iterable[Alignment]) -> dict[Choices, float]:
    """The probability of each alignment given the pair, whatever positions it may have gone through."""
    paths = defaultdict(list)
    for each in alignments:
        paths[each.choices].append(each.probability)
    joint = {choices: math.fsum(values) for choices, values in paths.items()}
    total = math.fsum(joint.values())
    return {choices: value / total for choices, value in joint.items()}


def best_probabilities(probabilities: Iterable[float], n: int) -> list[float]:
    """The ``n`` highest of some probabilities; alignments that tie may stand in any order."""
    return sorted(probabilities, reverse=True)[:n]


def best_products(forward: Iterable[float], reverse: Iterable[float], n: int) -> list[float]:
    """The ``n`` highest products of two probabilities."""
    return best_probabilities((one * other for one, other in product(forward, reverse)), n)
