"""The authorization server of the demo over HTTP: metadata, registration, a user who consents at once, tokens.

It has an origin of its own on loopback. Of the world outside it asks for nothing: a client's metadata document is
fetched from this machine only.
"""

import json
from base64 import b64decode
from collections.abc import Awaitable, Callable
from html import escape
from typing import Any
from urllib.parse import parse_qsl, unquote_plus, urlencode, urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from ._grants import BASIC, NONE, POST, Authority, Client, Form, Refused, Rules, address, described, is_registered
from ._headers import LOOPBACK
from ._streams import Asgi
from ._web import JSON, fenced, read

DOCUMENT = 64_000  # bytes of a metadata document
PATIENCE = 5.0  # seconds for it

_FORM = "application/x-www-form-urlencoded"
_OAUTH, _OPENID = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"

Handler = Callable[[Request], Awaitable[Response]]


def authorization_server(authority: Authority, origin: str) -> Asgi:
    """The application. `origin` is its own, such as `http://127.0.0.1:8001`."""
    endpoints = _Endpoints(authority, origin)
    path = authority.rules.issuer
    routes = [
        Route(metadata_place(authority.rules), endpoints.metadata),
        Route(f"{path}/authorize", _telling(endpoints.authorize)),
        Route(f"{path}/token", _telling(endpoints.token), methods=["POST"]),
    ]
    if "dynamic" in authority.rules.registration:
        routes.append(Route(f"{path}/register", _telling(endpoints.register), methods=["POST"]))
    return fenced(Starlette(routes=routes), [origin])


def metadata_place(rules: Rules) -> str:
    """The path at which the metadata stand (RFC 8414, section 3.1; OpenID Connect Discovery, section 4)."""
    places = {
        "oauth": _OAUTH + rules.issuer,
        "openid": _OPENID + rules.issuer,
        "openid-path": rules.issuer + _OPENID,
    }
    return places[rules.issuer_metadata]


class _Endpoints:
    """What there is to ask of it."""

    def __init__(self, authority: Authority, origin: str) -> None:
        self.authority = authority
        self.rules = authority.rules
        self.issuer = origin + authority.rules.issuer

    async def metadata(self, request: Request) -> Response:
        """What it can do (RFC 8414)."""
        rules, told = self.rules, {"issuer": self.issuer}
        told |= {f"{name}_endpoint": f"{self.issuer}/{path}" for name, path in self._paths().items()}
        lists = {
            "scopes_supported": rules.scopes if "metadata" in rules.scopes_told else [],
            "response_types_supported": ["code"],
            "grant_types_supported": rules.grants,
            "token_endpoint_auth_methods_supported": rules.methods,
            "code_challenge_methods_supported": ["S256"] if rules.pkce else [],
        }
        flags = {
            "authorization_response_iss_parameter_supported": rules.iss,
            "client_id_metadata_document_supported": "metadata-document" in rules.registration,
        }
        return JSONResponse({**told, **{name: value for name, value in {**lists, **flags}.items() if value}})

    async def register(self, request: Request) -> Response:
        """A client makes itself known (RFC 7591)."""
        body = await read(request, JSON)
        if isinstance(body, Response):
            return body
        return JSONResponse(self.authority.register(_json(body)), 201, {"cache-control": "no-store"})

    async def authorize(self, request: Request) -> Response:
        """The user is asked, and has answered by the time the page is there: it is the redirect."""
        asked = request.query_params
        client = await self._client(asked.get("client_id", ""))
        redirect = asked.get("redirect_uri", "")
        if not is_registered(redirect, client):
            raise Refused("invalid_request", "redirect_uri is none of the client's")
        try:
            answer = {"code": self._consented(client, dict(asked), redirect)}
        except Refused as refused:
            answer = {"error": refused.code, "error_description": str(refused)}
        return _redirect(redirect, {**answer, **self._echoed(asked.get("state"))})

    async def token(self, request: Request) -> Response:
        """A code, a refresh token or a secret for an access token (RFC 6749)."""
        body = await read(request, _FORM)
        if isinstance(body, Response):
            return body
        pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
        form = dict(pairs)
        if len(form) < len(pairs):
            raise Refused("invalid_request", "a parameter stands there twice")
        client = self.authority.proven(*_proof(request.headers.get("authorization"), form))
        return JSONResponse(self.authority.token(client, form), headers={"cache-control": "no-store"})

    def _paths(self) -> dict[str, str]:
        paths = {"authorization": "authorize", "token": "token"}
        return {**paths, "registration": "register"} if "dynamic" in self.rules.registration else paths

    def _consented(self, client: Client, asked: Form, redirect: str) -> str:
        if asked.get("response_type") != "code":
            raise Refused("unsupported_response_type", "response_type is code")
        if asked.get("code_challenge_method") != "S256" or not asked.get("code_challenge"):
            raise Refused("invalid_request", "code_challenge with the method S256 is needed")
        right = self.authority.right(client, asked, self.rules.needs or self.rules.scopes)
        if self.rules.consent == "deny":
            raise Refused("access_denied", "the user does not consent")
        return self.authority.code(right, redirect, asked["code_challenge"])

    def _echoed(self, state: str | None) -> dict[str, str]:
        echoed = {} if state is None else {"state": state}
        return {**echoed, "iss": self.issuer} if self.rules.iss else echoed

    async def _client(self, id: str) -> Client:
        authority = self.authority
        if "metadata-document" in self.rules.registration and address(id):
            authority.clients[id] = authority.documents.get(id) or described(id, await _fetched(id))
        if id not in authority.clients:
            raise Refused("invalid_client", "no client has this client_id")
        return authority.clients[id]


async def _fetched(url: str) -> Any:
    """The metadata document at this address of this machine."""
    import httpx

    parts = address(url)
    if parts is None or parts.hostname not in LOOPBACK or parts.path in ("", "/"):
        raise Refused("invalid_client", "this demo reads metadata documents of this machine only, at a path")
    try:
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client, client.stream("GET", url) as answer:
            body = b""
            async for chunk in answer.aiter_bytes():
                body += chunk
                if len(body) > DOCUMENT:
                    break
    except (httpx.HTTPError, httpx.InvalidURL) as problem:
        raise Refused("invalid_client", f"the metadata document cannot be read: {type(problem).__name__}") from problem
    if answer.status_code != 200:
        raise Refused("invalid_client", f"the metadata document is answered with {answer.status_code}")
    return _json(body)


def _telling(handler: Handler) -> Handler:
    """The handler, with what it refuses told as OAuth has it."""

    async def told(request: Request) -> Response:
        try:
            return await handler(request)
        except Refused as refused:
            challenge = {"www-authenticate": "Basic"} if refused.status == 401 else {}
            body = {"error": refused.code, "error_description": str(refused)}
            return JSONResponse(body, refused.status, {"cache-control": "no-store", **challenge})

    return told


def _proof(authorization: str | None, form: Form) -> tuple[str, str | None, str]:
    """Client id, secret, and the way they came (RFC 6749, section 2.3.1)."""
    if authorization is None:
        return form.get("client_id", ""), form.get("client_secret"), POST if "client_secret" in form else NONE
    scheme, _, value = authorization.partition(" ")
    try:
        id, _, secret = b64decode(value, validate=True).decode("utf-8").partition(":")
    except ValueError:
        id, secret = "", ""
    id, secret = unquote_plus(id), unquote_plus(secret)
    if scheme.lower() != "basic" or "client_secret" in form or form.get("client_id", id) != id:
        raise Refused("invalid_client", "the client proves itself in no known way, or in two", 401)
    return id, secret, BASIC


def _redirect(target: str, answer: dict[str, str]) -> Response:
    location = f"{target}{'&' if urlsplit(target).query else '?'}{urlencode(answer)}"
    page = f'<!doctype html><title>Consent</title><p>Go on to <a href="{escape(location)}">the application</a>.'
    return HTMLResponse(page, 302, {"location": location, "cache-control": "no-store"})


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as problem:
        raise Refused("invalid_client_metadata", "the body is no JSON") from problem
