"""An edge of a tree that is carried."""

from __future__ import annotations

from typing import NamedTuple


class CarriedEdge(NamedTuple):
    """What a target word depends on.

    Attributes:
        head: The number of its head, counted from one; 0 for the root.
        label: The relation.
        confidence: How probable it is that the edge is right, as far as links tell; ``None`` where it was not carried,
            but made up to complete the tree.
    """

    head: int
    label: str
    confidence: float | None

    def is_sure(self, threshold: float) -> bool:
        """Whether it was carried, and is as sure as that."""
        return self.confidence is not None and self.confidence >= threshold
