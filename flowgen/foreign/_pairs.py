"""Which answer belongs to which request, as far as marks on the messages need it: what has no partner, or two.

Works message by message and forgets what was answered long ago, so that a log of any length fits.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from flowgen.wire import id_key, loose_key

from ._parts import Row, problem

_REMEMBERED = 10_000  # answered requests of which a second answer is still told
_SAME = 50  # open requests with the same id that an answer may still be meant for
_LISTEN = "subscriptions/listen"
_REFUSED = 400
_SENTENCES = {
    "unanswered": "No answer came until the end.",
    "unknown-id": "No request of the other side has this id.",
    "duplicate-response": "The request was answered before.",
    "duplicate-id": "The same sender has an open request with this id.",
    "id-type-changed": "The id came back with another JSON type.",
    "http-error": "Came with a status of 400 or above.",
}

Key = tuple[str, Any]  # who asked, and the id whatever its type


class _Asked(NamedTuple):
    seq: int
    id: Any
    method: str
    exchange: int | None


@dataclass(slots=True)
class _Talk:
    """Two participants: the requests that are open, by who asked and the id whatever its type, and those answered."""

    open: dict[Key, list[_Asked]] = field(default_factory=dict)
    answered: dict[Key, None] = field(default_factory=dict)


class Pairs:
    """The requests of all participants."""

    def __init__(self) -> None:
        self._talks: dict[frozenset[str], _Talk] = {}
        self._of_exchange: dict[Any, list[tuple[_Talk, Key]]] = {}
        self._lost: list[_Asked] = []

    def take(self, row: Row) -> None:
        """Takes the next message, and marks it."""
        refused = (row.get("http") or {}).get("status", 0) >= _REFUSED
        if refused:
            _mark(row, "http-error")
        body = row.get("body") if isinstance(row.get("body"), dict) else row.get("head")
        if row["kind"] == "request":
            self._ask(row, body or {})
        elif row["kind"] in ("response", "error"):
            self._answer(row, body or {})
        if refused:
            self._settle(row.get("exchange"))

    def finish(self) -> dict[str, list[Row]]:
        """The problems that only the end tells, by the numbers of their messages."""
        left = [asked for talk in self._talks.values() for several in talk.open.values() for asked in several]
        open_ = sorted(asked.seq for asked in left + self._lost if asked.method != _LISTEN)
        return {str(seq): [problem("unanswered", _SENTENCES["unanswered"])] for seq in open_}

    def _ask(self, row: Row, body: Row) -> None:
        exchange, method = row.get("exchange"), str(body.get("method"))
        talk, key = self._talk(row), (row["sender"], loose_key(body.get("id")))
        if method == "initialize" and exchange is None:
            self._begin_anew(talk)
        asked = _Asked(row["seq"], body.get("id"), method, exchange)
        several = talk.open.setdefault(key, [])
        if any(id_key(other.id) == id_key(asked.id) for other in several):
            _mark(row, "duplicate-id")
        several.append(asked)
        self._lost += [several.pop(0)] if len(several) > _SAME else []
        if exchange is not None:
            self._of_exchange.setdefault(exchange, []).append((talk, key))

    def _talk(self, row: Row) -> _Talk:
        return self._talks.setdefault(frozenset((row["sender"], row["receiver"])), _Talk())

    def _begin_anew(self, talk: _Talk) -> None:
        """A process that is greeted again is another one: what the last one owes will not come."""
        self._lost += [asked for several in talk.open.values() for asked in several]
        talk.open, talk.answered = {}, {}

    def _answer(self, row: Row, body: Row) -> None:
        if body.get("id") is None and self._settle(row.get("exchange")):
            return
        talk, key = self._talk(row), (row["receiver"], loose_key(body.get("id")))
        several = talk.open.get(key)
        if not several:
            _mark(row, "duplicate-response" if key in talk.answered else "unknown-id")
            return
        asked = _meant(several, row, body)
        if id_key(asked.id) != id_key(body.get("id")):
            _mark(row, "id-type-changed")
        several.remove(asked)
        if not several:
            del talk.open[key]
        self._of_exchange.pop(asked.exchange, None)
        talk.answered[key] = None
        if len(talk.answered) > _REMEMBERED:
            del talk.answered[next(iter(talk.answered))]

    def _settle(self, exchange: Any) -> bool:
        """An HTTP exchange that was answered as a whole: its requests wait no longer. Whether there were any."""
        found = self._of_exchange.pop(exchange, [])
        for talk, key in found:
            left = [asked for asked in talk.open.pop(key, []) if asked.exchange != exchange]
            if left:
                talk.open[key] = left
        return bool(found)


def _meant(several: list[_Asked], row: Row, body: Row) -> _Asked:
    """Of the requests with an id, the one with its very type, and of the same exchange if there is one."""
    same = [asked for asked in several if id_key(asked.id) == id_key(body.get("id"))]
    near = [asked for asked in same if asked.exchange == row.get("exchange")]
    return (near or same or several)[0]


def _mark(row: Row, code: str) -> None:
    if all(each["code"] != code for each in row.setdefault("problems", [])):
        row["problems"].append(problem(code, _SENTENCES[code]))
