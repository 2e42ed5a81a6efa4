"""Evaluation written out word by word and link by link, in exact fractions; slow and obvious."""

from __future__ import annotations

from fractions import Fraction

Links = set[tuple[int, int]]
ScoredLinks = dict[tuple[int, int], float]
Gold = tuple[Links, Links]
"""Sure links, and all links (which include the sure ones)."""


def over(part: Fraction | int, whole: Fraction | int) -> Fraction:
    """A ratio, 0 where there is nothing to divide by."""
    return Fraction(part) / Fraction(whole) if whole else Fraction(0)


def naive_counts(corpus: list[tuple[Links, Gold]]) -> dict[str, int]:
    counts = dict.fromkeys(["links", "sure", "possible", "links_sure", "links_possible"], 0)
    for links, (sure, possible) in corpus:
        for link in links:
            counts["links"] += 1
            if link in sure:
                counts["links_sure"] += 1
            if link in possible:
                counts["links_possible"] += 1
        counts["sure"] += len(sure)
        counts["possible"] += len(possible)
    return counts | {"pairs": len(corpus)}


def naive_scores(corpus: list[tuple[Links, Gold]], alpha: Fraction = Fraction(1, 2)) -> dict[str, Fraction]:
    n = naive_counts(corpus)
    precision, recall = over(n["links_possible"], n["links"]), over(n["links_sure"], n["sure"])
    return {
        "precision": precision,
        "recall": recall,
        "aer": 1 - over(n["links_sure"] + n["links_possible"], n["links"] + n["sure"]),
        "f1": over(2 * precision * recall, precision + recall),
        "f1_sure": over(2 * n["links_sure"], n["links"] + n["sure"]),
        "errors": over(n["links"] - n["links_possible"] + n["sure"] - n["links_sure"], n["pairs"]),
        "f_alpha": weighted_f(over(n["links_sure"], n["links"]), recall, alpha),
    }


def weighted_f(precision: Fraction, recall: Fraction, alpha: Fraction) -> Fraction:
    """Fraser and Marcu's formula as they print it, 0 where a part of it divides by zero."""
    if not precision or not recall:
        return Fraction(0)
    return 1 / (alpha / precision + (1 - alpha) / recall)


def kept(links: ScoredLinks, threshold: float) -> Links:
    return {link for link, score in links.items() if score >= threshold}


def distinct_scores(corpus: list[tuple[ScoredLinks, Gold]]) -> list[float]:
    return sorted({score for links, _ in corpus for score in links.values()}, reverse=True)


def thresholded(corpus: list[tuple[ScoredLinks, Gold]], threshold: float) -> list[tuple[Links, Gold]]:
    return [(kept(links, threshold), gold) for links, gold in corpus]


def naive_area(corpus: list[tuple[ScoredLinks, Gold]]) -> Fraction:
    """The shoelace formula on the polygon between the curve and the axis of recall."""
    line = []
    for threshold in distinct_scores(corpus):
        scores = naive_scores(thresholded(corpus, threshold))
        line.append((scores["recall"], scores["precision"]))
    if not line:
        return Fraction(0)
    polygon = [(Fraction(0), Fraction(0)), (Fraction(0), line[0][1]), *line, (line[-1][0], Fraction(0))]
    return sum(x * v - u * y for (u, v), (x, y) in zip(polygon, polygon[1:] + polygon[:1], strict=True)) / 2


def naive_unaligned(links: Links, gold: Gold, length: int, side: int) -> dict[str, int]:
    sure, possible = gold
    kinds = dict.fromkeys(["missed", "optional", "rightly", "wrongly_linked"], 0)
    for word in range(length):
        linked = any(link[side] == word for link in links)
        is_sure = any(link[side] == word for link in sure)
        is_possible = any(link[side] == word for link in possible)
        if linked and not is_possible:
            kinds["wrongly_linked"] += 1
        elif not linked and is_sure:
            kinds["missed"] += 1
        elif not linked and is_possible:
            kinds["optional"] += 1
        elif not linked:
            kinds["rightly"] += 1
    return kinds
