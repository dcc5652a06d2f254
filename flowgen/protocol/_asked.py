"""What the client's side does when a server asks back: elicitation, sampling, roots, ping, in both eras.

Rules of an answers file come first, then a person if there is one to ask, then the defaults: elicitation is declined,
sampling refused, roots are none. Every decision is a note; the values stand in the message that carries them.
"""

import json
from typing import Any

from ._acts import (
    Answer,
    AskPerson,
    Json,
    Note,
    OpenBrowser,
    Pause,
    Refusal,
    Reply,
    Result,
    RunModel,
    Script,
    Warn,
)
from ._client import Client
from ._plan import WAIT_SECONDS
from ._rules import Sampled

VISIT_SECONDS = 120.0  # for a person with a page, if the server does not say when it is done
_METHOD_NOT_FOUND, _INVALID_PARAMS, _REJECTED = -32601, -32602, -1
_CAPABILITY = {"elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots"}

Decision = Result | Refusal


def respond(client: Client, request: Json, about: int) -> Script[Decision]:
    """Decides on a request of the server, message `about`, of the handshake era."""
    if request.get("method") == "ping":
        return Result({})
    yield from client.part("question", about)
    decision = yield from _decided(client, request, about, None)
    yield from client.part("answer")
    return decision


def fulfil(client: Client, answer: Answer) -> Script[Json | None]:
    """The params that a retry adds after `input_required` (stateless era); None when there can be no retry.

    `requestState` is handed back as it came, and only when it came (2026-07-28 basic/patterns/mrtr).
    """
    yield from client.part("question", answer.seq)
    requests = answer.result.get("inputRequests")
    responses: Json = {}
    for key, request in requests.items() if isinstance(requests, dict) else ():
        asked = request if isinstance(request, dict) else {}
        decision = yield from _decided(client, asked, answer.seq, key)
        if isinstance(decision, Refusal):
            yield Warn(f"{asked.get('method')} of the server was refused ({decision.message}): no retry")
            return None
        responses[key] = decision.value
    more: Json = {"inputResponses": responses} if isinstance(requests, dict) else {}
    if "requestState" in answer.result:
        more["requestState"] = answer.result["requestState"]
    if more:
        yield from client.part("answer")
    return more or None


def visited(client: Client, answer: Answer) -> Script[Json | None]:
    """What -32042 asks for: every page is consented to, and visited as far as the server tells. None: no retry.

    The server may say that a visit is complete, and need not; the request may be tried again all the same
    (2025-11-25 client/elicitation). A retry adds nothing to the params.
    """
    yield from client.part("question", answer.seq)
    data = (answer.error or {}).get("data")
    asked = data.get("elicitations") if isinstance(data, dict) else None
    pages = [page for page in asked if isinstance(page, dict)] if isinstance(asked, list) else []
    for page in pages:
        decision = yield from _decided(client, {"method": "elicitation/create", "params": page}, answer.seq, None)
        if isinstance(decision, Refusal):
            yield Warn(f"the server wants a page to be visited, which was refused ({decision.message}): no retry")
        if isinstance(decision, Refusal) or decision.value["action"] != "accept":
            return None
    if not pages:
        yield Warn("the server wants pages to be visited (-32042), but names none: no retry")
        return None
    yield from _waited_for(client, {str(page["elicitationId"]) for page in pages if "elicitationId" in page})
    yield from client.part("answer")
    yield from client.announce()
    return {}


def _waited_for(client: Client, ids: set[str]) -> Script[None]:
    if not ids <= client.visited:
        limit = VISIT_SECONDS if client.manners.ask else WAIT_SECONDS
        yield Pause(limit, lambda body: ids <= client.visited)


def _decided(client: Client, request: Json, about: int, key: str | None) -> Script[Decision]:
    method, params = request.get("method"), request.get("params")
    capability = _CAPABILITY.get(method) if isinstance(method, str) else None
    if capability is None or not isinstance(client.capabilities.get(capability), dict):
        return Refusal(_METHOD_NOT_FOUND, "Method not found")
    params = params if isinstance(params, dict) else {}
    match capability:
        case "elicitation":
            return (yield from _elicited(client, params, about, key))
        case "sampling":
            return (yield from _sampled(client, params, about, key))
        case _:
            return (yield from _rooted(client, about, key))


def _data(about: int, kind: str, key: str | None, **more: Any) -> Json:
    return {"about": about, "kind": kind, **({"key": key} if key is not None else {}), **more}


# roots


def _rooted(client: Client, about: int, key: str | None) -> Script[Decision]:
    source = {"source": "default" if client.roots is None else client.roots_by}
    yield Note("answered-from-file", _data(about, "roots", key, action="accept", **source))
    return Result({"roots": list(client.roots or ())})


# elicitation


def _elicited(client: Client, params: Json, about: int, key: str | None) -> Script[Decision]:
    mode = "url" if params.get("mode") == "url" else "form"
    if not _mode_declared(client.capabilities["elicitation"], mode):
        return Refusal(_INVALID_PARAMS, f"Elicitation mode {mode} is not supported")
    message = str(params.get("message", ""))
    rule = client.answers.elicited(message, client.calling) if client.answers else None
    if rule is None and client.manners.ask:
        return (yield from _elicited_from_person(client, params, mode, about, key))
    action, source = (rule.action, "answers") if rule else ("decline", "default")
    yield Note("answered-from-file", _data(about, "elicitation", key, action=action, source=source))
    if action == "accept" and mode == "url" and client.browser == "demo":
        yield from _page_opened(client, params.get("url"), about)
    return Result(_elicit_result(action, mode, {**_defaults(params), **(rule.content if rule else {})}))


def _defaults(params: Json) -> Json:
    """What a form holds before anybody touches it (2025-11-25 client/elicitation)."""
    schema = params.get("requestedSchema")
    fields = schema.get("properties") if isinstance(schema, dict) else None
    known = fields.items() if isinstance(fields, dict) else ()
    return {name: field["default"] for name, field in known if isinstance(field, dict) and "default" in field}


def _page_opened(client: Client, url: Any, about: int) -> Script[None]:
    """The page of URL mode goes to the person's browser, or to the one that is played for a demo."""
    if isinstance(url, str):
        data = {"url": url, "reason": "elicitation", "about": about, "by": client.browser}
        yield Note("opened-browser", data, receiver="browser")
        yield OpenBrowser(url)


def _elicited_from_person(client: Client, params: Json, mode: str, about: int, key: str | None) -> Script[Decision]:
    url, schema = params.get("url") if mode == "url" else None, params.get("requestedSchema")
    yield Note("asked-user", _data(about, "elicitation", key, mode=mode), receiver="person")
    reply: Reply = yield AskPerson(
        "elicitation", str(params.get("message", "")), schema if isinstance(schema, dict) else {}, url
    )
    answered = _data(about, "elicitation", key, action=reply.action, seconds=reply.seconds)
    yield Note("user-answered", answered, "person", "client")
    if reply.action == "accept" and url is not None:
        yield from _page_opened(client, url, about)
    return Result(_elicit_result(reply.action, mode, reply.value))


def _mode_declared(elicitation: Json, mode: str) -> bool:
    """`elicitation: {}` is form mode only (2026-07-28 client/elicitation)."""
    return mode in elicitation or (mode == "form" and not elicitation)


def _elicit_result(action: str, mode: str, content: Any) -> Json:
    return {"action": action, "content": content} if action == "accept" and mode == "form" else {"action": action}


# sampling


def _sampled(client: Client, params: Json, about: int, key: str | None) -> Script[Decision]:
    rule = client.answers.sampled(_last_text(params), client.calling) if client.answers else None
    if rule is None and client.manners.ask:
        return (yield from _sampled_from_person(params, about, key))
    if rule is not None and rule.text is None:
        return (yield from _sampled_from_model(client, rule, params, about))
    action, source = ("accept", "answers") if rule else ("decline", "default")
    yield Note("answered-from-file", _data(about, "sampling", key, action=action, source=source))
    return Result(_spoken(rule.text or "", rule.model or "answers file")) if rule else _rejected()


def _sampled_from_person(params: Json, about: int, key: str | None) -> Script[Decision]:
    yield Note("asked-user", _data(about, "sampling", key), receiver="person")
    reply: Reply = yield AskPerson("sampling", _last_text(params))
    answered = _data(about, "sampling", key, action=reply.action, seconds=reply.seconds)
    yield Note("user-answered", answered, "person", "client")
    return Result(_spoken(str(reply.value), "a person")) if reply.action == "accept" else _rejected()


def _sampled_from_model(client: Client, rule: Sampled, params: Json, about: int) -> Script[Decision]:
    asks = client.manners.approve and not client.manners.yes
    if asks and not (yield from _sent_on(about, _last_text(params))):
        return _rejected()
    reply: Reply = yield RunModel(rule.command, params.get("messages", []))
    result = _model_result(reply, rule) if reply.action == "accept" else None
    wants = _wanted(result)
    data = {"by": "command", "about": about, **({"wants": wants} if wants else {}), "seconds": reply.seconds}
    yield Note("consulted-model", data, *(("model", "host") if wants else ("host", "model")))
    if result is None:
        yield Warn(f"the command for the model failed: {reply.value}")
        return _rejected()
    what = {"method": "sampling/createMessage", "about": about}
    shown = json.dumps(result["content"], ensure_ascii=False)
    allowed = yield from approved(what, asks, f"Send the model's answer? {shown}")
    return Result(result) if allowed else _rejected()


def _sent_on(about: int, text: str) -> Script[bool]:
    """Whether the person lets the model be asked at all."""
    yield Note("asked-user", {"about": about, "kind": "approval"}, receiver="person")
    reply: Reply = yield AskPerson("approval", f"Let the model answer this? {text}")
    answered = {"about": about, "kind": "approval", "action": reply.action, "seconds": reply.seconds}
    yield Note("user-answered", answered, "person", "client")
    return reply.action == "accept"


def _model_result(reply: Reply, rule: Sampled) -> Json:
    """A command prints a text, or the whole result as one JSON object with `content`."""
    model = rule.model or rule.command[0].replace("\\", "/").rsplit("/", 1)[-1]
    try:
        value = json.loads(reply.value)
    except ValueError:
        value = None
    if isinstance(value, dict) and "content" in value:
        return {"role": "assistant", "model": model, **value}
    return _spoken(str(reply.value).rstrip("\n"), model)


def _wanted(result: Json | None) -> Json | None:
    """The tool call that a model's answer asks for."""
    content = result["content"] if result else []
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, dict) and block.get("type") == "tool_use":
            return {"name": block.get("name"), "arguments": block.get("input", {})}
    return None


def _spoken(text: str, model: str) -> Json:
    return {"role": "assistant", "content": {"type": "text", "text": text}, "model": model, "stopReason": "endTurn"}


def _rejected() -> Refusal:
    return Refusal(_REJECTED, "User rejected sampling request")


def _last_text(params: Json) -> str:
    """The text of the last message to the model, as far as there is one."""
    messages = params.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else None
    content = last.get("content") if isinstance(last, dict) else None
    blocks = content if isinstance(content, list) else [content]
    return "\n".join(str(block["text"]) for block in blocks if isinstance(block, dict) and "text" in block)


# approval


def approved(what: Json, asks: bool, question: str) -> Script[bool]:
    """Whether a call may be sent, or a model's answer given: by rule, or by the person who is asked."""
    if not asks:
        yield Note("approved", {**what, "by": "rule"}, "host", "host")
        return True
    kind = "approval" if what["method"] == "tools/call" else "sampling"
    about = {"about": what["about"]} if "about" in what else {}
    yield Note("asked-user", {**about, "kind": kind}, receiver="person")
    reply: Reply = yield AskPerson("approval", question)
    event = "approved" if reply.action == "accept" else "declined"
    yield Note(event, {**what, "by": "user", "seconds": reply.seconds}, "person", "host")
    return reply.action == "accept"
