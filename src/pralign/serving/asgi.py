"""The little of ASGI, the interface between servers and applications, that is used directly."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

Headers = Iterable[tuple[bytes, bytes]]


def header(scope: Scope, name: bytes) -> str | None:
    """The value of a header of a request, if it has one; names are lower case.

    Example:
        >>> header({"headers": [(b"host", b"localhost")]}, b"host")
        'localhost'
    """
    for key, value in scope["headers"]:
        if key == name:
            return bytes(value).decode("latin-1")
    return None


async def send_error(send: Send, status: int, message: str, headers: Headers = ()) -> None:
    """Answer a request with ``{"error": message}``."""
    body = json.dumps({"error": message}, ensure_ascii=False).encode()
    lines = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *headers]
    await send({"type": "http.response.start", "status": status, "headers": lines})
    await send({"type": "http.response.body", "body": body})
