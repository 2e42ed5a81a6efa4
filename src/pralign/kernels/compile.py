"""How every kernel is compiled."""

from __future__ import annotations

from typing import Any

from numba import config
from numba.core.registry import CPUDispatcher

from pralign.kernels.cache import KernelCache
from pralign.kernels.libraries import compiling

# Reordering of sums is allowed, since block and summation order are fixed and results stay reproducible.
# The flags that assume the absence of NaN and infinity are left out: kernels guard against them.
_REORDER = {"reassoc", "contract", "nsz", "arcp"}

_OPTIONS: dict[str, Any] = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",  # no test for zero in every division
    "no_cfunc_wrapper": True,  # nobody calls kernels from C; leaving it out compiles faster
}


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
    return function if config.DISABLE_JIT else Kernel(function, {}, {**_OPTIONS, "fastmath": fastmath})


class Kernel(CPUDispatcher):
    """A compiled function that Python calls, or other kernels, or both.

    What kernels call is only made part of them, by a twin of this, see :mod:`pralign.kernels.libraries`.
    """

    _twin: CPUDispatcher | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._cache = KernelCache(self.py_func)

    def compile(self, sig: Any) -> Any:
        """Compile for the types of some arguments, or load what was compiled before."""
        with compiling(self.py_func):
            return super().compile(sig)

    def is_compiled(self, types: tuple[Any, ...]) -> bool:
        """Whether it has been compiled for these types, in this process or by an earlier one."""
        return types in self.overloads or self._cache.has(types, self.targetctx)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """How another kernel calls it."""
        if self._twin is None:
            self._twin = CPUDispatcher(self.py_func, {}, self.targetoptions)
        return self._twin.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """What another kernel calls."""
        assert self._twin is not None
        return self._twin.get_overload(sig)
