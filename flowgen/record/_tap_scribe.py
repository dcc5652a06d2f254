"""Bytes that passed become lines of a trace: read, numbered, paired, masked, written. Off the way that they took."""

import json
import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from flowgen.trace import Mask, env_secrets, line, secret_name
from flowgen.version import __version__
from flowgen.wire import MAX_MESSAGE, LineReader

from ._pairs import Json
from ._recorder import FORMAT, _utc_now
from ._stderr import StderrLines
from ._tap_again import Again, Known
from ._tap_feed import CLIENT, END, PROCESS, SERVER, STDERR, Item
from ._tap_page import Kept, Page
from ._tap_pairs import TapPairs

_SERVER_INFO = "io.modelcontextprotocol/serverInfo"
_CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
_REPEATED = (
    b'{"seq": %d, "at": %s, "sender": "%s", "receiver": "%s", "kind": "%s", "transport": "stdio", '
    b'"body": %s%d%s, "problems": []%s}\n'
)
_SENDERS = {CLIENT: "client", SERVER: "server"}
_SIDES = {"client": (b"client", b"server"), "server": (b"server", b"client")}


class Scribe:
    """Writes one session to a page. `source` is the argv that was started, or the address."""

    def __init__(self, page: Page, source: Sequence[str] | str, kept: Kept) -> None:
        self._page = page
        self._mask = Mask(secrets(source), kept.redact_keys, kept.redact)
        told = {"url": self._mask.url(source)} if isinstance(source, str) else {"command": self._mask.argv([*source])}
        self._header: Json = {
            "format": FORMAT, "recorded_at": _utc_now(), "recorder": f"flowgen tap {__version__}", **told,
        }  # fmt: skip
        self._titles: dict[str, str] = {}
        self._pairs = TapPairs()
        self._pending: Json | None = None
        self._seq = 0
        self._last_at = 0.0
        self._write_header()

    def keep(self, part: Json, at: float, sender: str, scope: str = "", **more: Any) -> Json:
        """Keeps one message of the client or the server, and gives it: problems may be added until the next comes.

        `scope` is where ids are told apart.
        """
        message = self._begin(part, at, sender, more)
        if part["kind"] in ("request", "response", "notification", "error"):
            body = part.get("body", part.get("head"))
            if isinstance(body, dict):
                self._pairs.take(message, body, scope)
                self._learn_names(sender, body)
        return message

    def _begin(self, part: Json, at: float, sender: str, more: Json) -> Json:
        """The next message; it waits for what is still to be said about it."""
        self._settle()
        self._seq += 1
        self._last_at = max(self._last_at, round(at, 6))
        self._pending = {
            "seq": self._seq, "at": self._last_at, "sender": sender,
            "receiver": "server" if sender == "client" else "client", "kind": part["kind"], **more, **part,
        }  # fmt: skip
        return self._pending

    @property
    def learnt(self) -> int:
        """How many secrets are known."""
        return self._mask.learnt

    def refused(self, exchange: int) -> None:
        """An HTTP status is the answer to what this exchange asked."""
        self._pairs.refuse(exchange)

    def learn(self, secret: str) -> None:
        """This is a secret, unless it may be an ordinary word."""
        self._mask.learn(secret)

    def text(self, text: str) -> str:
        """A text without its secrets."""
        return self._mask.text(text)

    def flush(self) -> None:
        """What was kept is in the file."""
        self._settle()
        self._page.flush()

    def settle(self) -> Json:
        """What was kept last is written; the message as it was written."""
        assert self._pending is not None
        message, self._pending = self._mask.message(self._pending), None
        self._page.write(line(message))
        return message

    def repeat(self, known: Known, id_: int, at: float, sender: str) -> None:
        """Keeps a message over a pipe that is like an earlier one but for its id."""
        self._settle()
        message: Json = {"seq": self._seq + 1, "kind": known.kind, "sender": sender, "problems": []}
        self._pairs.take(message, {**known.body, "id": id_})
        if message["problems"] or self._page.fault:
            part = {"kind": known.kind, "body": {**known.body, "id": id_}, "problems": message["problems"]}
            self._begin(part, at, sender, {"transport": "stdio"} | _revision(message))
            return
        self._seq += 1
        self._last_at = max(self._last_at, round(at, 6))
        told = b', "revision": ' + json.dumps(message["revision"]).encode() if "revision" in message else b""
        self._page.write(_REPEATED % (
            self._seq, json.dumps(self._last_at).encode(), *_SIDES[sender], known.kind.encode(), known.before, id_,
            known.after, told,
        ))  # fmt: skip

    def _settle(self) -> None:
        if self._pending is not None:
            self.settle()

    def end(self, outcome: Json) -> int:
        """The session is over. The number of the error that left the file incomplete, or 0."""
        self.flush()
        problems = self._pairs.finish()
        if self._page.fault:
            outcome = {**outcome, "complete": False, "reason": "cut", "truncated": self._page.left_out}
            sentence = f"The recording has no room for more: {self._page.left_out} messages after this are left out."
            kept = str(self._seq - self._page.left_out)
            problems = {seq: found for seq, found in problems.items() if int(seq) <= int(kept)}
            if kept != "0":
                problems[kept] = [*problems.get(kept, ()), {"code": "truncated", "message": sentence}]
        self._page.end({"outcome": outcome, **({"problems": problems} if problems else {})})
        return self._page.fault

    def _write_header(self) -> None:
        people = [
            {"id": role, "role": role, **({"title": self._titles[role]} if role in self._titles else {})}
            for role in ("client", "server")
        ]
        self._page.head({**self._header, "participants": people})

    def _learn_names(self, sender: str, body: Json) -> None:
        """The names that both give of themselves (handshake, or `_meta` of 2026-07-28) go into the first line."""
        if sender in self._titles:
            return
        params = body.get("params" if sender == "client" else "result")
        if not isinstance(params, dict):
            return
        meta = params.get("_meta")
        info = params.get("clientInfo" if sender == "client" else "serverInfo")
        if info is None and isinstance(meta, dict):
            info = meta.get(_CLIENT_INFO if sender == "client" else _SERVER_INFO)
        if isinstance(info, dict) and isinstance(info.get("name"), str):
            version = info.get("version")
            title = f"{info['name']} {version}" if isinstance(version, str) and version else info["name"]
            self._titles[sender] = self._mask.text(title[:200])
            self._write_header()


class StdioItems:
    """Items of a tap between pipes, given to a scribe. `server`: the number of the server's process, once known."""

    def __init__(self, scribe: Scribe, kept: Kept) -> None:
        self._scribe = scribe
        self._limit = kept.max_message or MAX_MESSAGE
        self._readers = {kind: LineReader(self._limit) for kind in (CLIENT, SERVER)}
        self._again = {kind: Again() for kind in (CLIENT, SERVER)}
        self._stderr = StderrLines(self._limit)
        self._at = 0.0
        self.server: int | None = None
        self.outcome: Json | None = None

    def take(self, item: Item) -> None:
        """Takes one item."""
        self._at = item.at
        if item.kind in self._readers:
            *lines, rest = item.data.split(b"\n")
            for line_ in lines:
                self._line(item.kind, line_)
            if rest:
                self._spoken(item.kind, self._readers[item.kind].feed(rest))
        elif item.kind == STDERR:
            self._complained(self._stderr.feed(item.data))
        elif item.kind == PROCESS:
            self._happened(json.loads(item.data))
        elif item.kind == END:
            self.outcome = json.loads(item.data)

    def flush_readers(self) -> None:
        """Nothing more comes: what was still open of a line is kept as it is."""
        for kind in self._readers:
            self._ended(kind)
        self._complained(self._stderr.end())

    def _line(self, kind: bytes, data: bytes) -> None:
        """A line, or the end of one that began earlier."""
        reader, again, sender = self._readers[kind], self._again[kind], _SENDERS[kind]
        alone = reader.idle
        if alone and (found := again.find(data, self._scribe.learnt)) is not None:
            self._scribe.repeat(*found, self._at, sender)
            return
        parts = reader.feed(data + b"\n")
        self._spoken(kind, parts)
        if alone and len(parts) == 1:
            again.learn(data, self._scribe.settle())

    def _spoken(self, kind: bytes, parts: list[Json]) -> None:
        for part in parts:
            self._scribe.keep(part, self._at, _SENDERS[kind], transport="stdio")

    def _complained(self, parts: list[Json]) -> None:
        for part in parts:
            self._scribe.keep(part, self._at, "server", transport="stdio")

    def _ended(self, kind: bytes) -> None:
        self._spoken(kind, self._readers[kind].end())
        self._readers[kind] = LineReader(self._limit)

    def _happened(self, told: Json) -> None:
        """Something happened to the process: `body`, who did it, what is odd about it."""
        self.server = told.get("pid", self.server)
        event = told["body"]["event"]
        if event in ("stdin-closed", "stdout-closed"):
            self._ended(CLIENT if event == "stdin-closed" else SERVER)
        elif event == "exited":
            self.flush_readers()
        if event == "stdout-closed" and not told.get("lives"):
            return
        part = {"kind": "process", "body": told["body"], "problems": told.get("problems", [])}
        self._scribe.keep(part, self._at, told["sender"], transport="stdio")



def _revision(message: Json) -> Json:
    return {"revision": message["revision"]} if "revision" in message else {}


def secrets(source: Sequence[str] | str) -> set[str]:
    """Values of our own variables whose name looks like a secret's, and what an address gives away."""
    ours = env_secrets({name: value for name, value in os.environ.items() if secret_name(name)})
    if not isinstance(source, str):
        return ours
    parts = urlsplit(source)
    return ours.union(*(env_secrets({"password": value}) for value in (parts.username, parts.password) if value))
