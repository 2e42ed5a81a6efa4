"""Two files or directories change their names in one step, which no signal and no other process can divide."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from pralign.outputs.partials import PartialDirectory

_HERE = -100  # AT_FDCWD: paths are as they are
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2
_UNSUPPORTED = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


class ExchangeUnsupportedError(OSError):
    """The system or the file system cannot exchange names in one step."""


def exchange(one: Path, other: Path) -> None:
    """Let ``one`` and ``other``, which both exist, change places.

    Raises:
        ExchangeUnsupportedError: That is not possible here.
        OSError: It failed.
    """
    call = _system_call()
    if call is None:
        raise ExchangeUnsupportedError(errno.ENOSYS, os.strerror(errno.ENOSYS), str(other))
    if call(os.fsencode(one), os.fsencode(other)) == 0:
        return
    number = ctypes.get_errno()
    kind = ExchangeUnsupportedError if number in _UNSUPPORTED else OSError
    raise kind(number, os.strerror(number), str(other))


def can_exchange(directory: Path) -> bool:
    """Whether names in a directory can be exchanged; this is tried out."""
    with PartialDirectory(directory) as one, PartialDirectory(directory) as other:
        try:
            exchange(one.path, other.path)
        except ExchangeUnsupportedError:
            return False
    return True


@cache
def _system_call() -> Callable[[bytes, bytes], int] | None:
    """What the system calls it; nothing where it has no such thing."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "linux":
            rename = library.renameat2
            return lambda one, other: int(rename(_HERE, one, _HERE, other, _RENAME_EXCHANGE))
        if sys.platform == "darwin":
            swap = library.renamex_np
            return lambda one, other: int(swap(one, other, _RENAME_SWAP))
    except (AttributeError, OSError, TypeError):
        return None
    return None
