"""The demo over Streamable HTTP in both eras, and over HTTP+SSE, as an ASGI application on loopback.

Stateless (2026-07-28): every POST stands alone, its headers are held against its body, errors have their status.
Handshake (up to 2025-11-25): sessions, a GET stream, streams that are taken up again, DELETE. Which era a POST is of
says its version header or its `_meta`. Whatever is wrong is answered with the status that the revision has for it.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from html import escape
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ._headers import HEADER_MISMATCH, Headers, accepts, mismatch, named_version
from ._messages import (
    INVALID,
    MISSING_CAPABILITY,
    PARAMS,
    PARSE,
    UNKNOWN_METHOD,
    UNSUPPORTED_VERSION,
    Message,
    Refusal,
    kind_of,
    usable_id,
)  # fmt: skip
from ._revisions import STATELESS
from ._server import Server
from ._sessions import Session, Site
from ._sse import MESSAGES, SSE, Sse
from ._streams import EVENTS, Answering, Asgi, Stream, gone, whichever_ends, write_events
from ._web import JSON, Guard, fenced, headers_of, is_answered, received, refused

PATH = "/mcp"
SESSION = "mcp-session-id"

_ASSUMED = "2025-03-26"  # the revision of a client that names none after the handshake
_STATUS = {
    PARSE: 400, INVALID: 400, PARAMS: 400, HEADER_MISMATCH: 400, MISSING_CAPABILITY: 400, UNSUPPORTED_VERSION: 400,
    UNKNOWN_METHOD: 404,
}  # fmt: skip


def application(site: Site, guard: Guard | None = None, names: Sequence[str] = ()) -> Asgi:
    """The whole server. `names` are its origins beside those on this machine."""
    mcp = _Mcp(site, guard)
    routes = [Route(PATH, mcp)]
    if site.scenario.handshakes:
        old = Sse(site, guard)
        routes += [Route(SSE, old.listen, methods=["GET"]), Route(MESSAGES, old.post, methods=["POST"])]
    routes += [Route(path, _Page(site, path), methods=["GET"]) for path in site.scenario.pages]
    return fenced(Starlette(routes=routes + (guard.routes() if guard else [])), names)


class _Mcp:
    """The MCP endpoint."""

    def __init__(self, site: Site, guard: Guard | None) -> None:
        self.site = site
        self.guard = guard

    async def __call__(self, scope: Message, receive: Asgi, send: Asgi) -> None:
        methods = {"GET": self._get, "POST": self._post, "DELETE": self._delete}
        answering = methods.get(scope["method"])
        answer = await answering(Request(scope, receive)) if answering else _not_allowed(*methods)
        await answer(scope, receive, send)

    async def _post(self, request: Request) -> Asgi:
        if not accepts(request.headers.get("accept", ""), JSON, EVENTS):
            return Response(status_code=406)
        value, barred = await received(request, self.guard)
        return barred or self._taken(headers_of(request), value)

    def _taken(self, headers: Headers, value: Any) -> Asgi:
        scenario = self.site.scenario
        alone = scenario.stateless and (_of_this_era(headers, value) or not scenario.handshakes)
        return self._alone(headers, value) if alone else self._in_session(headers, value)

    # The stateless era

    def _alone(self, headers: Headers, value: Any) -> Asgi:
        try:
            kind = kind_of(value)
        except Refusal as refusal:
            return refused(400, refusal, usable_id(value))
        if kind == "notification":
            return Response(status_code=202)
        if kind == "response":
            return refused(400, Refusal(INVALID, "Invalid request: this revision has no requests of the server"))
        wrong = mismatch(headers, value, self._schema(value)) if _of_this_era(headers, value) else None
        if wrong:
            return refused(400, Refusal(HEADER_MISMATCH, f"Header mismatch: {wrong}"), value["id"])
        return self._answered_by(self.site.stateless_server, value, _stateless_status)

    def _schema(self, message: Message) -> Any:
        params = message.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        tool = self.site.world.found("tools", name)
        return tool.definition["inputSchema"] if tool else None

    # The handshake era

    def _in_session(self, headers: Headers, value: Any) -> Asgi:
        opens = isinstance(value, dict) and value.get("method") == "initialize" and "id" in value
        unfit = None if opens else self._unfit_version(headers)
        if unfit:
            return unfit
        if not self.site.scenario.http.get("sessions", True):
            return self._without_session(headers, value, opens)
        if opens:
            return self._opened(value)
        session = self._session(headers)
        return self._asked(session, value) if isinstance(session, Session) else session

    def _opened(self, value: Message) -> Asgi:
        session = self.site.open()
        stream = session.begin(value)
        if session.server.session is None:
            session.forget()
            return self._answering(stream)
        return self._answering(stream, headers={SESSION: session.id})

    def _asked(self, session: Session, value: Any) -> Asgi:
        if not is_answered(value):
            session.server.take(value, session.server.way)
            return Response(status_code=202)
        stream = session.exchange()
        session.server.take(value, stream.way)
        return self._answering(stream)

    def _without_session(self, headers: Headers, value: Any, opens: bool) -> Asgi:
        if not is_answered(value):
            return Response(status_code=202)
        revision = None if opens else headers.get("mcp-protocol-version", _ASSUMED)
        serving = partial(self.site.sessionless_server, revision=revision)
        return self._answered_by(serving, value, _handshake_status)

    def _unfit_version(self, headers: Headers) -> Response | None:
        known = self.site.scenario.handshakes
        version = headers.get("mcp-protocol-version")
        if version is None or version in known:
            return None
        return refused(400, Refusal(INVALID, f"Unsupported protocol version: this server has {', '.join(known)}"))

    def _session(self, headers: Headers) -> Session | Response:
        if SESSION not in headers:
            return refused(400, Refusal(INVALID, "Invalid request: the header Mcp-Session-Id is missing"))
        session = self.site.sessions.get(headers[SESSION])
        if session is None or session.single:
            return refused(404, Refusal(INVALID, "Session not found"))
        return session

    async def _get(self, request: Request) -> Asgi:
        session = self._streaming(request, self.site.scenario.http.get("get_stream", True))
        if isinstance(session, Response):
            return session
        if not accepts(request.headers.get("accept", ""), EVENTS):
            return Response(status_code=406)
        stream, place = session.stream, session.stream.seen
        if "last-event-id" in request.headers:
            found = session.found(request.headers["last-event-id"])
            if found is None:
                return refused(400, Refusal(INVALID, "Invalid request: no event of this session has this id"))
            stream, place = found
        return _Resuming(stream.read(place, self.site.patience, since=len(stream.events)))

    async def _delete(self, request: Request) -> Asgi:
        session = self._streaming(request)
        if isinstance(session, Response):
            return session
        session.forget()
        return Response(status_code=204)

    def _streaming(self, request: Request, offered: bool = True) -> Session | Response:
        """The session of a GET or DELETE. Where there are no sessions, nor in 2026-07-28, there is no such method."""
        scenario, headers = self.site.scenario, headers_of(request)
        stateless = scenario.stateless and headers.get("mcp-protocol-version") == STATELESS
        if stateless or not (offered and scenario.handshakes and scenario.http.get("sessions", True)):
            return _not_allowed("POST")
        barred = self.guard.refusal(request, None) if self.guard else None
        return barred or self._unfit_version(headers) or self._session(headers)

    # Answers

    def _answered_by(self, serving: Callable[[Stream], Server], value: Any, status: Callable[[Any], int]) -> Asgi:
        stream = Stream()
        server = serving(stream)
        server.take(value, stream.way)
        return Answering(stream, self.site.patience, server.drop, status, {}, self.site.streamed)

    def _answering(self, stream: Stream, headers: Mapping[str, str] | None = None) -> Asgi:
        """In a session a client that is gone may come back: nothing is cancelled."""
        return Answering(stream, self.site.patience, _nothing, _handshake_status, headers or {}, self.site.streamed)


class _Page:
    """A page for people: whoever opens it is done with it."""

    def __init__(self, site: Site, path: str) -> None:
        self.site = site
        self.path = path

    async def __call__(self, scope: Message, receive: Asgi, send: Asgi) -> None:
        words = escape(self.site.scenario.pages[self.path])
        answer = Response(f"<!doctype html><title>{words}</title><p>{words}</p>", media_type="text/html")
        await answer(scope, receive, send)
        self.site.world.visit(self.path)


class _Resuming:
    """A GET stream, as an ASGI application."""

    def __init__(self, events: AsyncIterator[str]) -> None:
        self.events = events

    async def __call__(self, scope: Message, receive: Asgi, send: Asgi) -> None:
        await whichever_ends(write_events(send, self.events, {}), gone(receive))


def _not_allowed(*allowed: str) -> Response:
    return Response(status_code=405, headers={"allow": ", ".join(allowed)})


def _of_this_era(headers: Headers, message: Any) -> bool:
    """Whether a message is meant for the stateless era; others are told there which revisions there are."""
    return headers.get("mcp-protocol-version") == STATELESS or named_version(message) is not None


def _stateless_status(answer: Any) -> int:
    return _STATUS.get(answer["error"]["code"], 200) if "error" in answer else 200


def _handshake_status(answer: Any) -> int:
    return 400 if isinstance(answer, dict) and answer.get("id") is None else 200


def _nothing() -> None:
    pass
