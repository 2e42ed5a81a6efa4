"""Groups of arrays that are written whole and read part by part.

With many parts, an array for each of them would make the list of arrays in a file longer than what is read of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Long
from pralign.store import Store

_EDGES = "edges"


def save_parts(store: Store, name: str, arrays: Mapping[str, NDArray[Any]], edges: Mapping[str, Long]) -> None:
    """Keep arrays that consist of the same number of parts.

    Args:
        store: Where they are kept.
        name: The name of the group.
        arrays: The arrays.
        edges: For each of them, where its parts begin, and where the last one ends.

    Example:
        >>> from pralign.store import MemoryStore
        >>> store = MemoryStore()
        >>> save_parts(store, "words", {"word": np.array([3, 1, 2])}, {"word": np.array([0, 1, 3])})
        >>> load_part(store, "words", 1, "word")["word"].tolist()
        [1, 2]
    """
    columns = [np.asarray(edges[each], np.int64) for each in arrays]
    store.save(name, {**arrays, _EDGES: np.stack(columns, axis=1)})


def load_part(store: Store, name: str, number: int, *arrays: str) -> dict[str, NDArray[Any]]:
    """One part of each of the arrays of a group, which are named in the order in which they were saved."""
    first, last = store.load_rows(name, {_EDGES: slice(number, number + 2)})[_EDGES].tolist()
    return store.load_rows(name, {each: slice(*ends) for each, *ends in zip(arrays, first, last, strict=True)})
