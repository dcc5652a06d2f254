"""HAR 1.2 of browsers and proxies: an entry is an exchange over HTTP, with JSON or a stream of events in it.

An entry is kept when it carries MCP, goes to an address that does, or belongs to signing in. Events of a stream have
no times of their own; the message that a stream ends with has that of the entry's end.
"""

import base64
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from flowgen.wire import kind_of, media_type

from ._http import body_parts, event_parts, events_of, host_of
from ._making import Making, stamp_of
from ._parts import Row

ORDER = "_flowgen"  # our own writer's member of an entry: `seq` and `at` of each message in it
_MILLI = 1000
_SIGNING_IN = re.compile(r"/\.well-known/(?:oauth|openid)|[?&](?:response_type|code_challenge)=")
_FORM = re.compile(rb"(?:\A|&)(?:grant_type|response_type)=|\"redirect_uris\"")
_ANSWERS = ("response", "error")


@dataclass(frozen=True, slots=True)
class _Entry:
    """An exchange; times are seconds since 1970. `made` are its messages in their order, without ends and numbers."""

    url: str
    start: float | None
    first_byte: float | None
    end: float | None
    asked: Sequence[Row]
    answered: Sequence[Row]
    order: Any

    @property
    def spoken(self) -> bool:
        return any(kind_of(part.get("body")) for part in (*self.asked, *self.answered))


def read(document: Any, making: Making) -> Iterator[Row]:
    """The messages by their times, each answer behind its request."""
    log = document.get("log") if isinstance(document, dict) else None
    entries = log.get("entries") if isinstance(log, dict) else None
    if not isinstance(entries, list):
        raise making.no("log.entries", "a list")
    found = [_entry(at, entry, making) for at, entry in enumerate(entries)]
    found.sort(key=lambda entry: entry.start or 0.0)
    kept = _kept(found, making)
    placed = [row for number, entry in enumerate(kept, 1) for row in _placed(number, entry)]
    placed.sort(key=lambda row: row["order"])
    hosts = _Hosts(making, kept)
    for row in placed:
        at = None if row["time"] is None else making.since(row["time"])
        yield making.seen(row["part"], at, *hosts.ends(row), exchange=row["exchange"])


def _entry(at: int, entry: Any, making: Making) -> _Entry:
    request, response = _member(entry, "request"), _member(entry, "response")
    if not isinstance(request.get("url"), str):
        raise making.no(f"log.entries.{at}.request.url", "an address")
    start = stamp_of(entry.get("startedDateTime"))
    took, waited = _number(entry.get("time")), _until_first_byte(_member(entry, "timings"))
    began = took if waited is None else waited if took is None else min(waited, took)
    return _Entry(
        request["url"], start, _plus(start, began), _plus(start, took),
        _asked(request), _answered(response, making), entry.get(ORDER),
    )  # fmt: skip


def _asked(request: Row) -> list[Row]:
    half = {"method": str(request.get("method")), "url": request["url"], "headers": _headers(request)}
    return [{"transport": "http", **part, "http": half} for part in body_parts(_posted(request))]


def _posted(request: Row) -> bytes:
    posted = _member(request, "postData")
    if isinstance(posted.get("text"), str):
        return _bytes(posted["text"])
    fields = [field for field in _rows(posted.get("params")) if isinstance(field.get("name"), str)]
    named = [(field["name"], str(field.get("value", ""))) for field in fields]
    return urlencode(named, errors="surrogatepass").encode()


def _answered(response: Row, making: Making) -> list[Row]:
    """The answer's messages; none where there was no answer (status 0)."""
    status = response.get("status")
    if isinstance(status, bool) or not isinstance(status, int) or status <= 0:
        return []
    half: Row = {"status": status, "headers": _headers(response)}
    data = _content(_member(response, "content"), making)
    if (_media(response) or "") == "text/event-stream":
        return _streamed(half, data)
    return [{"transport": "http", **part, "http": half} for part in body_parts(data)]


def _streamed(half: Row, data: bytes) -> list[Row]:
    opened = {"kind": "http", "transport": "http", "http": half, "body": {"event": "stream-opened", "by": "server"}}
    events = [{"transport": "sse", **part} for event in events_of(data) for part in event_parts(event)]
    return [opened, *events, {"kind": "http", "transport": "http", "body": {"event": "stream-closed"}}]


def _content(content: Row, making: Making) -> bytes:
    text = content.get("text")
    if not isinstance(text, str):
        if (_number(content.get("size")) or 0) > 0 and "bodies" not in making.missing:
            making.missing.append("bodies")
        return b""
    try:
        return base64.b64decode(text) if content.get("encoding") == "base64" else _bytes(text)
    except ValueError:
        return _bytes(text)


def _kept(entries: Sequence[_Entry], making: Making) -> list[_Entry]:
    """What carries MCP or belongs to it; what does not is counted in a warning."""
    places = {_place(entry.url) for entry in entries if entry.spoken}
    kept = [entry for entry in entries if entry.spoken or _place(entry.url) in places or _signs_in(entry)]
    if places and len(kept) < len(entries):
        left = len(entries) - len(kept)
        warnings.warn(f"{making.name}: {left} of {len(entries)} entries carry no MCP and are left out", stacklevel=2)
    return kept if places else []


def _signs_in(entry: _Entry) -> bool:
    sent = b"".join(_sent(part) for part in entry.asked)
    return bool(_SIGNING_IN.search(entry.url) or _FORM.search(sent))


def _sent(part: Row) -> bytes:
    body = part.get("body")
    return b'"redirect_uris"' if isinstance(body, dict) and "redirect_uris" in body else _bytes(part.get("text", ""))


def _placed(number: int, entry: _Entry) -> Iterator[Row]:
    """The messages of an entry with what they are ordered by: the request at its start, what has no time behind it."""
    told = _told(entry)
    start = entry.start or 0.0
    for at, part in enumerate((*entry.asked, *entry.answered)):
        row: Row = {"part": part, "exchange": number, "url": entry.url, "to_server": at < len(entry.asked)}
        if told is None:
            time = _time(at, part, entry)
            yield row | {"time": time, "order": (start if time is None else time, number, at)}
        elif (seq := _number(told[at].get("seq"))) is not None:
            time = _plus(entry.start, _number(told[at].get("at")))
            yield _as_written(row, told[at]) | {"time": time, "order": (seq, 0, 0)}


def _as_written(row: Row, told: Row) -> Row:
    """With who closed a stream, which HAR cannot tell."""
    body, by = row["part"].get("body"), told.get("by")
    if by not in ("client", "server") or not isinstance(body, dict) or row["part"]["kind"] != "http":
        return row
    ends = {"to_server": by == "client"} if body.get("event") == "stream-closed" else {}
    return row | {"part": {**row["part"], "body": {**body, "by": by}}} | ends


def _time(at: int, part: Row, entry: _Entry) -> float | None:
    if at < len(entry.asked):
        return entry.start
    if part["transport"] == "http":
        opened = isinstance(part.get("body"), dict) and part["body"].get("event") == "stream-opened"
        return entry.first_byte if opened else entry.end
    own = [kind_of(asked.get("body")) == "request" for asked in entry.asked]
    return entry.end if part["kind"] in _ANSWERS and any(own) else None


def _told(entry: _Entry) -> list[Row] | None:
    """Number and time after the start of each message, where our own writer left them."""
    rows = _rows(entry.order)
    return rows if rows and len(rows) == len(entry.asked) + len(entry.answered) else None


class _Hosts:
    """Whose address is whose: an MCP server's, or another's, which then has to do with signing in."""

    def __init__(self, making: Making, entries: Sequence[_Entry]) -> None:
        self.making = making
        self.servers = dict.fromkeys(host_of(entry.url) for entry in entries if entry.spoken)
        self.others: dict[str, str] = {}
        self.first = next(iter(self.servers), None)

    def ends(self, row: Row) -> tuple[str, str]:
        host = host_of(row["url"])
        client, other = self.making.pair(host if host in self.servers else self.first)
        if host not in self.servers:
            name = self.others.setdefault(host, f"auth-{len(self.others) + 1}" if self.others else "auth")
            other = self.making.enter(name, "auth", host)
        return (client, other) if row["to_server"] else (other, client)


def _until_first_byte(timings: Row) -> float | None:
    """Milliseconds until the answer began."""
    parts = [_number(timings.get(name)) for name in ("blocked", "dns", "connect", "send", "wait")]
    known = [part for part in parts if part is not None and part > 0]
    return sum(known) if known else None


def _headers(half: Row) -> list[list[str]]:
    return [[str(row.get("name")), str(row.get("value"))] for row in _rows(half.get("headers"))]


def _media(response: Row) -> str | None:
    mime = _member(response, "content").get("mimeType")
    return media_type(_headers(response)) or (mime.partition(";")[0].strip().lower() if isinstance(mime, str) else None)


def _place(url: str) -> tuple[str, str]:
    try:
        return host_of(url), urlsplit(url).path
    except ValueError:
        return "", url


def _plus(start: float | None, millis: float | None) -> float | None:
    return None if start is None or millis is None or millis < 0 else start + millis / _MILLI


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _rows(value: Any) -> list[Row]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _member(holder: Any, name: str) -> Row:
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if isinstance(value, dict) else {}
