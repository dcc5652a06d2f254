"""What every HTTP part of the demo does alike: who may call, how a body is read, how a refusal is told."""

from collections.abc import Sequence
from typing import Any, Protocol

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ._headers import Headers, is_loopback, is_own_origin
from ._messages import Message, Refusal, error, line_of, parsed
from ._server import wants_answer
from ._streams import Asgi

JSON = "application/json"
LONGEST = 8_000_000  # bytes of a body


class Guard(Protocol):
    """Who lets requests in."""

    def refusal(self, request: Request, message: Any) -> Response | None:
        """The answer to a request that may not pass."""

    def routes(self) -> list[Route]:
        """What there is to read about it."""


def fenced(app: Asgi, origins: Sequence[str] = ()) -> Asgi:
    """The application for this machine only: a page that was led here by its DNS calls us by another name.

    `origins` are names that we were told to answer to.
    """
    hosts = {origin.partition("://")[2] for origin in origins}

    async def fence(scope: Message, receive: Asgi, send: Asgi) -> None:
        headers = {name: value.decode("latin-1") for name, value in scope.get("headers", [])}
        if not is_loopback(headers.get(b"host", "")) and headers.get(b"host") not in hosts:
            await PlainTextResponse("Invalid Host header", 421)(scope, receive, send)
        elif b"origin" in headers and not is_own_origin(headers[b"origin"]) and headers[b"origin"] not in origins:
            await PlainTextResponse("Invalid Origin header", 403)(scope, receive, send)
        else:
            await app(scope, receive, send)

    return fence


async def read(request: Request, kind: str) -> bytes | Response:
    """The body of a POST; the answer to one of another type, or that is too long."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != kind:
        return Response(status_code=415)
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LONGEST:
                return Response(status_code=413)
    except ClientDisconnect:
        return Response(status_code=400)  # nobody will see it
    return body


def headers_of(request: Request) -> Headers:
    """The headers of a request, by name in lower case."""
    found: Headers = {}
    for name, value in request.headers.items():
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


def is_answered(value: Any) -> bool:
    """Whether what was posted has an answer of its own; notifications and answers are only accepted."""
    return any(map(wants_answer, value)) or not value if isinstance(value, list) else wants_answer(value)


async def received(request: Request, guard: Guard | None) -> tuple[Any, Response | None]:
    """The JSON value of a POST, and the answer where it is not to be taken: no JSON, or the guard forbids it."""
    body = await read(request, JSON)
    if isinstance(body, Response):
        return None, body
    try:
        value = parsed(body)
    except Refusal as refusal:
        return None, refused(400, refusal)
    return value, guard.refusal(request, value) if guard else None


def refused(status: int, refusal: Refusal, id: str | int | None = None) -> Response:
    """A JSON-RPC error with its HTTP status."""
    return Response(line_of(error(id, refusal)).rstrip(b"\n"), status, media_type=JSON)
