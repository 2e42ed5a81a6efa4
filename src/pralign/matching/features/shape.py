"""Names, numbers and words of common origin look alike in both languages."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pralign.kernels.similarity import share_of_letters
from pralign.matching.cells import Cells, Column, Context
from pralign.matching.features.base import Feature, register_feature

SHORT = 3


@register_feature
class Shape(Feature):
    """Five numbers of how much two words look alike.

    1 where they are equal, where they are without accents, and where they are without vowels too; the length of their
    longest common subsequence of letters, as a share of the longer word; 1 where both have at most three letters, since
    such words look alike by chance.
    """

    name = "shape"

    def columns(self, context: Context) -> list[str]:
        """Five numbers."""
        return ["equal", "equal without accents", "equal without vowels", "letters in common", "both short"]

    def values(self, cells: Cells) -> Iterator[Column]:
        """Yield the numbers."""
        source, target = cells.text.forms
        s, t = cells.source, cells.target
        yield source.exact[s] == target.exact[t]
        yield source.plain[s] == target.plain[t]
        yield (source.skeleton[s] == target.skeleton[t]) & (source.skeleton[s] >= 0)
        share = np.empty(cells.size, np.float32)
        share_of_letters((source.letters, source.start, s), (target.letters, target.start, t), share)
        yield share
        yield (source.length[s] <= SHORT) & (target.length[t] <= SHORT)
