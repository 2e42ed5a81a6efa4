"""Words that are met again and again get weights of their own, two by two."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from pralign.matching.cells import Cells, Context
from pralign.matching.features.base import Kinds, register_feature
from pralign.schema import SchemaError
from pralign.schema.values import Bounds, check_value
from pralign.text.vocabulary import Vocabulary

MOST_FREQUENT = 5
LEAST_PAIRS = 3
# Thousands of labelled pairs would have hundreds of thousands of word pairs that meet three times.
MOST_MET = 10_000


@register_feature
class Common(Kinds):
    """A weight for every two of the five most frequent words of each side, without punctuation.

    And for every two words that occur together in at least three labelled pairs (more, if these were more than 10,000),
    so that it can be learned that *ne* goes with *not* although *pas* would be enough to explain it.
    """

    name = "common"
    scale = 2.0

    def __init__(self) -> None:
        self._keys: NDArray[np.int64] = np.empty(0, np.int64)

    def columns(self, context: Context) -> list[str]:
        """A kind for every two words."""
        known = context.association
        source, target = (part.tolist() for part in np.divmod(self._keys, len(known.target)))
        words = zip(source, target, strict=True)
        return [f"{known.source.words[s]} ~ {known.target.words[t]}" for s, t in words]

    def settle(self, context: Context, blocks: Iterable[Cells]) -> None:
        """Find the words that meet often enough."""
        known = context.association
        source, target = _frequent(known.source), _frequent(known.target)
        frequent = [s * len(known.target) + t for s in source for t in target]
        met = [np.empty(0, np.int64)]
        for cells in blocks:
            keys, inside = _keys(cells)
            met.append(np.unique(np.stack([cells.pair[inside], keys[inside]]), axis=1)[1])
        keys, times = np.unique(np.concatenate(met), return_counts=True)
        least = LEAST_PAIRS
        while np.count_nonzero(times >= least) > MOST_MET:
            least += 1
        self._keys = np.union1d(frequent, keys[times >= least]).astype(np.int64)

    def state(self) -> Any:
        """A number for every two words."""
        return self._keys.tolist()

    def restore(self, state: Any, context: Context) -> None:
        """Take the words."""
        known = context.association
        most = len(known.source) * len(known.target) - 1
        keys = check_value(state, list[Annotated[int, Bounds(0, most)]], "features: common")
        self._keys = np.array(keys, np.int64)
        if np.any(np.diff(self._keys) <= 0):
            raise SchemaError("features: common has words that are not in order")

    def kinds(self, cells: Cells) -> NDArray[np.int32]:
        """Which two words meet."""
        keys, inside = _keys(cells)
        places = np.searchsorted(self._keys, keys)
        inside &= places < self._keys.size
        inside[inside] = self._keys[places[inside]] == keys[inside]
        return np.where(inside, places, -1).astype(np.int32)


def _frequent(vocabulary: Vocabulary) -> list[int]:
    """The numbers of the most frequent words that have a letter or a digit."""
    words = (number for number, word in enumerate(vocabulary.words) if any(letter.isalnum() for letter in word))
    return list(islice(words, MOST_FREQUENT))


def _keys(cells: Cells) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """A number for the two words of each cell, and whether unlabelled text has both."""
    known = cells.context.association
    keys = cells.source * np.int64(len(known.target)) + cells.target
    return keys, (cells.source < len(known.source)) & (cells.target < len(known.target))
