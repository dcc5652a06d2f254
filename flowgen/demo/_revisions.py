"""What the five revisions of the protocol know: members, contents and client capabilities, each since its revision.

A scenario is written once, with everything; whatever the spoken revision does not know is left out here.
"""

from typing import Any, NamedTuple

STATELESS = "2026-07-28"
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS)
BATCHES = "2025-03-26"  # the only revision with JSON-RPC batches
WITH_TASKS = "2025-11-25"  # the only revision whose core has tasks
TASKS = "io.modelcontextprotocol/tasks"  # the extension that has them since

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")

Members = dict[str, Any]

# members that came later than 2024-11-05, by the thing they belong to
_SINCE = {
    "server":       {"title": "2025-06-18", "description": "2025-11-25", "websiteUrl": "2025-11-25",
                     "icons": "2025-11-25"},
    "capabilities": {"completions": "2025-03-26", "tasks": "2025-11-25", "extensions": STATELESS},
    "tools":        {"annotations": "2025-03-26", "title": "2025-06-18", "outputSchema": "2025-06-18",
                     "_meta": "2025-06-18", "icons": "2025-11-25", "execution": WITH_TASKS},
    "prompts":      {"title": "2025-06-18", "_meta": "2025-06-18", "icons": "2025-11-25"},
    "argument":     {"title": "2025-06-18"},
    "resources":    {"title": "2025-06-18", "_meta": "2025-06-18", "icons": "2025-11-25"},
    "templates":    {"title": "2025-06-18", "_meta": "2025-06-18", "icons": "2025-11-25"},
    "content":      {"_meta": "2025-06-18", "title": "2025-06-18", "icons": "2025-11-25"},
    "result":       {"structuredContent": "2025-06-18"},
    "progress":     {"message": "2025-03-26"},
}  # fmt: skip

_UNTIL = {"capabilities": {"tasks": WITH_TASKS}, "tools": {"execution": WITH_TASKS}}

_CONTENT_SINCE = {"audio": "2025-03-26", "resource_link": "2025-06-18"}

_ASKED_SINCE = {"elicitation": "2025-06-18"}


class Peer(NamedTuple):
    """Who is spoken with: its revision, and what it declared there. `level` is the log level it asked for."""

    revision: str
    capabilities: Members
    client: Members
    level: str | None = None

    @property
    def stateless(self) -> bool:
        """Of the stateless era; else of the handshake era."""
        return self.revision == STATELESS


def known(thing: str, members: Members, revision: str) -> Members:
    """The members that the revision knows of, in their order."""
    since, until = _SINCE[thing], _UNTIL.get(thing, {})
    return {
        name: value for name, value in members.items()
        if since.get(name, "") <= revision <= until.get(name, STATELESS)
    }  # fmt: skip


def known_tool(definition: Members, revision: str) -> Members:
    """A tool as the revision lists it. Only 2026-07-28 takes outputs that are no objects."""
    tool = known("tools", definition, revision)
    output = tool.get("outputSchema")
    if output is not None and revision != STATELESS and output.get("type") != "object":
        del tool["outputSchema"]
    return tool


def known_prompt(definition: Members, revision: str) -> Members:
    """A prompt as the revision lists it, its arguments likewise."""
    prompt = known("prompts", definition, revision)
    if "arguments" in prompt:
        prompt["arguments"] = [known("argument", part, revision) for part in prompt["arguments"]]
    return prompt


def known_content(block: Members, revision: str) -> Members:
    """A content block; a kind that the revision lacks becomes a text that says what was there."""
    kind = block.get("type", "text")
    if revision >= _CONTENT_SINCE.get(kind, ""):
        return known("content", block, revision)
    return {"type": "text", "text": str(block.get("uri") or f"({kind}, {block.get('mimeType', 'no type')})")}


def known_structure(result: Members, revision: str) -> Members:
    """A tool's result; structured content has to be an object up to 2025-11-25."""
    kept = known("result", result, revision)
    if revision != STATELESS and not isinstance(kept.get("structuredContent", {}), dict):
        del kept["structuredContent"]
    return kept


# Questions to the client's side --------------------------------------------------------------------------------


def needed(method: str, params: Members) -> Members:
    """The client capability that a question needs, as `data.requiredCapabilities` names it."""
    match method:
        case "elicitation/create":
            return {"elicitation": {params.get("mode", "form"): {}}}
        case "sampling/createMessage":
            return {"sampling": {"tools": {}} if "tools" in params or "toolChoice" in params else {}}
    return {"roots": {}}


def declared(need: Members, peer: Peer) -> bool:
    """Whether the client declared it, in a revision that has it. `elicitation: {}` means forms."""
    ((name, parts),) = need.items()
    has = peer.capabilities.get(name)
    if not isinstance(has, dict) or peer.revision < _ASKED_SINCE.get(name, ""):
        return False
    if parts == {"form": {}}:
        return peer.revision < "2025-11-25" or "form" in has or not has
    return peer.revision >= "2025-11-25" and all(part in has for part in parts) if parts else True


def question(method: str, params: Members, peer: Peer, number: int) -> Members | None:
    """The params of a question as the revision has them; None where it needs none.

    Up to 2025-06-18 a form has no mode, and in 2025-11-25 a page to open has an id.
    """
    if not params:
        return None
    if method != "elicitation/create":
        return params
    if peer.revision < "2025-11-25":
        return {name: value for name, value in params.items() if name != "mode"}
    if params.get("mode") != "url":
        return params
    ids = {} if peer.stateless else {"elicitationId": params.get("elicitationId", f"elicitation-{number}")}
    return {**{name: value for name, value in params.items() if name != "elicitationId"}, **ids}
