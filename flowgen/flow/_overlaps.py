"""Requests that wait at the same time: sent by one to another before an earlier one had its answer."""

from collections.abc import Sequence

from ._draft import LISTEN, Draft


def find_overlaps(made: Sequence[Draft]) -> None:
    """Fills `overlaps`. A request counts until it is answered or cancelled; one that never is, and a subscription,
    would overlap all that follows and says nothing.
    """
    longest: dict[tuple[str, str], tuple[int, Draft]] = {}
    for draft in made:
        end = _end(draft)
        if end is None:
            continue
        pair = draft.message.sender, draft.message.receiver
        until, other = longest.get(pair, (-1, draft))
        if draft.at < until:
            draft.overlaps = other.overlaps = True
        if end > until:
            longest[pair] = end, draft


def _end(draft: Draft) -> int | None:
    if draft.kind != "request" or draft.method == LISTEN:
        return None
    return draft.answer if draft.answer is not None else draft.ended_by if draft.state == "cancelled" else None
