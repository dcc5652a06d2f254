"""Who is registered, and what codes and tokens are good for: an authorization server without HTTP, in memory only.

What it refuses, it refuses in the words of OAuth: RFC 6749 (errors), 7591 (registration), 7636 (PKCE), 8707 (resource).
"""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from ._headers import LOOPBACK
from ._mint import minted, plain

Form = Mapping[str, str]

LEEWAY = 5.0  # seconds that a token lasts longer than it is told: the client's clock began when it had it

BASIC, POST, NONE = "client_secret_basic", "client_secret_post", "none"


class Refused(Exception):
    """An OAuth error: code and sentence as they are told, and the HTTP status."""

    def __init__(self, code: str, words: str, status: int = 400) -> None:
        super().__init__(words)
        self.code = code
        self.status = status


class Rules(NamedTuple):
    """What the table `auth` of a scenario says; see the page beside the scenarios."""

    scopes: Sequence[str] = ()
    needs: Sequence[str] = ()
    scopes_told: Sequence[str] = ("challenge", "metadata")
    challenge: str = "full"
    metadata: str = "path"
    issuer: str = ""
    issuer_metadata: str = "oauth"
    iss: bool = True
    pkce: bool = True
    registration: Sequence[str] = ("metadata-document", "dynamic")
    client: Sequence[dict[str, Any]] = ()
    document: Sequence[dict[str, Any]] = ()
    token: Sequence[dict[str, Any]] = ()
    methods: Sequence[str] = (NONE, BASIC, POST)
    grants: Sequence[str] = ("authorization_code", "refresh_token")
    consent: str = "accept"
    expires_in: int = 3600
    uses: int | None = None


class Client(NamedTuple):
    """A client that is known. `method` is how it proves itself; None: by basic or post, as it likes."""

    id: str
    redirects: tuple[str, ...]
    secret: str | None = None
    method: str | None = NONE
    name: str | None = None


class Right(NamedTuple):
    """What a code or a token stands for."""

    client: str
    scopes: tuple[str, ...]
    resource: str


class Code(NamedTuple):
    """A code that was given out, and what its redemption must repeat."""

    right: Right
    redirect: str
    challenge: str


class Authority:
    """Clients, codes and tokens of one run. `clock` tells seconds."""

    def __init__(self, rules: Rules, is_ours: Callable[[str], bool], clock: Callable[[], float]) -> None:
        """`is_ours`: whether tokens are given out for this resource."""
        self.rules = rules
        self.is_ours = is_ours
        self.clock = clock
        self.clients = {entry["id"]: _listed(entry) for entry in rules.client}
        self.documents = {entry["url"]: _described(entry) for entry in rules.document}
        self._codes: dict[str, Code] = {}
        self._access = {entry["value"]: (_earlier(entry), math.inf) for entry in rules.token}
        self._used: dict[str, int] = {}
        self._refresh: dict[str, Right] = {}
        self._so_far = 0

    # Clients

    def register(self, told: Any) -> dict[str, Any]:
        """Take a client in that describes itself (RFC 7591); the answer to it."""
        redirects = told.get("redirect_uris") if isinstance(told, dict) else None
        if not isinstance(redirects, list) or not all(map(may_be_sent_to, redirects)) or not redirects:
            raise Refused("invalid_redirect_uri", "redirect_uris are needed: https, or http on loopback")
        asked = told.get("token_endpoint_auth_method", BASIC)
        method = asked if asked in self.rules.methods else self.rules.methods[0]
        id = f"client-{self._next('client')[:16]}"
        secret = None if method == NONE else minted("secret", id)
        self.clients[id] = Client(id, tuple(redirects), secret, method, told.get("client_name"))
        secrets = {} if secret is None else {"client_secret": secret, "client_secret_expires_at": 0}
        return {**told, "client_id": id, **secrets, "token_endpoint_auth_method": method}

    def proven(self, id: str, secret: str | None, method: str) -> Client:
        """The client that asks the token endpoint, if it proves itself as it is registered."""
        client = self.clients.get(id)
        fits = client is not None and client.secret == secret and client.method in (method, None)
        if client is None or not fits or method not in self.rules.methods:
            raise Refused("invalid_client", "the client is unknown, or does not prove itself as it is registered", 401)
        return client

    # Rights

    def right(self, client: Client, form: Form, default: Sequence[str]) -> Right:
        """What a request asks for: known scopes, for a resource of ours."""
        asked = form["scope"].split() if form.get("scope") else default
        unknown = [scope for scope in asked if scope not in self.rules.scopes]
        if unknown:
            raise Refused("invalid_scope", f"there is no scope {unknown[0]}")
        if not self.is_ours(form.get("resource", "")):
            raise Refused("invalid_target", "resource has to name the MCP server that the token is for")
        return Right(client.id, tuple(dict.fromkeys(asked)), form["resource"])

    def code(self, right: Right, redirect: str, challenge: str) -> str:
        """A code for what the user has granted."""
        code = self._next("code")
        self._codes[code] = Code(right, redirect, challenge)
        return code

    def token(self, client: Client, form: Form) -> dict[str, Any]:
        """The answer of the token endpoint."""
        grants = {
            "authorization_code": self._redeemed, "refresh_token": self._refreshed, "client_credentials": self._own,
        }  # fmt: skip
        grant = form.get("grant_type", "")
        if grant not in self.rules.grants or grant not in grants:
            raise Refused("unsupported_grant_type", f"grant_type is one of {', '.join(self.rules.grants)}")
        return self._given(grants[grant](client, form), refreshable=grant != "client_credentials")

    def allowed(self, token: str) -> Right | None:
        """What an access token allows now; None if nothing. Counts as a use."""
        if token not in self._access:
            return None
        right, until = self._access[token]
        used = self._used[token] = self._used.get(token, 0) + 1
        worn = self.rules.uses is not None and used > self.rules.uses
        return right if self.clock() < until and not worn else None

    def _redeemed(self, client: Client, form: Form) -> Right:
        code = self._codes.pop(form.get("code", ""), None)
        if code is None or code.right.client != client.id:
            raise Refused("invalid_grant", "the code is unknown, used already, or another client's")
        if form.get("redirect_uri") != code.redirect:
            raise Refused("invalid_grant", "redirect_uri is not the one of the authorization request")
        if challenge_of(form.get("code_verifier", "")) != code.challenge:
            raise Refused("invalid_grant", "code_verifier does not belong to code_challenge")
        if form.get("resource") != code.right.resource:
            raise Refused("invalid_target", "resource is not the one of the authorization request")
        return code.right

    def _refreshed(self, client: Client, form: Form) -> Right:
        given = self._refresh.get(form.get("refresh_token", ""))
        if given is None or given.client != client.id:
            raise Refused("invalid_grant", "the refresh token is unknown, used already, or another client's")
        right = self.right(client, {"resource": given.resource, **form}, given.scopes)
        if not set(right.scopes) <= set(given.scopes):
            raise Refused("invalid_scope", "a refresh token gives no more than it was given for")
        del self._refresh[form["refresh_token"]]
        return right

    def _own(self, client: Client, form: Form) -> Right:
        if client.secret is None:
            raise Refused("unauthorized_client", "client_credentials are for clients with a secret")
        return self.right(client, form, self.rules.needs or self.rules.scopes)

    def _given(self, right: Right, refreshable: bool) -> dict[str, Any]:
        access = self._next("access")
        self._access[access] = (right, self.clock() + self.rules.expires_in + LEEWAY)
        answer = {"access_token": access, "token_type": "Bearer", "expires_in": self.rules.expires_in}
        renewal = {}
        if refreshable and "refresh_token" in self.rules.grants:
            renewal["refresh_token"] = self._next("refresh")
            self._refresh[renewal["refresh_token"]] = right
        return {**answer, **renewal, "scope": " ".join(right.scopes)}

    def _next(self, kind: str) -> str:
        self._so_far += 1
        return minted(kind, str(self._so_far))


def described(url: str, document: Any) -> Client:
    """The client that its metadata document describes, the document being the one at this address."""
    redirects = document.get("redirect_uris") if isinstance(document, dict) else None
    if not isinstance(redirects, list) or not all(map(may_be_sent_to, redirects)):
        raise Refused("invalid_client", "the metadata document has no redirect_uris that could be used", 400)
    if document.get("client_id") != url:
        raise Refused("invalid_client", "client_id in the metadata document is not the document's address", 400)
    return Client(url, tuple(redirects), name=document.get("client_name"))


def may_be_sent_to(redirect: Any) -> bool:
    """Whether a code may go to this address: by https, or to this machine."""
    parts = address(redirect)
    if parts is None or parts.fragment or not parts.hostname:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)


def is_registered(redirect: str, client: Client) -> bool:
    """Whether the address is one of the client's; on loopback the port is chosen anew each time (RFC 8252, 7.3)."""
    known = {_portless(each) for each in client.redirects}
    return redirect in client.redirects or (_portless(redirect) is not None and _portless(redirect) in known)


def challenge_of(verifier: str) -> str:
    """The S256 challenge of a verifier."""
    return plain(hashlib.sha256(verifier.encode("ascii", "replace")).digest())


def address(text: Any) -> SplitResult | None:
    """The parts of an http or https address; None if it is none."""
    try:
        parts = urlsplit(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return parts if parts and parts.scheme in ("http", "https") else None


def _portless(redirect: str) -> str | None:
    parts = address(redirect)
    if parts is None or parts.scheme != "http" or parts.hostname not in LOOPBACK:
        return None
    return f"{parts.hostname}{parts.path}?{parts.query}"


def _listed(entry: dict[str, Any]) -> Client:
    secret = entry.get("secret")
    method = entry.get("method", NONE if secret is None else None)
    return Client(entry["id"], tuple(entry.get("redirects", [])), secret, method, entry.get("name"))


def _earlier(entry: dict[str, Any]) -> Right:
    """What a token stands for that was there before this run."""
    return Right(entry.get("client", ""), tuple(entry.get("scopes", [])), "")


def _described(entry: dict[str, Any]) -> Client:
    return Client(entry["url"], tuple(entry["redirects"]), name=entry.get("name"))
