"""A call that became a task, followed to its end: asked how it stands, given what it needs, its result fetched.

Two generations: in the core of 2025-11-25 the call asks for a task and `tasks/result` waits for its end; in the
extension of 2026-07-28 the server decides, `tasks/get` brings everything and `tasks/update` hands in what is asked for
(2025-11-25 basic/utilities/tasks; extension io.modelcontextprotocol/tasks, SEP-2663).
"""

from typing import Any, NamedTuple

from ._acts import Answer, Failed, Json, Note, Pause, Script, Silence, Warn
from ._client import Client
from ._plan import Step

POLL_SECONDS = 1.0  # between two questions, where the server names no interval
SHORTEST, LONGEST = 0.02, 60.0  # whatever the server names
MAX_POLLS = 10_000  # a task that has not ended by then never will

Outcome = Answer | Silence | Failed


class Task(NamedTuple):
    """A task that answer `seq` made; `poll` is in seconds."""

    id: str
    seq: int
    poll: float


def followed(client: Client, made: Answer, step: Step) -> Script[Outcome]:
    """What the task came to: the answer that holds its result, or the last one there was."""
    task = _task(made)
    if task is None:
        yield Warn("the answer makes a task without a taskId: not followed")
        return made
    waited = 0.0
    given: set[str] = set()
    for _ in range(MAX_POLLS):
        yield Pause(task.poll, lambda body: False)
        yield Note("waited", {"seconds": task.poll, "why": "poll"})
        waited += task.poll
        if step.cancel_after is not None and waited >= step.cancel_after:
            return (yield from _cancelled(client, task))
        answer = yield from client.ask("tasks/get", {"taskId": task.id})
        after = yield from _after(client, task, answer, given)
        if after is not None:
            return after
    yield Warn(f"the task does not end: given up after {MAX_POLLS} questions")
    return made


def _after(client: Client, task: Task, answer: Outcome, given: set[str]) -> Script[Outcome | None]:
    """What follows from how a task stands; None: it goes on."""
    status = answer.result.get("status") if isinstance(answer, Answer) else None
    match status:
        case "working":
            return None
        case "input_required" if client.stateless and isinstance(answer, Answer):
            return (yield from _supplied(client, task, answer, given))
        case "input_required" | "completed" | "failed" if not client.stateless:
            return (yield from client.ask("tasks/result", {"taskId": task.id}))
    return answer


def _supplied(client: Client, task: Task, answer: Answer, given: set[str]) -> Script[Outcome | None]:
    """Hands in what a task asks for, once for each key; None: it goes on."""
    asked = answer.result.get("inputRequests")
    wanted = {key: asked[key] for key in asked if key not in given} if isinstance(asked, dict) else {}
    if not wanted:
        return None
    from ._asked import fulfil

    only = answer._replace(body={**answer.body, "result": {"inputRequests": wanted}})
    more = yield from fulfil(client, only)
    if more is None:
        return answer
    given.update(wanted)
    said = yield from client.ask("tasks/update", {"taskId": task.id, **more})
    return None if isinstance(said, Answer) and said.error is None else said


def _cancelled(client: Client, task: Task) -> Script[Outcome]:
    yield Note("cancelled", {"about": task.seq, "why": "plan", "by": "request"})
    return (yield from client.ask("tasks/cancel", {"taskId": task.id}))


def _task(made: Answer) -> Task | None:
    """The task of either generation: flat in the extension, a member of its own in the core."""
    told: Json = made.result if made.result.get("resultType") == "task" else made.result["task"]
    if not isinstance(told.get("taskId"), str):
        return None
    return Task(told["taskId"], made.seq, _interval(told.get("pollIntervalMs", told.get("pollInterval"))))


def _interval(ms: Any) -> float:
    if not isinstance(ms, int | float) or isinstance(ms, bool):
        return POLL_SECONDS
    if ms >= LONGEST * 1000:  # compared first: a server may name more than a float holds
        return LONGEST
    return ms / 1000 if ms > SHORTEST * 1000 else SHORTEST
