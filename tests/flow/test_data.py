"""A flow as plain data."""

import json

from flowgen.flow import as_data, read


def test_the_document_is_json_and_says_what_the_flow_says(session):
    talk = session().greeted().listed().call().changed().listed()
    for _ in range(5):
        talk.call()
    data = json.loads(json.dumps(as_data(read(talk.trace(title="A talk")))))
    assert (data["format"], data["title"]) == ("flowgen.flow/1", "A talk")
    assert [step["title"]["zh"] for step in data["steps"]][:2] == ["初始化", "工具发现"]
    first = data["steps"][0]["rows"][0]
    assert (first["number"], first["state"], first["label"]["en"]) == (1, "answered", "initialize request")
    assert first["message"]["body"]["method"] == "initialize"
    assert first["notes"][0]["term"]["en"] == "Version negotiation"
    run = data["steps"][-1]["rows"][-1]
    assert (run["run"], run["count"], len(run["entries"])) == ("pairs", 3, 6)
    assert data["facts"] == {
        "transports": ["stdio"], "revisions": ["2025-06-18"], "messages": 20, "unanswered": 0, "cancelled": 0,
        "steps": 5,
    }  # fmt: skip
    assert data["outcome"] == {"complete": True, "reason": "done"}


def test_what_has_no_value_is_left_out(session):
    row = as_data(session().tell("x").read())["steps"][0]["rows"][0]
    assert sorted(row) == ["label", "message", "method", "number"]
