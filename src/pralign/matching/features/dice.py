"""How often two words occur together, compared with how often they occur at all."""

from __future__ import annotations

from collections.abc import Iterator

from pralign.matching.cells import Cells, Column, Context
from pralign.matching.features.base import Feature, register_feature


@register_feature
class Dice(Feature):
    """``2 · c(s, t) / (c(s) + c(t))``, counted in unlabelled text."""

    name = "dice"

    def columns(self, context: Context) -> list[str]:
        """One number."""
        return ["dice"]

    def values(self, cells: Cells) -> Iterator[Column]:
        """Yield the coefficient."""
        yield cells.dice
