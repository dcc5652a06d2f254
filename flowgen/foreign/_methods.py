"""Which side a method is sent by, where the protocol leaves it to one side (all revisions)."""

from typing import Any

_BY_SERVER = {
    "roots/list", "sampling/createMessage", "elicitation/create", "notifications/message",
    "notifications/resources/updated", "notifications/resources/list_changed", "notifications/tools/list_changed",
    "notifications/prompts/list_changed", "notifications/elicitation/complete",
    "notifications/subscriptions/acknowledged",
}  # fmt: skip
_BY_CLIENT = {
    "server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call", "resources/list",
    "resources/read", "resources/templates/list", "resources/subscribe", "resources/unsubscribe", "prompts/list",
    "prompts/get", "completion/complete", "logging/setLevel", "subscriptions/listen",
    "notifications/roots/list_changed",
}  # fmt: skip


def sender_of(method: Any) -> str | None:
    """`client` or `server`; None where both may send it, or it is none that we know."""
    if not isinstance(method, str):
        return None
    return "server" if method in _BY_SERVER else "client" if method in _BY_CLIENT else None
