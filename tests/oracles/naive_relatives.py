"""What relatives add to counts, by dictionaries: straight from the formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache

# How many counts a class is drawn towards what wider classes say.
WIDER = 32.0

Counts = Mapping[tuple[str, str], tuple[float, float]]
Key = Callable[[str], str]


class NaiveRelatives:
    """Looks at all word pairs again for each question."""

    def __init__(self, counts: Counts, strength: float, keys: Sequence[tuple[Key, Key]]) -> None:
        self.counts, self.strength, self.keys = counts, strength, keys

    @cache  # noqa: B019 -- many tests ask the same
    def added(self, source: str, target: str) -> list[float]:
        """What is added to a pair, forward and reverse: the shares of its classes without its own counts, by levels."""
        own = self.counts.get((source, target), (0.0, 0.0))
        shares = [0.0, 0.0]
        for of_source, of_target in self.keys:
            together, totals = [0.0, 0.0], [0.0, 0.0]
            for (s, t), values in self.counts.items():
                same_source, same_target = of_source(s) == of_source(source), of_target(t) == of_target(target)
                for direction, same_condition in enumerate((same_source, same_target)):
                    if same_condition:
                        totals[direction] += values[direction]
                    if same_source and same_target:
                        together[direction] += values[direction]
            for direction in range(2):
                others = totals[direction] - own[direction]
                shared = together[direction] - own[direction]
                shares[direction] = (shared + WIDER * shares[direction]) / (others + WIDER)
        return [self.strength * share for share in shares]

    @cache  # noqa: B019
    def mass(self, word: str, side: int) -> float:
        """What the shares of all classes of the other side add up to."""
        mass = 0.0
        for keys in self.keys:
            totals: Counter[str] = Counter()
            for pair, values in self.counts.items():
                totals[keys[side](pair[side])] += values[side]
            of_class = totals[keys[side](word)]
            mass = (of_class + WIDER * mass) / (of_class + WIDER)
        return self.strength * mass
