"""How a session over HTTP ends: what is on its way may arrive, a session is deleted, streams are closed.

Source: 2025-11-25 basic/transports (session management). There is no process to end, and nobody to be killed.
"""

from collections.abc import Callable

from ._driver import Driver
from ._http import Exchanges
from ._http_channel import HttpChannel
from ._http_dress import Dress
from ._http_round import Round
from ._inbox import Clock
from ._intake import Intake
from ._pairs import Json
from ._speaker import Speaker
from ._sse import Streams

LEAVE_SECONDS = 2.0  # for what is on its way, and for the answer to DELETE
ANSWERED_SECONDS = 0.3  # for a server to end the stream of its last answer


class HttpEnding:
    """Brings a session over HTTP to its end."""

    exit: Json = {}  # noqa: RUF012 - no process of ours, so nothing is known of one

    def __init__(
        self, driver: Driver, intake: Intake, speaker: Speaker, channel: HttpChannel, streams: Streams,
        exchanges: Exchanges, dress: Dress, now: Clock,
    ) -> None:  # fmt: skip
        self._driver = driver
        self._intake = intake
        self._speaker = speaker
        self._channel = channel
        self._streams = streams
        self._exchanges = exchanges
        self._dress = dress
        self._now = now

    @property
    def due(self) -> float | None:
        """Nothing has to be looked at from time to time."""
        return None

    def lost(self) -> str | None:
        """A server that is gone shows at the next request."""
        return None

    def finish(self, early: bool) -> None:
        """Ends the session; `early` makes no difference here."""
        self._streams.closing = True
        interrupts = self._intake.interrupts
        self._wait(lambda: not any(map(_tells, self._channel.open_rounds())), interrupts)
        self._wait(lambda: not any(map(_ends_soon, self._channel.open_rounds())), interrupts, ANSWERED_SECONDS)
        if self._dress.session is not None:
            leaving = self._delete()
            self._wait(lambda: leaving.over, interrupts)
        for carried in self._channel.open_rounds():
            self._channel.close(carried)
        self._exchanges.close()

    def _delete(self) -> Round:
        exchange = self._channel.exchange("DELETE", self._channel.url, self._dress.farewell())
        message = self._speaker.plain({"kind": "http"}, "client", "server", **self._channel.fields(exchange))
        leaving = Round(exchange, "farewell", message)
        self._channel.start(leaving)
        return leaving

    def _wait(self, enough: Callable[[], bool], interrupts: int, seconds: float = LEAVE_SECONDS) -> None:
        """Goes on taking what comes, at most so long; a further interrupt ends it."""
        until = self._now() + seconds
        while not enough() and self._now() < until and self._intake.interrupts == interrupts:
            self._driver.turn(until)


def _tells(carried: Round) -> bool:
    """Whether it carries what needs no answer, or a page for a browser: that is soon taken."""
    return carried.purpose == "document" or (carried.letter is not None and carried.letter.kind != "request")


def _ends_soon(carried: Round) -> bool:
    """Whether its request has its answer, so that the server should end the stream."""
    asked = carried.letter.asked if carried.letter else None
    return asked is not None and asked.state == "answered"
