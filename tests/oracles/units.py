"""Alignments over other units, by sets of characters."""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[int, int]
Link = tuple[int, int]


def naive_overlaps(units: Sequence[Span], others: Sequence[Span]) -> list[list[int]]:
    """For each unit, those of the others that have a character in common with it."""
    return [[k for k, other in enumerate(others) if set(range(*unit)) & set(range(*other))] for unit in units]


def naive_converted(
    links: dict[Link, tuple[float, bool]],
    source: tuple[Sequence[Span], Sequence[Span]],
    target: tuple[Sequence[Span], Sequence[Span]],
) -> dict[Link, tuple[float, bool]]:
    """Links, each with its score and whether it is possible only, over other units."""
    lefts, rights = naive_overlaps(*source), naive_overlaps(*target)
    found: dict[Link, tuple[float, bool]] = {}
    for a in range(len(source[1])):
        for b in range(len(target[1])):
            behind = [links[i, j] for i, j in links if a in lefts[i] and b in rights[j]]
            if behind:
                found[a, b] = max(score for score, _ in behind), all(possible for _, possible in behind)
    return found
