"""Which answer belongs to which request, as far as marks on the messages need it: what has no partner, or two.

Works message by message and forgets what was answered long ago, so that a log of any length fits.
"""

from typing import Any, NamedTuple

from flowgen.wire import id_key, loose_key

from ._parts import Row, problem

_REMEMBERED = 10_000  # answered requests of which a second answer is still told
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

Key = tuple[Any, ...]  # who asked, whom, and the id whatever its type


class _Asked(NamedTuple):
    seq: int
    id: Any
    method: str
    exchange: int | None


class Pairs:
    """The requests that are open, of all participants."""

    def __init__(self) -> None:
        self._open: dict[Key, list[_Asked]] = {}
        self._answered: dict[Key, None] = {}
        self._of_exchange: dict[Any, list[Key]] = {}
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
        left = [asked for several in self._open.values() for asked in several] + self._lost
        open_ = sorted(asked.seq for asked in left if asked.method != _LISTEN)
        return {str(seq): [problem("unanswered", _SENTENCES["unanswered"])] for seq in open_}

    def _ask(self, row: Row, body: Row) -> None:
        key = (row["sender"], row["receiver"], loose_key(body.get("id")))
        exchange = row.get("exchange")
        if body.get("method") == "initialize" and exchange is None:
            self._begin_anew(row)
        asked = _Asked(row["seq"], body.get("id"), str(body.get("method")), exchange)
        if any(id_key(other.id) == id_key(asked.id) for other in self._open.get(key, ())):
            _mark(row, "duplicate-id")
        self._open.setdefault(key, []).append(asked)
        if exchange is not None:
            self._of_exchange.setdefault(exchange, []).append(key)

    def _begin_anew(self, row: Row) -> None:
        """A process that is greeted again is another one: what the last one owes will not come."""
        ends = {row["sender"], row["receiver"]}
        for key in [key for key in self._open if {key[0], key[1]} == ends]:
            self._lost += self._open.pop(key)
        for key in [key for key in self._answered if {key[0], key[1]} == ends]:
            del self._answered[key]

    def _answer(self, row: Row, body: Row) -> None:
        if body.get("id") is None and self._settle(row.get("exchange")):
            return
        key = (row["receiver"], row["sender"], loose_key(body.get("id")))
        several = self._open.get(key)
        if not several:
            _mark(row, "duplicate-response" if key in self._answered else "unknown-id")
            return
        same = [asked for asked in several if id_key(asked.id) == id_key(body.get("id"))]
        near = [asked for asked in same if asked.exchange == row.get("exchange")]
        asked = (near or same or several)[0]
        if not same:
            _mark(row, "id-type-changed")
        several.remove(asked)
        if not several:
            del self._open[key]
        self._of_exchange.pop(asked.exchange, None)
        self._answered[key] = None
        if len(self._answered) > _REMEMBERED:
            del self._answered[next(iter(self._answered))]

    def _settle(self, exchange: Any) -> bool:
        """An HTTP exchange that was answered as a whole: its requests wait no longer. Whether there were any."""
        keys = self._of_exchange.pop(exchange, [])
        for key in keys:
            left = [asked for asked in self._open.pop(key, []) if asked.exchange != exchange]
            if left:
                self._open[key] = left
        return bool(keys)


def _mark(row: Row, code: str) -> None:
    if all(each["code"] != code for each in row.setdefault("problems", [])):
        row["problems"].append(problem(code, _SENTENCES[code]))
