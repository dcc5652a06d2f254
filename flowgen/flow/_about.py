"""Which request a message belongs to without answering it: progress, cancellations, what comes on a stream.

By the token, id or stream that the message names, between the same two; nothing is guessed from the order.
"""

from collections.abc import Hashable, Sequence
from typing import Any

from ._draft import LISTEN, Draft
from ._json import key_of
from ._progress import METHOD as PROGRESS

_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


def find_requests(made: Sequence[Draft]) -> None:
    """Fills `about`, for drafts whose exchanges are known. What tasks are about is told by `_tasks`."""
    by_token: dict[Hashable, int] = {}
    listens: dict[Hashable, int] = {}
    streams: dict[int, int] = {}
    for draft in made:
        message = draft.message
        if draft.kind == "request":
            _remember(draft, by_token, listens)
        if message.exchange is not None:
            opener = streams.setdefault(message.exchange, draft.at)
            if draft.kind in ("request", "notification") and opener != draft.at and made[opener].kind == "request":
                draft.about = opener
        if draft.kind == "notification":
            _told(draft, by_token, listens)
    for draft in made:
        if draft.state == "cancelled" and draft.ended_by is not None:
            _about(made[draft.ended_by], draft.at)


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
