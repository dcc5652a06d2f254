"""Rules of capabilities: nothing is used that the other side did not declare, in its era."""

from collections.abc import Iterator

from ._hits import Hit, once, rule
from ._message import PREFIX, Json, Seen, obj, text
from ._oauth_story import story
from ._session import Session
from ._versions import is_key

TASKS = f"{PREFIX}tasks"
_OF_SERVER = {"tools/": "tools", "resources/": "resources", "prompts/": "prompts", "completion/": "completions",
              "logging/": "logging"}  # fmt: skip
_OF_CLIENT = {"sampling/createMessage": "sampling", "roots/list": "roots", "elicitation/create": "elicitation"}
_CHANGED = "/list_changed"
_LISTS = {"tools": ("tools/list",), "prompts": ("prompts/list",),
          "resources": ("resources/list", "resources/templates/list")}  # fmt: skip
_USES = {"tools": "tools/call", "prompts": "prompts/get", "resources": "resources/read"}


@rule
def server_capability_undeclared(session: Session) -> Iterator[Hit]:
    for seen in session.requests():
        name = next((name for start, name in _OF_SERVER.items() if (seen.method or "").startswith(start)), None)
        declared = session.declared_by_server(seen)
        since = name != "completions" or (seen.revision or "") >= "2025-03-26"
        if seen.side == "client" and name and since and declared is not None and name not in declared:
            yield Hit(seen, f"{seen.method}, but the server did not declare {name}")


@rule
def client_capability_undeclared(session: Session) -> Iterator[Hit]:
    for seen, declared in _questions(session):
        if (name := _OF_CLIENT[seen.method or ""]) not in declared:
            yield Hit(seen, f"{seen.method}, but the client did not declare {name}")


@rule
def elicitation_mode_undeclared(session: Session) -> Iterator[Hit]:
    for seen, declared in _questions(session):
        mode = elicitation_mode(seen.params)
        if seen.method == "elicitation/create" and "elicitation" in declared and not may_elicit(declared, mode):
            yield Hit(seen, f"mode {mode}, which the client did not declare")


@rule
def sampling_tools_undeclared(session: Session) -> Iterator[Hit]:
    for seen, declared in _questions(session):
        if seen.method == "sampling/createMessage" and _offers_tools(seen.params, declared):
            yield Hit(seen, "tools for the model, but the client did not declare sampling.tools")
    for seen in session.results():
        declared = (session.declared_by_client(seen.request) if seen.request else None) or {}
        for question in obj(obj(seen.result).get("inputRequests")).values():
            sampling = obj(question).get("method") == "sampling/createMessage"
            if sampling and "sampling" in declared and _offers_tools(obj(obj(question).get("params")), declared):
                yield Hit(seen, "tools for the model, but the client did not declare sampling.tools")


@rule
def list_changed_undeclared(session: Session) -> Iterator[Hit]:
    for seen, kind in _changes(session):
        declared = session.declared_by_server(seen)
        if declared is not None and obj(declared.get(kind)).get("listChanged") is not True:
            yield Hit(seen, f"{seen.method}, but the server did not declare {kind}.listChanged")


@rule
def list_changed_not_followed(session: Session) -> Iterator[Hit]:
    for kind, changed in {kind: seen for seen, kind in _changes(session)}.items():
        lists = [seen.at for seen in session.requests(*_LISTS[kind])]
        used = next((seen for seen in session.requests(_USES[kind]) if seen.at > changed.at), None)
        if used and lists and lists[0] < changed.at and not any(changed.at < at for at in lists):
            yield Hit(changed, f"{used.method} follows, {_LISTS[kind][0]} does not")


@rule
def resource_subscribe_undeclared(session: Session) -> Iterator[Hit]:
    for seen in session.requests("resources/subscribe"):
        declared = session.declared_by_server(seen)
        if declared is not None and "resources" in declared and obj(declared["resources"]).get("subscribe") is not True:
            yield Hit(seen, "resources/subscribe, but the server did not declare resources.subscribe")


@rule
def resource_updated_unsubscribed(session: Session) -> Iterator[Hit]:
    subscribed = set[str]()
    for seen in session.json_rpc:
        uri = text(seen.params.get("uri"))
        if uri and seen.method == "resources/subscribe" and not (seen.answer and seen.answer.kind == "error"):
            subscribed.add(uri)
        elif uri and seen.method == "resources/unsubscribe" and seen.kind == "request":
            subscribed.discard(uri)
        elif uri and seen.method == "notifications/resources/updated" and not _is_part(uri, subscribed):
            yield Hit(seen, f"{uri[:80]} is not subscribed to")


@rule
def extension_undeclared(session: Session) -> Iterator[Hit]:
    for seen in session.json_rpc:
        if not _is_of_tasks(seen):
            continue
        offers, takes = session.declared_by_server(seen), _asker(seen, session)
        if offers is not None and not has_extension(offers):
            yield Hit(seen, f"{_what(seen)}, but the server did not declare {TASKS}")
        elif takes is not None and seen.kind != "response" and not has_extension(takes):
            yield Hit(seen, f"{_what(seen)}, but the client did not declare {TASKS}")


@rule
def extension_id_syntax(session: Session) -> Iterator[Hit]:
    told = set[str]()
    for seen in session.json_rpc:
        declared = obj(obj(seen.result).get("capabilities")) if seen.kind == "response" else None
        declared = session.declared_by_client(seen) if seen.kind == "request" else declared
        for name in obj((declared or {}).get("extensions")):
            if not is_key(name, prefixed=True) and name not in told:
                told.add(name)
                yield Hit(seen, f"an extension is called {name[:60]!r}")


@rule
def deprecated_feature(session: Session) -> Iterator[Hit]:
    asked = [(seen, str(obj(question).get("method")), obj(obj(question).get("params"))) for seen in session.results()
             for question in obj(obj(seen.result).get("inputRequests")).values()]  # fmt: skip
    yield from once(Hit(seen, "roots/list is deprecated") for seen, method, _ in asked if method == "roots/list")
    yield from once(Hit(seen, "sampling is deprecated") for seen, method, _ in asked if method.startswith("sampling/"))
    yield from once(Hit(seen, "logging is deprecated") for seen in session.requests()
                    if f"{PREFIX}logLevel" in seen.meta)  # fmt: skip
    yield from once(Hit(seen, f"includeContext {params['includeContext']} is deprecated") for seen, _, params in asked
                    if params.get("includeContext") in ("thisServer", "allServers"))  # fmt: skip
    yield from once(Hit(act.seen, "dynamic client registration is deprecated", by="client")
                    for act in story(session).of("registration"))  # fmt: skip
    yield from once(Hit(seen, "HTTP+SSE is deprecated") for seen in session.messages
                    if seen.message.sse and seen.message.sse.event == "endpoint")  # fmt: skip


def elicitation_mode(params: Json) -> str:
    """`form` where no mode is named."""
    mode = params.get("mode")
    return mode if isinstance(mode, str) else "form"


def may_elicit(declared: Json, mode: str) -> bool:
    """Whether a client takes questions in a mode; who names none takes forms."""
    modes = obj(declared.get("elicitation"))
    return "elicitation" in declared and (mode in modes or (mode == "form" and "url" not in modes))


def has_extension(declared: Json, name: str = TASKS) -> bool:
    """Whether an extension is declared."""
    return name in obj(declared.get("extensions"))


def _questions(session: Session) -> Iterator[tuple[Seen, Json]]:
    """What a server of the handshake era asks the client, with what that one declared."""
    for seen in session.requests(*_OF_CLIENT):
        declared = session.declared_by_client(seen)
        if seen.side == "server" and seen.era == "handshake" and declared is not None:
            yield seen, declared


def _offers_tools(params: Json, declared: Json) -> bool:
    asks = "tools" in params or "toolChoice" in params
    return asks and "sampling" in declared and "tools" not in obj(declared["sampling"])


def _changes(session: Session) -> Iterator[tuple[Seen, str]]:
    for kind in _LISTS:
        yield from ((seen, kind) for seen in session.told(f"notifications/{kind}{_CHANGED}") if seen.side == "server")


def _is_part(uri: str, subscribed: set[str]) -> bool:
    """An update may be about something inside of what is subscribed to."""
    return uri in subscribed or any(uri.startswith(each) for each in subscribed)


def _is_of_tasks(seen: Seen) -> bool:
    if seen.kind == "response":
        return obj(seen.result).get("resultType") == "task"
    return seen.kind in ("request", "notification") and (seen.method or "").startswith(
        ("tasks/", "notifications/tasks")
    )


def _asker(seen: Seen, session: Session) -> Json | None:
    request = seen if seen.kind == "request" else seen.request or seen.about
    return session.declared_by_client(request) if request else None


def _what(seen: Seen) -> str:
    return "a task as the result" if seen.kind == "response" else str(seen.method)


