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
    "error_model": "numpy",  # no test for zero in every division
    "no_cfunc_wrapper": True,  # nobody calls kernels from C; leaving it out compiles faster
}

_caches: set[Path] = set()


def kernel(function: Any) -> Any:
    """Compile ``function`` to machine code on first use, and keep that on disk where there is a place for it.

    Other Python threads run while a kernel does.
    """
    return _compiled(function, _REORDER)


def exact_kernel(function: Any) -> Any:
    """As :func:`kernel`, but every operation is done as it is written.

    For what combines two numbers that change places when the sides of a text do: ``a + b + c`` may become ``b + a + c``
    then, but not ``b + (a + c)``. And for loops that write: whether several steps are taken at a time depends on where
    arrays lie, and must make no difference.
    """
    return _compiled(function, False)


def _compiled(function: Any, fastmath: Any) -> Any:
    compiled = njit(fastmath=fastmath, **_OPTIONS)(function)
    if hasattr(compiled, "enable_caching"):  # not with the compiler switched off
        with suppress(RuntimeError):  # no directory to keep it in: compile anew in every process
            compiled._cache = CheckedCache(function)
            _caches.add(Path(str(compiled.stats.cache_path)))
    return compiled


def compiled_before(*modules: str) -> bool:
    """Whether earlier runs have left the compiled kernels of these modules on this machine."""
    return all(any(any(path.glob(f"{module}.*.nbc")) for path in _caches) for module in modules)
