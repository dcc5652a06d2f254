"""Which answer belongs to which request: by who asked, by id and its JSON type. What does not fit is marked.

Facts only where the moment allows; what is known at the end (an answer that never came) is marked by `finish`.
"""

from dataclasses import dataclass
from typing import Any

from flowgen.wire import Key, id_key, loose_key

from ._recorder import Sides

Json = dict[str, Any]

_ALLOWED_EARLY = ("ping", "notifications/message")

SENTENCES = {
    "id-type-changed": "The id came back with another JSON type.",
    "unknown-id": "No request of the other side has this id.",
    "duplicate-response": "The request was answered before.",
    "duplicate-id": "The same sender has an open request with this id.",
    "response-to-notification": "Answers a notification, which needs no answer.",
    "before-initialized": "Sent before the handshake was over.",
    "unanswered": "No answer came until the end.",
    "timed-out": "The recorder gave up waiting for the answer.",
    "late": "Came after the recorder gave up.",
    "not-acknowledged": "No notifications/subscriptions/acknowledged came.",
}


def mark(message: Json, code: str, sentence: str | None = None) -> None:
    """Puts a problem on a recorded message, each code once."""
    if all(problem["code"] != code for problem in message["problems"]):
        message["problems"].append({"code": code, "message": sentence or SENTENCES[code]})


@dataclass(slots=True, eq=False)
class Asked:
    """A request that was seen, and how it stands: `open`, `answered`, `given-up`, `refused` by an HTTP status.

    Sent once more after a refusal, it has several messages; the last one counts.
    """

    messages: list[Json]
    asker: str
    id: Any
    method: str
    revision: str | None
    state: str = "open"
    acknowledged: bool = False

    @property
    def message(self) -> Json:
        """Its message."""
        return self.messages[-1]

    @property
    def seq(self) -> int:
        """The number of its message."""
        return int(self.message["seq"])

    @property
    def called(self) -> str:
        """What a person calls it: method, name or address, and number."""
        params = self.message["body"].get("params")
        about = (params.get("name") or params.get("uri")) if isinstance(params, dict) else None
        return " ".join([self.method, *([str(about)] if about else []), f"(message {self.seq})"])

    @property
    def stays_open(self) -> bool:
        """A subscription has no answer until it ends."""
        return self.method == "subscriptions/listen"


class Pairs:
    """All requests of a session, from both sides, and what came of each."""

    def __init__(self, sides: Sides | None = None) -> None:
        self._client, self._server = sides or Sides()
        self._asked: list[Asked] = []
        self._exact: dict[tuple[str, Key], list[Asked]] = {}
        self._loose: dict[tuple[str, Key], list[Asked]] = {}
        self._early: list[Json] | None = []
        self._nameless: list[tuple[Json, list[Asked]]] = []
        self._notified = 0
        self.server_answered = False

    # what was seen

    def asked(self, message: Json, body: Json, revision: str | None) -> Asked:
        """Takes a request."""
        request = Asked([message], message["sender"], body.get("id"), str(body.get("method")), revision)
        same = self._exact.setdefault((request.asker, id_key(request.id)), [])
        if any(other.state == "open" for other in same):
            mark(message, "duplicate-id")
        same.append(request)
        self._loose.setdefault((request.asker, loose_key(request.id)), []).append(request)
        self._asked.append(request)
        self._note_early(message, body)
        return request

    def told(self, message: Json, body: Json) -> None:
        """Takes a notification."""
        self._note_early(message, body)
        method = body.get("method")
        if message["sender"] == self._client:
            self._notified += 1
            if method == "notifications/initialized":
                self._mark_early()
        elif method == "notifications/subscriptions/acknowledged":
            self._acknowledge(body)

    def answered(self, message: Json, body: Json, asked: Asked | None = None) -> Asked | None:
        """Takes an answer: the request that waited for it, None when none did.

        `asked`: the request of its HTTP exchange, which is the only link of an answer without an id.
        """
        asker = self._client if message["sender"] == self._server else self._server
        if body.get("id") is None and asked is None:
            self._nameless.append((message, self.open_of(asker)))
            return None
        request = asked if body.get("id") is None else self.find(asker, body["id"])
        if request is None:
            mark(message, "unknown-id")
            return None
        if body.get("id") is not None and id_key(request.id) != id_key(body["id"]):
            mark(message, "id-type-changed")
        if request.state == "answered":
            mark(message, "duplicate-response")
            return None
        waited = request.state == "open" or request.stays_open
        request.state = "answered"
        self.server_answered |= asker == self._client
        if not waited:
            mark(message, "late")
        return request if waited else None

    def find(self, asker: str, id_: Any) -> Asked | None:
        """The request that an answer with this id belongs to: by the id as it is, else whatever its type."""
        found = self._exact.get((asker, id_key(id_))) or self._loose.get((asker, loose_key(id_)))
        states = ("open", "given-up", "refused", "answered")
        return min(found, key=lambda request: states.index(request.state)) if found else None

    def repeated(self, request: Asked, message: Json) -> None:
        """The same request under the same id once more: an HTTP exchange refused it before anything came of it."""
        request.messages.append(message)
        request.state = "open"

    def refused(self, request: Asked) -> None:
        """An HTTP status was the answer."""
        request.state = "refused"

    def give_up(self, request: Asked, timed_out: bool) -> None:
        """The asker waits no longer."""
        request.state = "given-up"
        if timed_out:
            mark(request.message, "timed-out")

    def settled(self, era: str) -> None:
        """The era is known: in the stateless one nothing is too early."""
        if era == "stateless":
            self._early = None

    def finish(self) -> None:
        """The session is over: what is missing now will stay missing."""
        if any(request.method == "initialize" for request in self._asked):
            self._mark_early()
        for request in self._asked:
            if request.stays_open:
                if not request.acknowledged and request.state != "refused":
                    mark(request.message, "not-acknowledged")
            elif request.state not in ("answered", "refused"):
                mark(request.message, "unanswered")
        self._tell_answers_to_notifications()

    # what is asked about it

    def open_of(self, asker: str) -> list[Asked]:
        """The requests of one side that still wait."""
        return [request for request in self._asked if request.asker == asker and request.state == "open"]

    def open_of_client(self) -> list[Asked]:
        """The requests of our side that still wait."""
        return self.open_of(self._client)

    def by_seq(self, seq: int) -> Asked | None:
        """The request of a message."""
        return next((r for r in self._asked if any(message["seq"] == seq for message in r.messages)), None)

    def _mark_early(self) -> None:
        """The handshake is over, or never will be: whatever the server said before was too early."""
        for message in self._early or ():
            mark(message, "before-initialized")
        self._early = None

    def _note_early(self, message: Json, body: Json) -> None:
        if self._early is not None and message["sender"] == self._server and body.get("method") not in _ALLOWED_EARLY:
            self._early.append(message)

    def _acknowledge(self, body: Json) -> None:
        params = body.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        id_ = meta.get("io.modelcontextprotocol/subscriptionId") if isinstance(meta, dict) else None
        listens = [request for request in self._asked if request.stays_open]
        for request in listens:
            if loose_key(request.id) == loose_key(id_) or (id_ is None and len(listens) == 1):
                request.acknowledged = True

    def _tell_answers_to_notifications(self) -> None:
        """An answer without an id is one to a notification when every request before it had its own answer."""
        for message, waiting in self._nameless:
            if message["sender"] == self._server and self._notified and all(r.state == "answered" for r in waiting):
                mark(message, "response-to-notification")
                self._notified -= 1
