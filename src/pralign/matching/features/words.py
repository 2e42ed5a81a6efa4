"""What kind of words these are: common ones are linked in other ways than rare ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pralign.matching.cells import Cells, Column, Context
from pralign.matching.features.base import Feature, register_feature


@register_feature
class Words(Feature):
    """Of each word, the logarithm of its rank by frequency, how many letters it has, and where it stands."""

    name = "words"
    nonlinear = True

    def columns(self, context: Context) -> list[str]:
        """Six numbers."""
        return [f"{what}, {side} word" for side in ("source", "target") for what in ("log rank", "letters", "place")]

    def values(self, cells: Cells) -> Iterator[Column]:
        """Yield the numbers."""
        sides = zip(
            (cells.source, cells.target),
            cells.text.forms,
            (cells.row / cells.rows, cells.column / cells.columns),
            strict=True,
        )
        for words, forms, place in sides:
            yield np.log(words + np.float32(1)).astype(np.float32)
            yield forms.length[words].astype(np.float32)
            yield place.astype(np.float32)
