"""What the authorization script is given, and what it finds out: settings, metadata, a registration, a token.

Secrets have no place in a `repr`, so that no traceback shows them.
"""

import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from flowgen.errors import UsageError

from ._oauth_urls import fault_of, split

Method = Literal["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]
Way = Literal["pre-registered", "metadata-document", "dynamic", "asked"]

LOOPBACK = ("127.0.0.1", "::1", "localhost")
SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")  # RFC 6749, 3.3


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user said about authorization. Raises UsageError for what cannot be followed.

    `interactive`: a person can sign in with a browser. `signs`: a private key is there, so a Sign may be yielded.
    `grant`: `auto` takes client credentials where the authorization server offers nothing else, or nobody is there.
    `auth_method` overrides what is announced for the token endpoint. `offline`: ask for `offline_access` where the
    authorization server knows it (SEP-2207). `plain_http` allows http beyond loopback. `browser` says in the notes
    who plays the browser.
    """

    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    client_metadata_url: str | None = None
    issuer: str | None = None
    scopes: tuple[str, ...] = ()
    redirect_uri: str | None = None
    interactive: bool = False
    signs: bool = False
    grant: Literal["auto", "authorization_code", "client_credentials"] = "auto"
    auth_method: Method | None = None
    offline: bool = False
    plain_http: bool = False
    browser: Literal["user", "demo"] = "user"
    client_name: str = "flowgen"

    def __post_init__(self) -> None:
        if self.client_secret is not None and self.client_id is None:
            raise UsageError("a client secret without a client id", "--client-id ID goes with --client-secret")
        if self.grant == "client_credentials" and not self.can_go_alone:
            hint = "--client-id ID and --client-secret env:NAME, or --client-key FILE"
            raise UsageError("client credentials need a client id and a secret or a key", hint)
        if self.auth_method in ("client_secret_basic", "client_secret_post") and self.client_secret is None:
            raise UsageError(f"{self.auth_method} needs a client secret", "--client-secret env:NAME")
        _check_scopes(self.scopes)
        _check_issuer(self.issuer, self.plain_http)
        _check_metadata_url(self.client_metadata_url)
        _check_redirect(self.redirect_uri)

    @property
    def can_go_alone(self) -> bool:
        """Whether the client can prove who it is without a person."""
        return self.client_id is not None and (self.client_secret is not None or self.signs)


class Resource(NamedTuple):
    """Protected resource metadata (RFC 9728): the resource as it calls itself, and whom it trusts."""

    resource: str
    issuers: tuple[str, ...]
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuthServer:
    """Authorization server metadata (RFC 8414, OpenID Connect Discovery). None: not said.

    `place` is the address that answered; None where nothing did and the paths of 2025-03-26 are taken.
    `own`: it was looked for at the MCP server's own origin, as 2025-03-26 has it.
    """

    issuer: str
    authorization_endpoint: str | None
    token_endpoint: str
    registration_endpoint: str | None = None
    methods: tuple[str, ...] | None = None
    challenges: tuple[str, ...] | None = None
    grants: tuple[str, ...] | None = None
    scopes: tuple[str, ...] | None = None
    says_iss: bool = False
    reads_documents: bool = False
    place: str | None = None
    own: bool = False


class Asking(NamedTuple):
    """What a token is asked for: scopes and why these, the `resource`, the message that made it needed."""

    scopes: tuple[str, ...]
    why: str
    resource: str | None
    about: int | None


@dataclass(frozen=True, slots=True)
class Registration:
    """Who the client is at one issuer. `redirect_uri` is the one a dynamic registration named."""

    client_id: str
    way: Way
    client_secret: str | None = field(default=None, repr=False)
    method: str | None = None
    redirect_uri: str | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """An access token (RFC 6749, 5.1), who issued it, and for which `resource` it was asked (RFC 8707).

    `asked` are the scopes of the request, `granted` those of the answer (the asked ones where it names none).
    `renewed`: it came from a refresh, so a person was not asked for it.
    """

    access: str = field(repr=False)
    issuer: str
    resource: str | None = None
    refresh: str | None = field(default=None, repr=False)
    asked: tuple[str, ...] = ()
    granted: tuple[str, ...] = ()
    expires_in: int | None = None
    renewed: bool = False

    @property
    def header(self) -> str:
        """The value of `Authorization`."""
        return f"Bearer {self.access}"


def _check_scopes(scopes: tuple[str, ...]) -> None:
    bad = next((scope for scope in scopes if not SCOPE.fullmatch(scope)), None)
    if bad is not None:
        raise UsageError(f"{bad!r} is no scope", "a scope is printable ASCII without spaces and quotes; name each one")


def _check_issuer(issuer: str | None, plain_http: bool) -> None:
    fault = fault_of(issuer, issuer, plain_http) if issuer is not None else None
    if fault:
        raise UsageError(f"{issuer} {fault}", "an issuer is an address, as in https://login.example.org")


def _check_metadata_url(url: str | None) -> None:
    """An https URL with a path (2026-07-28 basic/authorization/client-registration); http for a demo on loopback."""
    if url is not None and (fault_of(url, url) or urlsplit(url).path in ("", "/")):
        hint = "it names the document, as in https://example.org/flowgen/client.json"
        raise UsageError(f"{url}: a client metadata URL is https and has a path", hint)


def _check_redirect(url: str | None) -> None:
    parts = split(url) if url is not None else None
    good = parts and parts.scheme == "http" and parts.hostname in LOOPBACK and parts.port
    if url is not None and (not parts or not good or parts.query or parts.fragment or "@" in parts.netloc):
        hint = "as in http://127.0.0.1:8765/callback, the address registered for this client"
        raise UsageError(f"{url}: a redirect URI is http on this machine, with a port", hint)
