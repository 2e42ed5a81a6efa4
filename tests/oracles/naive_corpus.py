"""What a report is about, as plain lists."""

from __future__ import annotations

from typing import NamedTuple

from oracles.naive_evaluation import Gold, Links

Words = list[str]
Link = tuple[int, int]


class Corpus(NamedTuple):
    """What a report is about.

    Attributes:
        text: All sentence pairs there are.
        lines: Which of them are looked at, from zero.
        systems: For each system and each pair that is looked at, its links with their scores; ``None`` is no score, and
            the links of a pair have all one or none.
        golds: For each pair that is looked at, the sure and all links of the gold.
        scores: For each system a number for each pair as a whole.
    """

    text: list[tuple[Words, Words]]
    lines: list[int]
    systems: dict[str, list[dict[Link, float | None]]]
    golds: list[Gold] | None
    scores: dict[str, list[float | None]]

    @property
    def pairs(self) -> list[tuple[Words, Words]]:
        return [self.text[line] for line in self.lines]

    def links(self, name: str) -> list[Links]:
        return [set(links) for links in self.systems[name]]

    def judged(self, name: str) -> list[tuple[Links, Gold]]:
        return list(zip(self.links(name), self.golds or [], strict=True))

    def occurrences(self, side: int) -> list[str]:
        """Every word of a side of the text, without upper case."""
        return [word.casefold() for pair in self.text for word in pair[side]]

    def link_scores(self, name: str) -> list[float] | None:
        """The scores of all links, or nothing if one has none that is a probability, or if there are no links."""
        scores = [score for links in self.systems[name] for score in links.values()]
        kept = [score for score in scores if score is not None and 0 <= score <= 1]
        return kept if scores and len(kept) == len(scores) else None
