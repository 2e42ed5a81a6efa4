"""Which run of target words stands for some source words: what links say, summed up and made the most of."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from pralign.links.alignment import Alignment

#: What a word without links counts against a run that has it inside.
GAP = 0.125
#: A word with so much mass inside belongs to a span even if it is punctuation.
SURE = 0.9
# Weights are whole numbers of units, so that sums have no order and equal runs are equal.
_UNITS = 1 << 30
# What is less probable than a unit is nothing.
_LEAST = 1 / _UNITS

#: The first and the last word of a run.
Run = tuple[int, int]


class Mass(NamedTuple):
    """What a target word has to do with some source words.

    Attributes:
        word: The target word.
        inside: The probability that it is linked to one of them at least.
        outside: The probability that it is linked to another word at least.
    """

    word: int
    inside: float
    outside: float

    @property
    def is_sure(self) -> bool:
        """Whether there is no doubt that the word belongs to them."""
        return self.inside >= SURE

    @property
    def weight(self) -> int:
        """What it adds to a run, in units."""
        return round((self.inside - self.outside) * _UNITS)


class LinkedWords(NamedTuple):
    """The links of a pair, by the words of both sides.

    Attributes:
        targets: For each source word, the target words that it is linked to, and how probable each link is.
        sources: The same for each target word.
        costs: What target words count against a run that has nothing to do with them, in units, summed up: that of the
            words from a up to b, but not b, is ``costs[b] - costs[a]``.
    """

    targets: list[list[tuple[int, float]]]
    sources: list[list[tuple[int, float]]]
    costs: list[int]

    @classmethod
    def of(cls, alignment: Alignment, source: int, target: int) -> LinkedWords:
        """The links of so many source and so many target words."""
        targets: list[list[tuple[int, float]]] = [[] for _ in range(source)]
        sources: list[list[tuple[int, float]]] = [[] for _ in range(target)]
        given = alignment.scores or (1.0,) * len(alignment.links)
        for (i, j), score in zip(alignment.links, given, strict=True):
            if score >= _LEAST:
                probability = min(score, 1.0)
                targets[i].append((j, probability))
                sources[j].append((i, probability))
        costs, total = [0], 0
        for links in sources:
            total += round(max(GAP, _any_of(links)) * _UNITS)
            costs.append(total)
        return cls(targets, sources, costs)

    def masses(self, words: Collection[int]) -> list[Mass]:
        """What target words have to do with some source words, those that have anything, in order."""
        own = frozenset(words)
        found = []
        for j in sorted({j for i in own for j, _ in self.targets[i]}):
            not_inside = not_outside = 1.0
            for i, probability in self.sources[j]:
                if i in own:
                    not_inside *= 1 - probability
                else:
                    not_outside *= 1 - probability
            found.append(Mass(j, 1 - not_inside, 1 - not_outside))
        return found


def best_run(
    masses: Sequence[Mass], costs: Sequence[int], no_first: Collection[int] = (), no_last: Collection[int] = ()
) -> Run | None:
    """The run that weighs most; of several, the shortest; of these, the first.

    The best run that ends with a word is the word alone, or the best one that ends with the word before, gone on over
    what lies between. So one pass finds the best of all.

    Args:
        masses: The words that a run can begin and end with, in order, all that have mass inside.
        costs: What words between them count against a run, see :class:`LinkedWords`.
        no_first: Those of the words that no run begins with.
        no_last: Those that no run ends with.

    Example:
        >>> linked = LinkedWords.of(Alignment.of("0-0 0-2 1-4 2-3"), 3, 5)
        >>> best_run(linked.masses([0, 1]), linked.costs)
        (0, 2)
    """
    best: tuple[int, int, int] | None = None
    weight, first, after = 0, -1, 0
    for mass in masses:
        word, alone = mass.word, mass.weight
        if first >= 0:
            weight += alone - (costs[word] - costs[after])
        if (first < 0 or weight <= alone) and word not in no_first:
            weight, first = alone, word
        after = word + 1
        if first >= 0 and word not in no_last:
            found = (weight, first - word, -first)
            if best is None or found > best:
                best = found
    return None if best is None else (-best[2], -best[2] - best[1])


def pieces(masses: Sequence[Mass], no_first: Collection[int] = (), no_last: Collection[int] = ()) -> list[Run]:
    """All runs of words that have more mass inside than outside.

    Example:
        >>> linked = LinkedWords.of(Alignment.of("0-0 0-2 1-4 1-3"), 2, 5)
        >>> pieces(linked.masses([0, 1]))
        [(0, 0), (2, 4)]
    """
    runs: list[list[int]] = []
    for mass in masses:
        if mass.weight > 0:
            if runs and runs[-1][-1] == mass.word - 1:
                runs[-1].append(mass.word)
            else:
                runs.append([mass.word])
    found = []
    for run in runs:
        first = next((word for word in run if word not in no_first), None)
        last = next((word for word in reversed(run) if word not in no_last), None)
        if first is not None and last is not None and first <= last:
            found.append((first, last))
    return found


def confidence(runs: Sequence[Run], masses: Sequence[Mass], words: Sequence[int], linked: LinkedWords) -> float:
    """How far links agree that runs stand for some source words, from 0 to 1.

    It is a product of two means: of the probabilities that a source word, if it is linked at all, is linked into the
    runs; and of the shares of mass inside that the linked words of the runs have.

    Example:
        >>> linked = LinkedWords.of(Alignment.of("0-0 0-1 1-1 2-2", [1, 1, 1, 0.5]), 3, 3)
        >>> confidence([(0, 1)], linked.masses([0]), [0], linked), confidence([(2, 2)], linked.masses([2]), [2], linked)
        (0.75, 0.5)
    """
    within = {j for first, last in runs for j in range(first, last + 1)}
    reached = [_any_of([link for link in linked.targets[i] if link[0] in within]) for i in words if linked.targets[i]]
    shares = [mass.inside / (mass.inside + mass.outside) for mass in masses if mass.word in within]
    strangers = sum(1 for j in within if linked.sources[j]) - len(shares)  # which have no share of mass inside
    return (sum(reached) / len(reached)) * (sum(shares) / (len(shares) + strangers))


def _any_of(links: Sequence[tuple[int, float]]) -> float:
    """The probability that one of some links is there at least."""
    if len(links) == 1:
        return links[0][1]
    none = 1.0
    for _, probability in links:
        none *= 1 - probability
    return 1 - none
