"""Rules of subscriptions/listen and of what comes on a subscription."""

from collections.abc import Hashable, Iterator

from flowgen.wire import id_key, loose_key

from ._hits import Hit, rule
from ._message import LISTEN, PREFIX, Json, Seen, items, obj
from ._session import Session

_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
_ID = f"{PREFIX}subscriptionId"
_KINDS = {"notifications/tools/list_changed": "toolsListChanged",
          "notifications/prompts/list_changed": "promptsListChanged",
          "notifications/resources/list_changed": "resourcesListChanged"}  # fmt: skip
_UPDATED, _TASKS = "notifications/resources/updated", "notifications/tasks"
_CHANGES = (*_KINDS, _UPDATED)
_FOREIGN = ("notifications/progress", "notifications/message")


@rule
def listen_ack_not_first(session: Session) -> Iterator[Hit]:
    begun = set[int]()
    for seen, listen in _delivered(session):
        if listen.at not in begun and seen.method != _ACKNOWLEDGED:
            yield Hit(seen, f"{seen.method} comes before the subscription was acknowledged")
        begun.add(listen.at)


@rule
def listen_ack_widened(session: Session) -> Iterator[Hit]:
    for seen, listen in _delivered(session):
        if seen.method == _ACKNOWLEDGED:
            more = _more(obj(listen.params.get("notifications")), obj(seen.params.get("notifications")))
            if more:
                yield Hit(seen, f"{more[:80]} is acknowledged, and was not asked for")


@rule
def listen_kind_unrequested(session: Session) -> Iterator[Hit]:
    for seen, listen in _delivered(session):
        asked = obj(listen.params.get("notifications"))
        if not _is_asked(seen, asked):
            about = f" of {str(seen.params.get('uri'))[:80]}" if seen.method == _UPDATED else ""
            yield Hit(seen, f"{seen.method}{about} was not asked for")


@rule
def listen_subscription_id(session: Session) -> Iterator[Hit]:
    open_: dict[Hashable, Seen] = {}
    for seen in session.json_rpc:
        if seen.kind == "request" and seen.method == LISTEN:
            open_[loose_key(seen.id)] = seen
        elif _is_change(seen) and open_ and (fault := _id_fault(seen, open_)):
            yield Hit(seen, f"{seen.method}: {fault}")


@rule
def listen_foreign_message(session: Session) -> Iterator[Hit]:
    for seen in session.told(*_FOREIGN):
        log_over_http = seen.method == "notifications/message" and seen.message.transport != "stdio"
        if seen.about and seen.about.method == LISTEN and not log_over_http:
            yield Hit(seen, f"{seen.method} on a subscription")


@rule
def change_without_listen(session: Session) -> Iterator[Hit]:
    begun = False
    for seen in session.json_rpc:
        begun = begun or (seen.kind == "request" and seen.method == LISTEN)
        elsewhere = seen.about is not None and seen.about.method != LISTEN
        if seen.kind == "notification" and seen.method in _CHANGES and seen.side == "server" and (
            not begun or elsewhere
        ):  # fmt: skip
            yield Hit(seen, f"{seen.method} without a subscription")


@rule
def listen_end_unclean(session: Session) -> Iterator[Hit]:
    for seen in session.requests(LISTEN):
        end = seen.ended_by or seen.stream_end
        by_server = end is not None and end.event == "stream-closed" and obj(end.message.body).get("by") == "server"
        if by_server and seen.answer is None:
            yield Hit(seen, "its stream was closed without a result")


def _delivered(session: Session) -> Iterator[tuple[Seen, Seen]]:
    """What came on a subscription, with the request for it."""
    for seen in session.told():
        if seen.about and seen.about.method == LISTEN and seen.side == "server":
            yield seen, seen.about


def _is_change(seen: Seen) -> bool:
    named = seen.method in (*_CHANGES, _ACKNOWLEDGED, _TASKS)
    return seen.kind == "notification" and seen.era == "stateless" and seen.side == "server" and named


def _id_fault(seen: Seen, open_: dict[Hashable, Seen]) -> str | None:
    """What is wrong with the subscription id of a change, or of an acknowledgement."""
    elsewhere = seen.about is not None and seen.about.method != LISTEN
    if elsewhere:
        return None
    if _ID not in seen.meta:
        return "no subscription id"
    told = seen.meta[_ID]
    listen = open_.get(loose_key(told))
    if listen is None:
        return f"no subscription has the id {str(told)[:40]!r}"
    return None if listen.key == id_key(told) else f"the id of the subscription is {listen.id!r}, not {told!r}"


def _more(asked: Json, given: Json) -> str | None:
    """What an acknowledged filter has that was not asked for."""
    for name, value in given.items():
        if isinstance(value, list):
            strange = [each for each in value if each not in items(asked.get(name))]
            if strange:
                return f"{name} {strange[0]}"
        elif value is True and asked.get(name) is not True:
            return name
    return None


def _is_asked(seen: Seen, asked: Json) -> bool:
    if seen.method in _KINDS:
        return asked.get(_KINDS[seen.method]) is True
    if seen.method == _UPDATED:
        uri = seen.params.get("uri")
        return any(isinstance(uri, str) and isinstance(each, str) and uri.startswith(each)
                   for each in items(asked.get("resourceSubscriptions")))  # fmt: skip
    return seen.method != _TASKS or seen.params.get("taskId") in items(asked.get("taskIds"))
