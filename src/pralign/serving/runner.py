"""Running an application: one process, on this machine only, until somebody stops it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from pralign.errors import UsageError
from pralign.serving.asgi import App
from pralign.serving.packages import check_packages

ADDRESS = "127.0.0.1"

_LAST_PORT = 65535
_BACKLOG = 512
_PATIENCE = 5  # seconds for requests under way, when the service is to stop
_IDLE = 75  # seconds that a connection stays open between two requests
_CONNECTIONS = 1000  # at a time; others are told to come again
_STOPS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def run_app(app: App, port: int | None, ready: Callable[[str], None]) -> None:
    """Serve an application on this machine until SIGTERM or Ctrl-C, then finish what is under way, for a few seconds.

    Args:
        app: What answers, an ASGI application; :class:`~pralign.serving.guard.Guard` around it keeps others out.
        port: Where to listen, on 127.0.0.1 only; any free port by default.
        ready: Called with the address once connections are accepted.

    Raises:
        UsageError: The port cannot be had, or what services need is not installed.
        KeyboardInterrupt: Ctrl-C has ended it; after SIGTERM it returns.
    """
    check_packages()
    import uvicorn

    class Server(uvicorn.Server):
        """A server that says when it is ready, and leaves signals to others."""

        @contextmanager
        def capture_signals(self) -> Generator[None]:
            yield

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started and not self.should_exit:
                ready(f"http://{ADDRESS}:{listening.getsockname()[1]}")

    logging.getLogger("uvicorn").setLevel(logging.ERROR)
    with contextlib.closing(_bound(port)) as listening:
        server = Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                ws="none",
                server_header=False,
                backlog=_BACKLOG,
                limit_concurrency=_CONNECTIONS,
                timeout_keep_alive=_IDLE,
                timeout_graceful_shutdown=_PATIENCE,
            )
        )
        with _stopped_by_signals(server) as heard:
            asyncio.run(server.serve([listening]))
    if signal.SIGINT in heard:
        raise KeyboardInterrupt


def check_port(port: int | None) -> None:
    """Complain of a port that cannot be had, before an hour's work is done.

    Raises:
        UsageError: It cannot be had.
    """
    _bound(port).close()


def _bound(port: int | None) -> socket.socket:
    """A socket that listens at a port of this machine.

    Raises:
        UsageError: The port cannot be had.
    """
    wanted = port or 0
    if not 0 <= wanted <= _LAST_PORT:
        raise UsageError(f"a port is a number from 1 to {_LAST_PORT}, or 0 for any that is free, not {wanted}")
    # Only of sockets that say they are TCP does asyncio see to it that answers are not held back for 40 ms.
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":  # so that a service can start again at once; elsewhere this lets two have one port
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((ADDRESS, wanted))
        made.listen(_BACKLOG)
    except OSError as error:
        made.close()
        cure = "choose another one with --port, or leave that out for any that is free"
        if error.errno == errno.EADDRINUSE:
            raise UsageError(f"port {wanted} of {ADDRESS} is in use; {cure}") from error
        raise UsageError(f"port {wanted} of {ADDRESS} cannot be had: {error.strerror or error}; {cure}") from error
    made.setblocking(False)
    return made


@contextmanager
def _stopped_by_signals(server: Any) -> Iterator[list[int]]:
    """Have signals stop a server instead of doing what they did, till the block ends; yields those that came.

    A program that is to end asks all its compiled functions to stop. A service still has answers to finish, so nobody
    else hears of the signal. A second one stops at once. Signals that are ignored stay so.
    """
    heard: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        server.force_exit = bool(heard)
        server.should_exit = True
        heard.append(number)

    wakeup = signal.set_wakeup_fd(-1)
    before = {number: signal.getsignal(number) for number in _STOPS}
    before = {number: handler for number, handler in before.items() if handler is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, stop)
    try:
        yield heard
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
