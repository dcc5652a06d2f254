"""Rules of tasks: the core of 2025-11-25, and the extension of the stateless era."""

from collections.abc import Iterator

from flowgen.wire import header_value

from ._capabilities import TASKS, has_extension
from ._hits import Hit, rule
from ._message import PREFIX, Json, Seen, obj, text
from ._session import Session

_RELATED = f"{PREFIX}related-task"
_ENDED = ("completed", "failed", "cancelled")
_NEXT = {None: ("working",), "working": ("working", "input_required", *_ENDED),
         "input_required": ("input_required", "working", *_ENDED)}  # fmt: skip
_FOR_TASKS = {"tools/call": ("tools", "call"), "sampling/createMessage": ("sampling", "createMessage"),
              "elicitation/create": ("elicitation", "create")}  # fmt: skip
_NAMED = ("tasks/get", "tasks/update", "tasks/cancel")
_FOREIGN = ("notifications/progress", "notifications/message")


@rule
def task_undeclared(session: Session) -> Iterator[Hit]:
    for seen in session.requests(*_FOR_TASKS):
        if "task" not in seen.params:
            continue
        declares = session.declared_by_server if seen.side == "client" else session.declared_by_client
        declared = declares(seen)
        family, name = _FOR_TASKS[str(seen.method)]
        tasks = obj(obj((declared or {}).get("tasks")).get("requests"))
        if declared is not None and name not in obj(tasks.get(family)):
            yield Hit(seen, f"{seen.method} as a task, which its receiver did not declare")
        elif _support(seen, session) == "forbidden":
            yield Hit(seen, f"{seen.name} as a task, which the tool does not allow")


@rule
def task_required_ignored(session: Session) -> Iterator[Hit]:
    for seen in session.requests("tools/call"):
        support, answer = _support(seen, session), seen.answer
        wrong = support == ("forbidden" if "task" in seen.params else "required")
        if wrong and answer and answer.kind in ("response", "error") and answer.code != -32601:
            said = "a result" if answer.kind == "response" else f"error {answer.code}"
            yield Hit(answer, f"{seen.name}: tasks are {support}, and the call is answered with {said}")


@rule
def task_status_transition(session: Session) -> Iterator[Hit]:
    last: dict[str, str | None] = {}
    for seen, name, status, made in _statuses(session):
        before = last.get(name)
        if before is None and not made:
            last[name] = status  # what came before is not known
        elif status != before and status not in _NEXT.get(before, ()):
            yield Hit(seen, f"the task {f'is {status[:20]} after {before}' if before else f'begins as {status[:20]}'}")
        last[name] = before if before in _ENDED else status


@rule
def task_related_missing(session: Session) -> Iterator[Hit]:
    for seen in session.results("tasks/result"):
        if not isinstance(seen.meta.get(_RELATED), dict):
            yield Hit(seen, f"the result of a task without {_RELATED}")
    for seen in _of_tasks(session):
        if not isinstance(seen.meta.get(_RELATED), dict):
            yield Hit(seen, f"{seen.method} during a task without {_RELATED}")


@rule
def task_cancel_terminal(session: Session) -> Iterator[Hit]:
    ended: dict[str | None, int] = {}
    known = {seen.at: (name, status) for seen, name, status, _ in _statuses(session)}
    for seen in session.json_rpc:
        asked = seen.request if seen.method == "tasks/cancel" else None
        if asked and seen.kind == "response" and ended.get(text(asked.params.get("taskId")), asked.at) < asked.at:
            yield Hit(seen, "a task that has ended is cancelled, with a result")
        if seen.at in known and known[seen.at][1] in _ENDED and seen.method != "tasks/cancel":
            ended.setdefault(known[seen.at][0], seen.at)


@rule
def task_result_early(session: Session) -> Iterator[Hit]:
    given: dict[str, Seen] = {}
    status = {seen.at: (name, told) for seen, name, told, _ in _statuses(session)}
    for seen in session.json_rpc:
        name, told = status.get(seen.at, (None, None))
        if name in given and told not in _ENDED:
            yield Hit(given.pop(name), f"the result of a task that is {told} afterwards")
        if seen.kind == "response" and seen.method == "tasks/result" and seen.request:
            given[str(seen.request.params.get("taskId"))] = seen


@rule
def task_to_undeclared_client(session: Session) -> Iterator[Hit]:
    for seen in session.results():
        declared = session.declared_by_client(seen.request) if seen.request else None
        if obj(seen.result).get("resultType") == "task" and declared is not None and not has_extension(declared):
            yield Hit(seen, f"{seen.method} did not declare {TASKS}, and is answered with a task")


@rule
def task_name_header(session: Session) -> Iterator[Hit]:
    for seen in session.requests(*_NAMED):
        name, sent = text(seen.params.get("taskId")), seen.header("mcp-name")
        if name is not None and seen.message.http and sent != header_value(name):
            yield Hit(seen, "Mcp-Name is missing" if sent is None else f"Mcp-Name is {sent[:40]!r}")


@rule
def task_input_key_reused(session: Session) -> Iterator[Hit]:
    answered: dict[tuple[str, str], int] = {}
    for seen in session.json_rpc:
        if seen.kind == "request" and seen.method == "tasks/update":
            task = str(seen.params.get("taskId"))
            at = seen.answer.at if seen.answer else seen.at
            answered |= {(task, key): at for key in obj(seen.params.get("inputResponses"))}
        elif told := _asks(seen):
            task, keys, since = told
            again = [key for key in keys if answered.get((task, key), since) < since]
            if again:
                yield Hit(seen, f"the key {min(again)[:40]!r} was answered before")


@rule
def task_progress(session: Session) -> Iterator[Hit]:
    for seen in session.told(*_FOREIGN):
        made = seen.about.answer if seen.about else None
        after = made is not None and obj(made.result).get("resultType") == "task" and made.at < seen.at
        if after or isinstance(seen.meta.get(_RELATED), dict):
            yield Hit(seen, f"{seen.method} for a task")


def _support(seen: Seen, session: Session) -> str | None:
    """Whether a tool may be called as a task, as it is listed; None where that is not known, or for other revisions."""
    listing = session.listing("tools", seen)
    tool = listing.named(seen.name) if listing and seen.method == "tools/call" else None
    if tool is None or seen.revision != "2025-11-25":
        return None
    return text(obj(tool.get("execution")).get("taskSupport")) or "forbidden"


def _statuses(session: Session) -> Iterator[tuple[Seen, str, str, bool]]:
    """What each message says of a task: its id, how it stands, and whether it was just made."""
    for seen in session.json_rpc:
        for task, made in _tasks_in(seen):
            name, status = text(task.get("taskId")), text(task.get("status"))
            if name is not None and status is not None:
                yield seen, name, status, made


def _tasks_in(seen: Seen) -> Iterator[tuple[Json, bool]]:
    result = obj(seen.result)
    if seen.kind == "response" and isinstance(result.get("task"), dict) and seen.method in _FOR_TASKS:
        yield result["task"], True
    elif seen.kind == "response" and result.get("resultType") == "task":
        yield result, True
    elif seen.kind == "response" and seen.method in ("tasks/get", "tasks/cancel"):
        yield result, False
    elif seen.kind == "notification" and (seen.method or "").startswith("notifications/tasks"):
        yield seen.params, False


def _of_tasks(session: Session) -> Iterator[Seen]:
    """What a server asks while a task waits for input and no request but those about tasks is under way."""
    waiting, pending = False, set[int]()
    status = {seen.at: told for seen, _, told, _ in _statuses(session)}
    for seen in session.json_rpc:
        waiting = status.get(seen.at) == "input_required" if seen.at in status else waiting
        if seen.kind == "request" and seen.side == "client" and not (seen.method or "").startswith("tasks/"):
            pending.add(seen.at)
        elif seen.kind in ("response", "error") and seen.request:
            pending.discard(seen.request.at)
        elif seen.kind == "request" and seen.side == "server" and seen.method in _FOR_TASKS and waiting and not pending:
            yield seen


def _asks(seen: Seen) -> tuple[str, list[str], int] | None:
    """The task that a message asks input for, under which keys, and since when it stood so."""
    if seen.kind == "response" and seen.method == "tasks/get" and seen.request:
        task, told, since = str(seen.request.params.get("taskId")), obj(seen.result), seen.request.at
    elif seen.kind == "notification" and seen.method == "notifications/tasks":
        task, told, since = str(seen.params.get("taskId")), seen.params, seen.at
    else:
        return None
    return task, list(obj(told.get("inputRequests"))), since
