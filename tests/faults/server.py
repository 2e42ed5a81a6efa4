"""Runs commands of pralign one after the other, each in a fork of a process that is warm, with a fault in one of them.

Started by :mod:`tests.faults.harness`; reads requests from standard input and answers on standard output, as JSON.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

SHIM = ctypes.CDLL(None)


def main() -> None:
    """Serve until there are no more requests."""
    SHIM.fault_what.restype = ctypes.c_char_p
    SHIM.fault_share()
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        request = json.loads(line)
        answers.write(json.dumps(_warm_up(request) if request.get("warm") else _serve(request)) + "\n")
        answers.flush()


def _warm_up(request: dict[str, Any]) -> dict[str, Any]:
    """Run a command in this very process, so that all it needs is imported and compiled."""
    os.chdir(request["folder"])
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    with Path("said").open("w") as said:
        streams, sys.stderr = sys.stderr, said
        try:
            _run(request["command"])
        except SystemExit as end:
            return {"code": end.code}
        finally:
            sys.stderr = streams
            for number, handler in before.items():
                signal.signal(number, handler)
    return {"code": 0}


def _serve(request: dict[str, Any]) -> dict[str, Any]:
    process = os.fork()
    if process == 0:
        _begin(request)
        try:
            _run(request["command"])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
            _end(code)
        except BaseException:
            import traceback

            traceback.print_exc()
            _end(99)
        _end(0)
    _, status = os.waitpid(process, 0)
    code = os.waitstatus_to_exitcode(status)
    return {"code": code, "operations": SHIM.fault_count(), "what": SHIM.fault_what().decode(errors="replace")}


def _begin(request: dict[str, Any]) -> None:
    os.chdir(request["folder"])
    said = os.open(request["said"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(said, 2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    SHIM.fault_arm(os.fsencode(request["root"]), request["at"], request["kind"], request["value"])


def _run(command: list[str]) -> None:
    from pralign.cli import main as pralign

    sys.argv = ["pralign", *command]
    pralign()


def _end(code: int) -> None:
    """End as a program does."""
    atexit._run_exitfuncs()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
