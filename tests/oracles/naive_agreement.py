"""Agreement of two annotators, cell by cell and in exact fractions; slow and obvious."""

from __future__ import annotations

from fractions import Fraction

Marks = dict[tuple[int, int], str]
"""What an annotator says of cells: ``sure`` or ``possible``; all other cells are not linked."""

Corpus = list[tuple[Marks, Marks, tuple[int, int]]]
"""What one says, what the other says, and the numbers of source and target words."""


def cells(corpus: Corpus) -> list[tuple[str, str]]:
    """Every cell of every pair: what the first says of it, and what the second says."""
    return [
        (first.get((i, j), "none"), second.get((i, j), "none"))
        for first, second, (rows, columns) in corpus
        for i in range(rows)
        for j in range(columns)
    ]


def linked_or_not(judged: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same with two categories."""
    return [tuple("none" if word == "none" else "linked" for word in both) for both in judged]


def naive_kappa(judged: list[tuple[str, str]]) -> Fraction | None:
    """(observed - expected) / (1 - expected), expected of two who choose categories at random, each as often as now."""
    if not judged:
        return None
    observed = Fraction(sum(one == other for one, other in judged), len(judged))
    expected = Fraction(0)
    for category in {word for both in judged for word in both}:
        shares = [Fraction(sum(both[who] == category for both in judged), len(judged)) for who in (0, 1)]
        expected += shares[0] * shares[1]
    return None if expected == 1 else (observed - expected) / (1 - expected)


def naive_dice(corpus: Corpus, *kinds: str) -> Fraction:
    """Of the links of these kinds, those that both have, against the mean of what each has; 1 if there are none."""
    both = total = 0
    for first, second, _ in corpus:
        mine, theirs = ({link for link, kind in marks.items() if kind in kinds} for marks in (first, second))
        both += len([link for link in mine if link in theirs])
        total += len(mine) + len(theirs)
    return Fraction(2 * both, total) if total else Fraction(1)


def naive_aer(corpus: Corpus, judge: int) -> Fraction:
    """1 - (|A∩S| + |A∩P|) / (|A| + |S|), of links A, judged by sure links S and all links P of another."""
    right = total = 0
    for row in corpus:
        gold, links = row[judge], row[1 - judge]
        for link in links:
            right += gold.get(link) == "sure"
            right += gold.get(link) in ("sure", "possible")
        total += len(links) + list(gold.values()).count("sure")
    return 1 - Fraction(right, total) if total else Fraction(0)
