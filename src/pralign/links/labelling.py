"""Which pairs of a gold are labelled, and what is said of the others."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from pralign.errors import InputError
from pralign.links.alignment import Alignment

logger = logging.getLogger("pralign")

WORDS = {"unlabelled": "not labelled", "skipped": "skipped"}
"""What people are told of a pair that is not labelled, by its state."""


class Labelling(NamedTuple):
    """How many pairs of a gold are labelled.

    Attributes:
        pairs: All pairs.
        unlabelled: Those that nobody has labelled yet.
        skipped: Those that somebody has looked at and left out.

    Example:
        >>> found = Labelling.of([Alignment(), Alignment(state="skipped"), Alignment(state="unlabelled")])
        >>> found.labelled
        1
        >>> print(found.told("pairs of hand.gold"))
        1 of 3 pairs of hand.gold is not labelled and 1 was skipped
    """

    pairs: int = 0
    unlabelled: int = 0
    skipped: int = 0

    @classmethod
    def of(cls, golds: Iterable[Alignment]) -> Labelling:
        """Count the states of gold alignments."""
        counted = Counter(gold.state for gold in golds)
        return cls(counted.total(), counted["unlabelled"], counted["skipped"])

    @property
    def labelled(self) -> int:
        """How many pairs are labelled."""
        return self.pairs - self.unlabelled - self.skipped

    def told(self, pairs: str) -> str:
        """How many are not labelled, in words; ``pairs`` says which pairs these are."""
        parts = []
        if self.unlabelled:
            parts.append(f"{self.unlabelled} {'is' if self.unlabelled == 1 else 'are'} not labelled")
        if self.skipped:
            parts.append(f"{self.skipped} {'was' if self.skipped == 1 else 'were'} skipped")
        return " and ".join(parts).replace(" ", f" of {self.pairs} {pairs} ", 1)

    def report(self, pairs: str, consequence: str = "they are not scored") -> None:
        """Say how many pairs are not labelled, if there are any.

        Args:
            pairs: Which pairs these are, such as ``pairs of hand.gold``.
            consequence: What becomes of those that are not labelled.

        Raises:
            InputError: There are pairs, and none of them is labelled.
        """
        if self.labelled == self.pairs:
            return
        hint = "; write none where a pair has no link" if self.unlabelled else ""
        if not self.labelled:
            raise InputError(f"none of the {self.pairs} {pairs} is labelled: {self._kinds()}{hint}")
        logger.info("%s; %s%s", self.told(pairs), consequence, hint)

    def _kinds(self) -> str:
        kinds = {"blank": self.unlabelled, "skipped": self.skipped}
        return ", ".join(f"{count} {name}" for name, count in kinds.items() if count)
