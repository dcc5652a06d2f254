"""Calls that go on as tasks: answered at once with a task, then asked how it stands until it has ended.

In the core of 2025-11-25 the client wants a task (`params.task`), and `tasks/result` waits for its end and asks on the
way. In the extension of 2026-07-28 the server makes one for whoever declared it, and `tasks/get` brings everything.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._answers import unusable
from ._calls import Call
from ._messages import INVALID, MISSING_CAPABILITY, PARAMS, UNKNOWN_METHOD, Message, Refusal, error, result
from ._revisions import TASKS, WITH_TASKS, Peer
from ._scenario import Item
from ._stamps import stamped
from ._values import Values
from ._way import Way

if TYPE_CHECKING:
    from ._server import Server

RELATED = "io.modelcontextprotocol/related-task"
_OVER = ("completed", "failed", "cancelled")
_MADE_AT = "2026-07-28T12:00:{:02}Z"  # no clock: each change takes a second


class Task:
    """How a task stands, and what came of it."""

    def __init__(self, id: str, terms: Message, call: "TaskCall") -> None:
        self.id = id
        self.terms = terms
        self.call = call
        self.status = "working"
        self.questions: dict[str, Message] = {}  # not answered yet
        self.body: Message | None = None
        self.refusal: Refusal | None = None
        self._changes = 0
        self._waiting: list[Callable[[], None]] = []

    @property
    def over(self) -> bool:
        """Whether it stays as it is."""
        return self.status in _OVER

    def stand(self, status: str) -> None:
        """From now on it stands like this; who waits for its end is told."""
        if not self.over:
            self.status = status
            self._changes += 1
        while self.over and self._waiting:
            self._waiting.pop(0)()

    def when_over(self, job: Callable[[], None]) -> None:
        """Do this at its end, or now if it has ended."""
        self._waiting.append(job)
        self.stand(self.status)

    def told(self, stateless: bool) -> Message:
        """As it is listed in either generation."""
        ttl, interval = ("ttlMs", "pollIntervalMs") if stateless else ("ttl", "pollInterval")
        return {
            "taskId": self.id, "status": self.status, "createdAt": _MADE_AT.format(0),
            "lastUpdatedAt": _MADE_AT.format(min(self._changes, 59)),
            ttl: self.terms.get("ttl_ms"), interval: self.terms.get("poll_ms", 1000),
        }  # fmt: skip


class TaskCall(Call):
    """A call whose answer waits in its task, and whose questions wait there, too."""

    task: Task

    def run(self) -> None:
        """As any call; what is refused on the way is what comes of the task."""
        try:
            super().run()
        except Refusal as refusal:
            self._end_with(refusal)

    def cancel(self) -> None:
        """Stop; a question that is still open is taken back."""
        self.over = True
        if self.question is not None:
            self.server.take_back(self.question, self.way)
        self.task.stand("cancelled")

    def ask_along(self, way: Way) -> None:
        """Core: what the task needs is asked on the way on which its result is waited for."""
        if self.task.questions and self.question is None:
            self.way = way
            super()._ask_next(list(self.task.questions.items()))

    def supply(self, answers: Message) -> None:
        """Extension: take what was asked for; the call goes on when all of it is there."""
        for key in self.task.questions.keys() & answers.keys():
            wrong = unusable(self.task.questions[key], answers[key])
            if wrong:
                raise Refusal(PARAMS, f"Invalid params: inputResponses.{key}: {wrong}")
            self._keep(key, answers[key])
            del self.task.questions[key]
        if self.task.status == "input_required" and not self.task.questions:
            self.task.stand("working")
            self._next()

    def _finish(self, body: Message, kind: str = "complete") -> None:
        self.answered = True
        self.task.body = stamped(self.server.scenario, self.peer, self.method, body, kind)
        failed = body.get("isError") is True and not self.peer.stateless
        self.task.stand("failed" if failed else "completed")

    def _refuse(self, told: Message) -> None:
        if not self.answered:
            self._end_with(Refusal(told["code"], told["message"], told.get("data")))

    def _end_with(self, refusal: Refusal) -> None:
        self.answered = self.over = True
        self.task.refusal = refusal
        self.task.stand("failed")

    def _require(self, questions: dict[str, Message]) -> None:
        self.task.questions = {key: self.server.posed(asked, self.peer) for key, asked in questions.items()}
        self.task.stand("input_required")

    def _ask_next(self, questions: list[tuple[str, Message]]) -> bool:
        """Core: the first time the questions wait for somebody to ask; then they are asked one after the other."""
        if self.task.status == "input_required":
            self.task.questions = dict(questions)
            if questions:
                return super()._ask_next(questions)
            self.task.stand("working")
            return True
        self.task.questions = {key: self._related(asked) for key, asked in questions}
        self.task.stand("input_required")
        return False

    def _related(self, asked: Message) -> Message:
        params = asked.get("params", {})
        meta = {**params.get("_meta", {}), RELATED: {"taskId": self.task.id}}
        return {**asked, "params": {**params, "_meta": meta}}


# Making one ----------------------------------------------------------------------------------------------------


def made(server: "Server", message: Message, peer: Peer, way: Way, item: Item, values: Values) -> bool:
    """Whether the call became a task; then it is answered, and goes on. Refuses what is not allowed."""
    terms = item.entry.get("task")
    if not _wanted(server, message["params"], peer, terms):
        return False
    call = TaskCall(server, message, peer, way, item, values)
    asked = message["params"].get("task")
    ttl = {"ttl_ms": asked["ttl"]} if isinstance(asked, dict) and "ttl" in asked else {}
    call.task = Task(f"task-{len(server.world.tasks) + 1}", {**ttl, **(terms or {})}, call)
    server.world.tasks[call.task.id] = call.task
    told = call.task.told(peer.stateless)
    body = stamped(server.scenario, peer, "tools/call", told, "task") if peer.stateless else {"task": told}
    server.done(message["id"])
    way.answer(result(message["id"], body))
    server.attempt(None, way._replace(answer=lambda _: None), call.begin)
    return True


def _wanted(server: "Server", params: Message, peer: Peer, terms: Any) -> bool:
    if peer.stateless:
        if terms is None or declares(peer):
            return terms is not None
        if terms.get("support") == "required":
            raise _undeclared("This tool is a task")
        return False
    if peer.revision < WITH_TASKS or "tasks" not in server.scenario.capabilities:
        return False
    wanted = "task" in params
    support = "forbidden" if terms is None else terms.get("support", "optional")
    if support == ("forbidden" if wanted else "required"):
        raise Refusal(UNKNOWN_METHOD, f"Method not found: this tool's taskSupport is {support}")
    return wanted


def declares(peer: Peer) -> bool:
    """Whether the client declared the extension in this request."""
    extensions = peer.capabilities.get("extensions")
    return isinstance(extensions, dict) and isinstance(extensions.get(TASKS), dict)


def _undeclared(words: str) -> Refusal:
    need: Message = {"extensions": {TASKS: {}}}
    return Refusal(MISSING_CAPABILITY, f"{words}; the client did not declare tasks", {"requiredCapabilities": need})


# The methods ---------------------------------------------------------------------------------------------------


def wait_for(server: "Server", id: str | int, params: Message, way: Way) -> None:
    """`tasks/result` of the core: answered when the task has ended, which may be now."""
    task = _task(server, params)

    def tell() -> None:
        server.done(id)
        refusal = task.refusal or (None if task.body else Refusal(INVALID, "The task was cancelled"))
        related = {RELATED: {"taskId": task.id}}
        body = task.body or {}
        answer = result(id, {**body, "_meta": {**body.get("_meta", {}), **related}})
        way.answer(error(id, refusal) if refusal else answer)

    task.call.ask_along(way)
    task.when_over(tell)


def _get(server: "Server", params: Message, peer: Peer) -> Message:
    task = _task(server, params, peer)
    told = task.told(peer.stateless)
    if not peer.stateless:
        return told
    if task.status == "input_required":
        told["inputRequests"] = dict(task.questions)
    elif task.body is not None:
        told["result"] = task.body
    elif task.refusal is not None:
        told["error"] = error(None, task.refusal)["error"]
    return told


def _update(server: "Server", params: Message, peer: Peer) -> Message:
    task = _task(server, params, peer)
    answers = params.get("inputResponses")
    if not isinstance(answers, dict):
        raise Refusal(PARAMS, "Invalid params: inputResponses is no object")
    task.call.supply(answers)
    return {}


def _cancel(server: "Server", params: Message, peer: Peer) -> Message:
    task = _task(server, params, peer)
    if task.over and not peer.stateless:
        raise Refusal(PARAMS, f"Invalid params: the task is {task.status} already")
    if not task.over:
        task.call.cancel()
    return {} if peer.stateless else task.told(False)


def _list(server: "Server", params: Message, peer: Peer) -> Message:
    return {"tasks": [task.told(False) for task in server.world.tasks.values()]}


def _task(server: "Server", params: Message, peer: Peer | None = None) -> Task:
    if peer is not None and peer.stateless and not declares(peer):
        raise _undeclared("There are no tasks without the extension")
    task = server.world.tasks.get(params.get("taskId", ""))
    if task is None:
        raise Refusal(PARAMS, "Invalid params: there is no such task")
    return task


ANSWERS = {"tasks/get": _get, "tasks/update": _update, "tasks/cancel": _cancel, "tasks/list": _list}
