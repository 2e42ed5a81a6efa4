"""The pairs that a collapsed model was trained on, and what each has added to the counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Long, Texts
from pralign.kernels.own_counts import OwnCounts, choose, find_pairs, fingerprints
from pralign.text.shard import Shard


@dataclass(frozen=True)
class TrainingPairs:
    """Finds a pair by its words. Pairs with the same words have added the same, so each is kept once.

    Attributes:
        texts: The sentences, words numbered as in the vocabularies.
        own: What each pair has added to the counts.
        prints: The fingerprints of the pairs, in ascending order.
        places: The pairs that have these fingerprints.
    """

    texts: Texts
    own: OwnCounts
    prints: NDArray[np.uint64]
    places: Long

    @classmethod
    def of(cls, texts: Texts, own: OwnCounts) -> Self:
        """The pairs of some texts and what they have added."""
        prints = fingerprints(texts, np.arange(texts.source_start.size - 1))
        places = np.argsort(prints, kind="stable")
        return cls(texts, own, prints[places], places)

    def find(self, shard: Shard) -> OwnCounts | None:
        """What the included pairs of a shard have added to the counts, if any of them was trained on."""
        rows = find_pairs(shard.global_texts(), shard.pairs, self.prints, self.places, self.texts)
        return choose(self.own, rows) if np.any(rows >= 0) else None

    def tensors(self) -> dict[str, NDArray[Any]]:
        """All of it, to be saved; fingerprints are made anew."""
        return {**self.texts._asdict(), **{f"own.{name}": array for name, array in self.own._asdict().items()}}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Self:
        """What was saved."""
        own = OwnCounts(*(tensors[f"own.{name}"] for name in OwnCounts._fields))
        return cls.of(Texts(*(tensors[name] for name in Texts._fields)), own)
