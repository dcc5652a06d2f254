"""The official SDK as the other side, over HTTP: Streamable HTTP in both eras, and HTTP+SSE."""

import anyio
import pytest
from mcp import Client
from mcp.client.sse import sse_client
from mcp.types import CreateMessageResult, ElicitResult, ListRootsResult, Root, TextContent

DEADLINE = 30

pytestmark = pytest.mark.filterwarnings("ignore::mcp.MCPDeprecationWarning")


async def elicit(context, params):
    return ElicitResult(action="accept", content={"audience": "everybody"} if params.mode == "form" else None)


async def sample(context, params):
    content = TextContent(type="text", text=f"{len(params.messages)} message")
    return CreateMessageResult(role="assistant", model="test-model", content=content)


async def roots(context):
    return ListRootsResult(roots=[Root(uri="file:///tmp/a"), Root(uri="file:///tmp/b")])


def session(url, way, play):
    """Play something with a client; what came besides answers is in the list that `play` gets."""
    heard = []

    async def keep(message):
        heard.append(message)

    async def main():
        server = sse_client(url.replace("/mcp", "/sse")) if way == "sse" else url
        with anyio.fail_after(DEADLINE):
            async with Client(
                server, mode="auto" if way == "stateless" else "legacy", elicitation_callback=elicit,
                sampling_callback=sample, list_roots_callback=roots, message_handler=keep, logging_callback=keep,
                log_level="warning" if way == "stateless" else None,
            ) as client:  # fmt: skip
                await play(client, heard)

    anyio.run(main)


def text(result):
    return result.content[0].text


@pytest.fixture(params=["stateless", "handshake", "sse"])
def way(request):
    return request.param


def test_every_feature_works_as_on_stdio(served, way):
    async def play(client, heard):
        assert client.protocol_version == ("2026-07-28" if way == "stateless" else "2025-11-25")
        page = await client.list_tools()
        assert len(page.tools + (await client.list_tools(cursor=page.next_cursor)).tools) == 15
        assert (await client.read_resource("note://2026/may")).contents[
            0
        ].text == "Nothing was written in may 2026"
        assert "Be frank" in (await client.get_prompt("review", {"tone": "frank"})).messages[0].content.text
        result = await client.call_tool("calculator_arithmetic", {"expression": "6 * 7"})
        assert result.structured_content == {"value": 42}
        assert (await client.call_tool("read_meter")).is_error is True

    session(served("full"), way, play)


def test_what_belongs_to_a_call_comes_before_its_answer(served, way):
    async def play(client, heard):
        progress = []

        async def keep(done, total, message):
            progress.append(done)

        assert text(await client.call_tool("tidy_slowly", progress_callback=keep)) == "Everything is tidy"
        assert progress == [0.2, 0.6, 1.0]
        if way != "stateless":
            await client.set_logging_level("warning")
        await client.call_tool("check_spelling")
        assert {message.level for message in heard if hasattr(message, "level")} == {"warning", "error"}

    session(served("full"), way, play)


def test_what_the_demo_asks_is_answered(served, way):
    async def play(client, heard):
        assert text(await client.call_tool("publish_note")) == 'Published "todo" for everybody'
        assert text(await client.call_tool("connect_account")) == "The account is connected"
        assert text(await client.call_tool("summarize_note")) == "Summary by test-model: 1 message"
        assert text(await client.call_tool("list_folders")) == "2 folders: file:///tmp/a, file:///tmp/b"

    session(served("full"), way, play)


def test_it_listens_to_changes_on_a_stream_of_its_own(served):
    async def play(client, heard):
        async with client.listen(
            tools_list_changed=True, resource_subscriptions=["note://todo"]
        ) as listening:
            assert listening.honored.tools_list_changed is True
            await client.call_tool("enable_search")
            assert "ToolsListChanged" in repr(await anext(listening))
            await client.call_tool("edit_note", {"text": "new"})
            assert "note://todo" in repr(await anext(listening))

    session(served("full"), "stateless", play)


@pytest.mark.parametrize("way", ["handshake", "sse"])
def test_a_session_is_told_of_changes(served, way):
    async def play(client, heard):
        await client.subscribe_resource("note://todo")
        await client.call_tool("enable_search")
        await client.call_tool("edit_note", {"text": "new"})
        while len({getattr(message, "method", None) for message in heard} - {None}) < 2:
            await anyio.sleep(0.01)
        assert [message.method for message in heard] == [
            "notifications/tools/list_changed",
            "notifications/resources/updated",
        ]

    session(served("full"), way, play)


def test_a_stream_that_breaks_off_is_taken_up_again(served):
    async def play(client, heard):
        progress = []

        async def keep(done, total, message):
            progress.append(done)

        assert (
            text(await client.call_tool("fetch_archive", progress_callback=keep))
            == "Twelve storms since 1900"
        )
        assert progress == [1]

    session(served("http"), "handshake", play)


def test_an_annotated_argument_is_sent_in_a_header(served):
    async def play(client, heard):
        await client.list_tools()
        result = await client.call_tool("weather_now", {"harbour": "Zürich", "units": "beaufort"})
        assert text(result).startswith("Zürich: wind from the west, force 4")

    session(served("http"), "stateless", play)


def test_several_clients_share_one_world(served):
    url, told = served("full"), []

    async def listen(client, heard):
        async with client.listen(tools_list_changed=True) as listening:
            async with Client(url, mode="legacy") as other:
                await other.call_tool("enable_search")
            told.append(repr(await anext(listening)))

    session(url, "stateless", listen)
    assert "ToolsListChanged" in told[0]
