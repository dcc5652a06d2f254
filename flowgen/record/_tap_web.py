"""What passed over HTTP becomes messages, as those of a recording client do; see `_http_answers` for what is marked.

Who answers whom is told by the exchange first, then by the session: several clients may speak through one tap.
"""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

from flowgen.wire import MAX_MESSAGE, header_of, media_type, read_message, unkept

from ._http import Broken, Exchange, Head
from ._http_answers import Answers
from ._http_decoder import Decoder
from ._http_round import Purpose, Round
from ._inbox import Event
from ._pairs import Json, mark
from ._speaker import Letter
from ._tap_feed import END, Item
from ._tap_page import Kept
from ._tap_scribe import Scribe

_SESSION = "mcp-session-id"
_PURPOSES: dict[str, Purpose] = {"POST": "message", "GET": "stream"}
_TAIL = 4096


class _Asking:
    """A request on its way, or its answer."""

    def __init__(self, told: Json, limit: int) -> None:
        self.method, self.url, self.headers = told["method"], told["url"], told["headers"]
        self.number: int = told["n"]
        self._limit = limit
        self._pieces: list[bytes] = []
        self._held = self.size = 0
        self._tail = b""
        self.decoder = Decoder(header_of(self.headers, "content-encoding"))
        self.round: Round | None = None

    def add(self, data: bytes) -> None:
        """Holds a piece of the body, as far as the limit allows."""
        for piece in self.decoder.feed(data):
            kept = piece[: max(0, self._limit - self._held)]
            self._pieces.append(kept)
            self._held += len(kept)
            self.size += len(piece)
            self._tail = (self._tail + piece[-_TAIL:])[-_TAIL:]

    def parts(self) -> list[Json]:
        """What the body holds; it is let go of."""
        body, self._pieces = b"".join(self._pieces), []
        if self.size > self._held:
            return [unkept(body, self.size, self._tail, "too-large")]
        return read_message(body, self._limit)

    @property
    def scope(self) -> str:
        """The session that it names, else itself."""
        return header_of(self.headers, _SESSION) or f"#{self.number}"


class WebItems:
    """Items of a tap between connections, given to a scribe."""

    def __init__(self, scribe: Scribe, kept: Kept) -> None:
        self._scribe = scribe
        self._limit = kept.max_message or MAX_MESSAGE
        self._asking: dict[int, _Asking] = {}
        self._seen = _Seen(scribe)
        self._answers = Answers(self._seen, self._limit)  # type: ignore[arg-type]  # the part of an Intake that it needs
        self._answers.secret, self._answers.endpoint = self._session_in, self._legacy
        self._answers.hide = scribe.text
        self._at = 0.0
        self.server: int | None = None
        self.outcome: Json | None = None
        self._takes: dict[str, Callable[[Json, bytes], None]] = {
            "asked": self._asked, "asked-body": self._asked_more, "asked-end": self._asked_all, "head": self._headed,
            "body": self._more, "body-end": self._ended, "broken": self._broken, "gone": self._gone,
        }  # fmt: skip

    def take(self, item: Item) -> None:
        """Takes one item."""
        self._at = item.at
        if item.kind == END:
            self.outcome = json.loads(item.data)
            return
        told, _, data = item.data.partition(b"\n")
        fields = json.loads(told)
        self._takes[fields["event"]](fields, data)

    def flush_readers(self) -> None:
        """Nothing more comes: what was under way is kept as far as it came."""
        for number, asking in list(self._asking.items()):
            if asking.round is None or asking.round.head is None or asking.round.events is not None:
                self._gone({"n": number}, b"")
            else:
                self._ended({"n": number, "broken": "the recording ended"}, b"")

    def _session_in(self, address: str) -> None:
        """HTTP+SSE has the session's id in the address that its stream begins with."""
        for _, value in parse_qsl(address.partition("?")[2].partition("#")[0]):
            self._scribe.learn(value)

    def _legacy(self, answer: Round, address: str, at: float) -> None:
        self._answers.replies_elsewhere = True

    # the request

    def _asked(self, told: Json, _: bytes) -> None:
        self._asking[told["n"]] = _Asking(told, self._limit)

    def _asked_more(self, told: Json, data: bytes) -> None:
        self._asking[told["n"]].add(data)

    def _asked_all(self, told: Json, _: bytes) -> None:
        self._began(self._asking[told["n"]])

    def _began(self, asking: _Asking) -> Round:
        """The request is written down, once, before anything of its answer."""
        if asking.round is not None:
            return asking.round
        message, letter = self._written(asking)
        purpose = _PURPOSES.get(asking.method, "farewell") if letter or asking.method != "POST" else "document"
        place: Any = None  # it was sent by somebody else
        exchange = Exchange(asking.number, asking.method, asking.url, asking.headers, None, place)
        told = {"seq": message["seq"], "problems": [], "revision": message.get("revision")}
        asking.round = self._answers.rounds[exchange] = Round(exchange, purpose, told, letter)
        return asking.round

    def _written(self, asking: _Asking) -> tuple[Json, Letter | None]:
        """The last message of the request, and the first one with JSON-RPC in it."""
        fields: Json = {"transport": "http", "exchange": asking.number}
        http = {"http": {"method": asking.method, "url": asking.url, "headers": asking.headers}}
        found = asking.parts()
        spoken = asking.method == "POST" and any(part["kind"] != "noise" for part in found)
        message: Json = {}
        letter = None
        for number, part in enumerate(found if spoken else [_plain(found)]):
            more = fields | http if number == 0 else fields
            message = self._scribe.keep(part, self._at, "client", asking.scope, **more)
            if letter is None and spoken and isinstance(part.get("body", part.get("head")), dict):
                letter = Letter(part["kind"], part.get("body") or part["head"], message.get("revision"), {})
        return message, letter

    # the answer

    def _headed(self, told: Json, _: bytes) -> None:
        asking = self._asking[told["n"]]
        asking.decoder = Decoder(header_of(told["headers"], "content-encoding"))
        round_ = self._began(asking)
        if asking.method == "GET" and media_type(told["headers"]) != "text/event-stream":
            round_.purpose = "document"
        self._tell("head", asking, Head(told["status"], told["headers"]))

    def _more(self, told: Json, data: bytes) -> None:
        asking = self._asking[told["n"]]
        for piece in asking.decoder.feed(data):
            self._tell("body", asking, piece)

    def _ended(self, told: Json, _: bytes) -> None:
        asking = self._asking.pop(told["n"])
        round_ = self._began(asking)
        if round_.head is None:
            self._tell("broken", asking, Broken(told["broken"], True, False))
            return
        if rest := asking.decoder.end():
            self._tell("body", asking, rest)
        reason = told.get("broken")
        self._tell("body-end", asking, None if reason is None else Broken(reason, True, False))

    def _broken(self, told: Json, _: bytes) -> None:
        """No answer of the server's; where there was no way to it, we answered."""
        asking = self._asking[told["n"]]
        round_ = self._began(asking)
        if told["connected"]:
            self._ended({"n": told["n"], "broken": told["reason"]}, b"")
            return
        del self._asking[told["n"]]
        self._answers.rounds.pop(round_.exchange, None)
        part: Json = {"kind": "http", "text": told["reason"], "problems": []}
        code = "no-connection" if told["status"] == 502 else "http-error"
        mark(part, code, f"Answered by the tap: {told['reason']}.")
        self._scribe.refused(asking.number)
        self._scribe.keep(part, self._at, "server", asking.scope, transport="http", exchange=asking.number,
                             http={"status": told["status"], "headers": []})  # fmt: skip

    def _gone(self, told: Json, _: bytes) -> None:
        """The client hung up."""
        asking = self._asking.pop(told["n"])
        round_ = self._began(asking)
        self._answers.rounds.pop(round_.exchange, None)
        part: Json = {"kind": "http", "body": {"event": "stream-closed", "by": "client"}, "problems": []}
        self._scribe.keep(part, self._at, "client", asking.scope, transport="http", exchange=asking.number)

    def _tell(self, name: str, asking: _Asking, value: Any) -> None:
        round_ = self._began(asking)
        self._seen.scope = asking.scope
        self._answers.take(Event(self._at, name, (round_.exchange, value)))
        if name in ("body-end", "broken") and round_.status >= 400:
            self._scribe.refused(asking.number)


class _Seen:
    """What `Answers` makes is written down. The answers of an exchange belong to its scope."""

    def __init__(self, scribe: Scribe) -> None:
        self._scribe = scribe
        self.scope = ""

    def keep(self, part: Json, at: float, asked: object = None, **more: Any) -> Json:
        """A message of the server's."""
        return self._scribe.keep(part, at, "server", self.scope, **_told(more))

    def keep_plain(self, part: Json, at: float, between: object = None, **more: Any) -> Json:
        """Something without JSON-RPC."""
        return self._scribe.keep(part, at, "server", self.scope, **_told(more))

    def lives(self, at: float) -> None:
        """Nobody waits for a sign of life."""

    def hold(self, key: object, until: float) -> None:
        """Nobody reacts."""

    def release(self, key: object) -> None:
        """Nobody reacts."""


def _plain(parts: list[Json]) -> Json:
    """A request without JSON-RPC: its body is a text, or a document."""
    return {**parts[0], "kind": "http"} if parts else {"kind": "http", "problems": []}


def _told(more: Json) -> Json:
    return {name: value for name, value in more.items() if value is not None}
