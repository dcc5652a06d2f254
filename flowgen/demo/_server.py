"""The demo as an MCP server without a transport: lines go in, messages come out through `send`, waiting is `later`.

It speaks both eras on one connection: what a request says of its revision decides how it is answered.
Whatever comes in, it answers or stays silent as the revision says; it never ends by itself but for an `exit` step.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from . import _features
from ._calls import Call, Reaction
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
from ._tasks import made, wait_for
from ._values import Values
from ._way import Answer, Way
from ._world import World


class Line(Protocol):
    """What the server needs of a transport."""

    def send(self, message: Message | list[Message]) -> None:
        """Hand a message to the client that belongs to no request of its own, or to one that came no way of its own."""

    def cut(self, seconds: float) -> None:
        """Break the connection off, to be taken up again after so many seconds."""

    def forget(self) -> None:
        """From now on the client's session is unknown."""

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
    """Plays one scenario to one client. Servers of one world tell their clients what any of them changes."""

    def __init__(self, scenario: Scenario, line: Line, world: World | None = None) -> None:
        self.scenario = scenario
        self.world = world or World(scenario)
        self.world.audience.append(self)
        self.session: Peer | None = None
        self.initialized = False
        self.later = line.later
        self.line = line
        self.way = Way(line.send, self._answer, line.cut)
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
            self.way.answer(error(None, refusal))
            return
        self.take(value, self.way)

    def take(self, value: Any, way: Way) -> None:
        """One message of the client, or a batch of them. A message or a batch that wants an answer gets one."""
        if isinstance(value, list):
            self._batch(value, way)
        else:
            self._one(value, way)

    def close(self) -> None:
        """The demo ends: subscriptions end with their result, calls are dropped."""
        self.end_listens()

    def drop(self) -> None:
        """The client is gone: what it asked for is cancelled, and nothing is announced to it any more."""
        for id in [id for _, id in self._open]:
            self._cancel(id)
        if self in self.world.audience:
            self.world.audience.remove(self)

    def _batch(self, values: list[Any], way: Way) -> None:
        if self.session is None or self.session.revision != BATCHES or not values:
            way.answer(error(None, Refusal(INVALID, "Invalid request: this revision has no batches")))
            return
        batch = _Batch(way.answer, sum(wants_answer(value) for value in values))
        for value in values:
            self._one(value, way._replace(answer=batch.add))

    def _one(self, value: Any, way: Way) -> None:
        try:
            kind = kind_of(value)
        except Refusal as refusal:
            way.answer(error(usable_id(value), refusal))
            return
        match kind:
            case "request":
                self._request(value, way)
            case "notification":
                self._notified(value)
            case "response":
                self._answered(value)

    def _request(self, message: Message, way: Way) -> None:
        id = message["id"]
        key = _key(id)
        if key in self._open:
            way.answer(error(id, Refusal(INVALID, "Invalid request: another request with this id is not answered yet")))
            return
        self._open[key] = None
        self.attempt(id, way, lambda: self._play(message, way))

    def attempt(self, id: str | int | None, way: Way, job: Callable[[], None]) -> None:
        """Do what belongs to a request; what goes wrong is its answer, unless it has one already."""
        try:
            job()
        except Refusal as refusal:
            self._fail(id, way, refusal)
        except OSError:  # the client is gone
            raise
        except Exception as mistake:  # a scenario may ask for what cannot be: the client is told, the server lives on
            self._fail(id, way, Refusal(INTERNAL, f"Internal error: {type(mistake).__name__}"))

    def _fail(self, id: str | int | None, way: Way, refusal: Refusal) -> None:
        if self._open.pop(_key(id), self) is not self:
            way.answer(error(id, refusal))

    def _play(self, message: Message, way: Way) -> None:
        method, params = message["method"], params_of(message)
        peer = peer_of(self, method, params)
        if method == "subscriptions/listen":
            self._listen(message["id"], params, peer, way)
        elif method == "tasks/result":
            wait_for(self, message["id"], params, way)
        elif wanted := _features.item_of(self, method, params, peer):
            self._call({**message, "params": params}, peer, way, *wanted)
        else:
            body = _features.answer(self, method, params, peer)
            self.done(message["id"])
            way.answer(result(message["id"], body))

    def _call(self, message: Message, peer: Peer, way: Way, item: Item, values: Values) -> None:
        if made(self, message, peer, way, item, values):
            return
        call = Call(self, message, peer, way, item, values)
        self._open[_key(call.id)] = call
        call.begin()

    def _listen(self, id: str | int, params: Message, peer: Peer, way: Way) -> None:
        listen = Listen(id, way, _features.honoured(self, params), peer)
        self._open[_key(id)] = listen
        listen.acknowledge()
        self._react("subscriptions/listen", peer, way)

    def _notified(self, message: Message) -> None:
        params = message.get("params")
        if message["method"] == "notifications/cancelled" and isinstance(params, dict):
            self._cancel(params.get("requestId"))
        if message["method"] == "notifications/initialized":
            self.initialized = self.session is not None
        if self.session is not None:
            self._react(message["method"], self.session, self.way)

    def _react(self, method: str, peer: Peer, way: Way) -> None:
        for expected, steps in self.scenario.reactions:
            if expected == method:
                item = Item("on", method, {}, steps, False, True, {})
                message: Message = {"id": None, "method": method, "params": {}}
                reaction = Reaction(self, message, peer, way._replace(answer=lambda _: None), item, {})
                self.attempt(None, reaction.way, reaction.begin)

    def _cancel(self, id: Any) -> None:
        running = self._open.get(_key(id))
        if running is not None and running.cancellable:
            running.cancel()
            self.done(id)

    def _answered(self, message: Message) -> None:
        asked = self._asked.pop(_key(message.get("id")), None)
        if asked:
            asked.answered(message)

    def _answer(self, answer: Answer) -> None:
        if answer is not None:
            self.line.send(answer)

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

    def ask(self, question_: Message, peer: Peer, way: Way, answered: Callable[[Message], None]) -> int:
        """Send a request to the client; its id."""
        posed = self.posed(question_, peer)
        self._asked_so_far += 1
        self._asked[_key(self._asked_so_far)] = Asked(answered)
        way.send(request(self._asked_so_far, posed["method"], posed.get("params")))
        return self._asked_so_far

    def take_back(self, id: int, way: Way) -> None:
        """The answer to this request of ours is not needed any more."""
        self._asked.pop(_key(id), None)
        way.send(notification("notifications/cancelled", {"requestId": id, "reason": "The call was cancelled"}))

    def end_listens(self) -> None:
        """End every subscription with its result."""
        for listen in self.listens():
            self.done(listen.id)
            body = stamped(self.scenario, listen.peer, "subscriptions/listen", {})
            listen.way.answer(result(listen.id, listen.end(body)))

    def listens(self) -> list[Listen]:
        """The subscriptions that are open."""
        return [running for running in self._open.values() if isinstance(running, Listen)]


class _Batch:
    """Holds the answers to a batch back until all are there."""

    def __init__(self, answer: Callable[[Answer], None], wanted: int) -> None:
        self.answer = answer
        self.wanted = wanted
        self.answers: list[Message] = []

    def add(self, answer: Answer) -> None:
        """One answer more, or none where one was expected."""
        if isinstance(answer, dict):
            self.answers.append(answer)
        else:
            self.wanted -= 1
        if len(self.answers) == self.wanted:
            self.answer(self.answers or None)


def wants_answer(value: Any) -> bool:
    """Whether a message is answered: requests are, and so is what is no message."""
    try:
        return kind_of(value) == "request"
    except Refusal:
        return True


def _key(id: Any) -> tuple[type, Any]:
    """`1` and `"1"` are two ids, and `true` is none."""
    return (type(id), id) if isinstance(id, (str, int)) else (type(None), None)
