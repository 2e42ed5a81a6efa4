"""Common words translate common words, rare words rare ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pralign.matching.cells import Cells, Column, Context
from pralign.matching.features.base import Feature, register_feature


@register_feature
class Frequency(Feature):
    """``|log rank(s) - log rank(t)|``, ranks by frequency from 1 on; unknown words come after all others."""

    name = "frequency"

    def columns(self, context: Context) -> list[str]:
        """One number."""
        return ["difference of log ranks"]

    def values(self, cells: Cells) -> Iterator[Column]:
        """Yield the difference."""
        known = cells.context.association
        yield np.abs(log_rank(cells.source, len(known.source)) - log_rank(cells.target, len(known.target)))


def log_rank(words: NDArray[np.int32], known: int) -> NDArray[np.float32]:
    """The logarithm of the rank of words by frequency, from 1 on; those past the ``known`` ones are unknown."""
    return np.log(np.minimum(words, known).astype(np.float32) + 1)
