"""The clients of the demo over HTTP: sessions of the handshake era, single requests of the stateless era.

All of them share one world, so that what one client changes is announced to the others.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from ._mint import minted
from ._revisions import STATELESS, Peer
from ._scenario import Scenario
from ._server import Server
from ._streams import Stream
from ._way import Answer
from ._world import World

SESSIONS = 200  # at once; the oldest is forgotten
STREAMS = 100  # of a session that can be taken up again; the oldest is forgotten
PRIMED = "2025-11-25"  # since then a stream begins with an event that has only an id


class Site:
    """What is the same for all clients: the scenario in its two eras, the world, the sessions by id."""

    def __init__(self, scenario: Scenario, leave: Callable[[int], None], tell: Callable[[str], None]) -> None:
        self.scenario = scenario
        self.handshake = scenario._replace(revisions=scenario.handshakes)
        self.stateless = scenario._replace(revisions=(STATELESS,))
        self.world = World(scenario)
        self.sessions: dict[str, Session] = {}
        self.leave = leave
        self.tell = tell
        self.patience = float(scenario.http.get("keep_alive", 15))
        self.streamed = scenario.http.get("answers", "auto") == "sse"
        self._sessions_so_far = 0

    def open(self, single: bool = False) -> "Session":
        """A new session. `single`: everything goes out on one stream, as over HTTP+SSE."""
        self._sessions_so_far += 1
        session = Session(self, minted("session", str(self._sessions_so_far))[:32], single)
        self.sessions[session.id] = session
        if len(self.sessions) > SESSIONS:
            next(iter(self.sessions.values())).forget()
        return session

    def stateless_server(self, stream: Stream) -> Server:
        """A server for one exchange of the stateless era."""
        return Server(self.stateless, Line(self, stream), self.world)

    def sessionless_server(self, stream: Stream, revision: str | None) -> Server:
        """A server for one exchange of a handshake without sessions; None: of the initialize itself."""
        server = Server(self.handshake, Line(self, stream), self.world)
        if revision is not None:
            server.session = Peer(revision, {}, {}, "info")
        return server

    def close(self) -> None:
        """The demo ends: subscriptions with their result, calls without, and all streams with them."""
        for server in list(self.world.audience):
            server.close()
            server.drop()
        for session in list(self.sessions.values()):
            session.forget()


class Line:
    """What a server needs of HTTP: one exchange, and the time."""

    def __init__(self, site: Site, stream: Stream) -> None:
        self.site = site
        self.stream = stream
        self.tell = site.tell
        self.leave = site.leave
        self.cut = stream.cut

    def send(self, message: Answer) -> None:
        """On the exchange, as long as it is open."""
        self.stream.send(message)

    def forget(self) -> None:
        """There is no session."""

    def later(self, seconds: float, job: Callable[[], None]) -> None:
        """The event loop does it; nothing lives for ever but the waiting."""
        if seconds != float("inf"):
            asyncio.get_running_loop().call_later(seconds, job)


class Session(Line):
    """One client of the handshake era: what it was told on which stream, and what it may ask for again."""

    def __init__(self, site: Site, id: str, single: bool) -> None:
        super().__init__(site, Stream(None if single else 0))
        self.id = id
        self.single = single
        self.server = Server(site.handshake, self, site.world)
        self.streams: dict[int, Stream] = {0: self.stream}
        self._streams_so_far = 0

    def begin(self, value: Any) -> Stream:
        """The exchange of its initialize."""
        stream = self.exchange()
        self.server.take(value, stream.way)
        if self._primed:
            self.stream.prime()
        return stream

    def exchange(self) -> Stream:
        """A stream for one POST."""
        self._streams_so_far += 1
        stream = Stream(self._streams_so_far)
        if self._primed:
            stream.prime()
        self.streams[self._streams_so_far] = stream
        if len(self.streams) > STREAMS:
            del self.streams[next(number for number in self.streams if number)]
        return stream

    def found(self, id: str) -> tuple[Stream, int] | None:
        """The stream that an event is of, and the place behind it."""
        for stream in self.streams.values():
            place = stream.after(id)
            if place is not None:
                return stream, place
        return None

    @property
    def _primed(self) -> bool:
        return self.server.session is not None and self.server.session.revision >= PRIMED

    def forget(self) -> None:
        """The session is over: its id is unknown, its calls are cancelled, its streams end."""
        if self.site.sessions.pop(self.id, None):
            self.server.drop()
            for stream in self.streams.values():
                stream.end()

