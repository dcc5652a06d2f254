"""The words of the short form of a topology, and what is meant where nothing is said.

Its reader and its writer share these: what is usual need not be written, so the two cannot disagree about it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, get_args

from flowgen.errors import ConfigError

from ._address import address
from ._labels import TRANSPORTS
from ._masked import masked
from ._model import Auth, DataFlowKind, NodeKind, Transport, ZoneKind

MARK = "flowgen"
ZONES: tuple[str, ...] = get_args(ZoneKind)
NODES: tuple[str, ...] = get_args(NodeKind)
FLOWS: tuple[str, ...] = get_args(DataFlowKind)
NAMED = ("client", "server", "bridge", "gateway")  # nodes that have a name beside their title
SPOKEN_TO = ("server", "bridge", "gateway")  # nodes with a transport
CHOICES: dict[str, tuple[str, ...]] = {
    "transport": get_args(Transport), "auth": get_args(Auth), "kind": FLOWS,
    "evidence": ("file", "trace", "described", "inferred"), "severity": ("high", "medium", "low", "info"),
}  # fmt: skip
TEXTS = ("id", "title", "name", "note", "scope", "from", "to", "revision", "code", "message", "server", "host",
         "where", "advice", "source", "node", "url", "path", "zone", "reads")  # fmt: skip
LISTS = ("lines", "badges", "label", "tools", "keys")
SWITCHES = ("disabled", "tls", "same_token", "inferred")
_ALWAYS = ("id", "title", "disabled", "kind")  # of nothing at all there is the usual
OF_ZONES = ("id", "title", "note", "lines", "more")
OF_NODES = ("id", "title", "name", "lines", "transport", "auth", "disabled", "badges", "scope", "evidence", "inferred",
            "more")  # fmt: skip
OF_FLOWS = ("kind", "label", "tls", "same_token", "evidence", "inferred", "more")
_TITLES = {
    "person": "Developer", "model": "Model", "machine": "Developer machine", "unknown": "address is a variable",
    "auth": "Authorization server", "api": "API", "store": "Store", "host": "Host",
}  # fmt: skip


def parted(key: str) -> tuple[str, str] | None:
    """The kind and the name in a key such as `server tracker`; None if it begins with no kind."""
    kind, _, name = key.partition(" ")
    return (kind, masked(name)) if kind in ZONES or kind in NODES else None


def usual_id(kind: str, name: str) -> str:
    """What a zone or node is called where nothing else is said."""
    return f"{kind}:{name}" if name else kind


def usual_title(kind: str, name: str, clients: int) -> str:
    """`clients` is how many there are in the zone before this one."""
    return f"Client {clients + 1}" if kind == "client" else name or _TITLES.get(kind, kind)


def usual_name(kind: str, name: str) -> str | None:
    return (name or kind) if kind in NAMED else None


def usual_lines(kind: str) -> list[str]:
    return ["approves calls"] if kind == "person" else []


def usual_transport(kind: str, zones: Sequence[str]) -> str | None:
    """`zones` are the kinds of the zones around it, the innermost first: what stands near is started."""
    if kind not in SPOKEN_TO:
        return None
    return "stdio" if is_near(zones) or "other-machine" in zones else "http"


def is_near(zones: Sequence[str]) -> bool:
    """Whether what stands in these zones, the innermost first, is started by a host rather than called."""
    return "machine" in zones or "host" in zones or all(zone == "sandbox" for zone in zones)


@dataclass(frozen=True, slots=True)
class End:
    """An end of a data flow, as far as what flows there depends on it."""

    kind: str
    title: str
    name: str | None = None
    transport: str | None = None
    line: str = ""
    zones: tuple[str, ...] = ()


def usual_kind(source: End, target: End) -> str:
    """What flows between two, by what they are."""
    by_target = {"auth": "oauth", "api": "own-token", "store": "own-token", "client": "tool-call", "model": "approval"}
    if source.kind == "model":
        return "tool-call"
    if target.kind in by_target:
        return by_target[target.kind]
    if target.transport == "stdio" and "other-machine" in target.zones:
        return "ssh"
    return "stdio" if target.transport == "builtin" else target.transport or "http"


def usual_tls(kind: str, target: End, inferred: bool) -> bool | None:
    """Over a network it is encrypted, unless the address says otherwise; on one machine and by a pipe it is not."""
    if kind not in ("http", "sse", "oauth", "own-token") or inferred or "unknown" in target.zones:
        return None
    if target.line.startswith(("http://", "https://")):
        return target.line.startswith("https://")
    return None if kind == "own-token" else not is_near(target.zones)


def usual_label(kind: str, target: End, tls: bool | None) -> list[str]:
    """The words on a data flow."""
    if kind in ("http", "sse"):
        if tls is not True:
            way = "TLS not known" if tls is None else "loopback" if is_near(target.zones) else ""
            return [f"http, {way}" if way else "HTTP, not encrypted"]
        return [f"POST {address(target.line, 0).path or '/'}"] if kind == "http" else ["HTTPS, HTTP+SSE"]
    words: dict[str, Callable[[], list[str]]] = {
        "approval": lambda: ["prompt", "approval"], "tool-call": lambda: [target.name or target.title],
        "stdio": lambda: ["stdin / stdout"], "socket": lambda: [TRANSPORTS["socket"]],
        "ssh": lambda: ["stdio over ssh"], "oauth": lambda: ["OAuth 2.1 + PKCE", "only without a valid token"],
        "own-token": lambda: ["server's own token"],
    }  # fmt: skip
    return words[kind]()


@dataclass(frozen=True, slots=True)
class Page:
    """The description that is read: what its errors and its evidence call it."""

    name: str

    def fault(self, line: int, what: str, hint: str) -> ConfigError:
        """An error at a line; what it quotes of the file is short."""
        return ConfigError(f"{self.name}:{line}: {what}", hint)

    def unknown(self, line: int, word: str, known: Sequence[str], what: str = "word") -> ConfigError:
        """An error about a word that there is not."""
        first, space, rest = word.partition(" ")
        near = get_close_matches(first if space else word, [*ZONES, *NODES] if space else known, 1)
        hint = f"did you mean {near[0]}{space}{cut(rest)}?" if near else f"known: {', '.join(known)}"
        return self.fault(line, f"unknown {what} {cut(word)!r}", hint)

    def values(self, table: Any, line: int, known: Sequence[str], free: Callable[[str], bool]) -> dict[str, Any]:
        """The members of a table that are attributes, each of its type; `free` tells those that are something else."""
        told: dict[str, Any] = {}
        for key, value in table.items():
            at = line_of(table, key, line)
            if key in getattr(table, "twice", ()):
                raise self.fault(at, f"{cut(key)!r} stands twice, the last time here", "give one of them another name")
            if key in known and (value is not None or key not in _ALWAYS):
                told[key] = self.value(key, value, at)
            elif key not in known and not free(key):
                raise self.unknown(at, key, known)
        return told

    def value(self, key: str, value: Any, line: int) -> Any:
        """One attribute; None stands for having none."""
        if value is None:
            return [] if key in LISTS else None
        if key in LISTS:
            return self.row(key, value, line)
        if key in SWITCHES and not isinstance(value, bool):
            raise self.fault(line, f"{key}: expected true or false", f"such as {key}: true")
        if key in TEXTS or key in CHOICES:
            value = self.raw(key, value, line) if key == "url" else self.text(key, value, line)
        if key in CHOICES and str(value).split(" ")[0] not in CHOICES[key]:
            raise self.unknown(line, str(value), CHOICES[key], key)
        if key == "more" and not isinstance(value, dict):
            raise self.fault(line, "more: expected further fields of the document", "such as more: {owner: Ada}")
        return value

    def text(self, key: str, value: Any, line: int) -> str:
        """A text; what looks like a secret in it is not shown."""
        return masked(self.raw(key, value, line))

    def raw(self, key: str, value: Any, line: int) -> str:
        """A text as it stands; a number is one, too."""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self.fault(line, f"{key}: expected a text", f"such as {key}: …")
        return str(value)

    def row(self, key: str, value: Any, line: int) -> list[str]:
        """Several texts: a list, or for all but `lines` one text with commas."""
        if isinstance(value, list):
            return [self.text(key, each, line) for each in value]
        whole = self.text(key, value, line)
        return [whole] if key == "lines" else whole.split(", ")


def evidenced(told: dict[str, Any], name: str, line: int) -> dict[str, Any]:
    """Attributes with how the thing is known: described here, unless they say something else."""
    rest = {key: value for key, value in told.items() if key not in ("evidence", "inferred")}
    if told.get("inferred"):
        return {**rest, "evidence": {"kind": "inferred"}}
    kind, _, where = str(told.get("evidence") or f"described {name}:{line}").partition(" ")
    return {**rest, "evidence": {"kind": kind, "where": where or None}}


def line_of(table: Any, key: str, line: int) -> int:
    """The line on which a key stands."""
    lines: dict[str, int] = getattr(table, "lines", {})
    return lines.get(key, line)


def cut(word: str) -> str:
    """What an error may quote: a word of a description, not a page of it."""
    return word if len(word) <= 60 else f"{word[:59]}…"
