"""Conversations about authorization without any network: a table of canned replies stands for every server."""

import json
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from flowgen import protocol
from flowgen.protocol import Failure, Fetch, Fetched, Returned, Settings, Wallet

URL = "https://mcp.example/mcp"
RESOURCE = "https://mcp.example/.well-known/oauth-protected-resource/mcp"
ISSUER = "https://as.example"
METADATA = f"{ISSUER}/.well-known/oauth-authorization-server"
REDIRECT = "http://127.0.0.1:4711/callback"
SECRETS = ("s3cret", "the-code", "the-token", "the-refresh-token", "an-assertion")

PERSON = Settings(interactive=True)
NOBODY = Settings()


def answer(value: Any = None, status: int = 200, headers: Any = ()) -> Fetched:
    """An answer; bytes as they are, anything else as JSON."""
    body = value if isinstance(value, bytes) else b"" if value is None else json.dumps(value).encode()
    return Fetched(status, tuple(headers), body, 0)


def denied(challenge: str | None = f'Bearer resource_metadata="{RESOURCE}"', status: int = 401) -> Fetched:
    """What the MCP server said, as message 2."""
    headers = () if challenge is None else (("WWW-Authenticate", challenge),)
    return Fetched(status, headers, b"", 2)


def resource(**members: Any) -> dict[str, Any]:
    return {"resource": URL, "authorization_servers": [ISSUER], **members}


def metadata(issuer: str = ISSUER, **members: Any) -> dict[str, Any]:
    """Metadata of an authorization server; a member that is None is left out."""
    every = {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/authorize",
        "token_endpoint": f"{issuer}/token",
        "registration_endpoint": f"{issuer}/register",
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
        "authorization_response_iss_parameter_supported": True,
        **members,
    }
    return {name: value for name, value in every.items() if value is not None}


def token(**members: Any) -> dict[str, Any]:
    every = {"access_token": "the-token", "token_type": "Bearer", "expires_in": 3600, **members}
    return {name: value for name, value in every.items() if value is not None}


def world(issuer: str = ISSUER, **replies: Any) -> dict[str, Any]:
    """Everything works: replaced are `resource`, `metadata`, `register`, `token`."""
    return {
        RESOURCE: replies.get("resource", resource()),
        METADATA: replies.get("metadata", metadata(issuer)),
        f"{issuer}/register": replies.get("register", answer({"client_id": "dyn-1"}, 201)),
        f"{issuer}/token": replies.get("token", token()),
    }


class Talk:
    """Plays a script. `end` is what it returned, `error` the ServerError it raised instead.

    `replies`: URL → a Fetched, a Failure, a JSON value, or a list of those, one each time; what is missing is a 404.
    `browser`: a function of the authorization URL's parameters → parameters of the redirect, or a Failure.
    """

    def __init__(self, script: Any, replies: dict[str, Any], browser: Any = None, **plays: Any) -> None:
        self.acts: list[Any] = []
        self.end: Any = None
        self.error: Any = None
        self._replies = {url: list(reply) if isinstance(reply, list) else reply for url, reply in replies.items()}
        self._browser = browser or consents
        self._plays = plays
        self._draws = 0
        self._run(script)
        self._keeps_its_secrets()

    def _run(self, script: Any) -> None:
        value = None
        try:
            while True:
                act = script.send(value)
                self.acts.append(act)
                assert len(self.acts) < 100, "the script never ends"
                value = self._told(act)
        except StopIteration as stop:
            self.end = stop.value
        except protocol_errors() as error:
            self.error = error

    def _told(self, act: Any) -> Any:
        match act:
            case Fetch():
                return self._fetched(act)
            case protocol.Draw():
                self._draws += 1
                return bytes([self._draws]) * act.size
            case protocol.Loopback():
                taken = act.redirect_uri in self._plays.get("taken", ())
                return Failure("address in use") if taken else act.redirect_uri or self._plays.get("port", REDIRECT)
            case protocol.Browse():
                return self._browsed(act)
            case protocol.Sign():
                return self._plays.get("signed", "an-assertion")
            case protocol.AskClientId():
                return self._plays.get("client_id")
            case protocol.Note():
                return len(self.acts)
        raise AssertionError(f"unknown act {act}")

    def _fetched(self, act: Fetch) -> Any:
        reply = self._replies.get(act.url)
        if isinstance(reply, list):
            reply = reply.pop(0)
        if reply is None:
            return answer({"error": "not found"}, 404)
        return reply if isinstance(reply, Fetched | Failure) else answer(reply)

    def _browsed(self, act: Any) -> Any:
        back = self._browser(dict(parse_qsl(urlsplit(act.url).query)))
        if isinstance(back, Failure):
            return back
        return Returned(back if isinstance(back, str) else protocol_url(act.redirect_uri, back), 1.5)

    def _keeps_its_secrets(self) -> None:
        """In no conversation a note or an error shows a secret, nor an address a token."""
        told = json.dumps([note.data for note in self.of(protocol.Note)]) + f"{self.error} {self.hint}"
        drawn = [self.sent[name] for name in ("state", "code_challenge") if name in self.sent]
        shown = [secret for secret in (*SECRETS, *drawn) if secret in told]
        assert not shown, told
        assert not [act.url for act in self.fetches if "the-token" in act.url]

    def of(self, kind: Any) -> list[Any]:
        return [act for act in self.acts if isinstance(act, kind)]

    @property
    def fetches(self) -> list[Fetch]:
        return self.of(Fetch)

    @property
    def asked(self) -> list[str]:
        """`GET https://…` of every request, in order."""
        return [f"{act.method} {act.url}" for act in self.fetches]

    @property
    def notes(self) -> dict[str, Any]:
        """The last note of each code."""
        return {note.event: note.data for note in self.of(protocol.Note)}

    @property
    def sent(self) -> dict[str, str]:
        """The parameters of the last authorization request."""
        browses = self.of(protocol.Browse)
        return dict(parse_qsl(urlsplit(browses[-1].url).query)) if browses else {}

    @property
    def form(self) -> dict[str, str]:
        """The form of the last token request."""
        forms = [act.form for act in self.fetches if act.form is not None]
        return dict(forms[-1]) if forms else {}

    @property
    def hint(self) -> str:
        return getattr(self.error, "hint", "") or ""


def protocol_errors() -> Any:
    from flowgen.errors import FlowgenError

    return FlowgenError


def protocol_url(base: str, params: dict[str, str]) -> str:
    from urllib.parse import urlencode

    return f"{base}?{urlencode(params)}"


def consents(asked: dict[str, str]) -> dict[str, str]:
    """A browser in which somebody agrees."""
    return {"code": "the-code", "state": asked["state"], "iss": ISSUER}


def comes_back(**changes: Any) -> Any:
    """A browser that comes back with other parameters; None leaves one out."""

    def browser(asked: dict[str, str]) -> dict[str, str]:
        return {name: value for name, value in {**consents(asked), **changes}.items() if value is not None}

    return browser


def authorized(
    replies: Any = None,
    settings: Settings = PERSON,
    challenge: Any = None,
    revision: Any = "2026-07-28",
    wallet: Wallet | None = None,
    url: str = URL,
    **plays: Any,
) -> Talk:
    """Plays `authorize` after a 401."""
    first = denied() if challenge is None else challenge
    script = protocol.authorize(settings, wallet if wallet is not None else Wallet(), url, revision, first)
    return Talk(script, world() if replies is None else replies, **plays)
