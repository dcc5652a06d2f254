"""An MCP server over stdio with one tool, which asks another server and records that hop into the file it is given."""

import json
import sys
from pathlib import Path

import flowgen

WEATHER = {"name": "weather_current", "inputSchema": {"type": "object"}}
HELLO = {
    "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "gateway", "version": "1"},
}  # fmt: skip


def call(arguments):
    demo = [sys.executable, "-m", "flowgen.demo"]
    trace = flowgen.record(demo, revision="2025-06-18", lists="none", calls=[("weather_current", arguments)])
    Path(sys.argv[1]).write_text(trace.model_dump_json(exclude_unset=True), encoding="utf-8")
    return next(m.body["result"] for m in reversed(trace.messages) if m.kind == "response")


def answer(message):
    match message["method"]:
        case "initialize":
            return HELLO
        case "tools/list":
            return {"tools": [WEATHER]}
    return call(message["params"]["arguments"])


for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answer(asked)}), flush=True)
