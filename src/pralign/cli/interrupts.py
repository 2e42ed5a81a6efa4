"""Ctrl-C and its relatives, SIGTERM and SIGHUP: heard at whatever moment they come, and answered soon.

Signals become exceptions, so that everybody cleans up as they do after any failure. Python raises them between two
steps of the main thread, which may be a long time if that is in a compiled function, or waits for threads that are. So
another thread listens too. It asks compiled functions to stop, and if the program has not ended shortly after, removes
what is to be removed and ends it.
"""

from __future__ import annotations

import _thread
import atexit
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from pralign import cleanup, stopping

_MESSAGES = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}  # Windows has not all of them
_SIGNALS = {getattr(signal, name): message for name, message in _MESSAGES.items() if hasattr(signal, name)}

# Compiled functions call these modules from C to make the arrays they return, and take no notice of exceptions there;
# what is raised in a finalizer, or in a generator that is dropped, is printed and forgotten. Locks of the list of what
# to remove must not get lost.
_DEAF_MODULES = ("numba.core.serialize", "weakref", "pralign.cleanup")
_DEAF_FUNCTIONS = ("__del__", "end_pool")
_SOON = 0.01
_PATIENCE = 1.0  # seconds


class Ended(KeyboardInterrupt):
    """A signal asks the program to end."""


class _Hearing:
    """What has been heard so far: the signal, whether an exception was raised for it, and whether people were told."""

    number = signal.SIGINT
    came = False
    raised = False
    said = False
    finished = False


_hearing = _Hearing()


def listen_for_interrupts() -> None:
    """Have signals raise ``KeyboardInterrupt`` only where it is not lost, or else a moment later.

    What whoever started the program wants to be ignored (``nohup``, jobs in the background) stays so.
    """
    _hearing.__dict__.clear()  # nothing was heard yet
    wanted = [number for number in _SIGNALS if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL)]
    if not wanted:
        return
    if os.name == "posix":
        ear, mouth = os.pipe()
        os.set_blocking(mouth, False)
        signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
        threading.Thread(target=_listen, args=(ear,), name="pralign-signals", daemon=True).start()
    for number in wanted:
        signal.signal(number, _hear)


def ignore_interrupts() -> None:
    """Let no signal change the exit code any more: what is done is done."""
    _hearing.finished = True
    for number in _SIGNALS:
        if signal.getsignal(number) is _hear:
            signal.signal(number, signal.SIG_IGN)


def interrupted() -> bool:
    """Whether a signal has asked the program to end."""
    return _hearing.came


def exit_code() -> int:
    """The exit code of a program that a signal has ended: 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP."""
    return 128 + _hearing.number


def why() -> str:
    """Why a program that a signal has ended ends, in a word."""
    return _SIGNALS[_hearing.number]


def say_goodbye(aloud: bool = True) -> None:
    """Say on standard error why the program ends, if anybody is there to read it and nobody else has said so."""
    _hearing.raised = _hearing.said = True
    if not aloud:
        return
    with suppress(OSError, ValueError):
        print(f"pralign: {why()}", file=sys.stderr, flush=True)


def leave() -> NoReturn:
    """End the program as a signal has asked for."""
    if not _hearing.said:
        say_goodbye()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # it went to a terminal that is no more, or was closed before
            with suppress(OSError, ValueError, AttributeError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    atexit._run_exitfuncs()
    os._exit(exit_code())  # to take the compiler down in good order takes half a second


def _hear(number: int, frame: FrameType | None) -> None:
    """Raise an exception for a signal, once: others that follow must not break the cleaning up."""
    _note(number)
    if _hearing.raised:
        return
    if _is_deaf(frame) or cleanup.committing().under_way:
        if os.name != "posix":  # else the thread that listens calls again
            later = threading.Timer(_SOON, _thread.interrupt_main, (number,))
            later.daemon = True
            later.start()
        return
    _hearing.raised = True
    if not isinstance(sys.exception(), stopping.Stopped):  # which was quicker
        raise Ended(_SIGNALS[_hearing.number])


def _note(number: int) -> None:
    if not _hearing.came:
        _hearing.came, _hearing.number = True, signal.Signals(number)


def _is_deaf(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__") in _DEAF_MODULES or frame.f_code.co_name in _DEAF_FUNCTIONS:
            return True
        frame = frame.f_back
    return False


def _listen(ear: int) -> None:
    """Wait for a signal, see to it that the main thread hears it and ends, or else end the program."""
    number = 0
    while number not in _SIGNALS:
        [number] = os.read(ear, 1)
    _note(number)
    stopping.request()
    patience = time.monotonic() + _PATIENCE
    while time.monotonic() < patience:
        time.sleep(_SOON)
        if not _hearing.raised and not _hearing.finished:
            _thread.interrupt_main(_hearing.number)
    with cleanup.committing():
        if _hearing.raised or not _hearing.finished:
            cleanup.remove_all()
            if not _hearing.said:
                say_goodbye()
            os._exit(exit_code())
