"""The statistics of an analysis, written out link by link and word by word; slow and obvious."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from oracles.naive_evaluation import Gold, Links, naive_counts, naive_scores, over

Words = list[str]
Worded = tuple[Words, Words, Links, Gold]
"""The source words, the target words, the links of a hypothesis, and the gold."""


# Samples


def naive_samples(pairs: int, samples: int, seed: int) -> list[list[int]]:
    """The pairs that each sample holds, drawn a sample at a time."""
    generator = np.random.default_rng(seed)
    return [[int(generator.integers(pairs)) for _ in range(pairs)] for _ in range(samples)]


def naive_quantile(values: Sequence[Fraction], share: Fraction) -> Fraction:
    """The value at this share of the way from the lowest to the highest, on a straight line between neighbours."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def naive_interval(values: Sequence[Fraction]) -> tuple[float, float]:
    return float(naive_quantile(values, Fraction(1, 40))), float(naive_quantile(values, Fraction(39, 40)))


def naive_intervals(corpus: list[tuple[Links, Gold]], samples: int, seed: int) -> dict[str, tuple[float, float]]:
    drawn = naive_samples(len(corpus), samples, seed)
    scores = [naive_scores([corpus[k] for k in sample]) for sample in drawn]
    measures = ["aer", "precision", "recall", "f1", "f1_sure", "errors"]
    return {measure: naive_interval([each[measure] for each in scores]) for measure in measures}


# Breakdowns


def only(links: Links, keep: Callable[[tuple[int, int]], bool]) -> Links:
    return {link for link in links if keep(link)}


def naive_counts_where(corpus: list[tuple[Links, Gold, Callable[[tuple[int, int]], bool]]]) -> dict[str, int]:
    """The counts of the links that are to be kept; ``pairs`` is the number of pairs that have one."""
    kept = [(only(links, keep), (only(sure, keep), only(all_, keep))) for links, (sure, all_), keep in corpus]
    return naive_counts([(links, (sure, all_)) for links, (sure, all_) in kept if links or all_])


# Shape


def naive_shape(links: Links, lengths: tuple[int, int], limit: int) -> dict[str, int]:
    alone = [(i, j) for i, j in links if [k for k, _ in links].count(i) == 1 and [m for _, m in links].count(j) == 1]
    wide = any((i == k and abs(j - m) >= limit) or (j == m and abs(i - k) >= limit) for i, j in links for k, m in links)
    return {
        "links": len(links),
        "one_to_one": len(alone),
        "source_words": lengths[0],
        "target_words": lengths[1],
        "source_linked": sum(any(i == word for i, _ in links) for word in range(lengths[0])),
        "target_linked": sum(any(j == word for _, j in links) for word in range(lengths[1])),
        "gappy": 1 if wide else 0,
        "pairs": 1,
    }


# Words


def naive_word_pairs(corpus: list[Worded], kind: str) -> list[tuple[str, str, int, int, tuple[int, ...]]]:
    """All word pairs with an error, ``wrong`` or ``missed``, the most frequent first."""
    occasions, errors = [], []
    for line, (source, target, links, (sure, possible)) in enumerate(corpus):
        for i, j in links if kind == "wrong" else sure:
            words = source[i].casefold(), target[j].casefold()
            occasions.append(words)
            if (i, j) not in (possible if kind == "wrong" else links):
                errors.append((words, line))
    found = []
    for words in {words for words, _ in errors}:
        lines = [line for each, line in errors if each == words]
        found.append((*words, len(lines), occasions.count(words), tuple(sorted(set(lines))[:5])))
    return sorted(found, key=lambda row: (-row[2], row[0], row[1]))


def naive_unlinked(corpus: list[Worded], side: int) -> list[tuple[str, int, int]]:
    """The words of a side, how many of their occurrences have no link, and how many there are."""
    occurrences = []
    for source, target, links, _ in corpus:
        for position, word in enumerate((source, target)[side]):
            occurrences.append((word.casefold(), any(link[side] == position for link in links)))
    found = []
    for word in {word for word, _ in occurrences}:
        bare = occurrences.count((word, False))
        if bare:
            found.append((word, bare, bare + occurrences.count((word, True))))
    return sorted(found, key=lambda row: (-row[1], row[0]))


def naive_collectors(
    corpus: list[Worded],
    frequencies: tuple[Mapping[str, int], Mapping[str, int]],
    rarest: int,
    fewest: int,
    judged: bool,
) -> tuple[int, list[tuple[str, str, int, int, int]]]:
    """How often rare words occur, and the occurrences with too many links, the most links first."""
    rare = 0
    found = []
    for line, (source, target, links, (_, possible)) in enumerate(corpus):
        for side, (name, words) in enumerate([("source", source), ("target", target)]):
            for position, word in enumerate(words):
                frequency = frequencies[side].get(word, 0)
                degree = len([link for link in links if link[side] == position])
                right = len([link for link in possible if link[side] == position])
                if frequency <= rarest:
                    rare += 1
                    if degree >= fewest and (not judged or degree >= 2 * right):
                        found.append((-degree, line, side, position, name, word, frequency))
    return rare, [(name, word, often, -less, line) for less, line, _, _, name, word, often in sorted(found)]


# Suspicion


def naive_median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def naive_deviation(value: float, values: Sequence[float]) -> float:
    """How many standard deviations above the middle, as a robust estimate has it."""
    middle = naive_median(values)
    distances = [abs(other - middle) for other in values]
    if naive_median(distances) > 0:
        return 0.6744897501960817 * (value - middle) / naive_median(distances)
    if sum(distances) > 0:
        return (value - middle) / (1.2533141373155001 * sum(distances) / len(distances))
    return 0.0


def naive_signs(
    lengths: tuple[int, int], links: Mapping[tuple[int, int], float]
) -> tuple[float, Fraction, float | None]:
    """The length ratio, the share of linked words, and the mean score of the links."""
    words = [(0, i) for i in range(lengths[0])] + [(1, j) for j in range(lengths[1])]
    linked = [(side, word) for side, word in words if any(link[side] == word for link in links)]
    ratio = math.log(lengths[1] + 1) - math.log(lengths[0] + 1)
    return ratio, over(len(linked), len(words)), sum(links.values()) / len(links) if links else None


def naive_reasons(sign: Any, all_signs: Sequence[Any]) -> list[str]:
    """Why a pair is worth a look; the signs of a pair are anything with the documented attributes."""
    whole = [each for each in all_signs if each.empty_sides == 0]
    if sign.empty_sides:
        return ["empty side"] if sign.empty_sides == 1 else []
    ratios = [each.length_ratio for each in whole]
    scores = [each.score for each in whole if each.score is not None]
    reasons = []
    if abs(naive_deviation(sign.length_ratio, ratios)) > 3.5:
        reasons.append("length")
    if sign.linked_share < 0.5 * naive_median([each.linked_share for each in whole]):
        reasons.append("few links")
    if sign.confidence is not None and sign.confidence < 0.5:
        reasons.append("low confidence")
    if sign.score is not None and naive_deviation(sign.score, scores) < -3.5:
        reasons.append("low score")
    return reasons
