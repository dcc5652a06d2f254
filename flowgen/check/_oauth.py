"""Rules of how a client comes to a token: where it looks, what it asks for, what it makes of what comes back."""

from collections.abc import Iterator

from flowgen.protocol import is_loopback, resource_places
from flowgen.trace import MASK

from ._heads import address, asked, endpoints, secret
from ._hits import Hit, once, rule
from ._message import Seen, text
from ._oauth_acts import Act, asked_issuer, challenge, endpoints_of, is_foreign, place_of
from ._oauth_story import Grant, names, story
from ._session import Session

_NAMED = {"authorization": "authorization request", "token": "token request"}
_FOR_US = ("authorization_code", "refresh_token", "client_credentials")


@rule
def oauth_metadata_unreachable(session: Session) -> Iterator[Hit]:
    tried = {act.url: act.is_done for act in story(session).of("resource")}
    if any(tried.values()):
        return
    for seen in _refusals(session, 401):
        named = challenge(seen).get("resource_metadata")
        places = [address(named)] if named else _places(session)
        if not is_foreign(seen) and places and all(place in tried for place in places):
            yield Hit(seen, f"no metadata of the resource at {' or '.join(places)[:160]}")
            return


@rule
def oauth_resource_missing(session: Session) -> Iterator[Hit]:
    for act in story(session).of("authorization", "token"):
        resources = act.resources
        if act.kind == "token" and act.told("grant_type") not in _FOR_US:
            continue
        if not resources and act.asked:
            yield Hit(act.seen, f"the {_NAMED[act.kind]} has no resource")
        elif resources and not any(names(each, session) for each in resources):
            yield Hit(act.seen, f"the {_NAMED[act.kind]} is for {resources[0][:80]!r}, which is not this server")


@rule
def oauth_pkce(session: Session) -> Iterator[Hit]:
    for act in story(session).of("authorization"):
        if not act.has("code_challenge"):
            yield Hit(act.seen, "the authorization request has no code_challenge")
        elif not _is_s256(act):
            yield Hit(act.seen, f"code_challenge_method is {act.told('code_challenge_method') or 'not given'}")
    for act in story(session).of("token"):
        if act.told("grant_type") == "authorization_code" and not act.has("code_verifier"):
            yield Hit(act.seen, "the token request has no code_verifier")


@rule
def oauth_pkce_unadvertised(session: Session) -> Iterator[Hit]:
    told = story(session)
    for act in told.of("authorization"):
        known = told.known_of(act)
        if known and not any("code_challenge_methods_supported" in each.said for each in known):
            yield Hit(act.seen, f"{place_of(act.url)} does not say that it supports PKCE, and is asked")


@rule
def oauth_issuer_mismatch(session: Session) -> Iterator[Hit]:
    told = story(session)
    for act in told.of("registration", "authorization", "token"):
        known = told.known_of(act)
        wrong = next((each for each in known if _is_of_another(each)), None)
        if wrong and all(_is_of_another(each) for each in known):
            yield Hit(act.seen, f"the metadata for {asked_issuer(wrong.url)} is that of {wrong.said['issuer'][:80]!r}")


@rule
def oauth_iss_mismatch(session: Session) -> Iterator[Hit]:
    told = story(session)
    for grant in told.grants:
        issuers = told.issuers(grant.authorization)
        iss = grant.callback.params.get("iss") if grant.callback else None
        announced = any(each.said.get("authorization_response_iss_parameter_supported") is True
                        for each in told.known_of(grant.authorization))  # fmt: skip
        if grant.token is None or grant.callback is None or not issuers:
            continue
        if iss and MASK not in str(iss[0]) and iss[0] not in issuers:
            yield Hit(grant.token.seen, f"the code came from {str(iss[0])[:80]!r}, asked was {min(issuers)[:80]!r}")
        elif not iss and announced:
            yield Hit(grant.token.seen, "the code came without iss, which the authorization server announces")


@rule
def oauth_state(session: Session) -> Iterator[Hit]:
    for act in story(session).of("authorization"):
        if not act.has("state"):
            yield Hit(act.seen, "the authorization request has no state")
    for grant in story(session).grants:
        if grant.token and grant.callback and grant.authorization.has("state") and (fault := _state_fault(grant)):
            yield Hit(grant.token.seen, f"the code came {fault}, and is used")


@rule
def oauth_plain_http(session: Session) -> Iterator[Hit]:
    told = set[str]()
    near: list[Hit] = []
    for seen, what, url in _addresses(session):
        key = f"{what} {address(url)}"
        if key in told or MASK in url:
            continue
        told.add(key)
        if url.lower().startswith("http:") and not is_loopback(url):
            yield Hit(seen, f"{what} {url[:80]!r} is not https")
        elif url.lower().startswith("http:") and what != "redirect_uri":
            near.append(Hit(seen, f"{what} {url[:80]!r} is not https, on this machine", "info"))
        elif what == "redirect_uri" and not url.lower().startswith(("http:", "https:")):
            yield Hit(seen, f"{what} {url[:80]!r} is neither https nor on this machine's loopback", "warning")
    yield from once(near)


@rule
def oauth_credentials_moved(session: Session) -> Iterator[Hit]:
    told = story(session)
    given: dict[str, frozenset[str]] = {}
    for act in told.acts:
        if act.kind == "registration" and act.is_done and (client := text(act.said.get("client_id"))):
            given[client] = given.get(client, frozenset()) | told.issuers(act)
        elif act.kind in ("authorization", "token"):
            by, issuers = given.get(act.told("client_id") or "", frozenset()), told.issuers(act)
            if by and issuers and not by & issuers:
                yield Hit(act.seen, f"the client_id that {min(by)[:80]} gave is used with {min(issuers)[:80]}")


@rule
def oauth_application_type(session: Session) -> Iterator[Hit]:
    for act in story(session).of("registration"):
        if act.asked and not act.has("application_type"):
            yield Hit(act.seen, "the registration has no application_type")


def _refusals(session: Session, *statuses: int) -> Iterator[Seen]:
    """The answers with which the endpoint turned requests away."""
    for exchange in asked(session):
        yield from (seen for seen in exchange.got[:1] if seen.status in statuses)


def _places(session: Session) -> list[str]:
    """Where metadata of the resource may be that no header names."""
    url = next(iter(sorted(endpoints(session))), "")
    return resource_places(url) if place_of(url).partition("://")[2] and MASK not in url else []


def _is_s256(act: Act) -> bool:
    return any(value == "S256" or MASK in str(value) for value in act.asked.get("code_challenge_method", ()))


def _is_of_another(document: Act) -> bool:
    """Whether metadata names another issuer than that whose place it stands at."""
    said, wanted = text(document.said.get("issuer")), asked_issuer(document.url)
    return said is not None and wanted is not None and said.rstrip("/") != wanted.rstrip("/")


def _state_fault(grant: Grant) -> str | None:
    """What is wrong with the state that came back."""
    sent, back = grant.authorization, grant.callback
    if back is None or "state" not in back.params:
        return "without the state that was sent"
    pointer = "/body/data/url" if sent.seen.kind == "note" else "/http/url"
    mine = _state(sent.seen, sent.asked, pointer)
    theirs = _state(back.seen, back.params, back.pointer)
    comparable = mine is not None and theirs is not None and mine[0] == theirs[0]
    return "with another state than was sent" if comparable and mine != theirs else None


def _state(seen: Seen, params: dict[str, list[object]], pointer: str) -> tuple[str, str] | None:
    """What stands for a state: masked ones by their own fingerprint, or by that of an address without other secrets."""
    known = secret(seen, f"{pointer}/state", params["state"][0])
    hidden = [name for name, values in params.items() if any(MASK in str(value) for value in values)]
    if known is None and hidden == ["state"]:
        known = secret(seen, pointer, params["state"][0])
    return known if isinstance(known, tuple) else None


def _addresses(session: Session) -> Iterator[tuple[Seen, str, str]]:
    """The addresses of authorization: where each stands, what it is, and itself."""
    for act in story(session).acts:
        if act.kind == "server" and act.is_done and act.answer:
            known = [("issuer", text(act.said.get("issuer")) or ""), *endpoints_of(act.said)]
            yield from ((act.answer, what, url) for what, url in known)
        elif act.kind in ("registration", "authorization"):
            uris = [*act.asked.get("redirect_uris", ()), *act.asked.get("redirect_uri", ())]
            yield from ((act.seen, "redirect_uri", uri) for uri in uris if isinstance(uri, str) and uri)
        if act.kind in ("registration", "authorization", "token"):
            yield act.seen, f"{act.kind}_endpoint", act.url
