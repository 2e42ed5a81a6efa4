"""Compiled kernels on disk, of which none is believed before it is checked.

There is one file for each kernel and signature, in a directory for this version of everything, below
:func:`pralign.cache.cache_home`. Files are written under other names and then renamed, so that programs that start
together do no harm to each other.

Machine code is kept in pickles: reading one runs what is in it, and a damaged one ends the program. So a file begins
with a checksum, and is read only if it is the file of this user, or of the one who may do everything, and nobody else
could have written it. Whatever does not pass counts as absent: the kernel is compiled anew, and the file replaced.
Where files cannot be written, kernels are compiled by every process; this is said once in each.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import platform
import shutil
import stat
import time
import uuid
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from pralign.cache import VARIABLE, cache_home

_LOGGER = logging.getLogger(__name__)
_MAGIC = b"pralign kernel 2\n"
_DIGEST = hashlib.sha256().digest_size
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_LISTABLE = 0o755
_READABLE = stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP | stat.S_IROTH
_ENDING = ".kernel"
# Directories of other versions that nobody has used for so many seconds are removed.
_OLD = 60 * 24 * 3600


class KernelCache(_Cache):
    """Keeps the machine code of one kernel, in the way that a dispatcher of Numba asks for it."""

    def __init__(self, function: Any) -> None:
        """Keep the code of ``function``."""
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._function = function

    @property
    def cache_path(self) -> str | None:
        """The directory that files are written to."""
        place = own_directory()
        return None if place is None else str(place)

    def has(self, signature: Any, target: Any) -> bool:
        """Whether there is a file for a signature; it may turn out to be damaged."""
        name = self._file_name(signature, target.codegen())
        return any(os.path.isfile(directory / name) for directory in directories())  # noqa: PTH113 -- raises nothing

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for a signature, or ``None``."""
        target_context.refresh()
        name = self._file_name(sig, target_context.codegen())
        for directory in directories():
            reduced = _load(directory / name)
            if reduced is not None:
                _note_use(directory)
                return CompileResult._rebuild(target_context, *reduced)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for a signature, if there is a place for it."""
        if data.library.has_dynamic_globals:  # addresses of this process
            return
        place = writable_directory()
        if place is not None:
            try:
                _save(place / self._file_name(sig, data.codegen), dumps(data._reduce()))
            except OSError as error:
                _say_unkept(str(place), error.strerror or str(error))

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """It never is."""

    def flush(self) -> None:
        """There is nothing to forget: files of other versions have other names."""

    def _file_name(self, signature: Any, codegen: Any) -> str:
        key = repr((self._name, _code_of(self._function), signature, codegen.magic_tuple())).encode()
        return f"{self._name.removeprefix('pralign.kernels.')}-{hashlib.sha256(key).hexdigest()[:20]}{_ENDING}"


@cache
def directories() -> tuple[Path, ...]:
    """Where to look for compiled code: in the user's own directory, and in that of the one who may do everything."""
    home = cache_home()
    if home is None:
        return ()
    owners = dict.fromkeys((os.getuid(), 0)) if hasattr(os, "getuid") else ("",)
    return tuple(home / f"kernels-{_version()}-{owner}".rstrip("-") for owner in owners)


def own_directory() -> Path | None:
    """The directory that this user's compiled code is written to."""
    return next(iter(directories()), None)


@cache
def writable_directory() -> Path | None:
    """The same if it can be written, made where it is missing; otherwise it is said that it cannot."""
    place = own_directory()
    if place is None:
        _say_unkept("a cache directory", "this user has no home directory")
        return None
    try:
        if not place.is_dir():
            place.mkdir(parents=True, exist_ok=True)
            if place.name.endswith("-0"):  # that of root is for all, whatever its mask says
                place.chmod(_LISTABLE)
            _remove_old(place)
        probe = place / f"probe-{uuid.uuid4().hex}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        _say_unkept(str(place), error.strerror or str(error))
        return None
    _note_use(place)
    return place


@cache  # once in a process
def _note_use(place: Path) -> None:
    with suppress(OSError):  # it may be root's
        os.utime(place)


@cache  # once is enough
def _say_unkept(place: str, why: str) -> None:
    _LOGGER.warning(
        "compiled code cannot be kept in %s: %s; every start compiles it again, unless %s names a directory that can "
        "be written",
        place,
        why,
        VARIABLE,
    )


def _remove_old(place: Path) -> None:
    """Remove the user's directories of other versions that have not been used for long."""
    owner = place.name.removeprefix(f"kernels-{_version()}")
    with suppress(OSError):
        for other in place.parent.glob(f"kernels-*{owner}"):
            if other != place and other.stat().st_mtime < time.time() - _OLD:
                shutil.rmtree(other, ignore_errors=True)


@cache
def _version() -> str:
    """What code depends on besides a kernel's own function: all other kernels, versions, and how it is compiled."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    compilers = (numba.__version__, llvmlite.__version__, np.__version__, platform.python_version())
    config = numba.config
    choices = (config.BOUNDSCHECK, config.OPT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE, config.DEBUGINFO_DEFAULT)
    digest.update(repr((compilers, choices, platform.python_implementation())).encode())
    return digest.hexdigest()[:16]


@cache
def _code_of(function: Any) -> str:
    """What tells a function from others of its name; those outside of this package may change between two runs."""
    if function.__module__.startswith("pralign.kernels."):
        return ""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return hashlib.sha256(_source_of(function) + dumps(cells)).hexdigest()


def _source_of(function: Any) -> bytes:
    try:
        return Path(function.__code__.co_filename).read_bytes()
    except OSError:  # typed in by hand
        return bytes(function.__code__.co_code) + repr(function.__code__.co_consts).encode()


def _save(path: Path, content: bytes) -> None:
    partial = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
    try:
        with partial.open("xb") as stream:
            stream.write(_head(path.name, content) + content)
        partial.chmod(_READABLE)
        partial.replace(path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


def _load(path: Path) -> Any:
    content = _read_own(path)
    size = len(_MAGIC) + _DIGEST
    head, payload = content[:size], content[size:]
    return _unpickled(payload) if payload and head == _head(path.name, payload) else None


def _head(name: str, payload: bytes) -> bytes:
    """What a file begins with; the name is part of it, so that one kernel is never taken for another."""
    return _MAGIC + hashlib.sha256(hashlib.sha256(name.encode()).digest() + payload).digest()


def _read_own(path: Path) -> bytes:
    """The content of a file that nobody else can have written, or nothing."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as stream:
        facts = os.fstat(descriptor)
        if hasattr(os, "getuid") and (facts.st_uid not in (os.getuid(), 0) or facts.st_mode & _WRITABLE_BY_OTHERS):
            return b""
        try:
            return stream.read()
        except OSError:  # a directory, for example
            return b""


def _unpickled(content: bytes) -> Any:
    """What a pickle that was checked holds; ``None`` if it is of things that are not there any more."""
    try:
        return pickle.loads(content)
    except Exception:
        return None
