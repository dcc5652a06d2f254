"""Which revision a request belongs to, and whether it may come now.

A request that names its revision in `_meta` is of the stateless era, whatever came before; one that does not needs a
handshake. A server that speaks both tells the two apart by that alone.
"""

from typing import TYPE_CHECKING, Any

from ._messages import INVALID, PARAMS, UNKNOWN_METHOD, UNSUPPORTED_VERSION, Message, Refusal
from ._revisions import LEVELS, STATELESS, TASKS, Peer

if TYPE_CHECKING:
    from ._server import Server

_PREFIX = "io.modelcontextprotocol/"
VERSION, CLIENT, CAPABILITIES, LEVEL = (
    _PREFIX + name for name in ("protocolVersion", "clientInfo", "clientCapabilities", "logLevel")
)

_BOTH = {
    "tools/list": "tools", "tools/call": "tools",
    "resources/list": "resources", "resources/templates/list": "resources", "resources/read": "resources",
    "prompts/list": "prompts", "prompts/get": "prompts",
    "completion/complete": "completions",
}  # fmt: skip
_STATELESS = {
    **_BOTH, "server/discover": None, "subscriptions/listen": None,
    "tasks/get": TASKS, "tasks/update": TASKS, "tasks/cancel": TASKS,
}  # fmt: skip
_HANDSHAKE = {
    **_BOTH, "initialize": None, "ping": None, "logging/setLevel": "logging",
    "resources/subscribe": "resources", "resources/unsubscribe": "resources",
    "tasks/get": "tasks", "tasks/result": "tasks", "tasks/list": "tasks", "tasks/cancel": "tasks",
}  # fmt: skip


def peer_of(server: "Server", method: str, params: Message) -> Peer:
    """Who asks, and in which revision. Refuses what the revision lacks, and what the server did not declare."""
    meta = params.get("_meta", {})
    named = isinstance(meta, dict) and VERSION in meta
    if method == "initialize" and not (named and server.scenario.stateless):
        return _opening(server, params)
    if server.scenario.stateless and (named or server.session is None):
        peer = _stateless(server, method, meta)
        return peer or Peer("", {}, {})
    return _handshake(server, method)


def _opening(server: "Server", params: Message) -> Peer:
    scenario = server.scenario
    asked = params.get("protocolVersion")
    if not isinstance(asked, str) or not isinstance(params.get("capabilities"), dict):
        raise Refusal(PARAMS, "Invalid params: initialize needs protocolVersion, capabilities and clientInfo")
    if not scenario.handshakes:
        raise _unsupported("This server has no handshake", asked)
    if server.session is not None:
        raise Refusal(INVALID, "Invalid request: the session is already initialized")
    revision = asked if asked in scenario.handshakes else scenario.handshakes[-1]
    return Peer(revision, params["capabilities"], _object(params.get("clientInfo"), "clientInfo"), "info")


def _stateless(server: "Server", method: str, meta: Any) -> Peer | None:
    """The peer that the request describes; None for a ping before any handshake, which may come at any time."""
    if not isinstance(meta, dict) or VERSION not in meta:
        return _undescribed(server, method)
    version = meta[VERSION]
    if not isinstance(version, str):
        raise Refusal(PARAMS, f"Invalid params: _meta {VERSION} is no string")
    if version != STATELESS:
        raise _unsupported("Unsupported protocol version", version)
    _demand(server, method, _STATELESS, STATELESS)
    if CAPABILITIES not in meta:
        raise Refusal(PARAMS, f"Invalid params: _meta {CAPABILITIES} is missing")
    capabilities = _object(meta[CAPABILITIES], CAPABILITIES)
    return Peer(version, capabilities, _object(meta.get(CLIENT, {}), CLIENT), level_of(meta.get(LEVEL)))


def _undescribed(server: "Server", method: str) -> Peer | None:
    """A request without `_meta` on a connection that had no handshake."""
    if method == "ping" and server.scenario.handshakes:
        return None
    if method not in _STATELESS:
        _known_method(method, _HANDSHAKE if server.scenario.handshakes else _STATELESS)
        raise Refusal(INVALID, "Invalid request: initialize comes first")
    raise Refusal(PARAMS, f"Invalid params: _meta {VERSION} is missing")


def _handshake(server: "Server", method: str) -> Peer:
    if server.session is not None:
        _demand(server, method, _HANDSHAKE, server.session.revision)
        return server.session
    _known_method(method, _HANDSHAKE)
    if method != "ping":
        raise Refusal(INVALID, "Invalid request: initialize comes first")
    return Peer("", {}, {})


def _demand(server: "Server", method: str, methods: dict[str, str | None], revision: str) -> None:
    """Refuses a method that the revision lacks, or whose capability the server did not declare in it."""
    _known_method(method, methods)
    capability = methods[method]
    if capability == "completions" and revision == "2024-11-05":
        return  # the capability came later than the method
    has = server.capabilities(revision)
    if capability and capability not in {**has, **has.get("extensions", {})}:
        raise Refusal(UNKNOWN_METHOD, f"Method not found: {method}")
    if method.endswith("subscribe") and not has["resources"].get("subscribe"):
        raise Refusal(UNKNOWN_METHOD, f"Method not found: {method}")


def _known_method(method: str, methods: dict[str, str | None]) -> None:
    if method not in methods:
        raise Refusal(UNKNOWN_METHOD, f"Method not found: {method}")


def _unsupported(words: str, asked: str) -> Refusal:
    return Refusal(UNSUPPORTED_VERSION, words, {"supported": [STATELESS], "requested": asked})


def _object(value: Any, name: str) -> Message:
    if not isinstance(value, dict):
        raise Refusal(PARAMS, f"Invalid params: {name} is no object")
    return value


def level_of(value: Any) -> str | None:
    """A log level that was asked for; refuses a word that is none."""
    if value is not None and value not in LEVELS:
        raise Refusal(PARAMS, f"Invalid params: a log level is one of {', '.join(LEVELS)}")
    return str(value) if value is not None else None
