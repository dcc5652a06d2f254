"""One session of many calls, in the language of every engine that is measured: the same words, the same JSON.

The calls go to five tools in turn, so that no two neighbours are alike and nothing folds by itself; every message
carries twelve lines of JSON, which stand beside its arrow in every picture.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Json = dict[str, Any]

_SPACE = "\u00a0"  # engines drop plain spaces at the start of a line
_HEADER = {
    "format": "flowgen.trace/1",
    "recorded_at": "2026-11-30T10:00:00.000Z",
    "recorder": "flowgen bench",
    "command": ["synthetic"],
    "participants": [
        {"id": "client", "role": "client", "title": "bench client"},
        {"id": "server", "role": "server", "title": "bench server"},
    ],
}
_OUTCOME = {"complete": True, "reason": "done"}
_TOOLS: tuple[tuple[str, Callable[[int], Json], str], ...] = (
    ("weather_current", lambda n: {"location": f"Station {n % 97}", "units": "metric"}, "{} degrees and some clouds"),
    ("calculator", lambda n: {"expression": f"{n} * {n % 11 + 2}", "precision": n % 5}, "the result is {}"),
    ("issue_search", lambda n: {"query": f"label:bug page:{n % 40}", "limit": 10 + n % 20}, "{} issues are open"),
    ("file_read", lambda n: {"path": f"src/module_{n % 61}.py", "line": n % 500 + 1}, "{} lines of text"),
    ("flight_price", lambda n: {"route": f"OSL-TLL-{n % 29}", "day": n % 28 + 1}, "from {} euros on"),
)


class Said(NamedTuple):
    """One message: whether the client sends it, its label, its body."""

    asks: bool
    label: str
    body: Json

    @property
    def lines(self) -> list[str]:
        """The body as every picture shows it."""
        return json.dumps(self.body, indent=2).split("\n")


def said(calls: int, more: str = "") -> Iterator[Said]:
    """Requests and responses, as many as there are calls of each; `more` lengthens the answers."""
    for n in range(1, calls + 1):
        name, arguments, answer = _TOOLS[n % len(_TOOLS)]
        call = {"name": name, "arguments": arguments(n)}
        yield Said(True, f"tools/call {name} {n}", {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": call})
        content = [{"type": "text", "text": answer.format(n * 7 % 1009) + more}]
        yield Said(False, f"result {n}", {"jsonrpc": "2.0", "id": n, "result": {"content": content}})


def rows(calls: int, more: str = "") -> Iterator[Json]:
    """The messages of the trace."""
    for seq, one in enumerate(said(calls, more), 1):
        ends = ("client", "server") if one.asks else ("server", "client")
        yield {
            "seq": seq, "at": round(seq * 0.0125, 4), "sender": ends[0], "receiver": ends[1],
            "kind": "request" if one.asks else "response", "transport": "stdio", "revision": "2025-06-18",
            "body": one.body,
        }  # fmt: skip


def trace(calls: int) -> Iterator[str]:
    """A document of flowgen."""
    yield json.dumps({**_HEADER, "messages": list(rows(calls)), "outcome": _OUTCOME})


def jsonl(calls: int, more: str = "") -> Iterator[str]:
    """The same as JSON Lines."""
    yield json.dumps(_HEADER)
    yield from map(json.dumps, rows(calls, more))
    yield json.dumps({"outcome": _OUTCOME})


def mermaid(calls: int) -> Iterator[str]:
    """Mermaid, which two engines read."""
    yield "sequenceDiagram\n  participant C as Client\n  participant S as Server"
    for one in said(calls):
        arrow, side = ("C->>S", "left of C") if one.asks else ("S-->>C", "right of S")
        yield f"  {arrow}: {one.label}\n  Note {side}: {'<br/>'.join(map(_kept, one.lines))}"


def plantuml(calls: int) -> Iterator[str]:
    """PlantUML."""
    yield "@startuml\nparticipant Client as C\nparticipant Server as S"
    for one in said(calls):
        arrow, side = ("C -[#2563eb]> S", "left of C") if one.asks else ("S -[#16a34a]> C", "right of S")
        yield "\n".join([f"{arrow} : {one.label}", f"note {side}", "<code>", *one.lines, "</code>", "end note"])
    yield "@enduml"


def d2(calls: int) -> Iterator[str]:
    """D2."""
    yield "shape: sequence_diagram\nC: Client\nS: Server"
    for number, one in enumerate(said(calls)):
        arrow, owner = ("C -> S", "C") if one.asks else ("S -> C", "S")
        text = "\n".join(f"  {line}" for line in one.lines)
        yield f'{arrow}: "{one.label}"\n{owner}.n{number}: |json\n{text}\n|'


def mscgen(calls: int) -> Iterator[str]:
    """Mscgen."""
    yield 'msc {\n  C [label="Client"], S [label="Server"];'
    for one in said(calls):
        arrow, owner, colour = ("C=>S", "C", "#2563eb") if one.asks else ("S>>C", "S", "#16a34a")
        text = "\\n".join(map(_kept, one.lines)).replace('"', '\\"')
        yield f'  {arrow} [label="{one.label}", linecolour="{colour}"];\n  {owner} box {owner} [label="{text}"];'
    yield "}"


FORMS: dict[str, Callable[[int], Iterator[str]]] = {
    "json": trace, "mmd": mermaid, "puml": plantuml, "d2": d2, "msc": mscgen,
}  # fmt: skip


def _kept(line: str) -> str:
    """A line whose indent stays."""
    bare = line.lstrip(" ")
    return _SPACE * (len(line) - len(bare)) + bare
