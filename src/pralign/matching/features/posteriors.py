"""What a generative model says, in both directions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pralign.errors import UsageError
from pralign.kernels.competition import rivals
from pralign.matching.cells import Cells, Column, Context
from pralign.matching.features.base import Feature, register_feature

# Probabilities closer to 0 or 1 than this say no more than that: 9 in log-odds.
SUREST = 1e-4


@register_feature
class PosteriorsFeature(Feature):
    """``p(link)`` under the forward model, under the reverse model, their mean, and the log-odds of all three.

    Also the geometric mean, which is high only where both are, and the highest mean that another partner of the source
    word has, and of the target word.
    """

    name = "posteriors"
    needs_posteriors = True

    def columns(self, context: Context) -> list[str]:
        """Nine numbers."""
        kinds = ["forward", "reverse", "mean"]
        others = ["best rival, source word", "best rival, target word"]
        return [*(f"{kind} posterior" for kind in kinds), *(f"log-odds, {kind}" for kind in kinds), "both", *others]

    def values(self, cells: Cells) -> Iterator[Column]:
        """Yield the probabilities, their log-odds, and what they are compared with others."""
        if cells.posteriors is None:
            raise UsageError("the feature posteriors needs a generative model")
        forward, reverse = cells.posteriors
        kinds = (forward, reverse, (forward + reverse) * np.float32(0.5))
        yield from kinds
        yield from map(log_odds, kinds)
        yield np.sqrt(forward * reverse)
        yield from cells.compared(rivals, kinds[2])


def log_odds(probability: NDArray[np.float32]) -> NDArray[np.float32]:
    """The logarithm of p / (1 - p), with p kept away from 0 and 1."""
    clipped = np.clip(probability, SUREST, 1 - SUREST)
    return np.asarray(np.log(clipped / (1 - clipped)))
