"""Recording a demo that is served over HTTP: its server lives as long as the recording."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._servers import site

if TYPE_CHECKING:
    from flowgen.record import Recorded, Recording, Session, Watch


def _authorized(options: Mapping[str, Any]) -> bool:
    """Whether the user brings credentials of his own, or wants to sign in."""
    names = {name.lower() for name, _ in options.get("headers") or ()}
    return "authorization" in names or any(options.get(way) for way in ("bearer", "client_id", "token_store"))


def demos() -> list[tuple[str, str]]:
    """The bundled demos, each with a line about it: what `record(demo=NAME)` takes."""
    from flowgen.demo import names

    return names()


class Hosted:
    """As `Recorded`, with a server of our own around it. Its authorization needs no person: the browser is played."""

    def __init__(self, demo: str, options: Mapping[str, Any], session: "Session", watch: "Watch | None") -> None:
        self._demo = demo
        self._options = {**options, "browser": "demo"}
        self._session = session
        self._watch = watch
        self._interrupts = 0
        self._recorded: Recorded | None = None

    def interrupt(self) -> None:
        """Ends the session, or keeps it from going on once the server is there."""
        self._interrupts += 1
        if self._recorded:
            self._recorded.interrupt()

    def run(self) -> "Recording":
        """Starts the server, records the session, ends the server."""
        from flowgen.demo import bearer, serve
        from flowgen.record import Recorded

        with serve(self._demo) as url:
            if self._options.get("transport") == "sse":
                url = url.removesuffix("/mcp") + "/sse"
            own = {"bearer": bearer(self._demo)} if not _authorized(self._options) else {}
            recorded = Recorded(site(url, {**self._options, **own}), self._session, self._watch)
            for _ in range(self._interrupts):
                recorded.interrupt()
            self._recorded = recorded
            return recorded.run()
