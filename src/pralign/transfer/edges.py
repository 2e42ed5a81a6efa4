"""An edge of a tree that is carried."""

from __future__ import annotations

from typing import NamedTuple


class CarriedEdge(NamedTuple):
    """What a target word depends on.

    Attributes:
        head: The number of its head, counted from one; 0 for the root.
        label: The relation.
        confidence: The probability that both its ends are linked rightly; ``None`` where the edge was not carried, but
            made up to complete the tree.
    """

    head: int
    label: str
    confidence: float | None
