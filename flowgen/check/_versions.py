"""Rules of the stateless era's `_meta`, of revisions that are refused, and of clients and servers of both eras."""

import re
from collections.abc import Iterator
from typing import Any

from flowgen.protocol import REVISIONS

from ._eras import STATELESS_ERRORS
from ._hits import Hit, once, rule
from ._message import CAPABILITIES, PREFIX, VERSION, Json, Seen, items, obj, text
from ._session import Session

DISCOVER = "server/discover"
_NEEDED = {VERSION: str, CAPABILITIES: dict}
_KNOWN = {"protocolVersion", "clientCapabilities", "clientInfo", "logLevel", "serverInfo", "subscriptionId",
          "related-task", "model-immediate-response"}  # fmt: skip
_LABEL = "[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_KEY = re.compile(rf"(?:(?P<prefix>{_LABEL}(?:\.{_LABEL})*)/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?")
_MEMBER = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+\s*=\s*[!-+\--:<-\[\]-~]*"
_TRACE = {
    "traceparent": re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?"),
    "tracestate": re.compile(r"\s*(?:[a-z0-9][a-z0-9_*/@-]{0,255}=[ -+\--<>-~]{1,256}\s*(?:,\s*|$))*"),
    "baggage": re.compile(rf"\s*(?:{_MEMBER}(?:\s*;[^,;]*)*\s*(?:,\s*|$))+"),
}


@rule
def meta_version_missing(session: Session) -> Iterator[Hit]:
    for seen in _requests(session):
        if not isinstance(seen.meta.get(VERSION), str):
            yield Hit(seen, f"{seen.method} without {VERSION}")


@rule
def meta_capabilities_missing(session: Session) -> Iterator[Hit]:
    for seen in _requests(session):
        if VERSION in seen.meta and not isinstance(seen.meta.get(CAPABILITIES), dict):
            yield Hit(seen, f"{seen.method} without {CAPABILITIES}")


@rule
def meta_missing_accepted(session: Session) -> Iterator[Hit]:
    for seen in session.results():
        lacks = [name for name, form in _NEEDED.items() if seen.request and seen.request.whole
                 and not isinstance(seen.request.meta.get(name), form)]  # fmt: skip
        if lacks and seen.request and seen.request.side == "client":
            yield Hit(seen, f"{seen.method} without {lacks[0]} has a result")


@rule
def meta_clientinfo_missing(session: Session) -> Iterator[Hit]:
    name = f"{PREFIX}clientInfo"
    return once(Hit(seen, f"{seen.method} without {name}") for seen in _requests(session)
                if VERSION in seen.meta and name not in seen.meta)  # fmt: skip


@rule
def meta_serverinfo_missing(session: Session) -> Iterator[Hit]:
    name = f"{PREFIX}serverInfo"
    return once(Hit(seen, f"the result of {seen.method} without {name}") for seen in session.results()
                if seen.era == "stateless" and seen.side == "server" and name not in seen.meta)  # fmt: skip


@rule
def meta_key_syntax(session: Session) -> Iterator[Hit]:
    told = set[str]()
    for seen, key in _keys(session):
        if not _KEY.fullmatch(key) and key not in told:
            told.add(key)
            yield Hit(seen, f"_meta has the key {key[:60]!r}")


@rule
def meta_prefix_reserved(session: Session) -> Iterator[Hit]:
    told = set[str]()
    for seen, key in _keys(session):
        if is_reserved(key) and key.removeprefix(PREFIX) not in _KNOWN and key not in told:
            told.add(key)
            yield Hit(seen, f"_meta has the key {key[:60]!r}")


@rule
def traceparent_format(session: Session) -> Iterator[Hit]:
    for seen in session.json_rpc:
        for name, form in _TRACE.items():
            value = seen.meta.get(name)
            if name in seen.meta and not (isinstance(value, str) and form.fullmatch(value)) and text(value or "") != "":
                yield Hit(seen, f"{name} is {str(value)[:60]!r}")


@rule
def version_rejection_shape(session: Session) -> Iterator[Hit]:
    for seen in session.errors():
        asked = text(seen.request.meta.get(VERSION)) if seen.request else None
        data = obj(seen.error.get("data"))
        if seen.code == -32022 and not (isinstance(data.get("supported"), list) and text(data.get("requested"))):
            yield Hit(seen, "error -32022 without data.supported or data.requested")
        elif asked and _is_none(asked) and seen.code not in (-32022, -32020):
            yield Hit(seen, f"revision {asked[:40]!r} is refused with {seen.code}")


@rule
def version_retry_unsupported(session: Session) -> Iterator[Hit]:
    supported: list[Any] | None = None
    for seen in session.json_rpc:
        asked = text(seen.meta.get(VERSION)) if seen.kind == "request" else None
        if supported and asked and asked not in supported:
            yield Hit(seen, f"{seen.method} in {asked[:40]!r}; supported: {', '.join(map(str, supported))[:80]}")
        if asked:
            supported = None
        if seen.kind == "error" and seen.code == -32022:
            supported = items(obj(seen.error.get("data")).get("supported"))


@rule
def fallback_after_modern_error(session: Session) -> Iterator[Hit]:
    refused: Seen | None = None
    for seen in session.json_rpc:
        if seen.kind == "error" and seen.code in STATELESS_ERRORS and seen.method != "initialize":
            refused = refused or seen
        elif seen.kind == "request" and seen.method == "initialize" and refused:
            yield Hit(seen, f"initialize after error {refused.code}")
            return


@rule
def fallback_missing(session: Session) -> Iterator[Hit]:
    probe = _refused_probe(session)
    if probe is None or next(session.requests("initialize"), None):
        return
    after = [seen for seen in _requests(session) if seen.at > probe.at]
    if after and not _speaks(session, probe.at):
        yield Hit(after[0], f"{after[0].method} goes on in the stateless era after error {probe.code} to {DISCOVER}")


@rule
def discover_missing(session: Session) -> Iterator[Hit]:
    probe = _refused_probe(session)
    if probe and probe.code == -32601 and _speaks(session, probe.at):
        yield Hit(probe, f"{DISCOVER} is refused by a server that answers others in the stateless era")


@rule
def legacy_client_rejected_silently(session: Session) -> Iterator[Hit]:
    for seen in session.errors("initialize"):
        told = f"{seen.error.get('message')} {seen.error.get('data')}"
        alone = seen.code == -32601 or _speaks(session, -1)
        if alone and not any(revision in told for revision in REVISIONS):
            yield Hit(seen, f"initialize is refused with {seen.code}, no revision is named")


def is_key(key: str, prefixed: bool = False) -> bool:
    """Whether a key has the form of `_meta`'s; `prefixed`: and a prefix, as ids of extensions have."""
    found = _KEY.fullmatch(key)
    return bool(found and (found["prefix"] or not prefixed))


def is_reserved(key: str) -> bool:
    """Whether a key's prefix is the specification's own: its second label says so."""
    prefix, slash, _ = key.partition("/")
    return bool(slash) and prefix.split(".")[1:2] in (["mcp"], ["modelcontextprotocol"])


def _is_none(revision: str) -> bool:
    """Whether no server can speak a revision: it has no date, or one before there was MCP."""
    return not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", revision) or revision < REVISIONS[0]


def _requests(session: Session) -> Iterator[Seen]:
    return (seen for seen in session.requests() if seen.era == "stateless" and seen.side == "client")


def _keys(session: Session) -> Iterator[tuple[Seen, str]]:
    for seen in session.json_rpc:
        metas: list[Json] = [seen.meta]
        for meta in metas:
            yield from ((seen, str(key)) for key in meta)


def _refused_probe(session: Session) -> Seen | None:
    """The error that the first request, server/discover, got: one that a server of the handshake era may give."""
    first = next(session.requests(), None)
    answer = first.answer if first and first.method == DISCOVER else None
    return answer if answer and answer.kind == "error" and answer.code not in STATELESS_ERRORS else None


def _speaks(session: Session, after: int) -> bool:
    """Whether the server gave a result in the stateless era."""
    return any(seen.at > after and seen.era == "stateless" and seen.side == "server" for seen in session.results())
