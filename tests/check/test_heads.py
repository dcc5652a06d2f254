"""What a browser asks on its own is no request of the client."""

import copy
import json
from pathlib import Path

import pytest

from flowgen import api
from flowgen.check import breaches
from tests.traces import SAMPLES

CAPTURES = Path(__file__).parent / "captures"
SESSIONS = [SAMPLES / "oauth" / "trace.json", CAPTURES / "http-2025-11-25-sse-get-stream.jsonl"]


def _with_preflights(trace):
    """A recording in which a browser asked before every request whether it may be sent."""
    document, rows = trace.model_dump(mode="json", exclude_none=True), []
    for row in document["messages"]:
        head = row.get("http") or {}
        if head.get("method") in ("POST", "GET", "DELETE"):
            asked = {name: row[name] for name in ("at", "sender", "receiver")}
            asked |= {"kind": "http", "transport": "http", "exchange": 1000 + len(rows), "problems": []}
            answered = copy.deepcopy(asked) | {"sender": row["receiver"], "receiver": row["sender"]}
            origin = [["Origin", "http://localhost:6274"], ["Access-Control-Request-Method", head["method"]]]
            rows.append({**asked, "http": {"method": "OPTIONS", "url": head["url"], "headers": origin}})
            rows.append({**answered, "http": {"status": 204, "headers": [["Access-Control-Allow-Origin", "*"]]}})
        rows.append(row)
    document["messages"] = [{**row, "seq": seq} for seq, row in enumerate(rows, 1)]
    return api.load(json.dumps(document).encode())


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_preflights_of_a_browser_break_no_rule(path):
    trace = api.load(path.read_bytes())
    asked = _with_preflights(trace)
    assert len(asked.messages) > len(trace.messages)
    assert [each.code for each in breaches(asked)] == [each.code for each in breaches(trace)]
