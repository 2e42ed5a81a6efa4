"""The alignment service: a saved model that answers requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pralign import __version__
from pralign.errors import InputError
from pralign.serving.asgi import App
from pralign.serving.bodies import Limits, parse_request
from pralign.serving.docs_page import POLICY, docs_page
from pralign.serving.gathering import Gatherer, PairFailedError, QueueFullError
from pralign.serving.guard import Guard
from pralign.serving.openapi import openapi
from pralign.serving.packages import check_packages
from pralign.serving.resident import Answer, Resident

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

# A request that takes longer to come is given up, and with it the room that it takes.
_READ_SECONDS = 30.0
# So many requests of the largest size may be held at a time.
_BODIES = 16
_RETRY_AFTER = "1"  # seconds
# What takes longer than a moment is done by another thread, so that other requests need not wait for it.
_LARGE_BODY = 50_000
_MANY_ANSWERS = 100


class AlignmentService:
    """What the endpoints do.

    Args:
        resident: The model.
        gatherer: What aligns with it.
        limits: How much a request may ask for.
        max_body: How large a request may be, in bytes.
    """

    def __init__(self, resident: Resident, gatherer: Gatherer, limits: Limits, max_body: int) -> None:
        self.resident, self.gatherer, self.limits = resident, gatherer, limits
        self.document = openapi(limits)
        self._page = docs_page(self.document)
        self._tokenization = resident.tokenization
        self._signature = str(resident.aligner.signature)
        self._room = _BODIES * max_body

    async def align(self, request: Request) -> Response:
        """Answer ``POST /align``."""
        held: list[bytes] = []
        try:
            return await self._aligned(request, held)
        except InputError as error:
            return _error(400, str(error))
        except TimeoutError:
            return _error(408, f"the request has not come within {_READ_SECONDS:g} seconds; send less at a time")
        except PairFailedError as error:
            return _error(500, str(error))
        except QueueFullError:
            return _error(503, "too much waits already; ask again in a moment", {"Retry-After": _RETRY_AFTER})
        except asyncio.CancelledError:  # it was given time to finish what was under way, and that is over
            return _error(503, "the service is stopping; ask again when it is there", {"Retry-After": _RETRY_AFTER})
        finally:
            self._room += sum(map(len, held))

    async def _aligned(self, request: Request, held: list[bytes]) -> Response:
        async with asyncio.timeout(_READ_SECONDS):
            await self._read(request, held)
        body = b"".join(held)
        if len(body) > _LARGE_BODY:
            pairs = await asyncio.to_thread(parse_request, body, self._tokenization, self.limits)
        else:
            pairs = parse_request(body, self._tokenization, self.limits)
        answers = await self.gatherer.align(pairs)
        if len(answers) > _MANY_ANSWERS:
            return _json(await asyncio.to_thread(_encoded, answers))
        return _json(_encoded(answers))

    async def _read(self, request: Request, held: list[bytes]) -> None:
        """Hold the body of a request, if there is room; else read it all the same, or the client hears no answer."""
        from starlette.requests import ClientDisconnect

        full = False
        try:
            async for chunk in request.stream():
                full = full or len(chunk) > self._room
                if not full:
                    self._room -= len(chunk)
                    held.append(chunk)
        except ClientDisconnect:
            raise InputError("the request was broken off; send all of it") from None
        if full:
            raise QueueFullError

    async def health(self, request: Request) -> Response:
        """Answer ``GET /health``."""
        content = {
            "status": "ok",
            "version": __version__,
            "model": self.resident.name,
            "signature": self._signature,
            "waiting": self.gatherer.waiting,
        }
        return _json(json.dumps(content).encode())

    async def openapi(self, request: Request) -> Response:
        """Answer ``GET /openapi.json``."""
        return _json(json.dumps(self.document).encode())

    async def docs(self, request: Request) -> Response:
        """Answer ``GET /docs``."""
        from starlette.responses import HTMLResponse

        return HTMLResponse(self._page, headers={"Content-Security-Policy": POLICY})


def alignment_app(resident: Resident, gatherer: Gatherer, limits: Limits, max_body: int) -> App:
    """The application that answers with a model, for requests of this machine only.

    Raises:
        UsageError: What it needs is not installed.
    """
    check_packages()
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.routing import Route

    service = AlignmentService(resident, gatherer, limits, max_body)
    app = Starlette(
        routes=[
            Route("/align", service.align, methods=["POST"]),
            Route("/health", service.health),
            Route("/openapi.json", service.openapi),
            Route("/docs", service.docs),
        ],
        exception_handlers={HTTPException: _refused},
    )
    return Guard(app, max_body)


async def _refused(request: Request, error: Exception) -> Response:
    """What is said of paths and methods that there are not."""
    from starlette.exceptions import HTTPException

    assert isinstance(error, HTTPException)
    said = {404: "there is nothing here; see /docs", 405: "this path has no such method; see /docs"}
    return _error(error.status_code, said.get(error.status_code, error.detail), error.headers)


def _encoded(answers: Sequence[Answer]) -> bytes:
    return json.dumps({"alignments": [answer._asdict() for answer in answers]}, separators=(",", ":")).encode()


def _json(content: bytes) -> Response:
    from starlette.responses import Response

    return Response(content, media_type="application/json")


def _error(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    from starlette.responses import Response

    body = json.dumps({"error": message}, ensure_ascii=False).encode(errors="backslashreplace")
    return Response(body, status, headers, media_type="application/json")
