"""The revisions of MCP that flowgen speaks, which era each belongs to, and what a client of each declares.

Source: the specification's changelogs and `lifecycle` pages. The newest of an era stands last.
"""

from typing import Any

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS = ("2026-07-28",)
REVISIONS = HANDSHAKE + STATELESS

_SERVED: dict[str, Any] = {"sampling": {}, "roots": {}}
_DECLARED: dict[str, dict[str, Any]] = {
    "2024-11-05": _SERVED,
    "2025-03-26": _SERVED,
    "2025-06-18": {"elicitation": {}, **_SERVED},
}
_NEWEST: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, **_SERVED}


def declared_by_default(revision: str) -> dict[str, Any]:
    """The client's capabilities in a revision: all that it knows of elicitation, sampling and roots."""
    return _DECLARED.get(revision, _NEWEST)


def newest_common(offered: Any, ours: tuple[str, ...]) -> str | None:
    """The newest of our revisions that the other side names; None when it names none, or no list at all."""
    if not isinstance(offered, list):
        return None
    return next((revision for revision in reversed(ours) if revision in offered), None)
