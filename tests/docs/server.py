"""A process that has imported all of pralign and becomes any of its programs when asked to.

Examples in the documentation start the program hundreds of times. Each start would take half a second, most of it to
import the same modules; here it is a copy of a process that has them.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import signal
import socket
import sys
import traceback
from contextlib import suppress

_PRELOADED = ("pralign.cli.app", "pralign.aligner", "pralign.matching", "pralign.report.html", "pralign.phrases")


def serve(path: str) -> None:
    """Answer requests at a socket for ever."""
    for module in _PRELOADED:
        importlib.import_module(module)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    while True:
        connection, _ = listener.accept()
        message, streams, _, _ = socket.recv_fds(connection, 1 << 20, 3)
        if os.fork() == 0:
            listener.close()
            _become(connection, json.loads(message), streams)
        connection.close()
        for stream in streams:
            os.close(stream)


def _become(connection: socket.socket, request: dict, streams: list[int]) -> None:
    """Be the program that was asked for, and tell how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)  # to know if they can seek
    code = 1
    try:
        code = _run(request)
    except BaseException:
        traceback.print_exc()
    with suppress(Exception):
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    connection.sendall(bytes([code]))
    os._exit(0)


def _run(request: dict) -> int:
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = request["arguments"]
    module, _, function = request["entry"].partition(":")
    try:
        code = getattr(importlib.import_module(module), function)()
    except SystemExit as stop:
        code = stop.code
    if isinstance(code, str):  # which Python would print
        print(code, file=sys.stderr)
    return code if isinstance(code, int) else int(code is not None)


if __name__ == "__main__":
    serve(sys.argv[1])
