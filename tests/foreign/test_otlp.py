"""Spans: a client's and its server's are one message, lines as documents, what attributes tell of bodies."""

import json

from flowgen import api
from tests.foreign.cases_of import case


def span(id_: str, kind: int, method: str, parent: str = "", start: int = 1, **attributes: object) -> dict:
    told = {"mcp.method.name": method, "jsonrpc.request.id": "7", **attributes}
    return {
        "traceId": "t", "spanId": id_, "parentSpanId": parent, "kind": kind, "startTimeUnixNano": str(start * 10**9),
        "endTimeUnixNano": str((start + 1) * 10**9), "status": {"code": 2, "message": "no"},
        "attributes": [{"key": key, "value": value if isinstance(value, dict) else {"stringValue": value}}
                       for key, value in told.items() if value is not None],
    }  # fmt: skip


def document(service: str, *spans: dict) -> dict:
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": service}}]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": spans}]}]}


def test_spans_of_client_and_server_are_one_also_with_http_between_them():
    between = {"traceId": "t", "spanId": "h", "parentSpanId": "c", "kind": 3}
    below = span("s", 2, "tools/list", "h", 2)
    lines = [document("host", span("c", 3, "tools/list"), between), document("shop", below)]
    trace = api.load("\n".join(map(json.dumps, lines)).encode())
    assert [(each.kind, each.at, each.receiver) for each in trace.messages] == [
        ("request", 0.0, "server-shop"), ("response", 1.0, "client-shop"),
    ]  # fmt: skip


def test_what_the_attributes_tell_of_bodies_is_in_them_and_no_more():
    call = span(
        "a", 3, "tools/call", **{
            "gen_ai.tool.name": "echo", "gen_ai.tool.call.arguments": '{"x": 1}', "error.type": "-32602",
            "server.address": "s.example", "server.port": {"intValue": "8443"}, "mcp.protocol.version": "2026-07-28",
        },
    )  # fmt: skip
    trace = api.load(json.dumps(document("host", call, span("b", 3, "ping"))).encode())
    asked, other, failed, answer = trace.messages
    assert asked.body["params"] == {"name": "echo", "arguments": {"x": 1}}
    assert (failed.body["error"], failed.sender) == ({"code": -32602, "message": "no"}, "server-s.example:8443")
    assert (answer.body, answer.head, other.body["id"]) == (None, {"id": "7"}, "7")
    assert trace.missing == ["bodies", "stderr", "heads"]
    assert asked.revision == "2026-07-28"


def test_a_servers_own_requests_come_from_it():
    trace = api.load(json.dumps(document("shop", span("a", 3, "sampling/createMessage"))).encode())
    assert [(each.sender, each.receiver) for each in trace.messages] == [
        ("server-shop", "client-shop"), ("client-shop", "server-shop"),
    ]  # fmt: skip


def test_a_service_is_called_by_the_address_that_its_clients_tell():
    told = [span("c", 3, "ping", **{"server.address": "shop.example"}), span("s", 2, "ping", "c"), span("x", 2, "ping")]
    spans = [document("host", told[0]), document("shop", *told[1:])]
    trace = api.load("\n".join(map(json.dumps, spans)).encode())
    assert {who.id for who in trace.participants if who.role == "server"} == {"server-shop.example"}


def test_sessions_have_clients_of_their_own_and_times_count_from_the_first():
    spans = [span("a", 2, "ping", start=9, **{"mcp.session.id": "s3cr3t-A9"}),
             span("b", 2, "ping", start=8, **{"mcp.session.id": "s3cr3t-B9"})]  # fmt: skip
    trace = api.load(json.dumps(document("shop", *spans)).encode())
    assert [(each.sender, each.at) for each in trace.messages if each.kind == "request"] == [
        ("client-shop-2", 0.0), ("client-shop", 1.0),
    ]  # fmt: skip
    assert "s3cr3t" not in trace.model_dump_json()


def test_steps_of_handling_a_message_are_none():
    spans = [span("a", 2, "tools/call"), span("b", 1, "tools/call", "a"), span("c", 1, "ping", "a")]
    methods = [each.body["method"] for each in api.load(json.dumps(document("s", *spans)).encode()).messages
               if each.kind == "request"]  # fmt: skip
    assert methods == ["tools/call", "ping"]


def test_spans_in_a_ring_end():
    ring = [span("a", 2, "ping", "b"), {"traceId": "t", "spanId": "b", "parentSpanId": "c"},
            {"traceId": "t", "spanId": "c", "parentSpanId": "b"}]  # fmt: skip
    assert len(api.load(json.dumps(document("s", *ring)).encode()).messages) == 2


def test_answers_of_which_nothing_is_known_are_drawn_without_a_body():
    text = api.drawing(api.load(case("otlp"))).txt()
    assert "Not in this recording: the contents of messages" in text
    assert "tools/list response" in text
