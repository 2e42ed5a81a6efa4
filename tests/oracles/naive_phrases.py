"""Phrase pairs straight from their definitions: every box of cells is looked at, every alignment is listed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

Link = tuple[int, int]
Box = tuple[int, int, int, int]
"""The first source word, the one after the last, and the same for the target."""


class Phrase(NamedTuple):
    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[Link, ...]
    before: str
    after: str


def is_consistent(box: Box, links: Iterable[Link]) -> bool:
    low, high, begin, end = box
    inside = [(low <= i < high, begin <= j < end) for i, j in links]
    return (True, True) in inside and all(left == right for left, right in inside)


def boxes(rows: int, columns: int, most: int) -> list[Box]:
    """All boxes in the order of Moses: source phrases begin earlier and earlier, and end later and later."""
    return [
        (low, high, begin, end)
        for begin in range(columns)
        for end in range(begin + 1, min(begin + most, columns) + 1)
        for low in reversed(range(rows))
        for high in range(low + 1, min(low + most, rows) + 1)
    ]


def consistent_boxes(rows: int, columns: int, links: Sequence[Link], most: int) -> list[Box]:
    return [box for box in boxes(rows, columns, most) if is_consistent(box, links)]


def orientation(links: Iterable[Link], rows: int, columns: int, monotone: Link, swapped: Link) -> str:
    there = {*links, (-1, -1), (rows, columns)}
    return {(True, False): "mono", (False, True): "swap"}.get((monotone in there, swapped in there), "other")


def phrases(source: Sequence[str], target: Sequence[str], links: Sequence[Link], most: int) -> list[Phrase]:
    rows, columns = len(source), len(target)
    found = []
    for low, high, begin, end in consistent_boxes(rows, columns, links, most):
        inside = sorted((i - low, j - begin) for i, j in set(links) if low <= i < high and begin <= j < end)
        before = orientation(links, rows, columns, (low - 1, begin - 1), (high, begin - 1))
        after = orientation(links, rows, columns, (high, end), (low - 1, end))
        found.append(Phrase(tuple(source[low:high]), tuple(target[begin:end]), tuple(inside), before, after))
    return found


def expected_by_links(scores: dict[Link, float], box: Box) -> float:
    """How probable it is that a box is consistent, if each link is there or not: all sets of links are listed."""
    total = 0.0
    for there in product((True, False), repeat=len(scores)):
        probability = 1.0
        for present, score in zip(there, scores.values(), strict=True):
            probability *= score if present else 1 - score
        links = [link for link, present in zip(scores, there, strict=True) if present]
        total += probability * is_consistent(box, links)
    return total


class WordTable:
    """Relative frequencies of links, both ways; words without links are linked to null."""

    def __init__(self, corpus: Iterable[tuple[Sequence[str], Sequence[str], Sequence[Link], float]]) -> None:
        self.pairs: dict[tuple[str | None, str | None], float] = defaultdict(float)
        for source, target, links, weight in corpus:
            for i, j in set(links):
                self.pairs[source[i], target[j]] += weight
            for i, word in enumerate(source):
                if all(i != link[0] for link in links):
                    self.pairs[word, None] += weight
            for j, word in enumerate(target):
                if all(j != link[1] for link in links):
                    self.pairs[None, word] += weight
        self.totals: tuple[dict[str | None, float], dict[str | None, float]] = defaultdict(float), defaultdict(float)
        for (left, right), count in self.pairs.items():
            self.totals[0][left] += count
            self.totals[1][right] += count

    def target_given_source(self, source: str | None, target: str | None) -> float:
        return self.pairs[source, target] / self.totals[0][source]

    def source_given_target(self, source: str | None, target: str | None) -> float:
        return self.pairs[source, target] / self.totals[1][target]

    def weights(self, phrase: Phrase) -> tuple[float, float]:
        """The lexical weight of the target words given the source words, and the other way round."""
        direct = inverse = 1.0
        for j, word in enumerate(phrase.target):
            partners = [phrase.source[i] for i, other in phrase.links if other == j] or [None]
            direct *= sum(self.target_given_source(each, word) for each in partners) / len(partners)
        for i, word in enumerate(phrase.source):
            partners = [phrase.target[j] for other, j in phrase.links if other == i] or [None]
            inverse *= sum(self.source_given_target(word, each) for each in partners) / len(partners)
        return direct, inverse


class Table:
    """All phrase pairs of a text, with the numbers that scores are made of."""

    def __init__(self, found: Iterable[tuple[Phrase, float]]) -> None:
        self.counts: Counter[tuple[tuple[str, ...], tuple[str, ...]]] = Counter()
        self.links: dict[tuple[tuple[str, ...], tuple[str, ...]], Counter[tuple[Link, ...]]] = defaultdict(Counter)
        self.orientations: dict[tuple[tuple[str, ...], tuple[str, ...]], Counter[tuple[str, str]]] = defaultdict(
            Counter
        )
        for phrase, weight in found:
            key = (phrase.source, phrase.target)
            self.counts[key] += weight
            self.links[key][phrase.links] += weight
            self.orientations[key]["before", phrase.before] += weight
            self.orientations[key]["after", phrase.after] += weight

    def best_links(self, key: tuple[tuple[str, ...], tuple[str, ...]], inverse: bool) -> tuple[Link, ...]:
        """Those seen most often; of several, the last by the partners of each word of one side."""
        outer, inner = (0, 1) if inverse else (1, 0)

        def order(links: tuple[Link, ...]) -> list[list[int]]:
            size = len(key[outer])
            return [sorted(link[inner] for link in links if link[outer] == word) for word in range(size)]

        most = max(self.links[key].values())
        return max((links for links, count in self.links[key].items() if count == most), key=order)

    def seen(self, times: int) -> int:
        return sum(1 for count in self.counts.values() if count == times)

    def of(self, side: int, phrase: tuple[str, ...]) -> list[float]:
        """The counts of all pairs of a phrase of one side."""
        return [count for key, count in self.counts.items() if key[side] == phrase]

    def good_turing(self, count: float) -> float:
        """What is left of a count."""
        if count > 8:
            return count
        kept = 0.01
        for n in range(1, int(count) + 1):
            kept = max(min((n + 1) / n * (self.seen(n + 1) + 0.1) / (self.seen(n) + 0.1), 1.0), kept)
        return count * kept

    def discount(self, count: float) -> float:
        """The discount of Chen and Goodman."""
        n = min(int(count), 3)
        ones = max(self.seen(1), 1)
        share = ones / (ones + 2 * self.seen(2))
        return min(max(n - (n + 1) * share * self.seen(n + 1) / max(self.seen(n), 1), 0.0), n - 0.1, count)

    def kneser_ney(self, given: int, key: tuple[tuple[str, ...], tuple[str, ...]]) -> float:
        """The probability of one phrase given the other, which is on side ``given``."""
        others = self.of(given, key[given])
        back = sum(map(self.discount, others)) * len(self.of(1 - given, key[1 - given])) / len(self.counts)
        return (self.counts[key] - (self.discount(self.counts[key]) if self.counts[key] else 0) + back) / sum(others)
