"""A trace in the making from another tool's recording: who takes part, when it began, what the source cannot tell.

Facts come from readers, message by message; what none of them tells is left out.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from flowgen.errors import TraceError
from flowgen.trace import Mask
from flowgen.version import __version__

from ._parts import Row

_CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
_SERVER_INFO = "io.modelcontextprotocol/serverInfo"
_MEND = "mend it, or say with --from which format it is if"
_ORDER = ("client", "auth", "server")


class Making:
    """What is told of a recording beside its messages. `name` is what errors call the file.

    Readers set `missing`, `cut`, `exit` (exit code or signal), `command` or `url` as far as they know them.
    """

    def __init__(self, name: str, source: str) -> None:
        self.name = name
        self.missing: list[str] = []
        self.command: list[str] | None = None
        self.url: str | None = None
        self.cut = False
        self.exit: Row = {}
        self._source = source
        self._start: float | None = None
        self._recorded_at: str | None = None
        self._roles: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self._labels: dict[str, str] = {}

    # times

    def at(self, text: Any) -> float | None:
        """A time of the source (ISO 8601, with or without a zone) as seconds since the start; None where it is none."""
        stamp = stamp_of(text)
        if stamp is None:
            return None
        return self.since(stamp, zoned=self._start is not None or _is_zoned(text))

    def since(self, stamp: float, zoned: bool = True) -> float:
        """Seconds since 1970 as seconds since the start; the first one is the start. `zoned`: in UTC, else local."""
        if self._start is None:
            self._start = stamp
            self._recorded_at = _written(stamp, zoned)
        return round(stamp - self._start, 6)

    # who takes part

    def pair(self, label: str | None = None, link: str | None = None) -> tuple[str, str]:
        """The ids of a server, by what the source calls it, and of the client that speaks with it.

        `link` tells apart several connections to one server: ids of requests are unique in each only.
        """
        end = f"-{label}" if label else ""
        server, client = f"server{end}", f"client{end}" + (f"-{link}" if link else "")
        if label:
            self._labels[server] = label
        return client, server

    def enter(self, id_: str, role: str, title: str | None = None) -> str:
        """Somebody takes part who is neither of the two."""
        self._roles.setdefault(id_, role)
        if title:
            self._titles.setdefault(id_, title)
        return id_

    def seen(self, part: Row, at: float | None, sender: str, receiver: str, **more: Any) -> Row:
        """A message: its part, the time, the ends, and further fields that are not None."""
        for id_ in (sender, receiver):
            self._roles.setdefault(id_, id_.partition("-")[0])
        self._learn(part, sender)
        row: Row = {"at": at, "sender": sender, "receiver": receiver, "kind": part["kind"], **more, **part}
        row.setdefault("problems", [])
        return {name: value for name, value in row.items() if value is not None or name == "body"}

    def _learn(self, part: Row, sender: str) -> None:
        """A participant's own name: from the handshake, or from the `_meta` of any message (2026-07-28)."""
        body = part.get("body")
        if not isinstance(body, dict) or sender in self._titles:
            return
        said = body.get("params") if part["kind"] == "request" else body.get("result")
        names = ("clientInfo", _CLIENT_INFO) if part["kind"] == "request" else ("serverInfo", _SERVER_INFO)
        for info in _infos(said, names):
            version = info.get("version")
            self._titles[sender] = f"{info['name']} {version}".strip() if isinstance(version, str) else info["name"]

    # faults of the file

    def lacks(self, line: int, field: str, expected: str) -> TraceError:
        """A line that lacks a field of its format."""
        return self.no(f"line {line}: {field}", expected)

    def no(self, field: str, expected: str) -> TraceError:
        """A document that lacks a field of its format."""
        return TraceError(f"{self.name}: {field}: expected {expected}", f"{_MEND} it is not {self._source}")

    # at the end

    def header(self, mask: Mask) -> Row:
        """The document without its messages and its outcome, secrets masked."""
        told: Row = {"format": "flowgen.trace/1"}
        if self._recorded_at is not None:
            told["recorded_at"] = self._recorded_at
        told["recorder"] = f"flowgen convert {__version__} from {self._source}"
        if self.command is not None:
            told["command"] = mask.argv(self.command)
        elif self.url is not None:
            told["url"] = mask.url(self.url)
        if self._start is None and "times" not in self.missing:
            self.missing.append("times")
        return {**told, **({"missing": self.missing} if self.missing else {}), "participants": self._everybody(mask)}

    def outcome(self) -> Row:
        """How it ended, as far as the source tells."""
        crashed = self.exit.get("exit_code") or "signal" in self.exit
        reason = "cut" if self.cut else "server-exited" if crashed else "done"
        return {"complete": reason == "done", "reason": reason, **self.exit}

    def _everybody(self, mask: Mask) -> list[Row]:
        roles = dict(self._roles)
        for role in ("client", "server"):
            if role not in roles.values():
                roles[role] = role
        named = {**self._labels, **self._titles}
        return [
            {"id": id_, "role": role, **({"title": mask.text(named[id_])} if id_ in named else {})}
            for id_, role in sorted(roles.items(), key=lambda pair: _ORDER.index(pair[1]))
        ]


def stamp_of(text: Any) -> float | None:
    """Seconds since 1970 of an ISO 8601 time; one without a zone is taken as it stands."""
    if not isinstance(text, str):
        return None
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _written(stamp: float, zoned: bool) -> str | None:
    try:
        told = datetime.fromtimestamp(stamp, UTC).replace(tzinfo=None).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):
        return None  # no year that a calendar has
    return told + ("Z" if zoned else "")


def _is_zoned(text: str) -> bool:
    return datetime.fromisoformat(text).tzinfo is not None


def _infos(said: Any, names: tuple[str, str]) -> Iterator[Row]:
    if not isinstance(said, dict):
        return
    meta = said.get("_meta")
    for info in (said.get(names[0]), meta.get(names[1]) if isinstance(meta, dict) else None):
        if isinstance(info, dict) and isinstance(info.get("name"), str):
            yield info
            return
