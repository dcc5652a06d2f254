"""Pages for people: whoever opens one is done with it, and a call that waited for that goes on."""

import httpx
import pytest

from flowgen import api
from flowgen.demo._scenario import read
from flowgen.errors import ConfigError

DESK = """
transport = "http"

[server]
name = "desk"
version = "1"

[[page]]
path = "/connect"
text = "Done & <well>"

[[tool]]
name = "send"

[[tool.step]]
[tool.step.ask.connect]
method = "elicitation/create"
params = { mode = "url", message = "Connect", url = "{server.url}/connect" }

[[tool.step]]
when = { connect = { action = "accept" } }
visit = "/connect"

[[tool.step]]
result = { text = "{connect.action}" }
"""
PLAN = 'revision = "2026-07-28"\n[[step]]\ncall = "send"\n'
AGREES = "[[elicitation]]\naccept = {}\n"


@pytest.fixture
def desk(tmp_path):
    path = tmp_path / "desk.toml"
    path.write_text(DESK, encoding="utf-8")
    return str(path)


def recorded(desk, answers):
    return api.record(demo=desk, script=("plan", PLAN.encode()), answers=("answers", answers.encode()))


def notes(trace):
    return [message.body["event"] for message in trace.messages if message.kind == "note"]


def test_a_played_browser_opens_the_page_after_the_call_was_made_again(desk):
    trace = recorded(desk, AGREES)
    assert trace.outcome.complete
    assert notes(trace) == ["plan-step", "answered-from-file", "opened-browser", "plan-step"]
    said = [(m.sender, m.http.method or m.http.status) for m in trace.messages if m.http]
    visit = said.index(("browser", "GET"))
    assert said[visit - 1 :] == [("client", "POST"), ("browser", "GET"), ("server", 200), ("server", 200)]
    opened = next(m.body["data"] for m in trace.messages if m.kind == "note" and m.body["event"] == "opened-browser")
    assert opened["by"] == "demo" and opened["url"].endswith("/connect")
    answer = [message for message in trace.messages if message.kind == "response"][-1]  # the page may come before it
    assert answer.body["result"]["content"][0]["text"] == "accept"


def test_who_declines_is_sent_nowhere(desk):
    trace = recorded(desk, "[[elicitation]]\ndecline = true\n")
    assert "opened-browser" not in notes(trace) and not [m for m in trace.messages if m.sender == "browser"]


def test_pages_of_others_are_left_alone(desk, tmp_path):
    elsewhere = tmp_path / "elsewhere.toml"
    elsewhere.write_text(DESK.replace("{server.url}", "http://127.0.0.2:9").replace('visit = "/connect"', "wait = 0.3"))
    trace = recorded(str(elsewhere), AGREES)
    assert trace.outcome.complete and not [m for m in trace.messages if m.sender == "browser"]


def test_a_page_says_its_text_as_text(served):
    url = served(DESK).removesuffix("/mcp")
    page = httpx.get(url + "/connect", timeout=10)
    assert page.headers["content-type"].startswith("text/html") and "Done &amp; &lt;well&gt;" in page.text


def test_on_stdio_there_are_no_pages_and_nobody_waits(talk):
    server = talk(DESK, "2025-11-25", {"elicitation": {"url": {}}})
    id = server.begin("tools/call", name="send", arguments={})
    question = server.next()
    assert question["params"]["url"] == "/connect"
    server.say({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept"}})
    assert server.answer(id)["result"]["content"][0]["text"] == "accept"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('visit = "/connect"', 'visit = "/conect"'), "nothing is called"),
        (('path = "/connect"', 'path = "/mcp"'), "is an endpoint already"),
        (('path = "/connect"', 'path = "/{name}"'), "is no path"),
        (('path = "/connect"', 'path = "connect"'), "is no path"),
    ],
)
def test_what_cannot_be_is_told_with_its_place(change, said):
    with pytest.raises(ConfigError, match=said):
        read(DESK.replace(*change))
