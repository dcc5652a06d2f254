"""The methods: what each answers at once, and which item a call, a read or a get is about."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._answers import no_resource
from ._eras import level_of
from ._messages import PARAMS, Message, Refusal
from ._revisions import STATELESS, Peer
from ._scenario import Item
from ._schema import faults, place, with_defaults
from ._stamps import server_info, stamped
from ._steps import Step
from ._tasks import ANSWERS
from ._values import Values, fits

if TYPE_CHECKING:
    from ._server import Server

MOST_VALUES = 100  # of a completion

Answer = Callable[["Server", Message, Peer], Message]


def answer(server: "Server", method: str, params: Message, peer: Peer) -> Message:
    """The result of a method that is answered at once, stamped for its era."""
    return stamped(server.scenario, peer, method, _ANSWERS[method](server, params, peer))


def item_of(server: "Server", method: str, params: Message, peer: Peer) -> tuple[Item, Values] | None:
    """The item that a call is about and the values it begins with; None for methods that name none."""
    match method:
        case "tools/call":
            return _tool(server, params, peer)
        case "prompts/get":
            return _prompt(server, params)
        case "resources/read":
            return _resource(server, params, peer)
    return None


def honoured(server: "Server", params: Message) -> Message:
    """Of what a listen asks for, that which the server announces at all."""
    asked = params.get("notifications")
    if not isinstance(asked, dict):
        raise Refusal(PARAMS, "Invalid params: notifications is no object")
    has = server.capabilities(STATELESS)
    granted: Message = {
        f"{kind}ListChanged": True
        for kind in ("tools", "prompts", "resources")
        if asked.get(f"{kind}ListChanged") is True and has.get(kind, {}).get("listChanged")
    }
    uris = asked.get("resourceSubscriptions")
    if isinstance(uris, list) and has.get("resources", {}).get("subscribe"):
        granted["resourceSubscriptions"] = [uri for uri in uris if _is_resource(server, uri)]
    return granted


# Opening -------------------------------------------------------------------------------------------------------


def _initialize(server: "Server", params: Message, peer: Peer) -> Message:
    server.session = peer
    return {
        "protocolVersion": peer.revision,
        "capabilities": server.capabilities(peer.revision),
        "serverInfo": server_info(server.scenario, peer.revision),
        **_instructions(server),
    }


def _discover(server: "Server", params: Message, peer: Peer) -> Message:
    return {
        "supportedVersions": [STATELESS],
        "capabilities": server.capabilities(peer.revision),
        **_instructions(server),
    }


def _instructions(server: "Server") -> Message:
    return {"instructions": server.scenario.instructions} if server.scenario.instructions else {}


def _nothing(server: "Server", params: Message, peer: Peer) -> Message:
    return {}


def _set_level(server: "Server", params: Message, peer: Peer) -> Message:
    level = level_of(params.get("level"))
    if level is None:
        raise Refusal(PARAMS, "Invalid params: level is missing")
    server.session = peer._replace(level=level)
    return {}


# Lists ---------------------------------------------------------------------------------------------------------


def _lister(kind: str, member: str) -> Answer:
    def listed(server: "Server", params: Message, peer: Peer) -> Message:
        page = server.world.page(kind, peer.revision, params.get("cursor"))
        more = {} if page.next is None else {"nextCursor": page.next}
        return {member: page.items, **more}

    return listed


def _subscribe(server: "Server", params: Message, peer: Peer) -> Message:
    uri = _text(params, "uri")
    if not _is_resource(server, uri):
        raise no_resource(uri, peer.stateless)
    server.subscribed.add(uri)
    return {}


def _unsubscribe(server: "Server", params: Message, peer: Peer) -> Message:
    server.subscribed.discard(_text(params, "uri"))
    return {}


def _is_resource(server: "Server", uri: Any) -> bool:
    return isinstance(uri, str) and server.world.resource(uri) is not None


# Completion ----------------------------------------------------------------------------------------------------


def _complete(server: "Server", params: Message, peer: Peer) -> Message:
    ref, argument, others = params.get("ref"), params.get("argument"), _others(params)
    if not isinstance(ref, dict) or not isinstance(argument, dict) or not isinstance(argument.get("value"), str):
        raise Refusal(PARAMS, "Invalid params: completion/complete needs ref and argument {name, value}")
    names = server.world.argument_names(ref)
    if names is None or argument.get("name") not in names:
        raise Refusal(PARAMS, "Invalid params: no such prompt, template or argument to complete")
    values = _offered(server, ref, argument, others)
    body = {"values": values[:MOST_VALUES], "total": len(values), "hasMore": len(values) > MOST_VALUES}
    return {"completion": body}


def _offered(server: "Server", ref: Message, argument: Message, others: Message) -> list[str]:
    typed = argument["value"].casefold()
    name = ref.get("name") or ref.get("uri")
    for entry in server.scenario.completions:
        if name not in (entry.get("prompt"), entry.get("template")) or entry["argument"] != argument["name"]:
            continue
        if fits(entry.get("when", {}), others):
            return [value for value in entry["values"] if value.casefold().startswith(typed)]
    return []


def _others(params: Message) -> Message:
    context = params.get("context")
    arguments = context.get("arguments") if isinstance(context, dict) else None
    return arguments if isinstance(arguments, dict) else {}


# Items ---------------------------------------------------------------------------------------------------------


def _tool(server: "Server", params: Message, peer: Peer) -> tuple[Item, Values]:
    item = server.world.found("tools", params.get("name"))
    if item is None:
        raise Refusal(PARAMS, f"Unknown tool: {_text(params, 'name')}")
    given = params.get("arguments", {})
    schema = item.definition["inputSchema"]
    for fault in faults(given, schema):
        words = f"Invalid arguments for {item.key}: {place(('arguments', *fault.path))} {fault.message}"
        if peer.revision < "2025-11-25":
            raise Refusal(PARAMS, words)
        return _failing(item, words), {}
    return item, with_defaults(given, schema)


def _failing(item: Item, words: str) -> Item:
    """The tool, answering with its own error: since 2025-11-25 wrong arguments are the model's to mend."""
    return item._replace(steps=(Step("result", {"text": words, "isError": True}, {}, "arguments"),))


def _prompt(server: "Server", params: Message) -> tuple[Item, Values]:
    item = server.world.found("prompts", params.get("name"))
    if item is None:
        raise Refusal(PARAMS, f"Unknown prompt: {_text(params, 'name')}")
    given = params.get("arguments", {})
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise Refusal(PARAMS, "Invalid params: a prompt's arguments are strings")
    for part in item.definition.get("arguments", []):
        if part.get("required") and part["name"] not in given:
            raise Refusal(PARAMS, f"Invalid params: the argument {part['name']} is missing")
    return item, dict(given)


def _resource(server: "Server", params: Message, peer: Peer) -> tuple[Item, Values]:
    uri = _text(params, "uri")
    found = server.world.resource(uri)
    if found is None:
        raise no_resource(uri, peer.stateless)
    return found


def _text(params: Message, name: str) -> str:
    if not isinstance(params.get(name), str):
        raise Refusal(PARAMS, f"Invalid params: {name} is no string")
    return str(params[name])


_ANSWERS: dict[str, Answer] = {
    "initialize": _initialize,
    "server/discover": _discover,
    "ping": _nothing,
    "logging/setLevel": _set_level,
    "tools/list": _lister("tools", "tools"),
    "prompts/list": _lister("prompts", "prompts"),
    "resources/list": _lister("resources", "resources"),
    "resources/templates/list": _lister("templates", "resourceTemplates"),
    "resources/subscribe": _subscribe,
    "resources/unsubscribe": _unsubscribe,
    "completion/complete": _complete,
    **ANSWERS,
}
