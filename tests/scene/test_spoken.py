"""What is said of a picture to who cannot see it."""

from typing import Any

from flowgen import api
from flowgen.scene import Group
from flowgen.trace import Trace
from tests.backends.test_svg import hostile_trace
from tests.traces import answers, asks, refuses, tells, text_message, trace_of


def groups(trace: Trace, **options: Any) -> list[Group]:
    """Steps, and the labelled rows in them."""
    return [shape for shape in api.drawing(trace, **options).scene.shapes if isinstance(shape, Group)]


def said(trace: Trace, **options: Any) -> list[str]:
    rows = (row for step in groups(trace, **options) for row in step.shapes if isinstance(row, Group))
    return [row.label for row in rows if row.label]


def test_every_message_is_a_sentence_in_the_list_of_its_step(seed: Trace) -> None:
    steps = groups(seed)
    assert [step.label for step in steps if step.role == "list"] == [
        "Step 1: Initialization", "Step 2: Tool Discovery", "Step 3: Tool Execution", "Step 4: Notification",
    ]  # fmt: skip
    assert said(seed)[3:6] == [
        "4. MCP Client to MCP Server: tools/list request (id 2)",
        "5. MCP Server to MCP Client: tools/list response (id 2)",
        "6. MCP Client to MCP Server: tools/call request (id 3)",
    ]
    assert {row.role for step in steps for row in step.shapes if isinstance(row, Group) and row.label} == {"listitem"}


def test_the_sentences_are_in_the_language_of_the_picture(seed: Trace) -> None:
    assert said(seed, lang="zh")[0] == "1. MCP Client（客户端） → MCP Server（服务器）：initialize 请求（id 1）"


def test_errors_and_what_reached_nobody_are_told_too() -> None:
    trace = trace_of(asks("x", 7), refuses(7), text_message("stderr", "careful"), tells("bell"), asks("y", 8))
    assert said(trace, show=["stderr"])[1:] == [
        "2. MCP Server to MCP Client: ERROR −32601: Method not found (id 7)",
        "MCP Server: server log",
        "3. MCP Server to MCP Client: bell (no id)",
        "4. MCP Client to MCP Server: y request (no answer, id 8)",
    ]


def test_the_description_begins_with_the_whole_then_steps_then_messages(seed: Trace) -> None:
    desc = api.drawing(seed).scene.desc
    assert desc.startswith(
        "4 steps, 10 messages between MCP Client and MCP Server. 1. Initialization; 2. Tool Discovery; "
        "3. Tool Execution; 4. Notification. Messages: 1. MCP Client to MCP Server: initialize request (id 1). 2. "
    )
    assert " 10. MCP Server to MCP Client: tools/list response" in desc


def test_a_long_description_ends_after_a_sentence() -> None:
    calls = [message for number in range(90) for message in (asks(f"method{number}", number), answers(number))]
    desc = api.drawing(trace_of(*calls), fold=200).scene.desc
    assert 3800 < len(desc) <= 4002 and desc.endswith("). …")


def test_a_stranger_s_text_is_short_and_clean() -> None:
    trace = hostile_trace()
    assert all(len(label) <= 300 and label.isprintable() for label in said(trace))
    assert len(api.drawing(trace).scene.desc) <= 4002


def test_servers_of_one_role_are_told_apart() -> None:
    other = {"id": "b", "role": "server", "title": "second 2.0"}
    first = {"id": "server", "role": "server", "title": "first 1.0"}
    message = {**asks("ping"), "receiver": "b"}
    trace = trace_of(asks("ping", 2), message, participants=[{"id": "client", "role": "client"}, first, other])
    assert [label.split(":")[0] for label in said(trace)] == [
        "1. MCP Client to MCP Server server", "2. MCP Client to MCP Server b",
    ]  # fmt: skip


def test_the_description_in_chinese_has_the_stops_of_chinese(seed: Trace) -> None:
    desc = api.drawing(seed, lang="zh").scene.desc
    assert desc.startswith(
        "MCP Client（客户端）与 MCP Server（服务器）之间：4 个步骤，10 条消息。"
        "1. 初始化；2. 工具发现；3. 工具执行；4. 通知。"
        "消息：1. MCP Client（客户端） → MCP Server（服务器）：initialize 请求（id 1）。2. "
    )
