"""Rules with nonterminals straight from their definition: all ways to take phrase pairs out of phrase pairs."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from oracles.naive_phrases import Box, Link, WordTable, consistent_boxes

Symbols = tuple[str, ...]


class Rule(NamedTuple):
    source: Symbols
    target: Symbols
    links: tuple[Link, ...]


class Limits(NamedTuple):
    span: int = 10
    symbols: int = 5
    nonterminals: int = 2
    hole: int = 2
    tight: bool = False


def is_tight(box: Box, links: Iterable[Link]) -> bool:
    low, high, begin, end = box
    rows, columns = {i for i, _ in links}, {j for _, j in links}
    return {low, high - 1} <= rows and {begin, end - 1} <= columns


def is_inside(inner: Box, outer: Box) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1] and outer[2] <= inner[2] and inner[3] <= outer[3]


def has(box: Box, link: Link) -> bool:
    return box[0] <= link[0] < box[1] and box[2] <= link[1] < box[3]


def are_apart(one: Box, other: Box) -> bool:
    """Whether two boxes share no word, and do not touch on the source side."""
    on_source = one[1] < other[0] or other[1] < one[0]
    return on_source and (one[3] <= other[2] or other[3] <= one[2])


def side(
    words: Sequence[str], begin: int, end: int, holes: Sequence[tuple[int, int]]
) -> tuple[Symbols, dict[int, int]]:
    """The symbols of one side, and which of them each word is or is part of; the first hole is called [X,1]."""
    symbols: list[str] = []
    places = {}
    for place in range(begin, end):
        inside = [number for number, hole in enumerate(holes) if hole[0] <= place < hole[1]]
        if not inside:
            symbols.append(words[place])
        elif holes[inside[0]][0] == place:
            symbols.append(f"[X,{inside[0] + 1}]")
        places[place] = len(symbols) - 1
    return tuple(symbols), places


def rule_of(pair: tuple[Sequence[str], Sequence[str]], links: Sequence[Link], box: Box, holes: Sequence[Box]) -> Rule:
    holes = sorted(holes)  # by their source sides
    source, rows = side(pair[0], box[0], box[1], [(hole[0], hole[1]) for hole in holes])
    target, columns = side(pair[1], box[2], box[3], [(hole[2], hole[3]) for hole in holes])
    joined = {(rows[i], columns[j]) for i, j in links if has(box, (i, j))}
    return Rule(source, target, tuple(sorted(joined)))


def rules_of_boxes(
    source: Sequence[str], target: Sequence[str], links: Sequence[Link], limits: Limits
) -> list[list[Rule]]:
    """The rules of each initial phrase pair."""
    boxes = consistent_boxes(len(source), len(target), links, limits.span)
    if limits.tight:
        boxes = [box for box in boxes if is_tight(box, links)]
    found = []
    for box in boxes:
        small = [each for each in boxes if is_inside(each, box) and each[1] - each[0] >= limits.hole]
        chosen = [holes for size in range(limits.nonterminals + 1) for holes in combinations(small, size)]
        allowed = [
            holes
            for holes in chosen
            if all(are_apart(*two) for two in combinations(holes, 2))
            and any(has(box, link) and not any(has(hole, link) for hole in holes) for link in links)
        ]
        rules = [rule_of((source, target), links, box, holes) for holes in allowed]
        found.append([rule for rule in rules if len(rule.source) <= limits.symbols])
    return found


def counts(
    source: Sequence[str], target: Sequence[str], links: Sequence[Link], limits: Limits, shared: bool = True
) -> Counter[Rule]:
    """How often each rule of a sentence pair counts."""
    found: Counter[Rule] = Counter()
    for rules in rules_of_boxes(source, target, links, limits):
        for rule in rules:
            found[rule] += 1 / len(rules) if shared else 1
    return found


def is_nonterminal(symbol: str) -> bool:
    return symbol.startswith("[X,")


def unnumbered(symbols: Symbols) -> Symbols:
    """Symbols as Moses has them, which numbers no nonterminals."""
    return tuple("[X][X]" if is_nonterminal(symbol) else symbol for symbol in symbols)


class Grammar:
    """All rules of a text, with the numbers that scores are made of."""

    def __init__(self, found: Iterable[Counter[Rule]]) -> None:
        self.counts: dict[tuple[Symbols, Symbols], float] = defaultdict(float)
        self.links: dict[tuple[Symbols, Symbols], Counter[tuple[Link, ...]]] = defaultdict(Counter)
        self.totals: tuple[dict[Symbols, float], dict[Symbols, float]] = defaultdict(float), defaultdict(float)
        for rules in found:
            for rule, count in rules.items():
                key = (rule.source, rule.target)
                self.counts[key] += count
                self.links[key][rule.links] += count
                self.totals[0][rule.source] += count
                self.totals[1][unnumbered(rule.target)] += count


def weights(rule: Rule, words: WordTable) -> tuple[float, float]:
    """The lexical weight of the target side given the source side, and the other way round, of words only."""
    direct = inverse = 1.0
    for j, word in enumerate(rule.target):
        if not is_nonterminal(word):
            partners = [rule.source[i] for i, other in rule.links if other == j] or [None]
            direct *= sum(words.target_given_source(each, word) for each in partners) / len(partners)
    for i, word in enumerate(rule.source):
        if not is_nonterminal(word):
            partners = [rule.target[j] for other, j in rule.links if other == i] or [None]
            inverse *= sum(words.source_given_target(word, each) for each in partners) / len(partners)
    return direct, inverse


def largest(rule: Rule, words: WordTable) -> tuple[float, float]:
    """The features MaxLexEgivenF and MaxLexFgivenE of cdec."""
    left = [None, *(word for word in rule.source if not is_nonterminal(word))]
    right = [None, *(word for word in rule.target if not is_nonterminal(word))]

    def cost(probabilities: list[float]) -> float:
        return -math.log10(max(probabilities)) if max(probabilities) > 0 else 99.0

    def given(word: str | None, other: str | None, way: int) -> float:
        total = words.totals[way][word if way == 0 else other]
        return words.pairs[word, other] / total if total else 0.0

    direct = sum(cost([given(each, word, 0) for each in left]) for word in right[1:])
    inverse = sum(cost([given(word, each, 1) for each in right]) for word in left[1:])
    return direct, inverse
