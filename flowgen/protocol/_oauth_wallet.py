"""What is remembered of authorization while flowgen runs: tokens by server, registrations by issuer.

Nothing here is written anywhere. `dump` and `load` are for a token store that somebody asked for; the file, its mode
0600 and its moment belong to whoever keeps it.
"""

from collections.abc import Iterator
from typing import Any

from flowgen.errors import ConfigError

from ._acts import Json
from ._oauth_documents import scopes_in, text
from ._oauth_model import AuthServer, Registration, Resource, Token, Way
from ._oauth_urls import split

_HINT = "remove the file, and the next run asks anew"
_VERSION = 1
_WAYS: tuple[Way, ...] = ("pre-registered", "metadata-document", "dynamic", "asked")


class Wallet:
    """Tokens and registrations. A server is its URL as it was given; a token goes to no other."""

    def __init__(self) -> None:
        self._tokens: dict[str, Token] = {}
        self._registrations: dict[str, Registration] = {}
        self._found: dict[str, tuple[Resource | None, AuthServer]] = {}

    def header_for(self, url: str) -> str | None:
        """The value of `Authorization` for a request to this server; None while there is no token for it.

        `url` is the server's, as `authorize` was told it. Whether a redirect or the endpoint of an SSE stream is
        still that server (same origin) is for the transport to say.
        """
        token = self.token_for(url)
        return token.header if token else None

    def token_for(self, url: str) -> Token | None:
        """The token of a server."""
        return self._tokens.get(_server(url))

    def keep(self, url: str, token: Token) -> Token:
        """Remembers the server's token in the place of an earlier one."""
        self._tokens[_server(url)] = token
        return token

    def drop(self, url: str) -> None:
        """Forgets the server's token."""
        self._tokens.pop(_server(url), None)

    def registration_at(self, issuer: str) -> Registration | None:
        """Who the client is at this issuer; credentials are no other issuer's business."""
        return self._registrations.get(issuer)

    def register(self, issuer: str, registration: Registration) -> Registration:
        """Remembers a registration."""
        self._registrations[issuer] = registration
        return registration

    def unregister(self, issuer: str) -> None:
        """Forgets a registration that the issuer does not know any more."""
        self._registrations.pop(issuer, None)

    def issuer_of(self, client_id: str) -> str | None:
        """The issuer at which a pre-registered client id was used first: it belongs there from then on."""
        ours = ("pre-registered", client_id)
        places = (at for at, known in self._registrations.items() if (known.way, known.client_id) == ours)
        return next(places, None)

    def note_found(self, url: str, resource: Resource | None, server: AuthServer) -> None:
        """Remembers what discovery found, for steps that need not look again."""
        self._found[_server(url)] = (resource, server)

    def found_for(self, url: str) -> tuple[Resource | None, AuthServer] | None:
        """What discovery found for a server in this run."""
        return self._found.get(_server(url))

    # a store

    def dump(self) -> Json:
        """Everything as JSON, keyed by issuer. Secrets that were given by option are left out: they stay where
        they came from.
        """
        issuers: dict[str, Any] = {}
        for issuer, registration in self._registrations.items():
            issuers.setdefault(issuer, {})["client"] = _registration_out(registration)
        for url, token in self._tokens.items():
            issuers.setdefault(token.issuer, {}).setdefault("tokens", {})[url] = _token_out(token)
        return {"version": _VERSION, "issuers": issuers}

    @classmethod
    def load(cls, value: Any) -> "Wallet":
        """The wallet of a dump. Raises ConfigError for anything else."""
        wallet = cls()
        if not isinstance(value, dict) or value.get("version") != _VERSION:
            raise ConfigError(f'token store: no object with "version": {_VERSION}', _HINT)
        for issuer, entry in _objects(value, "issuers", "issuers"):
            client = entry.get("client")
            if client is not None:
                wallet._registrations[issuer] = _registration_back(client, f"issuers.{issuer}.client")
            for url, token in _objects(entry, "tokens", f"issuers.{issuer}.tokens"):
                wallet._tokens[_server(url)] = _token_back(token, issuer, f"issuers.{issuer}.tokens.{url}")
        return wallet


def _server(url: str) -> str:
    return url.partition("#")[0]


# out of and into JSON


def _registration_out(registration: Registration) -> Json:
    own = registration.way == "dynamic"
    members = {
        "client_id": registration.client_id,
        "way": registration.way,
        "client_secret": registration.client_secret if own else None,
        "method": registration.method,
        "redirect_uri": registration.redirect_uri,
    }
    return {name: value for name, value in members.items() if value is not None}


def _registration_back(value: Any, where: str) -> Registration:
    way: Way | None = next((each for each in _WAYS if isinstance(value, dict) and value.get("way") == each), None)
    client_id = text(value, "client_id") if way else None
    if way is None or client_id is None:
        raise ConfigError(f"token store: {where}: no registration", _HINT)
    secret, method, redirect_uri = (text(value, name) for name in ("client_secret", "method", "redirect_uri"))
    return Registration(client_id, way, secret, method, redirect_uri)


def _token_out(token: Token) -> Json:
    members = {
        "access_token": token.access,
        "refresh_token": token.refresh,
        "resource": token.resource,
        "asked": list(token.asked),
        "granted": list(token.granted),
        "expires_in": token.expires_in,
    }
    return {name: value for name, value in members.items() if value is not None}


def _token_back(value: Any, issuer: str, where: str) -> Token:
    access = text(value, "access_token") if isinstance(value, dict) else None
    if access is None or not access.isascii() or " " in access:
        raise ConfigError(f"token store: {where}: no token", _HINT)
    expires = value.get("expires_in")
    return Token(
        access, issuer, text(value, "resource"), text(value, "refresh_token"),
        scopes_in(value.get("asked")), scopes_in(value.get("granted")),
        expires if isinstance(expires, int) else None,
    )  # fmt: skip


def _objects(value: Json, name: str, where: str) -> Iterator[tuple[str, Json]]:
    members = value.get(name, {})
    if not isinstance(members, dict):
        raise ConfigError(f"token store: {where}: no object", _HINT)
    for key, member in members.items():
        if not isinstance(member, dict) or split(key) is None:
            raise ConfigError(f"token store: {where}.{key}: no object under an address", _HINT)
        yield key, member
