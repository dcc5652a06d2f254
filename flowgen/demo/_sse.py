"""HTTP+SSE of 2024-11-05, for clients that know no newer transport. Its session lives as long as its stream."""

from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ._sessions import Session, Site
from ._streams import Asgi, gone, whichever_ends, write_events
from ._web import Guard, received

SSE, MESSAGES = "/sse", "/messages"


class Sse:
    """HTTP+SSE of 2024-11-05: one stream for all messages of the server, POSTs beside it for the client's."""

    def __init__(self, site: Site, guard: Guard | None) -> None:
        self.site = site
        self.guard = guard

    async def listen(self, request: Request) -> Asgi:
        """The stream; it begins with the address to post to, and the session ends with it."""
        barred = self.guard.refusal(request, None) if self.guard else None
        return barred or _Listening(self.site)

    async def post(self, request: Request) -> Response:
        """One message of the client."""
        value, barred = await received(request, self.guard)
        session = self.site.sessions.get(request.query_params.get("sessionId", ""))
        if barred or session is None or not session.single:
            return barred or Response(status_code=404)
        session.server.take(value, session.server.way)
        return Response(status_code=202)


class _Listening:
    """The stream of one session, as an ASGI application."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def __call__(self, scope: Any, receive: Asgi, send: Asgi) -> None:
        session = self.site.open(single=True)
        try:
            await whichever_ends(write_events(send, self._events(session), {}), gone(receive))
        finally:
            session.forget()

    async def _events(self, session: Session) -> AsyncIterator[str]:
        yield f"event: endpoint\ndata: {MESSAGES}?sessionId={session.id}\n\n"
        async for text in session.stream.read(0, self.site.patience):
            yield text
