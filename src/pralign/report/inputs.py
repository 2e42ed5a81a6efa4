"""What a report is about: sentence pairs, the alignments of some systems, and perhaps a gold."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from pralign.errors import InputError, UsageError
from pralign.evaluation import LinkCounts, WordsOfPair, count_links
from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds

if TYPE_CHECKING:
    from pralign.report.posteriors import ModelPosteriors

SAMPLE = 5000
RAREST = 5
_ROUNDING = 1e-6


@dataclass(frozen=True)
class System:
    """The alignments of one system, one a pair.

    Attributes:
        name: What the report calls it.
        alignments: Its alignments, in the order of the pairs.
        scores: A number for each pair as a whole, where the system gives one.
        origin: Where they are from, such as the name of a file.
    """

    name: str
    alignments: Sequence[Alignment]
    scores: Sequence[float | None] | None = None
    origin: str = ""

    @property
    def has_scores(self) -> bool:
        """Whether every link has a probability, and there is a link at all; scores of other kinds are of no use."""
        linked = [alignment for alignment in self.alignments if alignment.links]
        return bool(linked) and all(
            alignment.scores is not None and all(-_ROUNDING <= score <= 1 + _ROUNDING for score in alignment.scores)
            for alignment in linked
        )

    def only(self, pairs: Sequence[int]) -> System:
        """The same of some of the pairs, by their numbers."""
        scores = None if self.scores is None else [self.scores[k] for k in pairs]
        return replace(self, alignments=[self.alignments[k] for k in pairs], scores=scores)

    @cached_property
    def probabilities(self) -> Sequence[Alignment]:
        """The alignments, with scores only if these are probabilities."""
        if self.has_scores:
            return self.alignments
        return [replace(alignment, scores=None) for alignment in self.alignments]


@dataclass(frozen=True)
class Text:
    """The text as a whole, of which a report may look at a part only.

    Attributes:
        names: The names of the source and of the target text.
        pairs: The number of sentence pairs.
        frequencies: How often each word occurs in the source and in the target text, upper and lower case together.
    """

    names: tuple[str, str]
    pairs: int
    frequencies: tuple[Mapping[str, int], Mapping[str, int]]

    @classmethod
    def of(cls, pairs: Sequence[WordsOfPair], names: tuple[str, str] = ("source", "target")) -> Text:
        """Count the words of pairs that are all there is."""
        counters = Counter[str](), Counter[str]()
        for pair in pairs:
            for counter, words in zip(counters, pair, strict=True):
                counter.update(word.casefold() for word in words)
        return cls(names, len(pairs), counters)


@dataclass(frozen=True)
class ReportInput:
    """All that a report is made from.

    Attributes:
        text: The text as a whole.
        pairs: The words of the pairs that the report looks at.
        lines: The number of each of them in the text, from zero.
        systems: The systems, the first one being the one that others are compared with.
        golds: The alignments to judge by, one a pair, if there are any. Pairs that are not labelled are shown only.
        posteriors: The posteriors of a trained model for the pairs, if there is one.
        seed: What the pairs were drawn with, if they are a part of the text only.
        gold_pairs: How many pairs of the text have a gold; all of them unless said otherwise.

    Raises:
        UsageError: There is no system, or two have the same name.
        InputError: Numbers of alignments and pairs differ, a link joins words that are not there, or no pair of the
            gold is labelled.
    """

    text: Text
    pairs: Sequence[WordsOfPair]
    lines: Sequence[int]
    systems: Sequence[System]
    golds: Sequence[Alignment] | None = None
    posteriors: ModelPosteriors | None = None
    seed: int = 0
    gold_pairs: int | None = field(default=None)

    def __post_init__(self) -> None:
        check_names([system.name for system in self.systems])
        if not self.pairs:
            raise InputError("a report needs at least one sentence pair; there is none")
        for name, alignments in self._named():
            if len(alignments) != len(self.pairs):
                raise InputError(f"{name} has {len(alignments)} alignments, but there are {len(self.pairs)} pairs")
            for line, size, alignment in zip(self.lines, self.lengths, alignments, strict=True):
                check_bounds(alignment, size, f"{name}, line {line + 1}")
        if self.golds is not None and not any(gold.is_labelled for gold in self.golds):
            raise InputError(
                f"none of the {len(self.golds)} pairs of the gold is labelled, so there is no judging by it"
            )

    def _named(self) -> list[tuple[str, Sequence[Alignment]]]:
        named = [(system.origin or system.name, system.alignments) for system in self.systems]
        return named if self.golds is None else [*named, ("the gold", self.golds)]

    @cached_property
    def judged(self) -> ReportInput:
        """The same without pairs that are not labelled, which is what all numbers are of."""
        if self.golds is None or all(gold.is_labelled for gold in self.golds):
            return self
        kept = [k for k, gold in enumerate(self.golds) if gold.is_labelled]
        return replace(
            self,
            pairs=[self.pairs[k] for k in kept],
            lines=[self.lines[k] for k in kept],
            systems=[system.only(kept) for system in self.systems],
            golds=[self.golds[k] for k in kept],
            posteriors=None if self.posteriors is None else self.posteriors.only(kept),
        )

    @property
    def is_sampled(self) -> bool:
        """Whether there are pairs that could have been looked at and were not."""
        return len(self.pairs) < (self.text.pairs if self.gold_pairs is None else self.gold_pairs)

    @cached_property
    def lengths(self) -> list[tuple[int, int]]:
        """The numbers of source and target words of each pair."""
        return [(len(source), len(target)) for source, target in self.pairs]

    @cached_property
    def folded(self) -> list[tuple[list[str], list[str]]]:
        """The words of each pair without upper case, as the frequencies count them."""
        return [([w.casefold() for w in source], [w.casefold() for w in target]) for source, target in self.pairs]

    @cached_property
    def counts(self) -> dict[str, list[LinkCounts]]:
        """For each system, how its links compare with the gold, pair by pair; nothing without a gold."""
        if self.golds is None:
            return {}
        return {
            system.name: [count_links(found, gold) for found, gold in zip(system.alignments, self.golds, strict=True)]
            for system in self.systems
        }

    def is_rare(self, word: str, side: int) -> bool:
        """Whether a word, given without upper case, occurs at most five times in the text of its side."""
        return self.text.frequencies[side].get(word, 0) <= RAREST


def check_names(names: Sequence[str]) -> None:
    """Complain of systems that cannot be told apart.

    Raises:
        UsageError: There is none, or two have the same name.
    """
    if not names:
        raise UsageError("a report needs the alignments of at least one system")
    if len(set(names)) < len(names):
        raise UsageError(f"two systems cannot have the same name: {', '.join(names)}")


def draw(total: int, most: int, seed: int) -> list[int]:
    """Which of ``total`` pairs to look at, in order: all of them, or ``most`` that are drawn at random.

    Example:
        >>> draw(3, 5, seed=0), len(draw(1000, 5, seed=0)), draw(1000, 5, seed=0) == draw(1000, 5, seed=0)
        ([0, 1, 2], 5, True)
    """
    if total <= most:
        return list(range(total))
    return sorted(random.Random(seed).sample(range(total), most))
