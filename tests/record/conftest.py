"""Sessions with servers that misbehave, recorded for real; everything has a deadline."""

import itertools
import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flowgen.protocol import Answers, Plan, Step, tour
from flowgen.record import Limits, Recorded, Recording, Server, Session, Site, Watch, _ending

SERVERS = Path(__file__).parent / "servers"
DEADLINE = 30.0
CALL = Step("call", "echo", arguments={"text": "hi"})


class Seen:
    """A recording with short ways to what is in it."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.document = recording.document
        self.messages: list[dict[str, Any]] = recording.document["messages"]
        self.outcome = recording.document["outcome"]
        self.exit_code = recording.exit_code

    def of(self, kind: str, **body: Any) -> list[dict[str, Any]]:
        """Messages of a kind whose body has these members."""
        return [
            message for message in self.messages
            if message["kind"] == kind and all(message.get("body", {}).get(n) == v for n, v in body.items())
        ]  # fmt: skip

    def codes(self, message: dict[str, Any] | None = None) -> list[str]:
        """Problem codes of a message, or of all."""
        messages = self.messages if message is None else [message]
        return [problem["code"] for message in messages for problem in message["problems"]]

    @property
    def methods(self) -> list[str]:
        """The methods that the client sent, in order."""
        sent = [message["body"] for message in self.messages if message["sender"] == "client" and "body" in message]
        return [body["method"] for body in sent if "method" in body]

    def statuses(self, *kinds: str) -> list[int]:
        """The HTTP statuses in order, of all messages or of some kinds."""
        messages = [message for message in self.messages if not kinds or message["kind"] in kinds]
        return [message["http"]["status"] for message in messages if "status" in message.get("http", {})]

    @property
    def events(self) -> list[str]:
        """What happened to the process, in order."""
        return [message["body"]["event"] for message in self.messages if message["kind"] == "process"]


def is_a_trace(document: dict[str, Any]) -> None:
    """Asserts what holds for every trace, whatever the server did."""
    from flowgen.trace import Trace, document_bytes

    Trace.model_validate(json.loads(document_bytes(document)))
    messages = document["messages"]
    assert [message["seq"] for message in messages] == list(range(1, len(messages) + 1))
    assert all(earlier["at"] <= later["at"] for earlier, later in itertools.pairwise(messages))
    named = {participant["id"] for participant in document["participants"]}
    assert {message["sender"] for message in messages} | {message["receiver"] for message in messages} <= named


def deadlined(recorded: Recorded) -> Recording:
    """Runs a recording; one that does not end is ended and fails."""
    watchdog = threading.Timer(DEADLINE, recorded.interrupt)
    watchdog.start()
    try:
        recording = recorded.run()
    finally:
        watchdog.cancel()
    return recording


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that leave by themselves may take their time: a busy machine is no fault of theirs."""
    for name in ("STEP_SECONDS", "LIVES_ON_SECONDS", "HELD_SECONDS"):
        monkeypatch.setattr(_ending, name, 15.0)


@pytest.fixture
def quick_steps(patience: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """For servers that do not leave: the same ladder of the end with shorter steps, less to wait for."""
    for name, seconds in (("STEP_SECONDS", 0.3), ("LIVES_ON_SECONDS", 0.2), ("HELD_SECONDS", 0.3)):
        monkeypatch.setattr(_ending, name, seconds)


def visited(
    site: str | Site, steps: Any = (CALL,), revision: str = "2026-07-28", timeout: float = 15.0, startup: float = 20.0,
    lists: tuple[str, ...] = ("tools",), listen: float | None = None, watch: Watch | None = None, **session: Any,
) -> Seen:  # fmt: skip
    """Records the tour with a server that has an address."""
    plan = Plan(tour(lists, tuple(steps), as_declared=True, safe=False, listen=listen), revision=revision)
    session = {"answers": Answers(), "limits": Limits(timeout, startup), **session}
    site = Site(site) if isinstance(site, str) else site
    seen = Seen(deadlined(Recorded(site, Session(plan, **session), watch)))
    is_a_trace(seen.document)
    return seen


@pytest.fixture
def record() -> Callable[..., Seen]:
    """Records the tour with `odd.py FAULT`, or with another argv."""

    def recorded(
        fault: str | list[str] = "", steps: Any = (CALL,), revision: str = "2025-11-25", timeout: float = 15.0,
        startup: float = 20.0, lists: tuple[str, ...] = ("tools",), listen: float | None = None,
        plan: Plan | None = None, env: Any = None, watch: Watch | None = None, **session: Any,
    ) -> Seen:  # fmt: skip
        argv = fault if isinstance(fault, list) else [sys.executable, str(SERVERS / "odd.py"), fault]
        toured = Plan(tour(lists, tuple(steps), as_declared=True, safe=False, listen=listen), revision=revision)
        session = {"answers": Answers(), "limits": Limits(timeout, startup), **session}
        seen = Seen(deadlined(Recorded(Server(tuple(argv), env or {}), Session(plan or toured, **session), watch)))
        is_a_trace(seen.document)
        return seen

    return recorded
