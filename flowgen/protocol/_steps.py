"""Each action of a plan as a short script. A table at the end says which is which."""

import json
from collections.abc import Callable
from typing import Any

from ._acts import Answer, Failed, Json, Mark, Note, Opened, Pause, Script, Silence, TakeBack, Warn
from ._client import LISTS, Client
from ._dialects import PREFIX, Stateless
from ._keys import nearest
from ._plan import WAIT_SECONDS, Step

MAX_PAGES = 1000  # a list that has not ended by then never will
MAX_ROUNDS = 10  # retries of one request that asks for input again and again
_HEADER_MISMATCH, _ELICITATION_REQUIRED = -32020, -32042
_WITH_VISITS = "2025-11-25"  # the one revision that has -32042
_LISTENED = (
    ("toolsListChanged", "tools"), ("promptsListChanged", "prompts"), ("resourcesListChanged", "resources"),
)  # fmt: skip
_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


# lists


def _list(client: Client, step: Step) -> Script[None]:
    for kind in step.target:
        if step.as_declared and not client.serves(kind):
            if kind != "templates":
                yield Warn(f"the server declares no {kind}: not listed")
            continue
        yield from listed(client, kind, step)


def listed(client: Client, kind: str, step: Step | None = None) -> Script[None]:
    """Reads a list to its last page. An empty string is a cursor like any other."""
    method, member = LISTS[kind]
    client.listed[kind] = []
    cursors: set[str] = set()
    params: Json = {}
    while True:
        answer = yield from _kept(client, method, params, step, params.get("cursor"))
        if not isinstance(answer, Answer):
            return
        if answer.unkept:
            yield Warn(f"the answer to {method} is {answer.unkept}: nothing is listed from it")
        items = answer.result.get(member)
        found = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
        client.listed[kind] += (yield from client.usable(found)) if kind == "tools" else found
        cursor = answer.result.get("nextCursor")
        if not isinstance(cursor, str):
            return
        if cursor in cursors or len(cursors) >= MAX_PAGES:
            yield Warn(f"{method} does not end: stopped after {len(cursors) + 1} pages")
            return
        cursors.add(cursor)
        params = {"cursor": cursor}


def _kept(
    client: Client, method: str, params: Json, step: Step | None, name: str | None
) -> Script[Answer | Silence | Failed]:
    """A request whose answer may be kept for a while, `name` telling it from others of its method."""
    if client.cache is None:
        return (yield from client.ask(method, params, step))
    from ._cache import kept

    return (yield from kept(client, client.cache, method, params, step, name))


# requests that may ask back


def _call(client: Client, step: Step) -> Script[None]:
    if step.target in client.dropped:
        yield Warn(f"`{step.target}` is not called: {client.dropped[step.target]}")
        return
    yield from _warned_of_unknown(client, step.target, "tools", "name")
    if asks_first(client, step):
        what = {"method": "tools/call", "name": step.target, "arguments": step.arguments}
        of = f" of {client.hosted}" if client.hosted else ""
        question = f"Call {step.target}{of} with {json.dumps(step.arguments, ensure_ascii=False)}?"
        from ._asked import approved

        if not (yield from approved(what, not client.manners.yes, question)):
            return
        if "approval" in step.titles and step.title is not None:
            yield Mark(step.title)
    client.calling = step.target
    client.called.add(step.target)
    task = {} if step.task is None else {"task": step.task}
    yield from _conversed(client, "tools/call", {"name": step.target, "arguments": step.arguments, **task}, step)
    client.calling = None


def asks_first(client: Client, step: Step) -> bool:
    """Whether a step is a call that has to be approved."""
    return step.action == "call" and (step.approve or client.manners.approve)


def _call_safe(client: Client, _step: Step) -> Script[None]:
    """Calls every listed tool that is marked read-only, with arguments made up from its schema."""
    safe = [tool for tool in client.listed.get("tools", ()) if _is_safe(tool) and tool["name"] not in client.called]
    if not safe and not client.called:
        yield Warn("no listed tool is marked read-only (annotations.readOnlyHint): none was called")
    from ._arguments import example_arguments

    for tool in safe:
        yield from _call(client, Step("call", tool["name"], arguments=example_arguments(tool.get("inputSchema"))))


def _is_safe(tool: Json) -> bool:
    hints = tool.get("annotations")
    return isinstance(hints, dict) and hints.get("readOnlyHint") is True and isinstance(tool.get("name"), str)


def _read(client: Client, step: Step) -> Script[None]:
    yield from _warned_of_unknown(client, step.target, "resources", "uri")
    yield from _conversed(client, "resources/read", {"uri": step.target}, step)


def _get(client: Client, step: Step) -> Script[None]:
    yield from _warned_of_unknown(client, step.target, "prompts", "name")
    arguments = {"arguments": step.arguments} if step.arguments else {}
    yield from _conversed(client, "prompts/get", {"name": step.target, **arguments}, step)


def _conversed(client: Client, method: str, params: Json, step: Step) -> Script[None]:
    """A request and its retries, each with what the server asked for.

    Source: 2026-07-28 basic/patterns/mrtr; 2025-11-25 client/elicitation for pages that have to be visited first.
    """
    more: Json | None = {}
    for _ in range(MAX_ROUNDS + 1):
        answer = yield from _asked(client, method, {**params, **(more or {})}, step)
        if isinstance(answer, Answer) and _makes_task(answer):
            from ._tasks import followed

            answer = yield from followed(client, answer, step)
        if not isinstance(answer, Answer):
            return
        if not _asks_back(client, answer):
            yield from client.part("result", answer.seq)
            return
        from ._asked import fulfil, visited

        more = yield from (fulfil(client, answer) if client.stateless else visited(client, answer))
        if more is None:
            return
    yield Warn(f"{method} asked for input more than {MAX_ROUNDS} times: given up")


def _asks_back(client: Client, answer: Answer) -> bool:
    """Whether an answer wants something first: input in the stateless era, a visit to a page in the one before."""
    if client.stateless:
        return answer.result.get("resultType") == "input_required"
    wants_visit = answer.error is not None and answer.error.get("code") == _ELICITATION_REQUIRED
    return wants_visit and client.speaks(_WITH_VISITS)


def _makes_task(answer: Answer) -> bool:
    """Whether the work goes on as a task: in the core of 2025-11-25, or in the extension of 2026-07-28."""
    return answer.result.get("resultType") == "task" or isinstance(answer.result.get("task"), dict)


def _asked(client: Client, method: str, params: Json, step: Step) -> Script[Answer | Silence | Failed]:
    """A request; a call whose headers do not fit is made once more with the tools as they are now."""
    if method == "resources/read":
        return (yield from _kept(client, method, params, step, params["uri"]))
    answer = yield from client.ask(method, params, step)
    mismatch = isinstance(answer, Answer) and answer.error is not None and answer.error.get("code") == _HEADER_MISMATCH
    if not mismatch or client.web is None or method != "tools/call":
        return answer
    yield from listed(client, "tools")
    return (yield from client.ask(method, params, step))


def _warned_of_unknown(client: Client, name: str, kind: str, member: str) -> Script[None]:
    """A name that was not listed is used all the same; whoever mistyped it wants to know."""
    known = [str(item[member]) for item in client.listed.get(kind, ()) if member in item]
    templated = kind == "resources" and client.listed.get("templates", True)
    if kind in client.listed and name not in known and not templated:
        near = nearest(name, known)
        yield Warn(f"`{name}` is not among the {kind} of the server" + (f"; the nearest is `{near}`" if near else ""))


# plain requests


def _complete(client: Client, step: Step) -> Script[None]:
    yield from client.ask("completion/complete", step.target, step)


def _request(client: Client, step: Step) -> Script[None]:
    """A method that has no action of its own: to see what a server makes of it."""
    yield from client.ask(step.target, dict(step.arguments), step)


def _notify(client: Client, step: Step) -> Script[None]:
    """A notification that no action sends: to see what a server makes of it."""
    yield from client.tell(step.target, dict(step.arguments) or None)


def _ping(client: Client, step: Step) -> Script[None]:
    yield from client.ask("ping", {}, step)


def _set_level(client: Client, step: Step) -> Script[None]:
    """A request of its own in the handshake era; on every request from here on in the stateless era."""
    if isinstance(client.dialect, Stateless):
        client.dialect = client.dialect.logging_at(step.target)
    else:
        yield from client.ask("logging/setLevel", {"level": step.target}, step)


def _change_roots(client: Client, step: Step) -> Script[None]:
    client.roots, client.roots_by = tuple({"uri": uri} for uri in step.target), "plan"
    if not client.stateless:
        yield from client.tell("notifications/roots/list_changed")


# what the server says unasked


def _subscribe(client: Client, step: Step) -> Script[None]:
    if client.stateless:
        yield from _subscribed(client, {"resourceSubscriptions": [step.target]}, step)
    else:
        yield from client.ask("resources/subscribe", {"uri": step.target}, step)


def _listen(client: Client, step: Step) -> Script[None]:
    """Opens a subscription, which stays open to the end of the session; the handshake era only waits."""
    if client.stateless:
        yield from _subscribed(client, step.target or _all_changes(client), step)
    else:
        yield Pause(step.seconds or 0.0, lambda body: False)


def _all_changes(client: Client) -> Json:
    """Every change that the server says it announces; those of tools when it says nothing."""
    wanted: Json = {name: True for name, kind in _LISTENED if client.declares(kind, "listChanged")}
    uris = [str(item["uri"]) for item in client.listed.get("resources", ()) if "uri" in item]
    if client.declares("resources", "subscribe") and uris:
        wanted["resourceSubscriptions"] = uris
    return wanted or {"toolsListChanged": True}


def _subscribed(client: Client, wanted: Json, step: Step) -> Script[None]:
    opened: Opened = yield from client.open("subscriptions/listen", {"notifications": wanted})
    if step.cancel_after is not None:
        yield Pause(step.cancel_after, lambda body: _ends(body, opened.id))
        yield TakeBack(opened.seq)
    elif step.seconds is not None:
        yield Pause(step.seconds, lambda body: _ends(body, opened.id))
    else:
        yield Pause(WAIT_SECONDS, lambda body: _ends(body, opened.id) or _acknowledges(body, opened.id))


def _ends(body: Json, id_: Any) -> bool:
    """An answer to a listen request is its end."""
    return "method" not in body and body.get("id") == id_


def _acknowledges(body: Json, id_: Any) -> bool:
    if body.get("method") != _ACKNOWLEDGED:
        return False
    params = body.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    return not isinstance(meta, dict) or meta.get(PREFIX + "subscriptionId", id_) == id_


def _wait(client: Client, step: Step) -> Script[None]:
    """For a message since the step before began, or else for some seconds."""
    if isinstance(step.target, str):
        limit = WAIT_SECONDS if step.seconds is None else step.seconds
        seq = client.heard(step.target)
        if seq is None:
            seq = yield Pause(limit, lambda body: body.get("method") == step.target)
        if seq is not None:
            if step.title is not None:
                yield Mark(step.title, seq)
            return
    else:
        limit = float(step.target)
        yield Pause(limit, lambda body: False)
    if step.title is not None:
        yield Mark(step.title)
    yield Note("waited", {"seconds": limit, "why": "plan"})


ACTIONS: dict[str, Callable[[Client, Step], Script[None]]] = {
    "list": _list, "call": _call, "call-safe": _call_safe, "read": _read, "get": _get, "complete": _complete,
    "ping": _ping, "set-level": _set_level, "subscribe": _subscribe, "listen": _listen, "wait": _wait,
    "change-roots": _change_roots, "request": _request, "notify": _notify,
}  # fmt: skip
