"""The MCP endpoint as a resource server: who comes without the right token is told where to get one.

Sources: RFC 6750 (challenge), RFC 9728 (protected resource metadata), the specification's pages on authorization.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ._grants import Authority, address
from ._headers import LOOPBACK
from ._scenario import Scenario

_PLACE = "/.well-known/oauth-protected-resource"


class TokenGuard:
    """Holds every request against its token. `endpoints` are the paths that are guarded."""

    def __init__(self, scenario: Scenario, authority: Authority, issuer: str, endpoints: Iterable[str]) -> None:
        self.scenario = scenario
        self.authority = authority
        self.rules = authority.rules
        self.issuer = issuer
        self.endpoints = tuple(endpoints)

    def refusal(self, request: Request, message: Any) -> Response | None:
        """401 without a token that is good, 403 with one that is not good for this."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if not token:
            return self._told(request, 401, None, "no access token came with the request", self.rules.needs)
        right = self.authority.allowed(token) if scheme.lower() == "bearer" else None
        if right is None:
            return self._told(request, 401, "invalid_token", "the access token is unknown or over", self.rules.needs)
        needed = self._needed(message)
        if set(needed) <= set(right.scopes):
            return None
        words = f"this needs {' '.join(needed)}"
        return self._told(request, 403, "insufficient_scope", words, needed)

    def routes(self) -> list[Route]:
        """The protected resource metadata."""
        match self.rules.metadata:
            case "path":
                return [Route(_PLACE + path, self._metadata) for path in self.endpoints]
            case "root":
                return [Route(_PLACE, self._metadata)]
        return []

    async def _metadata(self, request: Request) -> Response:
        path = request.url.path.removeprefix(_PLACE) or self.endpoints[0]
        told = {"resource": _origin(request) + path, "authorization_servers": [self.issuer]}
        scopes = {"scopes_supported": self.rules.scopes} if self._tells("metadata") else {}
        return JSONResponse({**told, **scopes, "bearer_methods_supported": ["header"]})

    def _needed(self, message: Any) -> list[str]:
        """Scopes of a message, or of all messages of a batch."""
        messages = message if isinstance(message, list) else [message]
        own = [scope for each in messages for scope in self._of_tool(each)]
        return list(dict.fromkeys([*self.rules.needs, *own]))

    def _of_tool(self, message: Any) -> list[str]:
        if not isinstance(message, dict) or message.get("method") != "tools/call":
            return []
        params = message.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        tool = self.scenario.items["tools"].get(name) if isinstance(name, str) else None
        return list(tool.entry.get("scopes", [])) if tool else []

    def _told(self, request: Request, status: int, error: str | None, words: str, scopes: Sequence[str]) -> Response:
        body = {"error": error or "invalid_token", "error_description": words}
        challenge = self._challenge(request, body if error else {}, scopes)
        return JSONResponse(body, status, {"www-authenticate": challenge} if challenge else None)

    def _challenge(self, request: Request, told: dict[str, str], scopes: Sequence[str]) -> str | None:
        if self.rules.challenge == "none":
            return None
        if self.rules.challenge == "full":
            told = {**told, **self._hints(request, scopes)}
        return " ".join(["Bearer", ", ".join(f'{name}="{value}"' for name, value in told.items())]).strip()

    def _hints(self, request: Request, scopes: Sequence[str]) -> dict[str, str]:
        hints = {"scope": " ".join(scopes)} if scopes and self._tells("challenge") else {}
        path = request.url.path if request.url.path in self.endpoints else self.endpoints[-1]
        places = {"path": _PLACE + path, "root": _PLACE}
        if self.rules.metadata in places:
            hints["resource_metadata"] = _origin(request) + places[self.rules.metadata]
        return hints

    def _tells(self, where: str) -> bool:
        return where in self.rules.scopes_told and bool(self.rules.scopes)


def ours(port: int, origin: str, endpoints: Iterable[str], resource: str) -> bool:
    """Whether an address is one of the endpoints, by any name that this machine has, or by the one we go by."""
    if resource.startswith(f"{origin}/"):
        return resource.removeprefix(origin) in endpoints
    parts = address(resource)
    try:
        return parts is not None and parts.port == port and parts.hostname in LOOPBACK and parts.path in endpoints
    except ValueError:  # a port that is no number
        return False


def _origin(request: Request) -> str:
    return f"{request.url.scheme}://{request.headers['host']}"
