"""Words whose neighbours translate each other are likely to do so too."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pralign.matching.cells import Cells, Column, Context
from pralign.matching.features.base import Feature, register_feature


@register_feature
class Neighbours(Feature):
    """The Dice coefficient of the two words that follow, and of the two before; 0 at the edge of a sentence.

    And, for both, the mean of their shares, as ``distance`` has them.
    """

    name = "neighbours"

    def columns(self, context: Context) -> list[str]:
        """Four numbers."""
        return [f"{what} of the {which} words" for what in ("dice", "share") for which in ("next", "previous")]

    def values(self, cells: Cells) -> Iterator[Column]:
        """Yield both coefficients, and both shares."""
        of_source, of_target = cells.nearby_shares
        for values in (cells.dice, (of_source + of_target) * np.float32(0.5)):
            yield cells.diagonal(values, 1)
            yield cells.diagonal(values, -1)
