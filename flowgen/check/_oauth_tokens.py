"""Rules of tokens once they are there: which request carries which, where they may go, and what a refusal asks for."""

from collections.abc import Hashable, Iterator, Sequence

from flowgen.protocol import covers, scopes_in
from flowgen.trace import MASK

from ._heads import address, asked
from ._hits import Hit, once, rule
from ._message import Seen, text
from ._oauth_acts import Act, challenge
from ._oauth_story import all_acts, bearer, carries_token, issued, names, story
from ._session import Exchange, Session

_FEW = 3  # tries of one operation


@rule
def oauth_token_in_query(session: Session) -> Iterator[Hit]:
    return once(Hit(seen, "the address has an access_token") for seen in session.messages
                if seen.side == "client" and seen.message.http
                and _has_token(seen.message.http.url or ""))  # fmt: skip


@rule
def oauth_bearer_missing(session: Session) -> Iterator[Hit]:
    if not any(carries_token(exchange.opener) for exchange in asked(session)):
        return  # what the recorder left out, the client may have sent
    holds = False
    events: list[tuple[int, Seen | None]] = [(at, None) for at in _tokens_at(session)]
    events += [(exchange.opener.at, exchange.opener) for exchange in asked(session)]
    refused = {exchange.got[0].at for exchange in asked(session) if exchange.status == 401 and _carries(exchange)}
    for at, seen in sorted([*events, *((at, None) for at in refused)], key=lambda event: event[0]):
        if seen is None or carries_token(seen):
            holds = at not in refused
        elif holds and seen.header("authorization") is None:
            yield Hit(seen, f"{seen.method or 'a request'} without the token that the client has")


@rule
def oauth_token_foreign(session: Session) -> Iterator[Hit]:
    meant, told = _meant(session), set[Hashable]()
    for exchange in asked(session):
        token = bearer(exchange.opener)
        resources = meant.get(token, []) if token and token not in told else []
        if resources and not any(names(each, session) for each in resources):
            told.add(token)
            yield Hit(exchange.opener, f"the token was issued for {resources[0][:80]!r}")


@rule
def token_passthrough(session: Session) -> Iterator[Hit]:
    took = {token for exchange in asked(session) if (token := bearer(exchange.opener))}
    servers = {exchange.opener.message.receiver for exchange in asked(session)} if took else set()
    sent: dict[str, list[Seen]] = session.worked_out_of_all("tokens by sender", _by_sender)
    for seen in (seen for server in servers for seen in sent.get(server, ())):
        token, url = bearer(seen), address(seen.message.http.url if seen.message.http else None)
        if token in took and not any(covers(each, url) for each in _meant(session).get(token, ())):
            yield Hit(seen, "the token that the client sent goes on from here", by=seen.side)


@rule
def oauth_step_up_scope(session: Session) -> Iterator[Hit]:
    had, wanted = frozenset[str](), frozenset[str]()
    for event in _steps(session):
        if isinstance(event, Seen):
            wanted = frozenset(scopes_in(challenge(event).get("scope")))
            continue
        lacks = (had | wanted) - _scopes(event)
        if wanted and lacks and _asks_for_scopes(event):
            yield Hit(event.seen, f"asks for {event.told('scope') or 'no scope'}, not for {' '.join(sorted(lacks))}")
        wanted = frozenset() if _asks_for_scopes(event) else wanted
        had = _granted(event) or had


@rule
def oauth_step_up_loop(session: Session) -> Iterator[Hit]:
    tries: dict[Hashable, int] = {}
    for exchange in asked(session):
        seen = exchange.opener
        key = (seen.message.sender, seen.method, seen.name)
        tries[key] = tries.get(key, 0) + 1 if exchange.got and _wants_more(exchange.got[0]) else 0
        if tries[key] == _FEW + 1:
            yield Hit(seen, f"{seen.method} is tried for the {tries[key]}th time, refused each time for want of scopes")


def _has_token(url: str) -> bool:
    query = url.partition("#")[0].partition("?")[2]
    return any(pair.partition("=")[0] == "access_token" for pair in query.split("&"))


def _tokens_at(session: Session) -> Iterator[int]:
    """Where tokens for the session's server came."""
    return (act.answer.at for act in story(session).of("token") if act.is_done and act.answer)


def _carries(exchange: Exchange) -> bool:
    return bool(exchange.got) and carries_token(exchange.opener)


def _meant(session: Session) -> dict[Hashable, list[str]]:
    """For which resources each token of the recording was issued, as far as their requests said."""
    acts = all_acts(session).acts
    found: dict[Hashable, list[str]] = session.worked_out_of_all("meant", lambda _: _find_meant(acts))
    return found


def _find_meant(acts: Sequence[Act]) -> dict[Hashable, list[str]]:
    found: dict[Hashable, list[str]] = {}
    for act in acts:
        token = issued(act) if act.kind == "token" and act.is_done else None
        resources = [each for each in act.resources if MASK not in each]
        if token and resources:
            found.setdefault(token, []).extend(resources)
    return found


def _by_sender(everything: Sequence[Seen]) -> dict[str, list[Seen]]:
    found: dict[str, list[Seen]] = {}
    for seen in everything:
        if seen.message.http and seen.message.http.method and carries_token(seen):
            found.setdefault(seen.message.sender, []).append(seen)
    return found


def _steps(session: Session) -> list[Seen | Act]:
    """The refusals for want of scopes, and the requests for tokens, in order."""
    steps: list[tuple[int, Seen | Act]] = [(act.seen.at, act) for act in story(session).of("authorization", "token")]
    steps += [(seen.at, seen) for exchange in asked(session) for seen in exchange.got[:1] if _wants_more(seen)]
    return [step for _, step in sorted(steps, key=lambda step: step[0])]


def _wants_more(seen: Seen) -> bool:
    return seen.status == 403 and challenge(seen).get("error") == "insufficient_scope"


def _asks_for_scopes(act: Act) -> bool:
    return act.kind == "authorization" or act.told("grant_type") == "client_credentials"


def _scopes(act: Act) -> frozenset[str]:
    """The scopes that an act asks for."""
    return frozenset(scopes_in(act.told("scope")))


def _granted(act: Act) -> frozenset[str]:
    """The scopes that a token came with, else those that were asked for."""
    return frozenset(scopes_in(text(act.said.get("scope")))) or _scopes(act)
