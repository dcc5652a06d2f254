"""The demo as an MCP server without a transport: lines go in, messages come out through `send`, waiting is `later`.

It speaks both eras on one connection: what a request says of its revision decides how it is answered.
Whatever comes in, it answers or stays silent as the revision says; it never ends by itself but for an `exit` step.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from . import _features
from ._calls import Call, Reaction, Reply
from ._eras import peer_of
from ._listens import Listen
from ._messages import (
    INTERNAL,
    INVALID,
    Message,
    Refusal,
    error,
    kind_of,
    notification,
    params_of,
    parsed,
    request,
    result,
    usable_id,
)  # fmt: skip
from ._revisions import BATCHES, Peer, known, question
from ._scenario import Item, Scenario
from ._stamps import stamped
from ._values import Values
from ._world import World


class Line(Protocol):
    """What the server needs of a transport."""

    def send(self, message: Message | list[Message]) -> None:
        """Hand a message to the client."""

    def later(self, seconds: float, job: Callable[[], None]) -> None:
        """Do a job after so many seconds; after infinitely many: never."""

    def tell(self, words: str) -> None:
        """Write a line to stderr."""

    def leave(self, code: int) -> None:
        """End the process."""


class Asked(NamedTuple):
    """A request of the server that the client has not answered yet."""

    answered: Callable[[Message], None]


class Server:
    """Plays one scenario to one client."""

    def __init__(self, scenario: Scenario, line: Line) -> None:
        self.scenario = scenario
        self.world = World(scenario)
        self.session: Peer | None = None
        self.initialized = False
        self.send = line.send
        self.later = line.later
        self.line = line
        self.subscribed: set[str] = set()
        self._open: dict[tuple[type, Any], Call | Listen | None] = {}
        self._asked: dict[tuple[type, Any], Asked] = {}
        self._asked_so_far = 0

    # What comes in ---------------------------------------------------------------------------------------------

    def receive(self, line: bytes) -> None:
        """One line of the client."""
        if not line.strip():
            return
        try:
            value = parsed(line)
        except Refusal as refusal:
            self.send(error(None, refusal))
            return
        if isinstance(value, list):
            self._batch(value)
        else:
            self._one(value, self._say)

    def close(self) -> None:
        """The client has hung up: subscriptions end with their result, calls are dropped."""
        self.end_listens()

    def _batch(self, values: list[Any]) -> None:
        if self.session is None or self.session.revision != BATCHES or not values:
            self.send(error(None, Refusal(INVALID, "Invalid request: this revision has no batches")))
            return
        batch = _Batch(self.send, sum(_wants_answer(value) for value in values))
        for value in values:
            self._one(value, batch.add)

    def _one(self, value: Any, reply: Reply) -> None:
        try:
            kind = kind_of(value)
        except Refusal as refusal:
            reply(error(usable_id(value), refusal))
            return
        match kind:
            case "request":
                self._request(value, reply)
            case "notification":
                self._notified(value)
            case "response":
                self._answered(value)

    def _request(self, message: Message, reply: Reply) -> None:
        id = message["id"]
        key = _key(id)
        if key in self._open:
            reply(error(id, Refusal(INVALID, "Invalid request: another request with this id is not answered yet")))
            return
        self._open[key] = None
        self.attempt(id, reply, lambda: self._play(message, reply))

    def attempt(self, id: str | int | None, reply: Reply, job: Callable[[], None]) -> None:
        """Do what belongs to a request; what goes wrong is its answer, unless it has one already."""
        try:
            job()
        except Refusal as refusal:
            self._fail(id, reply, refusal)
        except OSError:  # the client is gone
            raise
        except Exception as mistake:  # a scenario may ask for what cannot be: the client is told, the server lives on
            self._fail(id, reply, Refusal(INTERNAL, f"Internal error: {type(mistake).__name__}"))

    def _fail(self, id: str | int | None, reply: Reply, refusal: Refusal) -> None:
        if self._open.pop(_key(id), self) is not self:
            reply(error(id, refusal))

    def _play(self, message: Message, reply: Reply) -> None:
        method, params = message["method"], params_of(message)
        peer = peer_of(self, method, params)
        if method == "subscriptions/listen":
            self._listen(message["id"], params, peer, reply)
        elif wanted := _features.item_of(self, method, params, peer):
            self._call({**message, "params": params}, peer, reply, *wanted)
        else:
            body = _features.answer(self, method, params, peer)
            self.done(message["id"])
            reply(result(message["id"], body))

    def _call(self, message: Message, peer: Peer, reply: Reply, item: Item, values: Values) -> None:
        call = Call(self, message, peer, reply, item, values)
        self._open[_key(call.id)] = call
        call.begin()

    def _listen(self, id: str | int, params: Message, peer: Peer, reply: Reply) -> None:
        listen = Listen(id, reply, _features.honoured(self, params), peer)
        self._open[_key(id)] = listen
        self.send(listen.acknowledged())
        self._react("subscriptions/listen", peer)

    def _notified(self, message: Message) -> None:
        params = message.get("params")
        if message["method"] == "notifications/cancelled" and isinstance(params, dict):
            self._cancel(params.get("requestId"))
        if message["method"] == "notifications/initialized":
            self.initialized = self.session is not None
        if self.session is not None:
            self._react(message["method"], self.session)

    def _react(self, method: str, peer: Peer) -> None:
        for expected, steps in self.scenario.reactions:
            if expected == method:
                item = Item("on", method, {}, steps, False, True, {})
                message: Message = {"id": None, "method": method, "params": {}}
                reaction = Reaction(self, message, peer, lambda _: None, item, {})
                self.attempt(None, reaction.reply, reaction.begin)

    def _cancel(self, id: Any) -> None:
        running = self._open.get(_key(id))
        if running is not None and running.cancellable:
            running.cancel()
            self.done(id)

    def _answered(self, message: Message) -> None:
        asked = self._asked.pop(_key(message.get("id")), None)
        if asked:
            asked.answered(message)

    def _say(self, answer: Message | None) -> None:
        if answer is not None:
            self.send(answer)

    # What goes out ---------------------------------------------------------------------------------------------

    def done(self, id: str | int | None) -> None:
        """The request is answered, or never will be: its id is free."""
        self._open.pop(_key(id), None)

    def capabilities(self, revision: str) -> Message:
        """What the server declares in this revision."""
        return known("capabilities", self.scenario.capabilities, revision)

    def posed(self, question_: Message, peer: Peer) -> Message:
        """A question as it stands in `inputRequests`, or, with an id of its own, as a request."""
        params = question(question_["method"], question_.get("params", {}), peer, self._asked_so_far + 1)
        return {"method": question_["method"], **({} if params is None else {"params": params})}

    def ask(self, question_: Message, peer: Peer, answered: Callable[[Message], None]) -> int:
        """Send a request to the client; its id."""
        posed = self.posed(question_, peer)
        self._asked_so_far += 1
        self._asked[_key(self._asked_so_far)] = Asked(answered)
        self.send(request(self._asked_so_far, posed["method"], posed.get("params")))
        return self._asked_so_far

    def take_back(self, id: int) -> None:
        """The answer to this request of ours is not needed any more."""
        self._asked.pop(_key(id), None)
        self.send(notification("notifications/cancelled", {"requestId": id, "reason": "The call was cancelled"}))

    def end_listens(self) -> None:
        """End every subscription with its result."""
        for listen in self.listens():
            self.done(listen.id)
            body = stamped(self.scenario, listen.peer, "subscriptions/listen", {})
            listen.reply(result(listen.id, listen.end(body)))

    def listens(self) -> list[Listen]:
        """The subscriptions that are open."""
        return [running for running in self._open.values() if isinstance(running, Listen)]


class _Batch:
    """Holds the answers to a batch back until all are there."""

    def __init__(self, send: Callable[[list[Message]], None], wanted: int) -> None:
        self.send = send
        self.wanted = wanted
        self.answers: list[Message] = []

    def add(self, answer: Message | None) -> None:
        if answer is None:
            self.wanted -= 1
        else:
            self.answers.append(answer)
        if self.answers and len(self.answers) == self.wanted:
            self.send(self.answers)


def _wants_answer(value: Any) -> bool:
    try:
        return kind_of(value) == "request"
    except Refusal:
        return True


def _key(id: Any) -> tuple[type, Any]:
    """`1` and `"1"` are two ids, and `true` is none."""
    return (type(id), id) if isinstance(id, (str, int)) else (type(None), None)
