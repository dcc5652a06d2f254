"""A tiny builder of traces: one line a message, as a conversation is read."""

from typing import Any, Self

import pytest

from flowgen.flow import Entry, Flow, Run, read
from flowgen.trace import Trace

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
TOOLS = {
    "tools": [
        {
            "name": "weather",
            "title": "Weather",
            "description": "The weather.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "location": {"type": "string"},
                    "units": {"type": "string", "default": "metric"},
                },
                "required": ["location"],
            },
        }
    ]
}


class Session:
    """Messages between a client and a server; every method adds one and gives the session back."""

    def __init__(self, revision: str | None = "2025-06-18", **common: Any) -> None:
        self.common = {"transport": "stdio", "revision": revision} | common
        self.messages: list[dict[str, Any]] = []

    def add(self, kind: str, back: bool = False, **fields: Any) -> Self:
        sender, receiver = ("server", "client") if back else ("client", "server")
        seq = len(self.messages) + 1
        lanes = {"sender": sender, "receiver": receiver}
        self.messages.append({"seq": seq, "at": seq / 10, "kind": kind} | lanes | self.common | fields)
        return self

    def ask(self, method: str, id_: Any = None, back: bool = False, **more: Any) -> Self:
        """A request; its id is its seq unless given. `params` and fields of the message by name."""
        params = {"params": more.pop("params")} if "params" in more else {}
        self.last = id_ if id_ is not None else len(self.messages) + 1
        body = {"jsonrpc": "2.0", "id": self.last, "method": method} | params
        return self.add("request", back, body=body, **more)

    def reply(self, result: Any = None, id_: Any = None, back: bool = True, **more: Any) -> Self:
        """A result, to the last request unless an id is given."""
        body = {"jsonrpc": "2.0", "id": self.last if id_ is None else id_, "result": result or {}}
        return self.add("response", back, body=body, **more)

    def fail(
        self, code: int = -32603, message: str = "no", id_: Any = None, back: bool = True, **more: Any
    ) -> Self:
        error = {"code": code, "message": message} | ({"data": more.pop("data")} if "data" in more else {})
        body = {"jsonrpc": "2.0", "id": self.last if id_ is None else id_, "error": error}
        return self.add("error", back, body=body, **more)

    def tell(self, method: str, back: bool = True, **more: Any) -> Self:
        """A notification, from the server unless `back` says otherwise."""
        params = {"params": more.pop("params")} if "params" in more else {}
        return self.add("notification", back, body={"jsonrpc": "2.0", "method": method} | params, **more)

    def note(self, event: str, sender: str = "client", receiver: str = "client", **data: Any) -> Self:
        return self.add(
            "note", body={"event": event, "data": data}, sender=sender, receiver=receiver, transport=None
        )

    def process(self, event: str, **fields: Any) -> Self:
        problems = [{"code": code} for code in fields.pop("problems", [])]
        return self.add("process", True, body={"event": event} | fields, problems=problems)

    def stderr(self, text: str = "a line") -> Self:
        return self.add("stderr", True, text=text)

    def call(self, name: str = "weather", result: Any = None, **arguments: Any) -> Self:
        """A tool called and answered."""
        self.ask("tools/call", params={"name": name, "arguments": arguments or {"location": "SF"}})
        return self.reply(result or {"content": [{"type": "text", "text": "fine"}]})

    def listed(self, what: str = "tools", result: Any = None) -> Self:
        """A list asked for and given."""
        return self.ask(f"{what}/list").reply(
            result if result is not None else TOOLS if what == "tools" else {what: []}
        )

    def greeted(self, asks: Any = None, offers: Any = None) -> Self:
        """The handshake."""
        version = self.common["revision"]
        who = {"name": "someone", "version": "1"}
        asked = {"protocolVersion": version, "capabilities": asks or {}, "clientInfo": who}
        given = {"protocolVersion": version, "capabilities": offers or {}, "serverInfo": who}
        return self.ask("initialize", params=asked).reply(given).tell("notifications/initialized", back=False)

    def changed(self, what: str = "tools") -> Self:
        return self.tell(f"notifications/{what}/list_changed")

    def trace(self, complete: bool = True, **more: Any) -> Trace:
        roles = {"client": "client", "server": "server", "person": "person", "host": "host", "model": "model"}
        who = {message[end] for message in self.messages for end in ("sender", "receiver")}
        known = [{"id": id_, "role": role} for id_, role in roles.items() if id_ in who]
        outcome = {"complete": complete, "reason": "done" if complete else "server-exited"}
        return Trace(**{"participants": known, "messages": self.messages, "outcome": outcome} | more)

    def read(self, complete: bool = True, **options: Any) -> Flow:
        return read(self.trace(complete), **{"notes": "none"} | options)


class Told:
    """What a flow tells, in forms that are easy to compare."""

    @staticmethod
    def entries(flow: Flow) -> list[Entry]:
        """Every entry, those of runs too."""
        rows = [row for step in flow.steps for row in step.open_rows]
        return [entry for row in rows for entry in (row.entries if isinstance(row, Run) else (row,))]

    @staticmethod
    def by_seq(flow: Flow) -> dict[int, Entry]:
        return {entry.message.seq: entry for entry in Told.entries(flow)}

    @staticmethod
    def titles(flow: Flow) -> list[str]:
        return [step.title.en for step in flow.steps if step.title]

    @staticmethod
    def steps(flow: Flow) -> dict[str, list[int]]:
        """The seqs under each title."""
        return {
            step.title.en if step.title else "": [
                entry.message.seq
                for row in step.open_rows
                for entry in (row.entries if isinstance(row, Run) else (row,))
            ]
            for step in flow.steps
        }

    @staticmethod
    def rows(flow: Flow) -> list[str]:
        """Each row in a word: its seq, or kind, count and range of a run."""
        rows = [row for step in flow.steps for row in step.open_rows]
        return [
            f"{row.kind} ×{row.count} {row.entries[0].message.seq}–{row.entries[-1].message.seq}"
            if isinstance(row, Run)
            else str(row.message.seq)
            for row in rows
        ]


@pytest.fixture(scope="session")
def session() -> type[Session]:
    return Session


@pytest.fixture(scope="session")
def told() -> type[Told]:
    return Told
