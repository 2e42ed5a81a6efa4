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

    def links(self, number: int) -> dict[str, list[list[Any]]]:
        """What each of them has linked in a pair."""
        return {
            name: [[i, j, "possible" if (i, j) in gold[number].possible else "sure"] for i, j in gold[number]]
            for name, gold in zip(self.names, self.golds, strict=True)
        }

    def take_agreed(self, session: LabellingSession) -> int:
        """Take over what both have said alike, where nothing else was said yet.

        Returns:
            How many pairs that were.
        """
        taken, differing = 0, {number for number, _ in self.differing}
        for number, (left, right) in enumerate(zip(*self.golds, strict=True)):
            answer = session.answer(number)
            if left.is_labelled and right.is_labelled and number not in differing and answer.state == "unlabelled":
                links = [[i, j, "possible" if (i, j) in left.possible else "sure"] for i, j in left]
                session.put(number, {"version": answer.version, "state": "labelled", "links": links}, "both annotators")
                taken += 1
        return taken
