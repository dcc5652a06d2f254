"""Flows for tests: the entries of a trace in rows of one's own, groups and remarks among them."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from flowgen.flow import Branch, Entry, Flow, Group, Remark, Row, Say, Step, read
from flowgen.scene import Options, Scene, swimlane
from flowgen.trace import Trace
from tests.traces import answers, asks, refuses, tells, text_message, trace_of

ROLES = {"person": "person", "client": "client", "server": "server", "host": "host", "model": "model"}


def say(text: str, zh: str = "") -> Say:
    return Say(text, zh or text)


def entries(trace: Trace) -> dict[int, Entry]:
    """Every entry of a trace by its `seq`, nothing folded."""
    flow = read(trace, full=True, notes="none", show=["stderr", "process", "probe"])
    return {row.message.seq: row for step in flow.steps for row in step.open_rows if isinstance(row, Entry)}


def flow_of(trace: Trace, rows: Iterable[Row], title: str | None = None) -> Flow:
    """A flow of one step without a band, or of one with this title."""
    step = Step(1 if title else None, say(title) if title else None, tuple(rows))
    return replace(read(trace, full=True, notes="none", show=["stderr", "process"]), steps=(step,))


def loop(condition: str, *rows: Row) -> Group:
    return Group("loop", (Branch(say(condition), rows),))


def alt(*branches: tuple[str, tuple[Row, ...]]) -> Group:
    return Group("alt", tuple(Branch(say(condition), rows) for condition, rows in branches))


def people(*roles: str) -> list[dict[str, Any]]:
    return [{"id": role, "role": role, "title": f"{role} 1.0"} for role in roles]


def paged() -> Flow:
    """A list in one page or in several, drawn as an alternative with a loop inside of it."""
    trace = trace_of(
        asks("tools/list", 2),
        answers(2, tools=[]),
        answers(2, tools=[], nextCursor="cGFnZTI="),
        asks("tools/list", 3, cursor="cGFnZTI="),
        answers(3, tools=[]),
        {"sender": "client", "receiver": "client", "kind": "note", "body": {"event": "merged", "data": {}}},
        {"sender": "person", "receiver": "client", "kind": "note", "body": {"event": "approved", "data": {}}},
        text_message("stderr", "4 tools registered\n"),
        text_message("noise", "DeprecationWarning: spam", "not-json"),
        participants=people("person", "client", "server"),
    )
    each = entries(trace)
    pages = loop("while nextCursor is there, 3 times", each[4], each[5])
    either = alt(("everything fits one page", (each[2],)), ("more than one page", (each[3], pages, each[6])))
    remark = Remark(("client", "server"), say("Both branches were recorded: one session each"))
    wide = Remark(
        ("person", "server"),
        say("The host asks before a call; one approval may cover the session, and then the picture shows it once."),
    )
    return flow_of(trace, [remark, each[1], either, wide, each[7], each[8], each[9]])


def nested(depth: int = 3) -> Flow:
    """Two lanes, and frames in each other around one exchange."""
    trace = trace_of(asks("initialize", 1, protocolVersion="2025-11-25"), answers(1), asks("ping", 2), answers(2),
                     tells("notifications/message", data="x"), asks("nope", 3), refuses(3))  # fmt: skip
    each = entries(trace)
    rows: tuple[Row, ...] = (each[3], each[4])
    for number in range(depth):
        operator = ("loop", "opt", "par")[number % 3]
        rows = (Group(operator, (Branch(say(f"frame {number}"), rows),)),)  # type: ignore[arg-type]
    return flow_of(trace, [each[1], each[2], *rows, each[5], each[6], each[7]], "Frames")


def scene(flow: Flow, **options: Any) -> Scene:
    return swimlane(flow, Options(**options))
