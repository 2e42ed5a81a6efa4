"""What other aligners say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

import numpy as np

from pralign.matching.cells import Cells, Column, Context
from pralign.matching.features.base import Feature, register_feature


@register_feature
class PredictionsFeature(Feature):
    """1 where an alignment that was given has a link, for each of them, and where all of them have one."""

    name = "predictions"
    needs_predictions = True

    def columns(self, context: Context) -> list[str]:
        """A number for each alignment and, if there are several, one for what they have in common."""
        each = [f"prediction {number}" for number in range(1, context.predictions + 1)]
        return [*each, "all predictions"] if len(each) > 1 else each

    def values(self, cells: Cells) -> Iterator[Column]:
        """Yield the links of each alignment, and those of all."""
        yield from cells.predictions
        if len(cells.predictions) > 1:
            yield reduce(np.logical_and, cells.predictions)
