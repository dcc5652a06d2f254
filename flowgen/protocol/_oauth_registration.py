"""Who the client is at an authorization server, and how it proves that at the token endpoint.

Order (2026-07-28 basic/authorization/client-registration): registered beforehand, Client ID Metadata Document,
dynamic registration (deprecated there), a person who is asked. Credentials belong to the issuer that gave them.
"""

import base64
from typing import Any
from urllib.parse import quote_plus

from flowgen.errors import ServerError

from ._acts import Json, Note, Script
from ._oauth_discovery import Errand
from ._oauth_documents import Unusable, denied_in, document, registration_in
from ._oauth_model import AuthServer, Method, Registration, Way
from ._web import AskClientId, Failure, Fetch, Fetched, Pairs, Sign

_OURS: tuple[Method, ...] = ("none", "client_secret_basic", "client_secret_post")
_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_OTHER_WAYS = "--client-id ID takes an id that is registered there, --client-metadata-url URL a document about us"


def registered(errand: Errand, server: AuthServer, redirect_uri: str, scopes: tuple[str, ...]) -> Script[Registration]:
    """The client's registration at this server, remembered. Raises ServerError where there is no way to one.

    `scopes` are all that the client may want there; they are named in a dynamic registration.
    """
    if errand.settings.client_id is not None:
        return (yield from given(errand, server))
    if errand.settings.client_metadata_url is not None and server.reads_documents:
        document_url = errand.settings.client_metadata_url
        return (yield from _settled(errand, server, Registration(document_url, "metadata-document"), "supported"))
    kept = errand.wallet.registration_at(server.issuer)
    if kept is not None and (kept.way == "asked" or (kept.way == "dynamic" and kept.redirect_uri == redirect_uri)):
        return (yield from _settled(errand, server, kept, "given"))
    if server.registration_endpoint is not None:
        new = yield from _dynamic(errand, server, server.registration_endpoint, redirect_uri, scopes)
        return (yield from _settled(errand, server, new, "only-way"))
    return (yield from _asked(errand, server))


def given(errand: Errand, server: AuthServer) -> Script[Registration]:
    """The registration that the user gave. Raises ServerError at an issuer that it does not belong to."""
    settings = errand.settings
    client_id = settings.client_id or ""
    at = errand.wallet.issuer_of(client_id)
    if at is not None and at != server.issuer:
        raise ServerError(
            f"the client id {client_id} belongs to {at}, and now {server.issuer} is to know it",
            "give the client id that is registered there, or none",
        )
    registration = Registration(client_id, "pre-registered", settings.client_secret)
    return (yield from _settled(errand, server, registration, "given"))


def _settled(errand: Errand, server: AuthServer, registration: Registration, why: str) -> Script[Registration]:
    errand.wallet.register(server.issuer, registration)
    old = registration.way == "dynamic" and errand.revision == "2026-07-28"
    way: Way = registration.way
    yield Note("chose-registration", {"way": way, "why": why, **({"deprecated": True} if old else {})})
    return registration


def _asked(errand: Errand, server: AuthServer) -> Script[Registration]:
    client_id: str | None = None
    if errand.settings.interactive:
        client_id = yield AskClientId(server.issuer)
    if not client_id:
        unread = errand.settings.client_metadata_url is not None
        why = "reads no client metadata documents and " if unread else ""
        raise ServerError(f"{server.issuer} {why}lets no client register itself", _OTHER_WAYS)
    return (yield from _settled(errand, server, Registration(client_id, "asked"), "only-way"))


# dynamic registration


def _dynamic(
    errand: Errand, server: AuthServer, endpoint: str, redirect_uri: str, scopes: tuple[str, ...]
) -> Script[Registration]:
    """Registers (RFC 7591). Raises ServerError when the server will not."""
    asked = _metadata(errand, server, redirect_uri, scopes)
    answer: Fetched | Failure = yield Fetch("POST", endpoint, "auth", (("Accept", "application/json"),), json=asked)
    if isinstance(answer, Failure):
        raise ServerError(f"no answer to the registration at {endpoint}: {answer.reason}", _OTHER_WAYS)
    body = document(answer)
    if answer.status not in (200, 201) or isinstance(body, Unusable):
        why = denied_in(answer) or (body.reason if isinstance(body, Unusable) else f"answered {answer.status}")
        raise ServerError(f"{endpoint} does not register this client: {why}", _OTHER_WAYS)
    registration = registration_in(body, redirect_uri)
    if isinstance(registration, Unusable):
        raise ServerError(f"the registration at {endpoint} {registration.reason}", _OTHER_WAYS)
    return registration


def _metadata(errand: Errand, server: AuthServer, redirect_uri: str, scopes: tuple[str, ...]) -> Json:
    """What a native application says of itself; a client without a secret where the server takes one."""
    method = next((each for each in _OURS if each in (server.methods or ())), None)
    members: dict[str, Any] = {
        "client_name": errand.settings.client_name,
        "redirect_uris": [redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
        "application_type": "native",
        "scope": " ".join(scopes) or None,
    }
    return {name: value for name, value in members.items() if value is not None}


# at the token endpoint


def proof(errand: Errand, server: AuthServer, client: Registration) -> Script[tuple[Pairs, Pairs]]:
    """Headers and form members by which the client says who it is (RFC 6749, 2.3; RFC 7523, 2.2)."""
    match method_for(errand, server, client):
        case "client_secret_basic":
            pair = f"{quote_plus(client.client_id)}:{quote_plus(client.client_secret or '')}"
            return (("Authorization", f"Basic {base64.b64encode(pair.encode()).decode()}"),), ()
        case "client_secret_post":
            return (), (("client_id", client.client_id), ("client_secret", client.client_secret or ""))
        case "private_key_jwt":
            assertion = yield from _signed(client.client_id, server.issuer)
            proven = (("client_assertion_type", _ASSERTION), ("client_assertion", assertion))
            return (), (("client_id", client.client_id), *proven)
        case "none":
            return (), (("client_id", client.client_id),)


def method_for(errand: Errand, server: AuthServer, client: Registration) -> Method:
    """The way to prove it: what the user says, what the registration says, what the server announces.

    A server that announces nothing takes `client_secret_basic` (RFC 8414, 2).
    """
    settings, offered = errand.settings, server.methods or ("client_secret_basic",)
    if settings.auth_method is not None:
        return settings.auth_method
    if settings.signs and client.way != "dynamic" and (server.methods is None or "private_key_jwt" in offered):
        return "private_key_jwt"
    if client.client_secret is None:
        return "none"
    ours = [method for method in ("client_secret_basic", "client_secret_post", "none") if method in offered]
    told = [method for method in _OURS if method == client.method]
    return (*told, *ours, "client_secret_basic")[0]


def _signed(client_id: str, audience: str) -> Script[str]:
    """The audience is the issuer (RFC 7523bis): an assertion for one server is of no use at another."""
    signed: str | Failure = yield Sign({"iss": client_id, "sub": client_id, "aud": audience})
    if isinstance(signed, Failure):
        raise ServerError(f"the client's assertion was not signed: {signed.reason}", "--client-key FILE is a PEM key")
    return signed
