"""Rules of progress and of cancelling."""

from collections.abc import Hashable, Iterator

from flowgen.wire import id_key

from ._hits import Hit, rule
from ._message import LISTEN, Seen, obj, whole_number
from ._session import Session

_PROGRESS, _CANCELLED = "notifications/progress", "notifications/cancelled"
_CROSSING = 1.0  # seconds in which what comes may have been sent before the cancellation was read


@rule
def progress_token_invalid(session: Session) -> Iterator[Hit]:
    active: dict[Hashable, Seen] = {}
    for seen in session.requests():
        if "progressToken" not in seen.meta:
            continue
        token = seen.meta["progressToken"]
        if not isinstance(token, str) and whole_number(token) is None:
            yield Hit(seen, f"the progress token of {seen.method} is {str(token)[:40]}")
            continue
        before = active.get((seen.side, id_key(token)))
        if before and not (_over(before) and _over(before) < seen.at) and before.params != seen.params:
            yield Hit(seen, f"the progress token {str(token)[:40]} is still that of {before.method}")
        active[seen.side, id_key(token)] = seen


@rule
def progress_token_unknown(session: Session) -> Iterator[Hit]:
    for seen in session.told(_PROGRESS):
        if seen.about is None and "progressToken" in seen.params:
            yield Hit(seen, f"no request has the progress token {str(seen.params['progressToken'])[:40]}")


@rule
def progress_after_end(session: Session) -> Iterator[Hit]:
    for seen in session.told(_PROGRESS):
        about = seen.about
        over = about is not None and about.answered and about.answer is not None and about.answer.at < seen.at
        if about and over and not _is_task(about):
            yield Hit(seen, f"{about.method} was answered before")


@rule
def progress_not_increasing(session: Session) -> Iterator[Hit]:
    last: dict[int, float] = {}
    for seen in session.told(_PROGRESS):
        value = seen.params.get("progress")
        if seen.about is None or isinstance(value, bool) or not isinstance(value, int | float):
            continue
        before = last.get(seen.about.at)
        if before is not None and value <= before:
            yield Hit(seen, f"progress {value:.6g} after {before:.6g}")
        last[seen.about.at] = value


@rule
def cancel_unknown_request(session: Session) -> Iterator[Hit]:
    for seen, asked in _cancellations(session):
        if seen.era == "stateless" and seen.side == "server":
            continue
        if asked is None:
            yield Hit(seen, f"no request of the {seen.side} has the id {str(seen.params['requestId'])[:40]}")
        elif asked.answered and _over(asked) < seen.at:
            yield Hit(seen, f"{asked.method} was answered before", "warning")


@rule
def cancel_initialize(session: Session) -> Iterator[Hit]:
    for seen, asked in _cancellations(session):
        if asked and asked.method == "initialize":
            yield Hit(seen, "initialize is cancelled")


@rule
def cancel_task(session: Session) -> Iterator[Hit]:
    for seen, asked in _cancellations(session):
        if asked and isinstance(asked.params.get("task"), dict):
            yield Hit(seen, f"{asked.method}, which runs as a task, is ended by {_CANCELLED}")


@rule
def cancel_by_server(session: Session) -> Iterator[Hit]:
    listens = {seen.key for seen in session.requests(LISTEN)}
    for seen in session.told(_CANCELLED):
        if seen.side == "server" and "requestId" in seen.params and id_key(seen.params["requestId"]) not in listens:
            yield Hit(seen, f"the server cancels {str(seen.params['requestId'])[:40]}, which is no subscription")


@rule
def cancel_on_http(session: Session) -> Iterator[Hit]:
    for seen in session.told(_CANCELLED):
        if seen.side == "client":
            yield Hit(seen, f"{_CANCELLED} is sent instead of closing the stream")


@rule
def message_after_cancel(session: Session) -> Iterator[Hit]:
    for seen in session.json_rpc:
        asked = seen.request or (seen.about if seen.kind == "notification" and seen.method != _CANCELLED else None)
        end = asked.ended_by if asked and asked.state == "cancelled" else None
        if asked and end and seen.side != asked.side and end.at < seen.at and not _crosses(end, seen):
            yield Hit(seen, f"{asked.method} was cancelled before", None if seen.era == "stateless" else "warning")


def _over(request: Seen) -> int:
    """Where nobody waited any more for the answer to a request; 0 where somebody does."""
    end = request.answer or request.ended_by
    return end.at if end else 0


def _is_task(request: Seen) -> bool:
    result = obj(request.answer.result) if request.answer else {}
    return isinstance(result.get("task"), dict) or result.get("resultType") == "task"


def _crosses(end: Seen, seen: Seen) -> bool:
    """Whether a message may have been on its way when its request was cancelled; where no times are known, it may."""
    at, cancelled = seen.message.at, end.message.at
    return at is None or cancelled is None or at - cancelled < _CROSSING


def _cancellations(session: Session) -> Iterator[tuple[Seen, Seen | None]]:
    """Each cancellation that names a request, with it: the sender's own."""
    own: dict[Hashable, Seen] = {}
    for seen in session.json_rpc:
        if seen.kind == "request":
            own[seen.side, seen.part, seen.key] = seen
        elif seen.kind == "notification" and seen.method == _CANCELLED and "requestId" in seen.params:
            yield seen, own.get((seen.side, seen.part, id_key(seen.params["requestId"])))
