"""The bracketing ITG by its own rules: trees over whole spans of both sides, with null leaves; for a few words only.

A pair is ``p[i][j]``, the probability of the leaf that links source word ``i`` to target word ``j``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

Matrix = Sequence[Sequence[float]]
Links = frozenset[tuple[int, int]]


class Grammar(NamedTuple):
    null: float = 1e-5
    phrasal: float = 0.5

    def rule(self, p: Matrix, i: int, targets: range) -> float:
        """The log-probability of a leaf with one source word and some adjacent target words."""
        if len(targets) == 1:
            return log(p[i][targets[0]])
        if min(p[i][targets[0]], p[i][targets[-1]]) < self.null:
            return -math.inf
        return math.fsum(log(max(p[i][j], self.null)) for j in targets)

    def best_tree(self, p: Matrix, sources: int, targets: int) -> float:
        """The log-probability of the likeliest tree over all words."""

        @cache
        def best(a: int, b: int, u: int, v: int) -> float:
            """Over the source words from ``a`` up to ``b`` and the target words from ``u`` up to ``v``."""
            if (b - a, v - u) in {(1, 0), (0, 1)}:
                return log(self.null)
            highest = self.rule(p, a, range(u, v)) if b - a == 1 and v > u else -math.inf
            for middle, cut in product(range(a, b + 1), range(u, v + 1)):
                for left, right in (((u, cut), (cut, v)), ((cut, v), (u, cut))):
                    words = middle - a + left[1] - left[0]
                    if 0 < words < b - a + v - u:  # neither part is empty
                        parts = best(a, middle, *left) + best(middle, b, *right)
                        highest = max(highest, log(self.phrasal) + parts)
            return highest

        return best(0, sources, 0, targets) if sources + targets else 0.0

    def of_alignment(self, p: Matrix, sources: int, targets: int, links: Links) -> float:
        """The log-probability of an alignment's leaves and of as many binary rules as they need.

        Minus infinity if there is no such tree.
        """
        rules = [range(min(row), max(row) + 1) if row else range(0) for row in _rows(links, sources)]
        if not nests([rule for rule in rules if rule]):
            return -math.inf
        for i, rule in enumerate(rules):
            if len(rule) > 1 and {j for j in rule if p[i][j] >= self.null} != set(_rows(links, sources)[i]):
                return -math.inf
        outside = targets - sum(map(len, rules))
        alone = outside + sum(not rule for rule in rules)
        leaves = [self.rule(p, i, rule) for i, rule in enumerate(rules) if rule]
        joins = max(sources + outside - 1, 0)
        return math.fsum([*leaves, alone * log(self.null), joins * log(self.phrasal)])


def nests(spans: Sequence[range]) -> bool:
    """Whether a tree can put spans of target words, given in source order, into their places."""
    if len(spans) <= 1:
        return True
    for cut in range(1, len(spans)):
        left, right = spans[:cut], spans[cut:]
        straight = max(span.stop for span in left) <= min(span.start for span in right)
        inverted = max(span.stop for span in right) <= min(span.start for span in left)
        if straight or inverted:
            return nests(left) and nests(right)  # any cut will do: parts of what nests nest as well
    return False


def all_links(sources: int, targets: int) -> Iterator[Links]:
    """Every set of links, possible or not."""
    cells = list(product(range(sources), range(targets)))
    for chosen in product([False, True], repeat=len(cells)):
        yield frozenset(cell for cell, taken in zip(cells, chosen, strict=True) if taken)


def log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf


def _rows(links: Links, sources: int) -> list[list[int]]:
    return [sorted(j for i, j in links if i == source) for source in range(sources)]
