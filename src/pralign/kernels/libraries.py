"""Compiling what is called by kernels only: no machine code, no way in from Python.

A kernel calls others, and functions of NumPy that Numba has written in Python. Numba compiles each of these as if
Python might call it one day: with wrappers that unpack Python's objects, and to machine code of its own. Nobody does:
the caller takes in what LLVM knows of it, and compiles that again. To leave this out saves a fifth of the time.

Two smaller things: Numba compares its own options a hundred thousand times, name by name, and Python's garbage
collector looks through millions of objects that are all in use. The first is done faster, the second later.

Where a version of Numba has no such place to step in, everything is compiled in the ordinary way.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import typed_passes
from numba.core.compiler_lock import global_compiler_lock

try:
    from numba.core.compiler import _LowerResult
    from numba.core.targetconfig import TargetConfig

    _NUMBA_LOWERS: Callable[..., bool] | None = typed_passes.NativeLowering.run_pass
    _NUMBA_COMPARES = TargetConfig.__eq__, TargetConfig.__hash__
except (ImportError, AttributeError):
    _NUMBA_LOWERS = None

# The function that Python calls and that is being compiled.
_called: Any = None


@contextmanager
def compiling(function: Any) -> Iterator[None]:
    """While ``function`` is compiled, compile all that it calls as parts of it."""
    global _called
    with global_compiler_lock, garbage_kept():
        before, _called = _called, function
        if before is None and _NUMBA_LOWERS is not None:
            typed_passes.NativeLowering.run_pass = _lower
            TargetConfig.__eq__, TargetConfig.__hash__ = _same_options, _hash_of_options
        try:
            yield
        finally:
            _called = before
            if before is None and _NUMBA_LOWERS is not None:
                typed_passes.NativeLowering.run_pass = _NUMBA_LOWERS
                TargetConfig.__eq__, TargetConfig.__hash__ = _NUMBA_COMPARES


@contextmanager
def garbage_kept() -> Iterator[None]:
    """Have Python's garbage collector wait; around several kernels, it then looks through what they leave only once."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _lower(lowering: Any, state: Any) -> bool:
    """From a function whose types are known to code."""
    assert _NUMBA_LOWERS is not None
    if state.library is not None or state.flags.no_compile or not _is_part(state.func_id.func):
        return _NUMBA_LOWERS(lowering, state)
    context = state.targetctx
    library = state.library = context.codegen().create_library(state.func_id.func_qualname)
    library.enable_object_caching()
    library._finalize_final_module = lambda: _finish(library)
    state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = state.flags.no_compile = True
    try:
        _NUMBA_LOWERS(lowering, state)
    finally:
        state.flags.no_compile = False
    # Numba looks functions up by what Python would call, and wants that to be built in; any such thing will do.
    key, lowered = list[Any]().append, state["cr"]
    library.finalize()
    context.insert_user_function(key, lowered.fndesc, [library])
    state.reload_init.extend(library._reload_init)
    state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, cfunc=key, env=lowered.env)
    return True


def _is_part(function: Any) -> bool:
    """Whether nobody but the kernel that is being compiled will call it.

    Functions of others, which call kernels or are called by them, are left alone.
    """
    return function is not _called and function.__module__.split(".")[0] in ("numba", "pralign")


def _finish(library: Any) -> None:
    """Make a library ready to be part of another."""
    library._finalize_dynamic_globals()
    library._finalized = True


def _same_options(one: Any, other: Any) -> bool:
    """Whether the same options are set; what is not set has its default in both."""
    return isinstance(other, TargetConfig) and one._values == other._values


def _hash_of_options(one: Any) -> int:
    """The same number that Numba finds, which is made of the names alone."""
    return hash(tuple(sorted(one.options)))
