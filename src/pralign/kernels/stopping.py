"""How compiled functions that may take long find out that nobody wants their results any more.

They call :func:`stop_if_asked` about once in a thousand steps of their innermost loops, so that it costs nothing and
they stop within a moment. The flag is a variable of this process that compiled code finds by name when it is loaded, so
that it can be kept on disk; global arrays, in contrast, are constants to the compiler.
"""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from pralign.stopping import FLAG, Stopped

_NAME = "pralign_stop_flag"
_WORD = ir.IntType(8 * ctypes.sizeof(FLAG))

llvmlite.binding.add_symbol(_NAME, ctypes.addressof(FLAG))


def stop_if_asked() -> None:
    """Raise ``Stopped`` if somebody has asked compiled functions to stop."""
    if FLAG.value:
        raise Stopped


@intrinsic
def _is_asked(context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        flag = builder.module.globals.get(_NAME) or ir.GlobalVariable(builder.module, _WORD, _NAME)
        # An atomic load is done anew each time, where others would be moved out of the loop.
        value = builder.load_atomic(flag, "monotonic", ctypes.sizeof(FLAG))
        return builder.icmp_unsigned("!=", value, value.type(0))

    return types.boolean(), generate


@overload(stop_if_asked)
def _compiled() -> Any:
    def stop() -> None:
        if _is_asked():
            raise Stopped

    return stop
