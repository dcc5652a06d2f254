"""The recordings of other tools that tests read, and what must be found in each."""

import json
from pathlib import Path
from typing import Any

from flowgen.trace import Trace

CASES = Path(__file__).parent / "cases"
EXPECTED: list[dict[str, Any]] = json.loads((Path(__file__).parent / "expected.json").read_text(encoding="utf-8"))
RPC = ("request", "response", "error", "notification")


def case(name: str) -> Path:
    """The one recording whose name holds this."""
    (found,) = [path for path in CASES.iterdir() if name in path.name]
    return found


def spoken(trace: Trace) -> list[tuple[str, str, str, str]]:
    """Sender's and receiver's role, kind and body of every JSON-RPC message, in order."""
    roles = {who.id: who.role for who in trace.participants}
    return [
        (roles[message.sender], roles[message.receiver], message.kind, json.dumps(message.body, sort_keys=True))
        for message in trace.messages
        if message.kind in RPC
    ]
