"""The authorization code grant: out through a person's browser with a challenge, back with a code (OAuth 2.1, 4.1).

The redirect is believed only when it brings the state that was sent and comes from the issuer that was asked
(RFC 9207); before that neither its code nor its error counts.
"""

import base64
import hashlib

from flowgen.errors import ServerError

from ._acts import Json, Note, Script
from ._oauth_discovery import BEFORE_S256, Errand
from ._oauth_documents import Denied, said
from ._oauth_model import Asking, AuthServer, Registration
from ._oauth_urls import query_of, shown, split, with_query
from ._web import Browse, Draw, Failure, Loopback, Pairs, Returned

_RANDOM = 32  # bytes: 43 signs, as RFC 7636, 4.1 recommends for the verifier
_LONGEST = 16 << 10  # signs of an address that a browser and a command line still take
_AGAIN = "close older sign-in pages and try again"


def check_can_browse(errand: Errand, server: AuthServer) -> None:
    """Raises ServerError where the code grant cannot begin: no one to sign in, no endpoint, no S256."""
    if server.grants is not None and "authorization_code" not in server.grants:
        offered = ", ".join(said(grant, 60) for grant in server.grants) or "nothing"
        hint = "--client-id ID with --client-secret env:NAME or --client-key FILE goes without a person"
        raise ServerError(f"{server.issuer} gives no tokens by signing in, only for {offered}", hint)
    if server.authorization_endpoint is None:
        raise ServerError(f"{server.issuer} names no authorization_endpoint", "--bearer env:NAME sends a token")
    _check_s256(errand, server)
    if not errand.settings.interactive:
        hint = "--bearer env:NAME sends a token; --client-id ID with --client-secret env:NAME signs in without a person"
        raise ServerError(f"{errand.name} wants a sign-in at {server.issuer}, and nobody is here to do it", hint)


def _check_s256(errand: Errand, server: AuthServer) -> None:
    """PKCE has to be announced since 2025-11-25 (security-considerations, authorization code protection)."""
    silent = server.challenges is None and (server.own or errand.revision in BEFORE_S256)
    if not silent and "S256" not in (server.challenges or ()):
        hint = "the authorization server has to announce code_challenge_methods_supported with S256"
        raise ServerError(f"{server.issuer} does not protect its codes with PKCE and S256", hint)


def listening(errand: Errand, server: AuthServer) -> Script[str]:
    """The redirect URI: the user's, the one a kept registration names, or a free port. It listens from now on."""
    kept = errand.wallet.registration_at(server.issuer)
    wish = errand.settings.redirect_uri or (kept.redirect_uri if kept and kept.way == "dynamic" else None)
    place: str | Failure = yield Loopback(wish)
    if isinstance(place, Failure) and wish is not None and errand.settings.redirect_uri is None:
        place = yield Loopback(None)
    if isinstance(place, Failure):
        raise ServerError(f"no place for the browser to come back to: {place.reason}", "--redirect-uri names another")
    return place


def code_from_browser(
    errand: Errand, server: AuthServer, client: Registration, redirect_uri: str, asking: Asking
) -> Script[Pairs]:
    """Sends a person to the authorization page. The form members that redeem the code they bring back."""
    verifier, state = (yield from _drawn()), (yield from _drawn())
    request = _request(client, redirect_uri, verifier, state, asking)
    url = with_query(server.authorization_endpoint or "", request)
    if len(url) > _LONGEST:
        raise ServerError(f"{errand.name} asks for too many scopes", "--scope NAME asks for the ones that you need")
    yield _opened(errand, url, asking.about)
    back: Returned | Failure = yield Browse(url, redirect_uri)
    if isinstance(back, Failure):
        hint = "sign in within the time given; without a browser here, open the address that was printed"
        raise ServerError(f"the sign-in at {server.issuer} did not come back: {back.reason}", hint)
    yield _came_back(back)
    code = code_in(back.url, redirect_uri, state, server)
    return (
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect_uri),
        ("code_verifier", verifier),
    )  # fmt: skip


def _drawn() -> Script[str]:
    drawn: bytes = yield Draw(_RANDOM)
    return base64.urlsafe_b64encode(drawn).decode().rstrip("=")


def _request(
    client: Registration, redirect_uri: str, verifier: str, state: str, asking: Asking
) -> list[tuple[str, str]]:
    digest = hashlib.sha256(verifier.encode()).digest()
    return [
        ("response_type", "code"),
        ("client_id", client.client_id),
        ("redirect_uri", redirect_uri),
        ("state", state),
        ("code_challenge", base64.urlsafe_b64encode(digest).decode().rstrip("=")),
        ("code_challenge_method", "S256"),
        *([("resource", asking.resource)] if asking.resource else []),
        *([("scope", " ".join(asking.scopes))] if asking.scopes else []),
    ]


def _opened(errand: Errand, url: str, about: int | None) -> Note:
    data: Json = {"url": shown(url), "reason": "authorization", "by": errand.settings.browser}
    return Note("opened-browser", data if about is None else {**data, "about": about}, receiver="browser")


def _came_back(back: Returned) -> Note:
    errors = (query_of(back.url) or {}).get("error", [])
    data: Json = {"url": shown(back.url), "seconds": back.seconds}
    if errors:
        data["error"] = said(errors[0], 60)
    return Note("callback-received", data, "browser", "client")


# the redirect


def code_in(url: str, redirect_uri: str, state: str, server: AuthServer) -> str:
    """The code of a redirect. Raises ServerError for a redirect that is not ours, and for the error it brings."""
    values, parts = query_of(url), split(url)
    if values is None or parts is None or url.partition("?")[0] != redirect_uri:
        raise ServerError("the browser came back to another address than it was sent to", _AGAIN)
    twice = next((name for name in ("state", "iss", "error", "code") if len(values.get(name, ())) > 1), None)
    if twice:
        raise ServerError(f"the browser came back with {twice} more than once", _AGAIN)
    answer = {name: each[0] for name, each in values.items()}
    if answer.get("state") != state:
        raise ServerError("the browser came back with another state than was sent: no answer to this request", _AGAIN)
    _check_iss(answer.get("iss"), server)
    if "error" in answer:
        _refused(answer, server)
    if not answer.get("code"):
        raise ServerError(f"{server.issuer} sent the browser back without a code", _AGAIN)
    return answer["code"]


def _check_iss(iss: str | None, server: AuthServer) -> None:
    """Compared to the letter, errors too, whether announced or not (2026-07-28 basic/authorization; RFC 9207, 2.4)."""
    if server.place is None:  # the issuer is our own guess then
        return
    hint = "this may be a mix-up attack: another server's answer was put in the place of this one's"
    if iss is None and server.says_iss:
        raise ServerError(f"the redirect does not say that it comes from {server.issuer}, as announced", hint)
    if iss is not None and iss != server.issuer:
        raise ServerError(f"the redirect comes from {said(iss)}, but {server.issuer} was asked", hint)


def _refused(answer: dict[str, str], server: AuthServer) -> None:
    denied = Denied(said(answer["error"], 60), said(answer.get("error_description")))
    hints = {
        "access_denied": "whoever signs in has to agree",
        "invalid_scope": "--scope NAME asks for other scopes",
        "unauthorized_client": "--client-id ID takes another registration",
        "invalid_target": "the authorization server does not know this MCP server",
    }
    raise ServerError(f"{server.issuer} gives no code: {denied}", hints.get(denied.code))
