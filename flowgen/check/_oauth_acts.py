"""What was done to get tokens, read out of the HTTP exchanges of a whole recording: who was asked for what, and what
came back.

Told by the requests themselves, never by the names of endpoints alone. Whatever a server sent, nothing is raised.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal
from urllib.parse import parse_qs

from flowgen.protocol import challenges, origin, query_of

from ._heads import address
from ._message import JSON_RPC, Json, Seen, items, obj, text
from ._session import Exchange, exchanges

Kind = Literal["resource", "server", "registration", "authorization", "token"]
Params = dict[str, list[Any]]

WELL_KNOWN = "/.well-known/"
_PLACES: dict[str, Kind] = {"oauth-protected-resource": "resource", "oauth-authorization-server": "server",
                            "openid-configuration": "server"}  # fmt: skip
_ENDPOINTS: dict[str, Kind] = {"authorization_endpoint": "authorization", "token_endpoint": "token",
                               "registration_endpoint": "registration"}  # fmt: skip
_MOST_FIELDS = 100


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """One question and its answer. `asked` are the parameters of its query or form, or the members of its body; `said`
    is the JSON that came back.
    """

    kind: Kind
    seen: Seen
    url: str
    asked: Params
    answer: Seen | None = None
    status: int | None = None
    said: Json = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether a parameter was given."""
        return any(value not in ("", None) for value in self.asked.get(name, ()))

    def told(self, name: str) -> str | None:
        """The first value of a parameter; None where there is none, or it was masked."""
        return text(next(iter(self.asked.get(name, ())), None))

    @property
    def resources(self) -> list[str]:
        """What the token is to be for, masked or not."""
        return [each for each in self.asked.get("resource", ()) if isinstance(each, str)]

    @property
    def is_done(self) -> bool:
        """Whether it was answered with what was asked for."""
        return self.answer is not None and (self.status or 0) in range(200, 300) and bool(self.said)


@dataclass(frozen=True, slots=True, eq=False)
class Callback:
    """What an authorization server sent back through the browser: a code, or why there is none."""

    seen: Seen
    url: str
    params: Params
    pointer: str

    def told(self, name: str) -> str | None:
        """The first value of a parameter; None where there is none, or it was masked."""
        return text(next(iter(self.params.get(name, ())), None))


@dataclass(frozen=True, slots=True)
class Acts:
    """All of a recording, in order. `clients` are those who speak JSON-RPC as clients, `pairs` who speaks with whom.

    `places` are the acts by whom was asked and which server they name; those that name none stand under None.
    """

    acts: list[Act]
    callbacks: list[Callback]
    clients: frozenset[str]
    pairs: int
    places: dict[str, dict[str | None, list[Act]]]
    documents: dict[str, list[Act]]

    def at(self, place: str, servers: Collection[str]) -> Iterator[Act]:
        """What was asked at a place that names one of these servers, or none at all; of no servers: everything."""
        asked = self.places.get(place, {})
        return (act for name in ([None, *servers] if servers else asked) for act in asked.get(name, ()))


def read_acts(everything: Sequence[Seen]) -> Acts:
    """The acts of a recording."""
    found = list(_acts(everything))
    gone_to = {act.url for act in found if act.kind == "authorization"}
    found += [act for act in _opened(everything) if act.url not in gone_to]
    spoken = [seen for seen in everything if seen.kind in JSON_RPC]
    pairs = {frozenset((seen.message.sender, seen.message.receiver)) for seen in spoken}
    clients = frozenset(seen.message.sender for seen in spoken if seen.side == "client")
    acts = sorted(found, key=lambda act: act.seen.at)
    return Acts(acts, list(_callbacks(everything)), clients, len(pairs), _places(acts), _documents(acts))


def _places(acts: Sequence[Act]) -> dict[str, dict[str | None, list[Act]]]:
    found: dict[str, dict[str | None, list[Act]]] = {}
    for act in acts:
        servers: set[str | None] = {place_of(each) for each in act.resources}
        for server in servers or {None}:
            found.setdefault(place_of(act.url), {}).setdefault(server, []).append(act)
    return found


def _documents(acts: Sequence[Act]) -> dict[str, list[Act]]:
    """The metadata of authorization servers by who it says that it is."""
    found: dict[str, list[Act]] = {}
    for act in acts:
        if act.kind == "server" and (issuer := text(act.said.get("issuer"))):
            found.setdefault(issuer, []).append(act)
    return found


def challenge(seen: Seen) -> dict[str, str]:
    """The parameters of the Bearer challenge in an answer, or of the one that names resource metadata (RFC 9728)."""
    every = [each for value in _challenged(seen) for each in challenges(value)]
    fitting = [each for each in every if each.scheme.lower() == "bearer" or "resource_metadata" in each.params]
    return fitting[0].params if fitting else {}


def is_foreign(seen: Seen) -> bool:
    """Whether an answer asks for credentials of another kind than OAuth's."""
    schemes = {each.scheme.lower() for value in _challenged(seen) for each in challenges(value)}
    return bool(schemes) and "bearer" not in schemes


def _challenged(seen: Seen) -> list[str]:
    headers = seen.message.http.headers if seen.message.http else []
    return [value for name, value in headers if name.lower() == "www-authenticate"]


def asked_issuer(url: str) -> str | None:
    """The issuer whose metadata stands at an address (RFC 8414, 3.1; OpenID Connect Discovery, 4)."""
    base, well_known, rest = url.partition(WELL_KNOWN)
    return base + "".join(f"/{part}" for part in rest.split("/")[1:]) if well_known else None


@lru_cache(4096)
def place_of(url: str) -> str:
    """Scheme, host and port of an address; empty for what is none."""
    try:
        return origin(url)
    except ValueError:
        return ""


def endpoints_of(said: Json) -> Iterator[tuple[str, str]]:
    """The endpoints that metadata of an authorization server names: name and address."""
    return ((name, url) for name, value in said.items() if name.endswith("_endpoint") and (url := text(value)))


def _acts(everything: Sequence[Seen]) -> Iterator[Act]:
    known: dict[str, Kind] = dict.fromkeys(_named_by_challenges(everything), "resource")
    for exchange in exchanges(everything).values():
        act = _act(exchange, known) if exchange.sent else None
        if act is None:
            continue
        if act.kind == "server":
            known |= {address(url): _ENDPOINTS[name] for name, url in endpoints_of(act.said) if name in _ENDPOINTS}
        yield act


def _act(exchange: Exchange, known: dict[str, Kind]) -> Act | None:
    opener = exchange.opener
    url = _url(opener)
    if opener.kind in JSON_RPC or not url or opener.message.http is None:
        return None
    asked = {**(query_of(url) or {}), **_form(opener)} if opener.message.http.method == "POST" else query_of(url) or {}
    kind = _kind(address(url), asked, known)
    answer = next((seen for seen in exchange.got if _is_document(seen)), next(iter(exchange.got), None))
    said = obj(answer.message.body) if answer and _is_document(answer) else {}
    return Act(kind, opener, address(url), asked, answer, exchange.status, said) if kind else None


def _kind(url: str, asked: Params, known: dict[str, Kind]) -> Kind | None:
    _, well_known, rest = url.partition(WELL_KNOWN)
    name = rest.partition("/")[0]
    if well_known and name in _PLACES:
        return _PLACES[name]
    if "response_type" in asked or ({"client_id", "redirect_uri"} <= asked.keys() and "grant_type" not in asked):
        return "authorization"
    if "grant_type" in asked:
        return "token"
    return "registration" if "redirect_uris" in asked else known.get(url)


def _form(seen: Seen) -> Params:
    """The members of a form, or of a JSON body."""
    if isinstance(seen.message.body, dict):
        return {name: items(value) or [value] for name, value in seen.message.body.items()}
    try:
        return dict(parse_qs(seen.message.text or "", keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        return {}


def _is_document(seen: Seen) -> bool:
    return seen.event is None and isinstance(seen.message.body, dict)


def _named_by_challenges(everything: Sequence[Seen]) -> Iterator[str]:
    for seen in everything:
        if seen.status in (401, 403) and (named := challenge(seen).get("resource_metadata")):
            yield address(named)


def _opened(everything: Sequence[Seen]) -> Iterator[Act]:
    """Authorizations of which only is known that a browser was opened for them."""
    for seen in everything:
        reason = obj(obj(seen.message.body).get("data")).get("reason")
        if seen.kind == "note" and seen.event == "opened-browser" and reason == "authorization":
            url = _url(seen)
            yield Act("authorization", seen, address(url), query_of(url) or {})


def _callbacks(everything: Sequence[Seen]) -> Iterator[Callback]:
    for seen in everything:
        for pointer, url in _came_back(seen):
            params = query_of(url) or {}
            if ("code" in params or "error" in params) and "response_type" not in params:
                yield Callback(seen, address(url), params, pointer)


def _came_back(seen: Seen) -> Iterator[tuple[str, str]]:
    location = seen.header("location") if seen.message.http and (seen.status or 0) in range(300, 400) else None
    if location:
        yield "/http/headers/location", location
    elif seen.kind == "note" and seen.event == "callback-received":
        yield "/body/data/url", _url(seen)
    elif seen.kind == "http" and seen.message.http and seen.message.http.method == "GET":
        yield "/http/url", _url(seen)


def _url(seen: Seen) -> str:
    if seen.kind == "note":
        url = obj(obj(seen.message.body).get("data")).get("url")
        return url if isinstance(url, str) else ""
    return (seen.message.http.url if seen.message.http else None) or ""
