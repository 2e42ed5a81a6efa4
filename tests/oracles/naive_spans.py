"""Where spans go, straight from the definition: every run of target words is looked at, in fractions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from math import prod
from unicodedata import category

from pralign.text.tokens import Tokens

Link = tuple[int, int]
Links = Mapping[Link, Fraction]
Run = tuple[int, int]

GAP, SURE = Fraction(1, 8), Fraction(9, 10)


def any_of(probabilities: Iterable[Fraction]) -> Fraction:
    return 1 - prod((1 - p for p in probabilities), start=Fraction(1))


def is_punctuation(text: str) -> bool:
    return all(category(character)[0] == "P" for character in text)


def span_words(words: Tokens, start: int, end: int) -> set[int]:
    return {k for k, (a, b) in enumerate(words.spans) if set(range(a, b)) & set(range(start, end))}


class Problem:
    """One span, with all that is asked of target words."""

    def __init__(self, source: Tokens, start: int, end: int, target: Tokens, links: Links) -> None:
        self.target, self.links = target, {link: p for link, p in links.items() if p > 0}
        self.words = span_words(source, start, end)
        self.text = source.text[start:end].strip()

    def inside(self, j: int) -> Fraction:
        return any_of(p for (i, there), p in self.links.items() if there == j and i in self.words)

    def outside(self, j: int) -> Fraction:
        return any_of(p for (i, there), p in self.links.items() if there == j and i not in self.words)

    def gain(self, j: int) -> Fraction:
        if self.inside(j):
            return self.inside(j) - self.outside(j)
        return -max(GAP, self.outside(j))

    def may_be_end(self, j: int, edge: str) -> bool:
        if not self.inside(j):
            return False
        return not is_punctuation(self.target[j]) or self.inside(j) >= SURE or is_punctuation(edge)

    def is_possible(self, run: Run) -> bool:
        first, last = run
        return self.may_be_end(first, self.text[:1]) and self.may_be_end(last, self.text[-1:])

    def runs(self, words: Collection[int] | None = None) -> list[Run]:
        """All runs that a span can be, perhaps of some words only."""
        numbers = range(len(self.target))
        runs = [(a, b) for a in numbers for b in numbers if a <= b and self.is_possible((a, b))]
        return [run for run in runs if words is None or set(covered(run)) <= set(words)]

    def best(self) -> list[Run]:
        def key(run: Run) -> tuple[Fraction, int, int]:
            return sum(map(self.gain, covered(run)), start=Fraction(0)), -len(covered(run)), -run[0]

        return [max(self.runs(), key=key)] if self.runs() else []

    def pieces(self) -> list[Run]:
        """Runs of words that are more inside than outside, none of which is part of another."""
        runs = self.runs([j for j in range(len(self.target)) if self.inside(j) > self.outside(j)])
        return [
            run for run in runs if not any(other[0] <= run[0] <= run[1] <= other[1] for other in runs if other != run)
        ]

    def answer(self, contiguous: bool) -> list[Run]:
        return self.best() if contiguous else self.pieces() or self.best()

    def confidence(self, runs: Iterable[Run]) -> Fraction:
        within = {j for run in runs for j in covered(run)}
        linked = [i for i in self.words if any(left == i for left, _ in self.links)]
        reached = [any_of(p for (left, j), p in self.links.items() if left == i and j in within) for i in linked]
        shares = [
            self.inside(j) / (self.inside(j) + self.outside(j)) for j in within if self.inside(j) or self.outside(j)
        ]
        return sum(reached) / len(reached) * sum(shares) / len(shares)


def covered(run: Run) -> range:
    return range(run[0], run[1] + 1)
