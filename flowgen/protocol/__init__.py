"""What to say to a server, and what to answer when it asks back: scripts that yield acts and touch nothing."""

from typing import TYPE_CHECKING, Any

from ._acts import (
    Answer,
    Ask,
    AskPerson,
    Ending,
    Failed,
    Mark,
    Note,
    Now,
    Open,
    OpenBrowser,
    Opened,
    OpenStream,
    Pause,
    Refusal,
    Reply,
    Result,
    RunModel,
    Script,
    Settled,
    Silence,
    TakeBack,
    Tell,
    Turn,
    Warn,
)
from ._client import Client, Manners
from ._dialects import PREFIX, Identity
from ._plan import KINDS, Plan, Step, changes, completion, plan_from
from ._revisions import HANDSHAKE, REVISIONS, STATELESS
from ._tour import session, tour

if TYPE_CHECKING:
    from ._asked import Decision, respond
    from ._oauth import admitted, authorize, refresh, step_up
    from ._oauth_challenge import challenges, wants_login
    from ._oauth_documents import MAX_DOCUMENT, scopes_in
    from ._oauth_jwt import signed
    from ._oauth_model import Settings, Token
    from ._oauth_urls import covers, is_loopback, origin, query_of, resource_places, secrets_of
    from ._oauth_wallet import Wallet
    from ._routing import Lists, Offer, Routed, by_turns, for_one, merged, plain, routed
    from ._rules import Answers, answers_from
    from ._web import AskClientId, Browse, Draw, Failure, Fetch, Fetched, Loopback, Returned, Sign

__all__ = [
    "HANDSHAKE", "KINDS", "MAX_DOCUMENT", "PREFIX", "REVISIONS", "STATELESS", "Answer", "Answers", "Ask",
    "AskClientId", "AskPerson", "Browse", "Client", "Decision", "Draw", "Ending", "Failed", "Failure", "Fetch",
    "Fetched", "Identity", "Lists", "Loopback", "Manners", "Mark", "Note", "Now", "Offer", "Open",
    "OpenBrowser", "OpenStream", "Opened", "Pause", "Plan", "Refusal", "Reply", "Result", "Returned", "Routed",
    "RunModel", "Script", "Settings", "Settled", "Sign", "Silence", "Step", "TakeBack", "Tell", "Token", "Turn",
    "Wallet", "Warn", "admitted", "answers_from", "authorize", "by_turns", "challenges", "changes",
    "completion", "covers", "for_one", "is_loopback", "merged", "origin", "plain", "plan_from", "query_of",
    "refresh", "resource_places", "respond", "routed", "schema", "scopes_in", "secrets_of", "session", "signed",
    "step_up", "tour", "wants_login",
]  # fmt: skip

_LATER = {
    name: module
    for module, names in {
        "_asked": ("Decision", "respond"),
        "_oauth": ("admitted", "authorize", "refresh", "step_up"),
        "_oauth_challenge": ("challenges", "wants_login"),
        "_oauth_documents": ("MAX_DOCUMENT", "scopes_in"),
        "_oauth_jwt": ("signed",),
        "_oauth_model": ("Settings", "Token"),
        "_oauth_urls": ("covers", "is_loopback", "origin", "query_of", "resource_places", "secrets_of"),
        "_oauth_wallet": ("Wallet",),
        "_routing": ("Lists", "Offer", "Routed", "by_turns", "for_one", "merged", "plain", "routed"),
        "_rules": ("Answers", "answers_from"),
        "_web": ("AskClientId", "Browse", "Draw", "Failure", "Fetch", "Fetched", "Loopback", "Returned", "Sign"),
    }.items()
    for name in names
}


def __getattr__(name: str) -> Any:
    """What few sessions need is loaded when it is first asked for (PEP 562): starting up is half of a short one."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of the files that people write: `plan` or `answers`."""
    from ._plan import plan_schema
    from ._rules import answers_schema

    return {"plan": plan_schema, "answers": answers_schema}[name]()
