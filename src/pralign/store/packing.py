"""Groups of arrays as one compressed array, for results that lie about for a while."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pralign.errors import OutputError
from pralign.store.memory import Arrays, Store
from pralign.store.tensors import TensorFileError, read_stream, write_stream

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_NAME = "packed"
_LEVEL = 1


def save_packed(store: Store, name: str, arrays: Arrays) -> None:
    """Keep a group of arrays compressed.

    Example:
        >>> from pralign.store import MemoryStore
        >>> store = MemoryStore()
        >>> save_packed(store, "links/0", {"source": np.zeros(1000, np.int32)})
        >>> store.load("links/0")["packed"].size < 200, load_packed(store, "links/0")["source"].size
        (True, 1000)
    """
    stream = BytesIO()
    write_stream(stream, arrays)
    store.save(name, {_NAME: np.frombuffer(zstd.compress(stream.getbuffer(), _LEVEL), np.uint8)})


def load_packed(store: Store, name: str) -> dict[str, NDArray[Any]]:
    """What :func:`save_packed` has kept."""
    try:
        return read_stream(BytesIO(zstd.decompress(store.load(name)[_NAME].data)))
    except (zstd.ZstdError, TensorFileError) as error:
        raise OutputError(f"{name}: is damaged: {error}; delete the directory and start again") from error
