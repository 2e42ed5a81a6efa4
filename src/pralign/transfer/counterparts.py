"""Which word of a sentence stands for which of the other, where links are many to many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pralign.links.alignment import Alignment


class Counterparts(NamedTuple):
    """The one target word that stands for each source word, and all that is linked besides.

    Attributes:
        targets: The target word that stands for each source word, -1 for none.
        sources: The source word that each target word stands for, -1 for none. No two have the same.
        followers: For each target word that stands for none, though it is linked: the source word that it belongs to;
            -1 for all others.
        scores: How sure the link of each target word to its source word is, that of its counterpart or of the one that
            it belongs to; 0 for words without links.
    """

    targets: list[int]
    sources: list[int]
    followers: list[int]
    scores: list[float]


def counterparts(heads: Sequence[int], words: int, alignment: Alignment) -> Counterparts:
    """Choose one word for one word, by heads of spans.

    A target word that is linked to several source words stands for the head among them: the one that depends on none of
    the others, directly or not; of several such, the one with the surest link, then the first. A source word that
    several target words would stand for has the one with the surest link, then the first.

    Args:
        heads: The heads of the source words, counted from one; less for words that have none.
        words: How many target words there are.
        alignment: The links, perhaps with scores; without them, all are as sure.

    Example:
        >>> heads = [2, 0, 2]  # "she went home"
        >>> found = counterparts(heads, 3, Alignment.of("0-0 1-1 2-1 1-2"))
        >>> found.targets, found.sources, found.followers
        ([0, 1, -1], [0, 1, -1], [-1, -1, 1])
    """
    linked: list[list[tuple[int, float]]] = [[] for _ in range(words)]
    for (i, j), score in zip(alignment.links, alignment.scores or (1.0,) * len(alignment.links), strict=True):
        linked[j].append((i, score))
    targets, sources, scores = [-1] * len(heads), [-1] * words, [0.0] * words
    belongs = [-1] * words
    for j, candidates in enumerate(linked):
        if candidates:
            i, score = candidates[0] if len(candidates) == 1 else _head_of(candidates, heads)
            belongs[j], scores[j] = i, score
            if targets[i] < 0 or score > scores[targets[i]]:
                targets[i] = j
    for i, j in enumerate(targets):
        if j >= 0:
            sources[j], belongs[j] = i, -1
    return Counterparts(targets, sources, belongs, scores)


def _head_of(candidates: list[tuple[int, float]], heads: Sequence[int]) -> tuple[int, float]:
    """The head of some words, with its score."""
    inside = {i for i, _ in candidates}
    best = candidates[0]
    found = False
    for candidate in candidates:
        above = heads[candidate[0]] - 1
        while above >= 0 and above not in inside:
            above = heads[above] - 1
        if above < 0 and (not found or candidate[1] > best[1]):
            best, found = candidate, True
    return best
