"""Results as their era wants them. 2026-07-28 names the kind of a result, how long it stays fresh, and the server."""

from ._messages import Message
from ._revisions import Peer, known
from ._scenario import Scenario

SERVER_INFO = "io.modelcontextprotocol/serverInfo"

_NO_HINT = {"ttlMs": 0, "cacheScope": "private"}

# the methods whose results a client may keep, and what a scenario's table `cache` calls them
_KEPT = {
    "server/discover": "discover", "tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources",
    "resources/templates/list": "templates", "resources/read": "read",
}  # fmt: skip


def stamped(scenario: Scenario, peer: Peer, method: str, body: Message, kind: str = "complete") -> Message:
    """A result for this peer; its members stand in the order in which the specification lists them."""
    if not peer.stateless:
        return body
    own = {name: value for name, value in body.items() if name != "_meta"}
    meta = {**body.get("_meta", {}), SERVER_INFO: server_info(scenario, peer.revision)}
    hint = _hint(scenario, method) if kind == "complete" else {}
    return {"resultType": kind, **own, **hint, "_meta": meta}


def server_info(scenario: Scenario, revision: str) -> Message:
    """`serverInfo` as the revision knows it."""
    return known("server", scenario.server, revision)


def _hint(scenario: Scenario, method: str) -> Message:
    if method not in _KEPT:
        return {}
    hint: Message = scenario.cache.get(_KEPT[method], scenario.cache.get("default", _NO_HINT))
    return {name: hint[name] for name in ("ttlMs", "cacheScope")}
