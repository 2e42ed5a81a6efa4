"""What a collapsed model remembers of the pairs it was trained on: what each has added to the counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Contributions, Long, Texts
from pralign.kernels.recall import fingerprints, gather

_STARTS = ("start", "target_start", "source_start")


@dataclass(frozen=True)
class Memory:
    """Finds a pair by its words. Pairs with the same words have added the same, so that any of them will do.

    Attributes:
        prints: The different fingerprints of the pairs, in ascending order.
        places: For each of these, where a pair that has it is among the contributions.
        contributions: What the pairs have added to the counts.
    """

    prints: NDArray[np.uint64]
    places: Long
    contributions: Contributions

    @classmethod
    def of(cls, texts: Texts, pairs: Sequence[Long], parts: Sequence[Contributions]) -> Memory:
        """The memory of blocks of pairs and of what they have added."""
        prints, places = np.unique(fingerprints(texts, np.concatenate(pairs)), return_index=True)
        return cls(prints, places, _joined(parts))

    def recall(self, texts: Texts, pairs: Long) -> Contributions | None:
        """What these pairs have added to the counts, if any of them was trained on."""
        prints = fingerprints(texts, pairs)
        rows = np.minimum(np.searchsorted(self.prints, prints), self.prints.size - 1)
        known = self.prints[rows] == prints
        if not known.any():
            return None
        found: Contributions = gather(self.contributions, np.where(known, self.places[rows], -1))
        return found

    def tensors(self) -> dict[str, NDArray[Any]]:
        """All of it, to be saved."""
        return {"prints": self.prints, "places": self.places, **self.contributions._asdict()}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, NDArray[Any]]) -> Memory:
        """What was saved."""
        contributions = Contributions(*(tensors[name] for name in Contributions._fields))
        return cls(tensors["prints"], tensors["places"], contributions)


def _joined(parts: Sequence[Contributions]) -> Contributions:
    """One block made of several."""
    joined = {}
    for name in Contributions._fields:
        arrays = [getattr(part, name) for part in parts]
        if name in _STARTS:
            offsets = np.cumsum([0, *(array[-1] for array in arrays)])
            joined[name] = np.concatenate([[0], *(a[1:] + o for a, o in zip(arrays, offsets, strict=False))])
        else:
            joined[name] = np.concatenate(arrays)
    return Contributions(**joined)
