"""Traces and flows that hypothesis makes: requests both ways, answers late, twice or never, noise, notes, HTTP."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from flowgen.flow import Branch, Entry, Flow, Group, ListChange, Remark, Row, Say, Step, read
from flowgen.trace import Trace
from tests.backends.test_svg import HOSTILE
from tests.traces import text_message, trace_of

IDS = ("client", "server", "person", "auth", "host", "model", "gateway", "api")
ROLES = dict(zip(IDS, IDS, strict=True))
WORDS = ("a", "tools/call", "tools/list", "notifications/tools/list_changed", "中文 label", "x" * 90, HOSTILE)
METHODS = st.sampled_from(["initialize", "ping", "tools/list", "tools/call", "sampling/createMessage", *WORDS])
NOTED = st.sampled_from(["asked-user", "user-answered", "approved", "token-stored", "chose-issuer", HOSTILE])
PAIRS = st.one_of(
    st.just(("client", "server")),
    st.just(("server", "client")),
    st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)),
)
HALVES = st.sampled_from([{"method": "POST", "url": "http://a/mcp"}, {"status": 202}, {"status": 401}, {"status": 502}])
MORE = st.sampled_from([{}, {"isError": True}, {"resultType": "input_required", "requestState": "s"}, {"tools": [{}]}])
KINDS = ["request", "response", "request", "response", "request", "response", "error", "notification", "note", "http"]


@st.composite
def messages(draw: st.DrawFn) -> dict[str, Any]:
    """A message of any kind, well formed and out of place."""
    kind, number, word = draw(st.sampled_from([*KINDS, "other"])), draw(st.integers(0, 6)), draw(st.sampled_from(WORDS))
    if kind == "other":
        log, noise = text_message("stderr", word), text_message("noise", word, "not-json")
        return draw(st.sampled_from([log, noise, _exit(number), _exit(None)]))
    sender, receiver = draw(PAIRS)
    ends = {"sender": sender, "receiver": receiver, "kind": kind}
    if kind == "http":
        return {**ends, "transport": "http", "exchange": number, "http": draw(HALVES)}
    if kind == "note":
        return {**ends, "body": {"event": draw(NOTED), "data": {"kind": word}}}
    return {**ends, "body": {"jsonrpc": "2.0", **_spoken(draw, kind, number, word)}}


def _spoken(draw: st.DrawFn, kind: str, number: int, word: str) -> dict[str, Any]:
    match kind:
        case "request":
            return {"id": number, "method": draw(METHODS), "params": {"name": word}}
        case "response":
            return {"id": number, "result": {"content": [{"type": "text", "text": word}], **draw(MORE)}}
        case "error":
            return {"id": number, "error": {"code": -32000 - number, "message": word}}
    step = {"progressToken": 1, "progress": number / 7, "total": 1, "message": word}
    told = [_tells("progress", **step), _tells("cancelled", requestId=number), _tells("message", data=word)]
    return draw(st.sampled_from(told))


def _tells(name: str, **params: Any) -> dict[str, Any]:
    return {"method": f"notifications/{name}", "params": params}


def _exit(code: int | None) -> dict[str, Any]:
    body = {"event": "started"} if code is None else {"event": "exited", "exit_code": code}
    problems = [{"code": "crashed", "message": "ended early"}] if code else []
    return {"sender": "server", "receiver": "client", "kind": "process", "body": body, "problems": problems}


@st.composite
def traces(draw: st.DrawFn, most: int = 14) -> Trace:
    rows, at = [], 0.0
    for row in draw(st.lists(messages(), max_size=most)):
        at += draw(st.sampled_from([0.001, 0.01, 0.5, 3.0, 1000.0]))
        rows.append({**row, "at": at})
    known = [{"id": id_, "role": ROLES[id_], "title": draw(st.sampled_from(["", "one 1.0", HOSTILE]))} for id_ in IDS]
    return trace_of(*rows, participants=known)


@st.composite
def flows(draw: st.DrawFn) -> Flow:
    """A flow whose rows were put into frames, with remarks, differences and overlaps that need not be true."""
    flow = read(draw(traces()), show=["stderr", "process", "probe"], fold=draw(st.sampled_from([1, 2, 99])))
    ids = [who.id for who in flow.lanes]
    said = st.sampled_from([None, Say("a short one", "短"), Say(HOSTILE, HOSTILE), Say("long " * 60, "长" * 200)])

    def framed(rows: tuple[Row, ...], depth: int) -> tuple[Row, ...]:
        if depth and len(rows) > 1 and draw(st.booleans()):
            cut = draw(st.integers(0, len(rows)))
            parts = (framed(rows[:cut], depth - 1), framed(rows[cut:], depth - 1))
            operator = draw(st.sampled_from(["loop", "alt", "opt", "par"]))
            return (Group(operator, tuple(Branch(draw(said), part) for part in parts)),)
        if draw(st.booleans()):
            remark = Remark((draw(st.sampled_from(ids)), draw(st.sampled_from(ids))), draw(said) or Say("so", "是"))
            return (remark, *rows)
        return rows

    asked: list[int] = []

    def told(row: Row) -> Row:
        if not isinstance(row, Entry):
            return row
        if row.state is None:
            change = ListChange(1, ("a", HOSTILE), ("b" * 200,), ("中文",), 3)
            return replace(row, change=change if row.message.kind == "response" else None)
        again = draw(st.sampled_from([None, *asked]))
        asked.append(row.message.seq)
        return replace(row, overlaps=draw(st.booleans()), retry_of=again)

    steps = tuple(Step(step.number, step.title, framed(tuple(map(told, step.rows)), 4)) for step in flow.steps)
    return replace(flow, steps=steps)
