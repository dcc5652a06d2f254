"""What a recording shows of each server, in one pass: how it was started or where it is, which tools were called,
whether a token went along, the 401 that led to an authorization server, and whom the server itself spoke to.

Each thing has the seq of the message that shows it. Nothing is guessed, and no value of a token is kept.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from flowgen.trace import Message, Trace, mask_shapes

from ._address import HIDDEN
from ._document import Word
from ._model import Transport
from ._values import strength

_SCHEME = re.compile(r"(?i)(bearer|basic|dpop)\b")
_APPROVAL = frozenset(["asked-user", "approved", "declined"])
_PERSON = _APPROVAL | {"opened-browser"}
_AUTHORIZATION = "/http/headers/authorization"
_SURROGATES = re.compile(r"[\ud800-\udfff]")


@dataclass(slots=True)
class Seen:
    """One party that was spoken to; `token` is the name of what went along, such as `Bearer ••••`, `marks` are the
    fingerprints of all tokens that did.
    """

    id: str
    role: str
    title: str | None
    first: int
    transport: Transport = "stdio"
    url: Word | None = None
    argv: list[str] = field(default_factory=list)
    tools: dict[str, int] = field(default_factory=dict)
    token: str | None = None
    marks: set[str] = field(default_factory=set)
    refused: int | None = None
    upstream: "list[Seen]" = field(default_factory=list)
    issuer: "Seen | None" = None


@dataclass(frozen=True, slots=True)
class Session:
    """What a recording shows: the client's name, the servers that it spoke to, and the seqs at which a person was
    first needed, was asked to approve something, and a model was asked.
    """

    client: str | None
    servers: tuple[Seen, ...]
    revision: str | None
    person: int | None
    approved: int | None
    model: int | None
    pkce: bool


def session(trace: Trace) -> Session:
    """Looks through a recording once."""
    return _Watch(trace).session()


class _Watch:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.roles = {one.id: one.role for one in trace.participants}
        self.titles = {one.id: named(one.title) for one in trace.participants if one.title}
        self.seen: dict[str, Seen] = {}
        self.links: dict[tuple[str, str], Seen] = {}
        self.revision: str | None = None
        self.person: int | None = None
        self.approved: int | None = None
        self.model: int | None = None
        self.pkce = False

    def session(self) -> Session:
        for message in self.trace.messages:
            self._message(message)
        servers = tuple(self._servers())
        self._started(servers)
        hosts = (who for role in ("host", "client") for who in self.roles if self.roles[who] == role)
        title = next((self.titles[who] for who in hosts if who in self.titles), None)
        return Session(title, servers, self.revision, self.person, self.approved, self.model, self.pkce)

    def _message(self, message: Message) -> None:
        self.revision = message.revision or self.revision
        if message.kind == "note":
            self._note(message)
            return
        sender, receiver = self.roles.get(message.sender), self.roles.get(message.receiver)
        if sender in ("client", "browser", "server", "gateway") and receiver in ("server", "gateway", "auth", "api"):
            self._sent(message)
        if sender in ("server", "gateway", "auth"):
            self._came(message)

    def _note(self, message: Message) -> None:
        event = message.body.get("event") if isinstance(message.body, dict) else None
        if self.person is None and event in _PERSON:
            self.person = message.seq
        if self.approved is None and event in _APPROVAL:
            self.approved = message.seq

    def _sent(self, message: Message) -> None:
        """From a client to a server, from anybody to an authorization server, from a server to what is behind it."""
        to = self._party(message.receiver, message.seq)
        if self.roles.get(message.sender) in ("server", "gateway"):
            to = self._behind(message)
        self._way(to, message)
        body = message.body if isinstance(message.body, dict) else {}
        if message.kind == "request" and body.get("method") == "tools/call":
            params = body.get("params")
            name = params.get("name") if isinstance(params, dict) else None
            if isinstance(name, str):
                to.tools.setdefault(named(name), message.seq)
        if message.kind == "process" and body.get("event") == "started":
            to.argv = _words(body.get("argv")) or to.argv

    def _behind(self, message: Message) -> Seen:
        key = message.sender, message.receiver
        if key not in self.links:
            self.links[key] = self._new(message.receiver, message.seq)
            self._party(message.sender, message.seq).upstream.append(self.links[key])
        return self.links[key]

    def _way(self, to: Seen, message: Message) -> None:
        if message.transport in ("http", "sse") and to.transport == "stdio":
            to.transport = "http"
        head = message.http
        if head is None:
            return
        if head.url and (to.url is None or (message.kind == "request" and "/.well-known/" in to.url.text)):
            to.url = Word(plain(head.url), message.seq)
        self.pkce |= bool(head.url and "code_challenge=" in head.url)
        to.token = to.token or next(_tokens(head.headers), None)
        to.marks |= {mark for at, mark in message.fingerprints.items() if at.startswith(_AUTHORIZATION)}

    def _came(self, message: Message) -> None:
        came = self._party(message.sender, message.seq)
        if message.http and message.http.status == 401 and came.refused is None:
            came.refused = message.seq
        if message.sse and message.sse.event == "endpoint":
            came.transport = "sse"
        method = message.body.get("method") if isinstance(message.body, dict) else None
        if method == "sampling/createMessage" and self.model is None:
            self.model = message.seq

    def _party(self, who: str, seq: int) -> Seen:
        if who not in self.seen:
            self.seen[who] = self._new(who, seq)
        return self.seen[who]

    def _new(self, who: str, seq: int) -> Seen:
        return Seen(plain(who), self.roles.get(who, "server"), self.titles.get(who), seq)

    def _servers(self) -> Iterator[Seen]:
        """Those that a client spoke to in the order in which the recording names them, each with the authorization
        server that was asked after its 401; a server alone needs no 401 for that.
        """
        inner = {receiver for _, receiver in self.links}
        issuers = [one for one in self.seen.values() if one.role == "auth"]
        order = {who: at for at, who in enumerate(dict.fromkeys([*self.roles, *self.seen]))}
        in_order = sorted(self.seen.items(), key=lambda item: order[item[0]])
        fronts = [one for who, one in in_order if one.role in ("server", "gateway") and who not in inner]
        for one in fronts:
            asked = (issuer for issuer in issuers if one.refused is not None and issuer.first > one.refused)
            alone = issuers[0] if issuers and len(fronts) == 1 else None
            one.issuer = next(asked, alone)
            yield one

    def _started(self, servers: tuple[Seen, ...]) -> None:
        """What the recording's head tells, where its messages do not."""
        if len(servers) != 1:
            return
        (only,) = servers
        if self.trace.url and only.url is None:
            only.url, only.transport = Word(plain(self.trace.url), only.first), _remote(only.transport)
        if self.trace.command and not only.argv:
            only.argv = _words(self.trace.command)


def plain(text: str) -> str:
    """A text that can be written as UTF-8, whatever JSON held."""
    return _SURROGATES.sub("\ufffd", text)


def named(text: str) -> str:
    """A name that somebody gave; of a recording without masks, too, nothing that looks like a secret."""
    return mask_shapes(plain(text))


def _remote(transport: Transport) -> Transport:
    return "sse" if transport == "sse" else "http"


def _words(value: Any) -> list[str]:
    return [plain(word) for word in value if isinstance(word, str)] if isinstance(value, list) else []


def _tokens(headers: list[tuple[str, str]]) -> Iterator[str]:
    """The credentials among the headers, by their schemes or names."""
    for name, value in headers:
        scheme = _SCHEME.match(value.strip())
        if name.lower() == "authorization":
            yield f"{scheme[1].capitalize() if scheme else 'Authorization'} {HIDDEN}"
        elif strength(name) == "strong":
            yield f"{named(name)} {HIDDEN}"
