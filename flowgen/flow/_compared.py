"""Two sessions compared by what they mean: messages are matched by method, name and order, never by ids or times.

What a process says to its log, and what only the recorder noted, is left aside. `_meta` and tokens of progress are
not compared message by message; what they tell of client and revision is in the openings (`_opened`).
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from flowgen.trace import Trace

from ._differences import NOTHING, Difference, Ignored, differences
from ._json import key_of
from ._model import Entry, Flow
from ._opened import opened, without_unlisted
from ._read import read

HIDDEN = ("stderr", "process", "note")
_OWN = frozenset({"id"})  # of a body, differing from run to run
_HOLDERS = ("params", "result")
_INNER = frozenset({"_meta", "progressToken", "requestId", "requestState"})  # the same of `params` and `result`

State = Literal["same", "changed", "added", "removed"]


@dataclass(frozen=True, slots=True)
class Match:
    """A message of the old session and the one of the new session that means the same; None where there is none.

    `moved`: it is there in both, and in another order among the others.
    """

    old: Entry | None
    new: Entry | None
    differences: tuple[Difference, ...] = ()
    moved: bool = False

    @property
    def state(self) -> State:
        """What became of it."""
        if self.old is None or self.new is None:
            return "added" if self.old is None else "removed"
        return "changed" if self.differences else "same"

    @property
    def entry(self) -> Entry:
        """The message, as the new session has it if it does."""
        entry = self.new or self.old
        assert entry is not None  # a match is of one message at least
        return entry


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sessions, `matches` in the order of the new one, those that went where they stood.

    `beside` are the positions in the two flows' messages, in order, that stand beside each other in a picture.
    `said` is what each says of itself (revision, names, capabilities, lists by name), `opening` where that differs
    (`/capabilities/server/tools`, `/tools/weather/inputSchema`).
    """

    old: Flow
    new: Flow
    matches: tuple[Match, ...]
    beside: tuple[tuple[int, int], ...]
    opening: tuple[Difference, ...]
    said: tuple[Mapping[str, Any], Mapping[str, Any]]

    @property
    def different(self) -> bool:
        """Whether anything differs, came, went or moved."""
        return bool(self.opening) or any(match.state != "same" or match.moved for match in self.matches)


def compared(old: Trace, new: Trace, skip: Ignored = NOTHING, **reading: Any) -> Comparison:
    """Two recordings compared; `reading` chooses what of them is looked at (`only`, `steps`), as for `read`."""
    hide = (*HIDDEN, *reading.pop("hide", ()))
    before, after = (read(each, full=True, notes="none", hide=hide, **reading) for each in (old, new))
    ours, theirs = [*entries_of(before)], [*entries_of(after)]
    servers = _servers(before) & _servers(after)
    pairs = _pairs(_Session(before, ours, servers), _Session(after, theirs, servers))
    still = {server: set(_rising(found)) for server, found in _of_each(pairs, ours, servers).items()}
    drawn = still.get(next((who.id for who in before.lanes if who.id in servers), None), set())
    calm = set().union(*still.values())
    found = [_match(ours[a], theirs[b], skip, _moved(ours[a], (a, b), calm)) for a, b in pairs.items()]
    told = without_unlisted(opened(ours, before.facts.revisions), opened(theirs, after.facts.revisions))
    opening = differences(*told, skip)
    return Comparison(before, after, tuple(_ordered(ours, theirs, pairs, found)), tuple(sorted(drawn)), opening, told)


def entries_of(flow: Flow) -> Iterator[Entry]:
    """Every message of a flow that was read in full."""
    for step in flow.steps:
        for row in step.open_rows:
            yield from (row,) if isinstance(row, Entry) else row.entries


def _servers(flow: Flow) -> frozenset[str]:
    """Who they are, where there are several."""
    found = frozenset(who for who, side in flow.sides.items() if side == "server")
    return found if len(found) > 1 else frozenset()


def _server_of(entry: Entry, servers: frozenset[str]) -> str | None:
    return next((who for who in (entry.message.sender, entry.message.receiver) if who in servers), None)


class _Session:
    """The messages of a session by what they mean; `servers` are those of several that are in both sessions."""

    def __init__(self, flow: Flow, entries: Sequence[Entry], servers: frozenset[str]) -> None:
        self.flow = flow
        self._servers = servers
        self.entries = entries
        self.at = {entry.message.seq: at for at, entry in enumerate(entries)}
        self.began: dict[int, int] = {}
        for at, entry in enumerate(entries):
            if (before := self.at.get(entry.retry_of or -1)) is not None:
                self.began[at] = self.began.get(before, before)

    def key(self, entry: Entry) -> Hashable:
        """The same for messages of one meaning; requests and notifications by method and name."""
        message = entry.message
        kind = "answer" if message.kind in ("response", "error") else message.kind
        http = message.http if message.kind == "http" else None
        server = _server_of(entry, self._servers)
        return kind, self.flow.sides.get(message.sender), server, entry.method, entry.name, http and _place(http)

    def part_of(self, at: int) -> Hashable | None:
        """Of an answer and of a request sent again: the position of the first request, and which part it is of what
        follows. In one era a question comes back as an answer, in another it does not; the last answer is the same.
        """
        entry = self.entries[at]
        if at in self.began:
            return self.began[at], "again"
        asked = None if entry.request is None else self.at.get(entry.request)
        return None if asked is None else (self.began.get(asked, asked), "asks" if _asks(entry) else "answers")


def _place(http: Any) -> Hashable:
    """Where an HTTP message goes, or what kind of answer it is; hosts and ports differ from run to run."""
    try:
        return http.method, urlsplit(http.url or "").path, (http.status or 0) // 100
    except ValueError:
        return http.method, http.url, (http.status or 0) // 100


def _asks(entry: Entry) -> bool:
    """Whether an answer asks for more, so that the request will be sent again."""
    body = entry.message.body
    result = body.get("result") if isinstance(body, dict) else None
    asks = isinstance(result, dict) and result.get("resultType") == "input_required"
    return asks or entry.message.kind == "http"


def _pairs(old: _Session, new: _Session) -> dict[int, int]:
    """Positions in the one -> positions in the other: first what says the same, then what is of one kind."""
    pairs: dict[int, int] = {}
    own, theirs = ([at for at in range(len(each.entries)) if each.part_of(at) is None] for each in (old, new))
    for told in (True, False):
        taken = set(pairs.values())
        left = [at for at in own if at not in pairs], [at for at in theirs if at not in taken]
        pairs |= _met([(_key(old, at, told), at) for at in left[0]], [(_key(new, at, told), at) for at in left[1]])
    for _ in range(2):  # what answers an answer is matched when that is
        pairs |= _parts(old, new, pairs)
    return pairs


def _met(own: Iterable[tuple[Hashable, int]], theirs: Iterable[tuple[Hashable, int]]) -> dict[int, int]:
    """The first of one key with the first of the same, the second with the second."""
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    for key, at in theirs:
        waiting[key].append(at)
    queues = {key: iter(found) for key, found in waiting.items()}
    met = ((at, next(queues.get(key, iter(())), None)) for key, at in own)
    return {at: other for at, other in met if other is not None}


def _key(session: _Session, at: int, told: bool) -> Hashable:
    entry = session.entries[at]
    return session.key(entry), key_of(_bare(entry.message.body)) if told else None


def _parts(old: _Session, new: _Session, pairs: Mapping[int, int]) -> dict[int, int]:
    """Answers to requests that were matched, and these sent again; of several of one kind in their order."""
    taken = set(pairs.values())
    theirs = [(part, at) for at in range(len(new.entries)) if at not in taken and (part := new.part_of(at)) is not None]
    own = [(part, at) for at in range(len(old.entries)) if at not in pairs and (part := old.part_of(at)) is not None]
    return _met([(_of(part, pairs), at) for part, at in own], theirs)


def _of(part: Any, pairs: Mapping[int, int]) -> Hashable:
    """A part of an exchange, by the position that its first request has in the other session."""
    asked, which = part
    return pairs.get(asked, -1), which


def _rising(pairs: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The most pairs that are in the same order on both sides (patience: the longest rising row), last to first."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int | None] = []
    for number, (_, other) in enumerate(pairs):
        place = bisect_left(ends, other)
        ends[place : place + 1], last[place : place + 1] = [other], [number]
        before.append(last[place - 1] if place else None)
    at = last[-1] if last else None
    while at is not None:
        yield pairs[at]
        at = before[at]


def _of_each(
    pairs: Mapping[int, int], ours: Sequence[Entry], servers: frozenset[str]
) -> dict[str | None, list[tuple[int, int]]]:
    """The pairs of each server in the order of the old session: messages of one do not wait for those of another."""
    found: dict[str | None, list[tuple[int, int]]] = defaultdict(list)
    for pair in sorted(pairs.items()):
        found[_server_of(ours[pair[0]], servers)].append(pair)
    return found


def _moved(entry: Entry, pair: tuple[int, int], still: set[tuple[int, int]]) -> bool:
    """Answers to questions that wait at the same time come in any order: that is no move."""
    return pair not in still and entry.request is None


def _match(old: Entry, new: Entry, skip: Ignored, moved: bool) -> Match:
    masked = (*old.message.redacted, *new.message.redacted)
    aside = Ignored((*skip.paths, *map(_inside, masked)), skip.times)
    by_http = old.message.http is not None and new.message.http is not None  # else one of them cannot have a status
    return Match(old, new, differences(_told(old, by_http), _told(new, by_http), aside), moved)


def _inside(pointer: str) -> str:
    """A masked place, as the comparison of bodies calls it."""
    return pointer.removeprefix("/body")


def _told(entry: Entry, by_http: bool) -> dict[str, Any]:
    """What of a message is compared: its body, its text, the status of its HTTP answer, its state as a request."""
    message = entry.message
    body = _bare(message.body)
    status = message.http.status if message.http and by_http else None
    unanswered = entry.state if entry.state in ("unanswered", "cancelled") else None
    more = {"text": message.text, "status": status, "state": unanswered}
    told = {name: value for name, value in more.items() if value is not None}
    return {**(body if isinstance(body, dict) else {"body": body}), **told}


def _bare(body: Any) -> Any:
    """A body without what differs from run to run; `params` that hold nothing else are none."""
    if not isinstance(body, dict):
        return body
    members = _without(body, _OWN)
    inner = {name: _without(value, _INNER) for name, value in members.items() if name in _HOLDERS and _is_object(value)}
    empty = frozenset(["params"] if inner.get("params") == {} else [])
    return _without({**members, **inner}, empty)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _without(members: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if name not in names}


def _ordered(
    ours: Sequence[Entry], theirs: Sequence[Entry], pairs: Mapping[int, int], found: Sequence[Match]
) -> Iterator[Match]:
    """All matches in the order of the new session; what it has no more follows what it followed."""
    of_new = dict(zip(pairs.values(), found, strict=True))
    gone: dict[int, list[Match]] = defaultdict(list)
    after = -1
    for at, entry in enumerate(ours):
        if at in pairs:
            after = pairs[at]
        else:
            gone[after].append(Match(entry, None))
    yield from gone[-1]
    for at, entry in enumerate(theirs):
        yield of_new.get(at) or Match(None, entry)
        yield from gone[at]
