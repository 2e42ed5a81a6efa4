"""How every kernel is compiled."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from numba import njit

from pralign.kernels.cache import CheckedCache

# Reordering of sums is allowed, since block and summation order are fixed and results stay reproducible.
# The flags that assume the absence of NaN and infinity are left out: kernels guard against them.
_REORDER = {"reassoc", "contract", "nsz", "arcp"}

_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "fastmath": _REORDER,
    "error_model": "numpy",  # no test for zero in every division
    "no_cfunc_wrapper": True,  # nobody calls kernels from C; leaving it out compiles faster
}

_caches: set[Path] = set()


def kernel(function: Any) -> Any:
    """Compile ``function`` to machine code on first use, and keep that on disk where there is a place for it.

    Other Python threads run while a kernel does.
    """
    compiled = njit(**_OPTIONS)(function)
    if hasattr(compiled, "enable_caching"):  # not with the compiler switched off
        with suppress(RuntimeError):  # no directory to keep it in: compile anew in every process
            compiled._cache = CheckedCache(function)
            _caches.add(Path(str(compiled.stats.cache_path)))
    return compiled


def compiled_before(*modules: str) -> bool:
    """Whether earlier runs have left the compiled kernels of these modules on this machine."""
    return all(any(any(path.glob(f"{module}.*.nbc")) for path in _caches) for module in modules)
