"""HTTP heads as rules look at them: which endpoint a session has, who asked there, and which header tells the wrong
thing.

A head that was not kept says nothing, and a masked value is never compared.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from flowgen.trace import MASK
from flowgen.wire import NAMED, PARAM, header_value, mirrored, param_headers, plain_value

from ._message import JSON_RPC, VERSION, Seen, text
from ._session import Exchange, Session

SESSION_ID = "mcp-session-id"
_ROUTED = ("tools/call", "prompts/get", "resources/read")  # tasks have a rule of their own

About = Literal["version", "method", "name", "param", "encoding"]
Names = dict[tuple[str, ...], str]


@dataclass(frozen=True, slots=True)
class Wrong:
    """A header of a request that misses or contradicts the body, or is not written as it has to be."""

    seen: Seen
    about: About
    said: str


def kept(seen: Seen) -> bool:
    """Whether the HTTP head of a message was kept."""
    return seen.message.http is not None and bool(seen.message.http.headers)


def address(url: str | None) -> str:
    """An address without its query and fragment."""
    return (url or "").partition("#")[0].partition("?")[0]


def asked(session: Session) -> list[Exchange]:
    """The exchanges that the client opened at the endpoint of a session, those whose heads were kept."""
    found: list[Exchange] = session.worked_out("asked", _asked)
    return found


def endpoints(session: Session) -> frozenset[str]:
    """The addresses that JSON-RPC was sent to."""
    found: frozenset[str] = session.worked_out("endpoints", _endpoints)
    return found


def is_streamable(session: Session) -> bool:
    """Whether it is Streamable HTTP: the transport before it names its endpoint in an event."""
    streamable: bool = session.worked_out("streamable", _is_streamable)
    return streamable


def secret(seen: Seen, pointer: str, value: Any) -> Hashable:
    """What stands for a value that may be masked: equal for equal ones; None where that cannot be told."""
    if isinstance(value, str) and MASK in value:
        mark = seen.message.fingerprints.get(pointer)
        return ("masked", mark) if mark else None
    return ("plain", value) if isinstance(value, str) else None


def wrong_heads(session: Session) -> list[Wrong]:
    """What is wrong with the headers of the requests of the stateless era, in order."""
    found: list[Wrong] = session.worked_out("wrong heads", lambda session: list(_wrong_heads(session)))
    return found


def _asked(session: Session) -> list[Exchange]:
    own = endpoints(session)
    return [each for each in session.exchanges.values() if each.sent and each.opener.side == "client"
            and kept(each.opener) and _url(each.opener) in own and not _is_preflight(each.opener)]  # fmt: skip


def _is_preflight(seen: Seen) -> bool:
    """A browser's own question (Fetch, 4.8), which its client neither sees nor can add a header to."""
    return seen.message.http is not None and seen.message.http.method == "OPTIONS"


def _endpoints(session: Session) -> frozenset[str]:
    posts = (seen for seen in session.messages if seen.side == "client" and seen.kind in JSON_RPC)
    return frozenset(_url(seen) for seen in posts if seen.message.http and seen.message.http.url)


def _url(seen: Seen) -> str:
    return address(seen.message.http.url if seen.message.http else None)


def _is_streamable(session: Session) -> bool:
    return not any(seen.message.sse and seen.message.sse.event == "endpoint" for seen in session.messages)


def _wrong_heads(session: Session) -> Iterator[Wrong]:
    for seen in session.requests():
        if seen.era == "stateless" and seen.side == "client" and kept(seen) and not seen.has("batch"):
            yield from _wrong_routes(seen)
            yield from _wrong_params(seen, session)


def _wrong_routes(seen: Seen) -> Iterator[Wrong]:
    yield from _plainly(seen, "version", "MCP-Protocol-Version", seen.meta.get(VERSION))
    yield from _plainly(seen, "method", "Mcp-Method", seen.method)
    name = text(seen.params.get(NAMED[seen.method])) if seen.method in _ROUTED and seen.method else None
    if name is not None:
        yield from _encoded(seen, "name", "Mcp-Name", name)


def _plainly(seen: Seen, about: About, header: str, wanted: Any) -> Iterator[Wrong]:
    """A header that repeats a value as it is."""
    told = seen.header(header)
    if told is None:
        yield Wrong(seen, about, f"{seen.method} without {header}")
    elif text(told) and text(wanted) is not None and told != wanted:
        yield Wrong(seen, about, f"{header} is {told[:60]!r}, the body says {str(wanted)[:60]!r}")


def _encoded(seen: Seen, about: About, header: str, wanted: str) -> Iterator[Wrong]:
    """A header that repeats a value, as base64 where it has to be."""
    told = seen.header(header)
    if told is None:
        yield Wrong(seen, about, f"{seen.method} without {header}, which repeats {wanted[:60]!r}")
    elif MASK in told:
        return
    elif not told.isascii():
        yield Wrong(seen, "encoding", f"{header} is {told[:60]!r} as it is, not as base64")
    elif plain_value(told) is None or (told in (wanted, wanted.strip()) and header_value(wanted) != told):
        yield Wrong(seen, "encoding", f"{header} is {told[:60]!r}, which stands for another text than the body's")
    elif plain_value(told) != wanted:
        yield Wrong(seen, about, f"{header} is {told[:60]!r}, the body says {wanted[:60]!r}")


def _wrong_params(seen: Seen, session: Session) -> Iterator[Wrong]:
    listing = session.listing("tools", seen) if seen.method == "tools/call" else None
    tool = listing.named(seen.name) if listing else None
    names = _names(tool.get("inputSchema"), session) if tool else {}
    for path, name in names.items():
        yield from _wrong_param(seen, PARAM + name, _at(seen.params.get("arguments"), path))


def _wrong_param(seen: Seen, header: str, argument: Any) -> Iterator[Wrong]:
    told, wanted = seen.header(header), mirrored(argument)
    if MASK in f"{argument}{told}":
        return
    if argument is None and told is not None:
        yield Wrong(seen, "param", f"{header} is {told[:60]!r}, the argument has no value")
    elif wanted is not None and not (told is not None and _same_number(told, argument)):
        yield from _encoded(seen, "param", header, wanted)


def _same_number(told: str, argument: Any) -> bool:
    """Numbers are compared as numbers: 42.0 is 42."""
    try:
        return isinstance(argument, int | float) and not isinstance(argument, bool) and float(told) == argument
    except (ValueError, OverflowError):
        return False


def _names(schema: Any, session: Session) -> Names:
    """Which arguments of a tool have headers; every schema is read once."""
    known: dict[int, Names] = session.worked_out("names of params", lambda _: {})
    if id(schema) not in known:
        known[id(schema)] = param_headers(schema).names
    return known[id(schema)]


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value
