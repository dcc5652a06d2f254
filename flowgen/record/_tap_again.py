"""Lines that differ from an earlier one in their id alone: what was found out about that one holds for them, too.

So a session of a hundred thousand calls is written down as fast as it goes on. Only what was plain is remembered:
no problem, nothing masked, the bytes as our own JSON would have them.
"""

import re
from collections import OrderedDict
from typing import NamedTuple

from flowgen.trace import line

from ._pairs import Json

_REMEMBERED = 256
_PLAIN = {"seq", "at", "sender", "receiver", "kind", "transport", "body", "problems", "revision"}
_LONGEST = 4096  # bytes of a line
# where an id is surely the message's own: right at the beginning, or the last of all (as the official SDKs write it)
_FIRST = re.compile(rb'\{"jsonrpc":"2\.0","id":(0|[1-9][0-9]{0,14}),')
_LAST = re.compile(rb',"id":(0|[1-9][0-9]{0,14})\}\Z')


class Known(NamedTuple):
    """A message as it was: its kind and body, and the body's text before and after the id."""

    kind: str
    body: Json
    before: bytes
    after: bytes


class Again:
    """The lines of one side that were plain."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, Known] = OrderedDict()
        self._learnt = -1

    def find(self, data: bytes, learnt: int) -> tuple[Known, int] | None:
        """What is known of a line, and its id. `learnt` counts the secrets: with a new one everything is new."""
        if learnt != self._learnt:
            self._known.clear()
            self._learnt = learnt
        place = _place(data)
        known = self._known.get(data[: place[0]] + data[place[1] :]) if place is not None else None
        if known is None or place is None:
            return None
        return known, int(data[place[0] : place[1]])

    def learn(self, data: bytes, message: Json) -> None:
        """A line was written as this message."""
        place = _place(data)
        plain = message.keys() <= _PLAIN and not message["problems"]
        if place is None or not plain or message["kind"] not in ("request", "response"):
            return
        id_ = data[place[0] : place[1]]
        body = line(message["body"])[:-1]
        start = body.find(b'"id": %s' % id_) if place[0] < 30 else len(body) - len(id_) - 1 - len(b'"id": ')
        start += len(b'"id": ')
        if body[start : start + len(id_)] != id_:
            return
        self._known[data[: place[0]] + data[place[1] :]] = Known(
            message["kind"], message["body"], body[:start], body[start + len(id_) :]
        )
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)


def _place(data: bytes) -> tuple[int, int] | None:
    """Where the id of a line stands."""
    if len(data) > _LONGEST:
        return None
    found = _FIRST.match(data) or _LAST.search(data)
    return found.span(1) if found else None
