"""Streams that no request of ours carries: the GET stream of a session, streams taken up again, HTTP+SSE.

Source: 2025-11-25 basic/transports (listening, resumability), 2024-11-05 basic/transports (HTTP with SSE). A stream
that ends is opened again after the time that the server named, from the last event on.
"""

from collections.abc import Callable
from typing import Any

from flowgen.protocol import Failed

from ._http import Broken, Exchanges
from ._http_answers import Answers
from ._http_channel import HttpChannel, same_origin
from ._http_dress import Dress
from ._http_round import Round, joined
from ._http_sockets import can_be_asked
from ._speaker import Letter, Speaker

RETRY_SECONDS = 1.0  # where the server names no time
MIN_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.1, 30.0  # a server that says 0 would fill the recording
GREETING_SECONDS = 0.5  # some servers send the head of a stream with its first event only
MAX_VAIN = 2  # openings in a row that brought nothing

Told = Callable[[Failed | None], None]


class Streams:
    """Opens streams and keeps them open. `closing`: none is opened any more."""

    def __init__(
        self, channel: HttpChannel, exchanges: Exchanges, answers: Answers, dress: Dress, speaker: Speaker
    ) -> None:
        self._channel = channel
        self._exchanges = exchanges
        self._answers = answers
        self._dress = dress
        self._speaker = speaker
        self._waiting: Told | None = None
        self.closing = False
        channel.resume = self.resume
        answers.endpoint = self._endpoint

    # the stream of a session (2025-03-26 to 2025-11-25)

    def greet(self, go_on: Callable[[], None]) -> None:
        """Opens the stream on which the server may speak first; `go_on` when it stands or cannot be had.

        Servers that say something right after the handshake find somebody who listens.
        """
        stream = self._listen(None, 0)
        greeted: list[bool] = []

        def once() -> None:
            if not greeted:
                greeted.append(True)
                go_on()

        stream.headed = once
        self._exchanges.later(GREETING_SECONDS, once)

    def _listen(self, last_id: str | None, vain: int) -> Round:
        stream = self._open(last_id)
        stream.ended = lambda broken, at: self._listened(stream, vain)
        return stream

    def _listened(self, stream: Round, vain: int) -> None:
        stream.headed()
        vain = 0 if stream.fruitful else vain + 1
        if stream.events is None or vain > MAX_VAIN:
            return
        self._later(stream, lambda: self._listen(stream.last_id, vain))

    # a stream that ended before its answer

    def resume(self, before: Round, at: float) -> bool:
        """Goes on reading for the answer that a stream owes, if its events had ids; False where that is no use."""
        letter = before.letter
        if letter is None or before.last_id is None or letter.body.get("id") is None or self.closing:
            return False
        if letter.revision in ("2024-11-05", "2026-07-28"):
            return False
        return self._resumed(before, letter, before.last_id, 0)

    def _resumed(self, before: Round, letter: Letter, last_id: str, vain: int) -> bool:
        def again() -> None:
            if letter.asked is not None and letter.asked.state == "open":
                stream = self._open(last_id, letter)
                stream.ended = lambda broken, at: self._resumption_ended(stream, letter, last_id, vain, broken, at)

        self._later(before, again)
        return True

    def _resumption_ended(
        self, stream: Round, letter: Letter, last_id: str, vain: int, broken: Broken | None, at: float
    ) -> None:
        asked = letter.asked
        if asked is None or asked.state != "open":
            return
        vain = 0 if stream.fruitful else vain + 1
        if stream.events is None or vain > MAX_VAIN or self.closing:
            self._channel.fail(stream, asked, self._channel.failure(stream, broken), at)
        else:
            self._resumed(stream, letter, stream.last_id or last_id, vain)

    # HTTP+SSE (2024-11-05)

    def open_endpoint(self, seconds: float, told: Told) -> None:
        """Opens the stream that says where requests go; `told` with None when it did, or with why it did not."""
        self._waiting = told
        self._answers.replies_elsewhere = True
        stream = self._open(None)
        stream.ended = lambda broken, at: self._endpoint_ended(stream, broken, at)
        self._exchanges.later(seconds, lambda: self._no_endpoint(stream, "no `endpoint` event in time"))

    def _endpoint(self, stream: Round, text: str, at: float) -> None:
        told, self._waiting = self._waiting, None
        if told is None:
            return
        target = joined(stream.exchange.url, text)
        if same_origin(target, stream.exchange.url) and can_be_asked(target):
            self._channel.url = target
            told(None)
        else:
            told(self._failed(stream, "the `endpoint` event names another server"))

    def _endpoint_ended(self, stream: Round, broken: Broken | None, at: float) -> None:
        """With the stream every answer is lost."""
        told, self._waiting = self._waiting, None
        if told is None:
            self._channel.lose_all(stream, at)
        else:
            self._answers.replies_elsewhere = False
            told(self._channel.failure(stream, broken))

    def _no_endpoint(self, stream: Round, why: str) -> None:
        told, self._waiting = self._waiting, None
        if told is not None and not self.closing:
            self._answers.replies_elsewhere = False
            self._channel.close(stream)
            told(self._failed(stream, why))

    def _failed(self, stream: Round, why: str) -> Failed:
        return Failed(int(stream.message["seq"]), f"GET {stream.exchange.url}: {why}", status=stream.status or None)

    # all of them

    def _open(self, last_id: str | None, letter: Letter | None = None) -> Round:
        exchange = self._channel.exchange("GET", self._channel.url, self._dress.stream(last_id))
        message = self._speaker.plain({"kind": "http"}, "client", "server", **self._channel.fields(exchange))
        stream = Round(exchange, "stream", message, letter)
        self._channel.start(stream)
        return stream

    def _later(self, stream: Round, act: Callable[[], Any]) -> None:
        wanted = RETRY_SECONDS if stream.retry is None else stream.retry / 1000

        def due() -> None:
            if not self.closing:
                act()

        self._exchanges.later(max(MIN_RETRY_SECONDS, min(wanted, MAX_RETRY_SECONDS)), due)
