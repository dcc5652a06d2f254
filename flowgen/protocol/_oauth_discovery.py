"""From a 401 to the authorization server: whose resource this is, whom it trusts, what that server can do.

Policy (2026-07-28 basic/authorization/authorization-server-discovery, RFC 9728, RFC 8414): the address in the
challenge, then beside the path, then at the root. A document that says it is somebody else's ends the search; one
that is missing or unreadable does not. Without any, 2025-03-26 had the server's own origin.
"""

from collections import Counter
from dataclasses import replace
from typing import NamedTuple, NoReturn

from flowgen.errors import ServerError

from ._acts import Json, Note, Script
from ._oauth_challenge import Wanted
from ._oauth_documents import Unusable, auth_server_in, found, resource_in, said
from ._oauth_model import AuthServer, Resource, Settings
from ._oauth_urls import covers, fault_of, metadata_places, origin, resource_of, resource_places, shown
from ._oauth_wallet import Wallet
from ._web import Fetch, Pairs

# revisions whose servers may name no resource metadata, and whose metadata need not announce PKCE
BEFORE_RESOURCES = ("2024-11-05", "2025-03-26")
BEFORE_S256 = (*BEFORE_RESOURCES, "2025-06-18")

_HAVE_TOKEN = "--bearer env:NAME sends a token that you have"


class Errand(NamedTuple):
    """One authorization: for whom, with what, and the server's URL. `revision` is None while it is not known."""

    settings: Settings
    wallet: Wallet
    url: str
    revision: str | None

    def fault(self, url: str) -> str | None:
        """Why an address that a server named must not be asked."""
        return fault_of(url, self.url, self.settings.plain_http)

    @property
    def name(self) -> str:
        """The server in a sentence: its URL without user and query, which may be secret."""
        return resource_of(self.url)

    @property
    def headers(self) -> Pairs:
        """The headers of a request for metadata; the version since 2025-03-26 basic/authorization, 2.3.1."""
        version = (("MCP-Protocol-Version", self.revision),) if self.revision else ()
        return (("Accept", "application/json"), *version)


def discovered(errand: Errand, wanted: Wanted) -> Script[tuple[Resource | None, AuthServer]]:
    """The resource (None where nothing describes it) and its authorization server, both remembered.

    Raises ServerError with every place that was tried.
    """
    resource, tried = yield from _resource(errand, wanted)
    if resource is None and errand.settings.issuer is None:
        server = yield from _at_own_origin(errand, wanted, tried)
        yield _chose(server, (), "only-one")
    else:
        issuer, others, why = _chosen(errand, resource)
        server = yield from auth_server(errand, issuer)
        yield _chose(server, others, why)
    errand.wallet.note_found(errand.url, resource, server)
    return resource, server


# the resource


def _resource(errand: Errand, wanted: Wanted) -> Script[tuple[Resource | None, list[str]]]:
    """The resource metadata, or None and what each place said instead."""
    tried: list[str] = []
    named = [wanted.resource_metadata] if wanted.resource_metadata else []
    for place in dict.fromkeys([*named, *resource_places(errand.url)]):
        fault = errand.fault(place) if place in named else None
        if fault:
            raise ServerError(f"the challenge names the metadata {shown(said(place))}, which {fault}", _safer(fault))
        body = found((yield Fetch("GET", place, "server", errand.headers)))
        resource = body if isinstance(body, Unusable) else resource_in(body)
        if isinstance(resource, Resource):
            return _matching(errand, resource, place), tried
        tried.append(f"{place} {resource.reason}")
    return None, tried


def _matching(errand: Errand, resource: Resource, place: str) -> Resource:
    """Metadata of another resource must not be used: its server would get a token meant for somebody else."""
    if not covers(resource.resource, errand.url):
        raise ServerError(
            f"the metadata at {place} is for {said(resource.resource)}, not for {errand.name}",
            "ask the server by the address that it gives itself, if that is the one you mean",
        )
    return resource


def _chosen(errand: Errand, resource: Resource | None) -> tuple[str, tuple[str, ...], str]:
    """The issuer, the others there are, and why this one."""
    given, issuers = errand.settings.issuer, resource.issuers if resource else ()
    if given is not None:
        if resource is not None and given not in issuers:
            named = ", ".join(map(said, issuers)) or "none"
            raise ServerError(f"{errand.name} does not trust {given}", f"it names: {named}")
        return given, tuple(each for each in issuers if each != given), "given"
    if not issuers:
        raise ServerError(
            f"the metadata of {errand.name} names no authorization server",
            f"--issuer URL names it; {_HAVE_TOKEN}",
        )
    return issuers[0], issuers[1:], "first" if issuers[1:] else "only-one"


# the authorization server


def auth_server(errand: Errand, issuer: str) -> Script[AuthServer]:
    """The metadata of an issuer. Raises ServerError where there is none, or it cannot be trusted."""
    fault = errand.fault(issuer) or ("has a query" if "?" in issuer else None)
    if fault:
        raise ServerError(f"the authorization server {said(issuer)} {fault}", _safer(fault))
    server, tried = yield from _metadata(errand, issuer, (issuer,))
    if server is None:
        hint = "--issuer URL takes another one that the server names" if errand.settings.issuer is None else None
        raise ServerError(f"no metadata of the authorization server {issuer}: {'; '.join(tried)}", hint or _HAVE_TOKEN)
    return server


def _metadata(errand: Errand, issuer: str, same: tuple[str, ...]) -> Script[tuple[AuthServer | None, list[str]]]:
    """The first document of an issuer, whose own name must be one of `same`, to the letter (RFC 8414, 3.3)."""
    tried: list[str] = []
    for place in metadata_places(issuer):
        body = found((yield Fetch("GET", place, "auth", errand.headers)))
        server = body if isinstance(body, Unusable) else auth_server_in(body, place)
        if isinstance(server, AuthServer):
            if server.issuer not in same:
                raise ServerError(
                    f"the metadata at {place} is of {said(server.issuer)}, not of {issuer}",
                    "whoever set the authorization server up has to mend its issuer",
                )
            return _reachable(errand, server), tried
        tried.append(f"{place} {server.reason}")
    return None, tried


def _reachable(errand: Errand, server: AuthServer) -> AuthServer:
    endpoints = (server.authorization_endpoint, server.token_endpoint, server.registration_endpoint)
    for endpoint in filter(None, endpoints):
        fault = errand.fault(endpoint)
        if fault:
            raise ServerError(f"{server.issuer} names the endpoint {said(endpoint)}, which {fault}", _safer(fault))
    return server


# 2025-03-26: the server's own origin


def _at_own_origin(errand: Errand, wanted: Wanted, tried: list[str]) -> Script[AuthServer]:
    """Metadata at the server's own origin, or its fixed paths (2025-03-26 basic/authorization, 2.3)."""
    if errand.revision is not None and errand.revision not in BEFORE_RESOURCES:
        _undescribed(errand, wanted, tried)
    base = origin(errand.url)
    fault = errand.fault(base)
    if fault:
        raise ServerError(f"the authorization server would be {base}, which {fault}", _safer(fault))
    # nobody wrote this issuer down, and servers of that time put a slash behind it
    server, places = yield from _metadata(errand, base, (base, f"{base}/"))
    if server is not None:
        return replace(server, own=True)
    if errand.revision is None:  # a guess at paths is for servers that are known to be that old
        _undescribed(errand, wanted, tried + places)
    return AuthServer(base, f"{base}/authorize", f"{base}/token", f"{base}/register", own=True)


def _undescribed(errand: Errand, wanted: Wanted, tried: list[str]) -> NoReturn:
    other = ", ".join(said(scheme, 40) for scheme in wanted.schemes if scheme != "bearer")
    asks = f" and asks for {other}" if other else ""
    hint = f"{_HAVE_TOKEN}, --header 'Authorization: env:NAME' any other credentials, --issuer URL names its server"
    why = f"{errand.name} wants authorization{asks}, but names no server for it: {_summed(tried)}"
    raise ServerError(why, hint)


def _summed(tried: list[str]) -> str:
    """What places said, in a few words; each stands in the recording."""
    said_by = Counter(place.partition(" ")[2] for place in tried)
    if len(tried) < 2:
        return "; ".join(tried)
    told = ", ".join(f"{count} {reason}" for reason, count in said_by.items())
    return f"of {len(tried)} addresses for metadata {told}"


def _chose(server: AuthServer, others: tuple[str, ...], why: str) -> Note:
    data: Json = {"issuer": server.issuer, "why": why}
    if others:
        data["others"] = list(others)
    if server.place:
        data["place"] = server.place
    return Note("chose-issuer", data)


def _safer(fault: str) -> str:
    if fault == "is http, not https":
        return "--insecure allows it, and whoever listens on the way reads the tokens"
    return _HAVE_TOKEN
