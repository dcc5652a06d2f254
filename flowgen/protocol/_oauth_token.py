"""The token endpoint: a code, the client's own credentials or a refresh token for an access token (RFC 6749)."""

from flowgen.errors import ServerError

from ._acts import Script
from ._oauth_discovery import Errand
from ._oauth_documents import Denied, Unusable, denied_in, document, said, token_in
from ._oauth_model import Asking, AuthServer, Registration, Token
from ._oauth_registration import proof
from ._web import Failure, Fetch, Fetched, Pairs

_HINTS = {
    "invalid_client": "check --client-id and --client-secret; --client-id ID takes another registration",
    "unauthorized_client": "this client may not ask that way: --client-id ID takes another registration",
    "invalid_scope": "--scope NAME asks for other scopes",
    "invalid_target": "the authorization server does not know this MCP server",
    "unsupported_grant_type": "--bearer env:NAME sends a token that you have",
}


def token_for(errand: Errand, server: AuthServer, client: Registration, form: Pairs, asking: Asking) -> Script[Token]:
    """Asks for a token. Raises ServerError when none is given; a registration that is unknown there is forgotten."""
    outcome = yield from _asked(errand, server, client, form, asking.resource, asking.scopes)
    if isinstance(outcome, Token):
        return outcome
    if outcome.code == "invalid_client" and client.way != "pre-registered":
        errand.wallet.unregister(server.issuer)
    raise ServerError(f"{server.issuer} gives no token, {outcome}", _HINTS.get(outcome.code))


def token_refreshed(errand: Errand, server: AuthServer, client: Registration, token: Token) -> Script[Token | Denied]:
    """A new token for an old one's refresh token (RFC 6749, 6), which is kept where none is given anew."""
    form = (("grant_type", "refresh_token"), ("refresh_token", token.refresh or ""))
    outcome = yield from _asked(errand, server, client, form, token.resource, token.asked)
    if isinstance(outcome, Denied):
        return outcome
    granted = outcome.granted if outcome.granted != token.asked else token.granted
    return Token(
        outcome.access, outcome.issuer, token.resource, outcome.refresh or token.refresh,
        token.asked, granted, outcome.expires_in, renewed=True,
    )  # fmt: skip


def _asked(
    errand: Errand, server: AuthServer, client: Registration, form: Pairs, resource: str | None, scopes: tuple[str, ...]
) -> Script[Token | Denied]:
    headers, proven = yield from proof(errand, server, client)
    target = (("resource", resource),) if resource else ()
    answer: Fetched | Failure = yield Fetch(
        "POST", server.token_endpoint, "auth", (("Accept", "application/json"), *headers), (*form, *proven, *target)
    )
    if isinstance(answer, Failure):
        return Denied("", f"no answer from {server.token_endpoint} ({said(answer.reason)})")
    denied = denied_in(answer)
    if denied is not None:
        return denied
    body = document(answer)
    token = body if isinstance(body, Unusable) else token_in(body, server.issuer, resource, scopes)
    if isinstance(token, Unusable):
        return Denied("", f"{server.token_endpoint} {_what(answer, token)}")
    return token if answer.status == 200 else Denied("", f"{server.token_endpoint} answered {answer.status}")


def _what(answer: Fetched, token: Unusable) -> str:
    return token.reason if answer.status == 200 else f"answered {answer.status}"
