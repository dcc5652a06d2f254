"""The first picture: what is recorded of the demo `seed`, message by message, and of the others what they show."""

import json

import pytest

from flowgen import api

TOOLS = [
    {
        "name": "calculator_arithmetic",
        "title": "Calculator",
        "description": "Perform mathematical calculations including basic arithmetic, trigonometric functions, "
        "and algebraic operations",
        "inputSchema": {
            "type": "object",
            "properties": {
                "expression": {
                    "type": "string",
                    "description": "Mathematical expression to evaluate (e.g., '2 + 3 * 4', 'sin(30)', 'sqrt(16)')",
                }
            },
            "required": ["expression"],
        },
    },
    {
        "name": "weather_current",
        "title": "Weather Information",
        "description": "Get current weather information for any location worldwide",
        "inputSchema": {
            "type": "object",
            "properties": {
                "location": {
                    "type": "string",
                    "description": "City name, address, or coordinates (latitude,longitude)",
                },
                "units": {
                    "type": "string",
                    "enum": ["metric", "imperial", "kelvin"],
                    "description": "Temperature units to use in response",
                    "default": "metric",
                },
            },
            "required": ["location"],
        },
    },
]
WEATHER = "Current weather in San Francisco: 68°F, partly cloudy with light winds from the west at 8 mph. Humidity: 65%"
FIRST_PICTURE = [
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "example-client", "version": "1.0.0"},
        },
    },
    {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {"listChanged": True}, "resources": {}},
            "serverInfo": {"name": "example-server", "version": "1.0.0"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    {"jsonrpc": "2.0", "id": 2, "result": {"tools": TOOLS}},
    {
        "jsonrpc": "2.0",
        "id": 3,
        "method": "tools/call",
        "params": {"name": "weather_current", "arguments": {"location": "San Francisco", "units": "imperial"}},
    },
    {"jsonrpc": "2.0", "id": 3, "result": {"content": [{"type": "text", "text": WEATHER}]}},
    {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"},
    {"jsonrpc": "2.0", "id": 4, "method": "tools/list"},
    {"jsonrpc": "2.0", "id": 4, "result": {"tools": TOOLS}},
]


def bodies(trace):
    return [message.body for message in trace.messages if message.kind not in ("process", "note", "stderr")]


def test_the_seed_is_the_first_picture_member_by_member():
    trace = api.record(demo="seed")
    assert trace.title == "MCP Architecture - Client-Server Interaction Flow"
    assert trace.outcome.complete
    assert [json.dumps(body) for body in bodies(trace)] == [json.dumps(body) for body in FIRST_PICTURE]
    assert all(message.raw is None for message in trace.messages)


@pytest.mark.parametrize("revision", [None, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
def test_the_full_demo_shows_every_feature_in_every_revision(revision):
    trace = api.record(demo="full", revision=revision)
    methods = {body.get("method") for body in bodies(trace)}
    asked = {key for body in bodies(trace) for key in body.get("result", {}).get("inputRequests", {})}
    shown = {
        "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read", "prompts/list",
        "prompts/get", "completion/complete", "notifications/progress", "notifications/cancelled",
        "notifications/message", "notifications/resources/updated", "notifications/tools/list_changed",
    }  # fmt: skip
    assert trace.outcome.complete and shown <= methods
    assert [body["error"]["code"] for body in bodies(trace) if "error" in body] == [-32601]
    assert any(body.get("result", {}).get("isError") for body in bodies(trace))
    assert any("cursor" in body.get("params", {}) for body in bodies(trace))
    if revision is None:
        assert asked == {"confirm", "connect", "summary", "places"}
        assert "subscriptions/listen" in methods
    else:
        assert {"sampling/createMessage", "roots/list", "logging/setLevel", "resources/subscribe"} <= methods
        assert ("elicitation/create" in methods) == (revision >= "2025-06-18")


def test_the_tracker_asks_once_is_retried_and_has_one_tool_more_in_the_end():
    trace = api.record(demo="create-issue")
    said = bodies(trace)
    results = [body["result"] for body in said if "result" in body]
    assert [result["resultType"] for result in results] == [
        "complete", "complete", "input_required", "complete", "complete",
    ]  # fmt: skip
    assert results[3]["content"] == [{"type": "text", "text": "Created issue #482"}]
    assert list(results[3]) == ["resultType", "content", "isError", "_meta"]
    assert [len(result["tools"]) for result in results if "tools" in result] == [2, 3]
    asked = next(body for body in said if "inputResponses" in body.get("params", {}))
    assert asked["params"]["requestState"] == results[2]["requestState"]


def test_two_recordings_of_a_demo_say_the_same():
    first, second = (bodies(api.record(demo="create-issue")) for _ in range(2))
    assert first == second
