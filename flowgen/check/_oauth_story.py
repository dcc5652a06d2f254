"""The authorization of one session: which acts of a recording belong to it, and which answer, callback and token each
request for authorization led to.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from flowgen.protocol import covers
from flowgen.trace import MASK, write_json

from ._heads import address, endpoints, secret
from ._message import Seen, items, text
from ._oauth_acts import Act, Acts, Callback, Kind, endpoints_of, place_of, read_acts
from ._session import Session

AUTHORIZATION = "/http/headers/authorization"


@dataclass(slots=True, eq=False)
class Grant:
    """A request for authorization, what came back through the browser, and where the code was redeemed."""

    authorization: Act
    callback: Callback | None = None
    token: Act | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """What was done for a session, in order. `documents` are the metadata of authorization servers by endpoint."""

    acts: list[Act]
    grants: list[Grant]
    resources: frozenset[str]
    documents: dict[str, list[Act]] = field(default_factory=dict)

    def of(self, *kinds: Kind) -> Iterator[Act]:
        """The acts of a kind."""
        return (act for act in self.acts if act.kind in kinds)

    def known_of(self, act: Act) -> list[Act]:
        """The metadata that named the endpoint of an act before it was asked."""
        return [each for each in self.documents.get(act.url, ()) if each.seen.at < act.seen.at]

    def issuers(self, act: Act) -> frozenset[str]:
        """The issuers whose endpoint it is, as far as they are known."""
        return frozenset(issuer for each in self.known_of(act) if (issuer := text(each.said.get("issuer"))))


def story(session: Session) -> Story:
    """The authorization of a session."""
    told: Story = session.worked_out("story", _story)
    return told


def names(resource: str, session: Session) -> bool:
    """Whether a resource is the server of a session: its endpoint, what lies above it, or what it calls itself."""
    own = endpoints(session)
    if MASK in resource or resource.rstrip("/") in story(session).resources:
        return True
    return any(_is_hidden(url) or covers(resource, url) for url in own) or not own


def bearer(seen: Seen) -> Hashable:
    """What stands for the token that a request carries; None where it carries none, or it cannot be told apart."""
    value = seen.header("authorization")
    return secret(seen, AUTHORIZATION, value.partition(" ")[2].strip()) if value and carries_token(seen) else None


def carries_token(seen: Seen) -> bool:
    """Whether a request carries a token."""
    return (seen.header("authorization") or "").lower().startswith("bearer")


def issued(act: Act) -> Hashable:
    """What stands for the token that an act brought."""
    token = act.said.get("access_token")
    return secret(act.answer, "/body/access_token", token) if act.answer else None


def all_acts(session: Session) -> Acts:
    """The acts of the whole recording."""
    told: Acts = session.worked_out_of_all("acts", read_acts)
    return told


def _is_hidden(url: str) -> bool:
    """Whether an address cannot be compared: its path is masked, or its host was not kept."""
    return MASK in url or not place_of(url).partition("://")[2]


def _story(session: Session) -> Story:
    every = all_acts(session)
    described = any(act.kind in ("resource", "server") and act.is_done for act in every.acts)
    acts = _own(every, session) if described or every.pairs > 1 else every.acts
    documents: dict[str, list[Act]] = {}
    told = set[bytes]()
    for act in acts:
        if act.kind == "server" and act.is_done and (key := write_json(act.said)) not in told:
            told.add(key)
            for _, url in endpoints_of(act.said):
                documents.setdefault(address(url), []).append(act)
    named = (text(act.said.get("resource")) for act in acts if act.kind == "resource")
    resources = frozenset(each.rstrip("/") for each in named if each)
    return Story(acts, _grants(acts, every.callbacks), resources, documents)


def _own(every: Acts, session: Session) -> list[Act]:
    """The acts that are for a session's server, and its client's or nobody else's."""
    own, known = endpoints(session), not any(_is_hidden(url) for url in endpoints(session))
    servers = {place_of(url) for url in own}
    issuers = {text(each) or "" for server in servers for act in every.at(server, ()) if act.kind == "resource"
               for each in items(act.said.get("authorization_servers"))}  # fmt: skip
    places = servers | {place_of(issuer) for issuer in issuers}
    documents = [*(act for place in places for act in every.at(place, servers) if act.kind == "server"),
                 *(act for issuer in issuers for act in every.documents.get(issuer, ()))]  # fmt: skip
    places |= {place_of(url) for act in documents for _, url in endpoints_of(act.said)}
    found = {*documents, *(act for place in places for act in every.at(place, servers if known else ()))}
    mine = (act for act in found if act.seen.message.sender in (session.client, *_nobody(act, every)))
    return sorted((act for act in mine if _is_for(act, own)), key=lambda act: act.seen.at)


def _nobody(act: Act, every: Acts) -> tuple[str, ...]:
    """Who did it, if that is no client of anybody: a browser."""
    return () if act.seen.message.sender in every.clients else (act.seen.message.sender,)


def _is_for(act: Act, own: frozenset[str]) -> bool:
    """Whether an act names the server of a session, or none at all."""
    named = act.resources
    return not named or any(_is_hidden(url) or covers(each, url) for each in named for url in own)


def _grants(acts: list[Act], callbacks: list[Callback]) -> list[Grant]:
    """Pairs by the redirect URI, else by order."""
    grants: list[Grant] = []
    last: dict[str, Grant] = {}
    events: list[Act | Callback] = [*acts, *callbacks]
    for event in sorted(events, key=lambda each: each.seen.at):
        if isinstance(event, Callback):
            grant = last.get(event.url) or last.get("")
            if grant and grant.callback is None:
                grant.callback = event
        elif event.kind == "authorization":
            grants.append(Grant(event))
            last[address(event.told("redirect_uri"))] = last[""] = grants[-1]
        elif event.kind == "token" and event.told("grant_type") == "authorization_code":
            grant = last.get(address(event.told("redirect_uri"))) or last.get("")
            if grant and grant.token is None:
                grant.token = event
    return grants
