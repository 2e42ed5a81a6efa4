"""Translations keep to about the same place in the sentence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pralign.matching.cells import Cells, Column, Context
from pralign.matching.features.base import Feature, register_feature


@register_feature
class Distance(Feature):
    """``d = |(i + ½) / I - (j + ½) / J|``, ``d²``, ``√d``, ``a = dice · (1 - d)``, its shares, and 1.

    The shares are ``a²`` divided by the sum of ``a²`` over all target words, and over all source words: how a candidate
    compares with its rivals, near and far. The weight of 1, the bias, becomes a threshold.
    """

    name = "distance"

    def columns(self, context: Context) -> list[str]:
        """Seven numbers, the last of which is always one."""
        shares = ["its share of the source word's", "its share of the target word's"]
        return ["distance", "distance²", "√distance", "dice · proximity", *shares, BIAS]

    def values(self, cells: Cells) -> Iterator[Column]:
        """Yield the numbers."""
        distance = cells.distance
        yield distance
        yield distance * distance
        yield np.sqrt(distance)
        yield cells.dice * (1 - distance)
        yield from cells.nearby_shares
        yield np.ones(cells.size, np.float32)


BIAS = "bias"
