"""Which request a message belongs to without answering it: progress, cancellations, what comes on a stream.

By the token, id or stream that the message names, between the same two; nothing is guessed from the order.
"""

from collections.abc import Hashable, Sequence
from typing import Any

from flowgen.trace import Message

from ._draft import LISTEN, Draft
from ._json import key_of
from ._progress import METHOD as PROGRESS

_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


def find_requests(made: Sequence[Draft]) -> None:
    """Fills `about`, for drafts whose exchanges are known. What tasks are about is told by `_tasks`."""
    by_token: dict[Hashable, int] = {}
    listens: dict[Hashable, int] = {}
    streams = _Streams(made)
    for draft in made:
        if draft.kind == "request":
            _remember(draft, by_token, listens)
        streams.pass_by(draft)
        if draft.kind == "notification":
            _told(draft, by_token, listens)
    for draft in made:
        if draft.state == "cancelled" and draft.ended_by is not None:
            _about(made[draft.ended_by], draft.at)


def close_subscriptions(made: Sequence[Draft]) -> None:
    """A subscription on which something came before it ended was closed, not given up: it ran its course."""
    for draft in made:
        listen = made[draft.about] if draft.kind == "notification" and draft.about is not None else None
        if listen and listen.method == LISTEN and listen.answer is None and _ends_after(listen, draft, made):
            listen.state = "closed"


def _ends_after(listen: Draft, told: Draft, made: Sequence[Draft]) -> bool:
    """Whether it was ended after that, and not by the end of a process."""
    end = listen.ended_by
    return end is not None and told.at < end and made[end].kind != "process"


class _Streams:
    """The request of each HTTP exchange; a stream that is taken up again is still that of its request."""

    def __init__(self, made: Sequence[Draft]) -> None:
        self.made = made
        self.openers: dict[int, int] = {}
        self.events: dict[tuple[str, str], int] = {}

    def pass_by(self, draft: Draft) -> None:
        """Fills `about` of what the other side sends on the stream of a request, and of the GET that resumes it."""
        message = draft.message
        if message.exchange is None:
            return
        opener = self.openers.setdefault(message.exchange, self._resumed(draft))
        if message.sse and message.sse.id:
            self.events[message.sender, message.sse.id] = opener
        asked = self.made[opener]
        event = draft.kind == "http" and message.transport == "sse"
        sent = event or draft.kind in ("request", "notification")
        sent_back = sent and message.sender != asked.message.sender
        if opener != draft.at and asked.kind == "request" and (sent_back or last_event(message)):
            draft.about = opener

    def _resumed(self, draft: Draft) -> int:
        event = last_event(draft.message)
        return self.events.get((draft.message.receiver, event), draft.at) if event else draft.at


def last_event(message: Message) -> str | None:
    """The event after which a GET takes a stream up again (MCP Streamable HTTP, resumability)."""
    http = message.http
    if message.kind != "http" or http is None or http.method != "GET":
        return None
    return next((value for name, value in http.headers if name.lower() == "last-event-id" and value), None)


def _remember(draft: Draft, by_token: dict[Hashable, int], listens: dict[Hashable, int]) -> None:
    message = draft.message
    token = meta_of(draft.params).get("progressToken")
    if token is not None:
        by_token[message.sender, message.receiver, key_of(token)] = draft.at
    if draft.method == LISTEN and isinstance(draft.body, dict):
        listens[message.sender, message.receiver, key_of(draft.body.get("id"))] = draft.at


def _told(draft: Draft, by_token: dict[Hashable, int], listens: dict[Hashable, int]) -> None:
    message = draft.message
    if draft.method == PROGRESS:
        token = draft.params.get("progressToken")
        _about(draft, by_token.get((message.receiver, message.sender, key_of(token))))
    elif _SUBSCRIPTION in (meta := meta_of(draft.params)):
        _about(draft, listens.get((message.receiver, message.sender, key_of(meta[_SUBSCRIPTION]))))


def _about(draft: Draft, request: int | None) -> None:
    if request is not None and draft.kind == "notification":
        draft.about = request


def meta_of(holder: dict[str, Any]) -> dict[str, Any]:
    """The `_meta` of params or of a result."""
    meta = holder.get("_meta")
    return meta if isinstance(meta, dict) else {}
