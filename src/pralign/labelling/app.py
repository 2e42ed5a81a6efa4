"""The labelling page as an application: what is asked over HTTP, and who may ask."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from pralign.errors import InputError, PralignError
from pralign.labelling.desk import Desk
from pralign.labelling.page import label_page
from pralign.labelling.session import ConflictError
from pralign.serving.asgi import App
from pralign.serving.guard import Guard

TOKEN_HEADER = "x-pralign-token"
WINDOW_HEADER = "x-pralign-client"
_MAX_BODY = 2_000_000
_LONGEST_NAME = 64
_FILTERS = {
    "all": ("unlabelled", "started", "labelled", "skipped"),
    "labelled": ("labelled",),
    "skipped": ("skipped",),
    "unlabelled": ("unlabelled", "started"),
}
_SAFE = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class _RefusedError(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def label_app(desk: Desk, token: str) -> App:
    """The application. Whoever does not know the token learns nothing, not even the title.

    The page is had by ``/?token=…``; what it asks has the token in a header, which pages of other sites cannot set.
    """
    page, policy = label_page()

    async def show(request: Request) -> Response:
        if not _same(request.query_params.get("token", ""), token):
            raise _RefusedError(403, "the address lacks the right token; open the one that pralign label printed")
        return HTMLResponse(page, headers={**_SAFE, "Content-Security-Policy": policy})

    async def state(request: Request) -> Any:
        return await run_in_threadpool(desk.state, _window(request, desk))

    async def following(request: Request) -> Any:
        order = request.query_params.get("order", desk.order)
        after = _whole(request.query_params.get("after", "0"), "after") - 1
        return await run_in_threadpool(desk.next, order, min(after, len(desk.session.pairs)), _window(request, desk))

    async def pair(request: Request) -> Any:
        number, window = _pair(request, desk), _window(request, desk)
        return await run_in_threadpool(desk.pair, number, window)

    async def put(request: Request) -> Any:
        number, window, given = _pair(request, desk), _window(request, desk), await _body(request)
        try:
            answer = await run_in_threadpool(desk.put, number, given, window)
        except ConflictError:
            now = await run_in_threadpool(desk.pair, number, window)
            error = "somebody else has changed this pair meanwhile, in another window"
            return JSONResponse({"error": error, "pair": now}, 409, headers=_SAFE)
        return {"version": answer.version}

    async def listed(request: Request) -> Any:
        chosen = request.query_params.get("filter", "all")
        if chosen not in _FILTERS:
            raise _RefusedError(400, f"filter is one of {', '.join(_FILTERS)}")
        start = max(_whole(request.query_params.get("from", "1"), "from") - 1, 0)
        count = _whole(request.query_params.get("count", "50"), "count")
        return await run_in_threadpool(desk.listed, start, count, _FILTERS[chosen])

    async def leave(request: Request) -> Any:
        desk.windows.left(request.headers.get(WINDOW_HEADER, "")[:_LONGEST_NAME])
        return {}

    async def finish(request: Request) -> Any:
        return await run_in_threadpool(desk.finish)

    def guarded(answer: Callable[[Request], Awaitable[Any]]) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            if not _same(request.headers.get(TOKEN_HEADER, ""), token):
                raise _RefusedError(403, "the token is missing or wrong; open the address that pralign label printed")
            answered = await answer(request)
            return answered if isinstance(answered, Response) else JSONResponse(answered, headers=_SAFE)

        return respond

    routes = [
        Route("/", show),
        Route("/api/state", guarded(state)),
        Route("/api/next", guarded(following)),
        Route("/api/pairs", guarded(listed)),
        Route("/api/pair/{number}", guarded(pair)),
        Route("/api/pair/{number}", guarded(put), methods=["PUT"]),
        Route("/api/leave", guarded(leave), methods=["POST"]),
        Route("/api/finish", guarded(finish), methods=["POST"]),
    ]
    handlers = {_RefusedError: _refused, InputError: _unusable, PralignError: _failed}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), _MAX_BODY)  # type: ignore[arg-type]


async def _refused(request: Request, error: _RefusedError) -> Response:
    return JSONResponse({"error": str(error)}, error.status, headers=_SAFE)


async def _unusable(request: Request, error: InputError) -> Response:
    return JSONResponse({"error": str(error)}, 400, headers=_SAFE)


async def _failed(request: Request, error: PralignError) -> Response:
    return JSONResponse({"error": str(error)}, 500, headers=_SAFE)


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def _window(request: Request, desk: Desk) -> str:
    window = request.headers.get(WINDOW_HEADER, "")[:_LONGEST_NAME]
    desk.windows.saw(window)
    return window


def _pair(request: Request, desk: Desk) -> int:
    number = _whole(request.path_params["number"], "the number of a pair")
    if not 1 <= number <= len(desk.session.pairs):
        raise _RefusedError(404, f"there is no pair {number}; the text has {len(desk.session.pairs)}")
    return number - 1


def _whole(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise _RefusedError(400, f"{name} is a whole number")
    return int(text)


async def _body(request: Request) -> dict[str, Any]:
    try:
        given = json.loads(await request.body())
    except ClientDisconnect:
        raise _RefusedError(400, "the answer was broken off; send all of it") from None
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise _RefusedError(400, "an answer is a JSON object with version, state, links and refused")
    return given
