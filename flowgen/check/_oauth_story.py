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
    acts = list(_own(every, session)) if described or every.pairs > 1 else every.acts
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


def _own(every: Acts, session: Session) -> Iterator[Act]:
    """The acts that are for a session's server, and its client's or nobody else's."""
    own = {seen.message.sender for seen in session.messages if seen.side == "client"}
    mine = [act for act in every.acts if act.seen.message.sender in own or act.seen.message.sender not in every.clients]
    servers = {place_of(url) for url in endpoints(session)}
    documents = [act.said for act in mine if act.kind == "resource" and place_of(act.url) in servers]
    issuers = {text(each) or "" for said in documents for each in items(said.get("authorization_servers"))}
    places = servers | {place_of(issuer) for issuer in issuers}
    for act in mine:
        if act.kind == "server" and (place_of(act.url) in places or text(act.said.get("issuer")) in issuers):
            places |= {place_of(url) for _, url in endpoints_of(act.said)}
    return (act for act in mine if place_of(act.url) in places and _is_for(act, session))


def _is_for(act: Act, session: Session) -> bool:
    """Whether an act names the server of a session, or none at all."""
    resources, own = [each for each in act.asked.get("resource", ()) if isinstance(each, str)], endpoints(session)
    return not resources or any(_is_hidden(url) or covers(each, url) for each in resources for url in own)


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
