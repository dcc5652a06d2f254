"""OAuth as an MCP client does it: from a 401 or 403 to the token that opens the server. Nothing here acts.

For whoever plays it:

    wallet = Wallet()                                # one per run; Wallet.load(...) from a token store
    header = wallet.header_for(url)                  # before every request to the server
    if wants_login(answer):                          # a 401, or a 403 insufficient_scope
        token = yield from admitted(settings, wallet, url, revision, answer, earlier)
        # send the same request again, same JSON-RPC id, with wallet.header_for(url)

`earlier` counts how often this very request was denied before: 0 the first time. `answer` is a Fetched. `revision` is
the one that is settled or was asked for, None while the era is being found out. `admitted` chooses between `refresh`,
`authorize` and `step_up`, which can be called by themselves too. All four raise ServerError (exit 3) with one
sentence and a hint when there is no way in, and yield nothing but these acts, whose answers `_web` and `_acts` tell:

    Fetch  Loopback  Browse  Draw  Sign  AskClientId  Note

A denied request had no effect, so repeating it is safe; nothing else is repeated. After each of them a token store
can be written from `wallet.dump()`. The server's URL is what the token is bound to: the wallet gives it for no other.
Where requests run side by side, one asks at a time; whoever waited first looks whether `header_for` says something
else than what the denied request carried, and then just sends it again.

Sources: 2026-07-28 and 2025-11-25 basic/authorization, 2025-03-26 basic/authorization for servers of that time, the
client credentials extension; RFC 6749, 6750, 7523, 7591, 7636, 8414, 8707, 9207, 9728.
"""

from flowgen.errors import ServerError

from ._acts import Note, Script
from ._oauth_challenge import Wanted, wanted
from ._oauth_code import check_can_browse, code_from_browser, listening
from ._oauth_discovery import BEFORE_RESOURCES, Errand, auth_server, discovered
from ._oauth_documents import Denied, said
from ._oauth_model import Asking, AuthServer, Registration, Resource, Settings, Token
from ._oauth_registration import given, registered
from ._oauth_token import token_for, token_refreshed
from ._oauth_urls import resource_of
from ._oauth_wallet import Wallet
from ._web import Fetched

MOST_DENIALS = 3  # of one request, before it is given up: signing in, and twice for more scopes
_OFFLINE = "offline_access"


def admitted(
    settings: Settings, wallet: Wallet, url: str, revision: str | None, denied: Fetched, earlier: int = 0
) -> Script[Token]:
    """The token with which to send a denied request again: refreshed, asked for, or with more scopes.

    Raises ServerError when there is none, or when the request was denied too often.
    """
    errand, wants, token = Errand(settings, wallet, url, revision), wanted(denied), wallet.token_for(url)
    if earlier >= MOST_DENIALS:
        what = f"{errand.name} still answers {denied.status} after {earlier} new tokens{_because(wants)}"
        raise ServerError(what, "--scope NAME asks for what it wants at once, if the account may have it")
    if token is not None and wants.error == "insufficient_scope":
        return (yield from step_up(settings, wallet, url, revision, denied))
    if token is not None and token.refresh is not None and earlier == 0:
        renewed = yield from _refreshed(errand, token)
        if isinstance(renewed, Token):
            return renewed
    if token is not None and earlier > 0 and not token.renewed:
        hint = "the server has to take what its authorization server gives"
        raise ServerError(f"{errand.name} does not take the token that {token.issuer} gave{_because(wants)}", hint)
    return (yield from authorize(settings, wallet, url, revision, denied))


def authorize(settings: Settings, wallet: Wallet, url: str, revision: str | None, denied: Fetched) -> Script[Token]:
    """The whole way after a 401: metadata, registration, sign-in or the client's own credentials, token."""
    errand, wants = Errand(settings, wallet, url, revision), wanted(denied)
    if "dpop" in wants.schemes and "bearer" not in wants.schemes:
        hint = "the server has to take Bearer tokens too"
        raise ServerError(f"{errand.name} takes DPoP tokens only, which flowgen does not make", hint)
    resource, server = yield from discovered(errand, wants)
    scopes, why = _first_scopes(settings, wants, resource, server)
    asking = Asking(scopes, why, _target(errand, resource), wants.seq)
    return (yield from _granted(errand, resource, server, asking))


def step_up(settings: Settings, wallet: Wallet, url: str, revision: str | None, denied: Fetched) -> Script[Token]:
    """The way after a 403 `insufficient_scope`: asks again for what the token has and what is missing (SEP-2350)."""
    errand, wants, token = Errand(settings, wallet, url, revision), wanted(denied), wallet.token_for(url)
    resource, server = wallet.found_for(url) or (yield from discovered(errand, wants))
    missing = wants.scopes or (resource.scopes if resource else ())
    if token is not None and set(missing) <= set(token.granted):
        named = (
            f"the scopes {said(' '.join(missing))}, which its token has" if missing else "more scopes, but names none"
        )
        raise ServerError(f"{errand.name} wants {named}{_because(wants)}", "--scope NAME asks for others")
    has = (*token.asked, *token.granted) if token else settings.scopes
    scopes = tuple(dict.fromkeys([*has, *missing]))
    asking = Asking(scopes, "step-up", _target(errand, resource), wants.seq)
    return (yield from _granted(errand, resource, server, asking))


def refresh(settings: Settings, wallet: Wallet, url: str, revision: str | None = None) -> Script[Token]:
    """A new token for the server's refresh token. Raises ServerError when there is none, or it counts no more."""
    errand, token = Errand(settings, wallet, url, revision), wallet.token_for(url)
    if token is None or token.refresh is None:
        raise ServerError(f"no refresh token for {errand.name}", "without one, sign in again")
    renewed = yield from _refreshed(errand, token)
    if isinstance(renewed, Denied):
        raise ServerError(f"{token.issuer} does not renew the token for {errand.name}: {renewed}", "sign in again")
    return renewed


# the ways to a token


def _granted(errand: Errand, resource: Resource | None, server: AuthServer, asking: Asking) -> Script[Token]:
    if _goes_alone(errand.settings, server):
        token = yield from _by_itself(errand, server, asking)
    else:
        token = yield from _by_person(errand, server, _wishes(resource, asking.scopes), asking)
    return errand.wallet.keep(errand.url, token)


def _by_itself(errand: Errand, server: AuthServer, asking: Asking) -> Script[Token]:
    """The client credentials extension: no person, no code (RFC 6749, 4.4)."""
    client = yield from given(errand, server)
    yield _chose(asking)
    scope = (("scope", " ".join(asking.scopes)),) if asking.scopes else ()
    return (yield from token_for(errand, server, client, (("grant_type", "client_credentials"), *scope), asking))


def _by_person(errand: Errand, server: AuthServer, wishes: tuple[str, ...], asking: Asking) -> Script[Token]:
    check_can_browse(errand, server)
    redirect_uri = yield from listening(errand, server)
    client = yield from registered(errand, server, redirect_uri, wishes)
    yield _chose(asking)
    form = yield from code_from_browser(errand, server, client, redirect_uri, asking)
    return (yield from token_for(errand, server, client, form, asking))


def _chose(asking: Asking) -> Note:
    return Note("chose-scopes", {"scopes": list(asking.scopes), "why": asking.why})


def _goes_alone(settings: Settings, server: AuthServer) -> bool:
    """Whether the client proves itself instead of a person: when told so, or when it is the only way."""
    if settings.grant != "auto" or not settings.can_go_alone:
        return settings.grant == "client_credentials"
    grants = server.grants or ()
    return "client_credentials" in grants and not (settings.interactive and "authorization_code" in grants)


def _refreshed(errand: Errand, token: Token) -> Script[Token | Denied]:
    """Refreshes at the issuer of the token and nowhere else; a token whose refresh was refused is forgotten."""
    server = (errand.wallet.found_for(errand.url) or (None, None))[1]
    if server is None or server.issuer != token.issuer:
        try:
            server = yield from auth_server(errand, token.issuer)
        except ServerError as error:  # the issuer may be gone: then the server names another one
            return Denied("", str(error))
    client = _known_client(errand, server)
    if client is None:
        return Denied("", f"the client is not registered at {server.issuer}")
    renewed = yield from token_refreshed(errand, server, client, token)
    if isinstance(renewed, Token):
        return errand.wallet.keep(errand.url, renewed)
    if renewed.code:
        errand.wallet.drop(errand.url)
    return renewed


def _known_client(errand: Errand, server: AuthServer) -> Registration | None:
    settings, kept = errand.settings, errand.wallet.registration_at(server.issuer)
    if kept is not None and kept.way == "pre-registered":
        ours = kept.client_id == settings.client_id
        return Registration(kept.client_id, kept.way, settings.client_secret) if ours else None
    return kept


# scopes and the resource


def _first_scopes(
    settings: Settings, wants: Wanted, resource: Resource | None, server: AuthServer
) -> tuple[tuple[str, ...], str]:
    """What to ask for, and why: the challenge, then the metadata, then nothing (2026-07-28, scope selection)."""
    known = resource.scopes if resource else ()
    choices = ((settings.scopes, "given"), (wants.scopes, "challenge"), (known, "metadata"))
    scopes, why = next(((scopes, why) for scopes, why in choices if scopes), ((), "left-out"))
    if scopes and settings.offline and _OFFLINE in (server.scopes or ()) and _OFFLINE not in scopes:
        scopes = (*scopes, _OFFLINE)
    return scopes, why


def _wishes(resource: Resource | None, scopes: tuple[str, ...]) -> tuple[str, ...]:
    """All that a registration may be used for: what is asked now, and what the resource says it knows."""
    return tuple(dict.fromkeys([*scopes, *(resource.scopes if resource else ())]))


def _target(errand: Errand, resource: Resource | None) -> str | None:
    """`resource` (RFC 8707) as the server calls itself; servers of 2025-03-26 know nothing of it."""
    if resource is not None:
        return resource.resource
    return None if errand.revision in BEFORE_RESOURCES else resource_of(errand.url)


def _because(wants: Wanted) -> str:
    said_so = ", ".join(filter(None, (said(wants.error, 60), wants.text)))
    return f" ({said_so})" if said_so else ""
