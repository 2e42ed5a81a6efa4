"""Putting something finished in the place of something old, so that it can be taken back."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from pralign.outputs.exchange import ExchangeUnsupportedError, exchange
from pralign.outputs.targets import is_at

_TAKEN = {errno.EEXIST, errno.ENOTEMPTY}
_TRIES = 1000


def put(new: Path, target: Path) -> None:
    """Give ``new`` the name ``target``; what had that name before gets the name of ``new``.

    At every moment there is something whole under the name, if there was before. Other processes may do the same at the
    same time: the last one wins.

    Raises:
        ExchangeUnsupportedError: A directory is there, and this file system cannot exchange names.
        OSError: It failed; nothing has changed.
    """
    for _ in range(_TRIES):
        if os.path.lexists(target):
            if new.is_dir() != target.is_dir():  # which an exchange would not mind
                number = errno.ENOTDIR if new.is_dir() else errno.EISDIR
                raise OSError(number, os.strerror(number), str(target))
            try:
                exchange(new, target)
            except FileNotFoundError:  # it went away in the meantime
                if not os.path.lexists(new):
                    raise
                continue
            except ExchangeUnsupportedError:
                if target.is_dir():
                    raise
                new.replace(target)
            return
        try:
            new.rename(target)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
        else:
            return
    raise FileExistsError(errno.EEXIST, "others write to the same place again and again", str(target))


def take_back(new: Path, target: Path, what: os.stat_result, before: os.stat_result | None) -> None:
    """Undo :func:`put` of ``what``, if it was done and nobody has put something else there since.

    What was there ``before`` is put back; if it is lost, for want of an exchange, what is there now stays.
    """
    if not is_at(target, what):
        return
    if os.path.lexists(new):
        exchange(new, target)
    elif before is None:
        target.rename(new)
