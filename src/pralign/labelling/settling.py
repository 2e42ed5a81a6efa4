"""Two annotators of one text: where they differ, so that somebody can settle it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pralign.labelling.session import LabellingSession
from pralign.links.alignment import Alignment


@dataclass(frozen=True)
class Settling:
    """What two annotators have said of a text.

    Attributes:
        names: What they are called.
        golds: Their alignments, one a pair.
    """

    names: tuple[str, str]
    golds: tuple[Sequence[Alignment], Sequence[Alignment]]

    @cached_property
    def differing(self) -> list[tuple[int, str]]:
        """The pairs that both have labelled and not in the same way, most differences first, with what differs."""
        found = []
        for number, (left, right) in enumerate(zip(*self.golds, strict=True)):
            if left.is_labelled and right.is_labelled:
                count = len(left.sure ^ right.sure | left.possible ^ right.possible)
                if count:
                    found.append((-count, number, f"they differ in {count} {'link' if count == 1 else 'links'}"))
        return [(number, reason) for _, number, reason in sorted(found)]

    @cached_property
    def agreed(self) -> list[int]:
        """The pairs that both have labelled in the same way."""
        differing = {number for number, _ in self.differing}
        return [
            number
            for number, (left, right) in enumerate(zip(*self.golds, strict=True))
            if left.is_labelled and right.is_labelled and number not in differing
        ]

    @cached_property
    def single(self) -> list[int]:
        """The pairs that only one of them has labelled."""
        golds = enumerate(zip(*self.golds, strict=True))
        return [number for number, (left, right) in golds if left.is_labelled is not right.is_labelled]

    def open_in(self, session: LabellingSession) -> list[int]:
        """The pairs that are still to be settled."""
        return [number for number, _ in self.differing if session.answer(number).state not in ("labelled", "skipped")]

    def links(self, number: int) -> dict[str, list[list[Any]]]:
        """What each of them has linked in a pair."""
        return {
            name: [[i, j, "possible" if (i, j) in gold[number].possible else "sure"] for i, j in gold[number]]
            for name, gold in zip(self.names, self.golds, strict=True)
        }

    def take_agreed(self, session: LabellingSession) -> None:
        """Take over what both have said alike, where nothing else was said yet."""
        for number in self.agreed:
            answer, gold = session.answer(number), self.golds[0][number]
            if answer.state == "unlabelled":
                links = [[i, j, "possible" if (i, j) in gold.possible else "sure"] for i, j in gold]
                session.put(number, {"version": answer.version, "state": "labelled", "links": links}, "both annotators")
