"""Whose requests are answered: those of programs and pages of this machine, if they are not too large.

A service that listens on this machine only can still be asked by any page in a browser here. A page of another site
says so in ``Origin``. One whose name was made to point to this machine in the meantime (DNS rebinding) has no need to,
but says that name in ``Host``.
"""

from __future__ import annotations

import asyncio
import re

from pralign.serving.asgi import App, Message, Receive, Scope, Send, header, send_error

MAX_BODY = 8_000_000

_HERE = r"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?"
_HOST = re.compile(_HERE, re.IGNORECASE)
_ORIGIN = re.compile(f"http://{_HERE}", re.IGNORECASE)

# A client that is still sending would not see an answer; so much more is read, and thrown away, before the end.
_MORE_BODY = 32_000_000
_MORE_SECONDS = 2.0


class _TooLargeError(Exception):
    """The body of a request is larger than it may be, and the client has been told so."""


class Guard:
    """An application before another one: what it lets through comes from this machine and is not too large.

    Requests to other hosts and from other origins are answered with 403, those with a larger body with 413, whether
    they say before how large it is or not.
    """

    def __init__(self, app: App, max_body: int = MAX_BODY) -> None:
        self.app = app
        self.max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        elif (reason := _foreign(scope)) is not None:
            await send_error(send, 403, reason)
        else:
            await _Counted(self.max_body, scope, receive, send).pass_to(self.app)


def _foreign(scope: Scope) -> str | None:
    """Why a request is not one of this machine, if it is not."""
    host, origin = header(scope, b"host"), header(scope, b"origin")
    if host is None or _HOST.fullmatch(host) is None:
        return "this service answers only under 127.0.0.1 and localhost; ask for it by one of these names"
    if origin is not None and _ORIGIN.fullmatch(origin) is None:
        return "this service answers only pages of this machine, under http://127.0.0.1 or http://localhost"
    return None


class _Counted:
    """A request whose body is counted while it is read."""

    def __init__(self, most: int, scope: Scope, receive: Receive, send: Send) -> None:
        self.most, self.scope = most, scope
        self._receive, self._send = receive, send
        self._size = 0
        self._begun = self._refused = False

    async def pass_to(self, app: App) -> None:
        """Have an application answer, unless the body is too large."""
        length = header(self.scope, b"content-length")
        try:
            if length is not None and length.isdecimal() and int(length) > self.most:
                await self._refuse()
            await app(self.scope, self._read, self._answer)
        except _TooLargeError:
            return

    async def _read(self) -> Message:
        message = await self._receive()
        self._size += len(message.get("body", b""))
        if self._size > self.most:
            await self._refuse()
        return message

    async def _answer(self, message: Message) -> None:
        if not self._refused:
            self._begun = True
            await self._send(message)

    async def _refuse(self) -> None:
        """Say that the body is too large, and go no further."""
        if not self._begun and not self._refused:
            self._refused = True
            await self._discard()
            message = f"the body of a request may be of {self.most} bytes at most; send less at a time"
            await send_error(self._send, 413, message, [(b"connection", b"close")])
        raise _TooLargeError

    async def _discard(self) -> None:
        """Read on for a while, unless the client waits to be told whether to send anything."""
        if header(self.scope, b"expect") is not None:
            return
        size, more = 0, True
        try:
            async with asyncio.timeout(_MORE_SECONDS):
                while more and size < _MORE_BODY:
                    message = await self._receive()
                    size += len(message.get("body", b""))
                    more = message.get("more_body", False)
        except TimeoutError:
            pass
