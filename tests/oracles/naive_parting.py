"""Where an offset between two sides best begins, by trying every beginning and every end."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median


def cost(source: Sequence[float], target: Sequence[float], i: int, offset: int) -> float:
    """What it costs that source line i stands beside the target line ``offset`` after it."""
    both = min(len(source), len(target))
    ratio = median(target[:both]) - median(source[:both])
    if not 0 <= i + offset < len(target):
        return 4.0
    return min((target[i + offset] - source[i] - ratio) ** 2 / (2 * 0.25**2), 4.0)


def naive_place(source: Sequence[float], target: Sequence[float], offset: int) -> tuple[float, int]:
    """The most that is gained by an offset between two places, and the first of them.

    Between them, lines stand beside others, rather than beside their own; where the source side has more lines there,
    these stand beside none.
    """
    skipped = max(-offset, 0)
    count = min(len(source) - skipped, len(target))
    best = (0.0, 0)
    for place in range(max(count, 0)):
        gain = 0.0
        for end in range(place, count):
            gain += cost(source, target, end, 0) - cost(source, target, end + skipped, offset)
            if gain > best[0] + 1e-9:
                best = (gain, place)
    return best
