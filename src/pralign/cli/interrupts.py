"""Ctrl-C, heard at whatever moment it comes."""

from __future__ import annotations

import _thread
import signal
import threading
from types import FrameType

# Compiled functions call these modules from C to make the arrays they return, and take no notice of exceptions there;
# what a finalizer raises is printed and forgotten.
_DEAF_MODULES = ("numba.core.serialize", "weakref")
_DEAF_FUNCTIONS = ("__del__",)
_SOON = 0.01


def listen_for_interrupts() -> None:
    """Have Ctrl-C raise ``KeyboardInterrupt`` only where it is not lost, or else a moment later."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else whoever started the program ignores it
        signal.signal(signal.SIGINT, _interrupt)


def ignore_interrupts() -> None:
    """Let no interrupt change the exit code any more: what is done is done."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _interrupt(number: int, frame: FrameType | None) -> None:
    if not _is_deaf(frame):
        raise KeyboardInterrupt
    timer = threading.Timer(_SOON, _thread.interrupt_main)
    timer.daemon = True
    timer.start()


def _is_deaf(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__") in _DEAF_MODULES or frame.f_code.co_name in _DEAF_FUNCTIONS:
            return True
        frame = frame.f_back
    return False
