"""What to say to a server, and what to answer when it asks back: scripts that yield acts and touch nothing."""

from typing import Any

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
from ._asked import Decision, respond
from ._client import Client, Manners
from ._dialects import PREFIX, Identity
from ._plan import KINDS, Plan, Step, changes, completion, plan_from
from ._revisions import HANDSHAKE, REVISIONS, STATELESS
from ._rules import Answers, answers_from
from ._tour import session, tour

__all__ = [
    "HANDSHAKE", "KINDS", "PREFIX", "REVISIONS", "STATELESS", "Answer", "Answers", "Ask", "AskPerson", "Client",
    "Decision", "Ending", "Identity", "Manners", "Mark", "Note", "Open", "OpenBrowser", "Opened", "Pause", "Plan",
    "Refusal", "Reply", "Result", "RunModel", "Script", "Settled", "Silence", "Step", "TakeBack", "Tell", "Warn",
    "answers_from", "changes", "completion", "plan_from", "respond", "schema", "session", "tour",
]  # fmt: skip


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of the files that people write: `plan` or `answers`."""
    from ._plan import plan_schema
    from ._rules import answers_schema

    return {"plan": plan_schema, "answers": answers_schema}[name]()
