"""What to say to a server, and what to answer when it asks back: scripts that yield acts and touch nothing."""

from typing import TYPE_CHECKING, Any

from ._acts import (
    Answer,
    Ask,
    AskPerson,
    Ending,
    Mark,
    Note,
    Open,
    OpenBrowser,
    Opened,
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
    Warn,
)
from ._client import Client, Manners
from ._dialects import PREFIX, Identity
from ._plan import KINDS, Plan, Step, changes, completion, plan_from
from ._revisions import HANDSHAKE, REVISIONS, STATELESS
from ._tour import session, tour

if TYPE_CHECKING:
    from ._asked import Decision, respond
    from ._rules import Answers, answers_from

__all__ = [
    "HANDSHAKE", "KINDS", "PREFIX", "REVISIONS", "STATELESS", "Answer", "Answers", "Ask", "AskPerson", "Client",
    "Decision", "Ending", "Identity", "Manners", "Mark", "Note", "Open", "OpenBrowser", "Opened", "Pause", "Plan",
    "Refusal", "Reply", "Result", "RunModel", "Script", "Settled", "Silence", "Step", "TakeBack", "Tell", "Warn",
    "answers_from", "changes", "completion", "plan_from", "respond", "schema", "session", "tour",
]  # fmt: skip

_LATER = {"Answers": "_rules", "answers_from": "_rules", "Decision": "_asked", "respond": "_asked"}


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
