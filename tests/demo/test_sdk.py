"""The official SDK as the other side: its client speaks with the demo in both eras."""

import sys

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CreateMessageResult, ElicitResult, ListRootsResult, Root, TextContent

DEADLINE = 30
SERVER = StdioServerParameters(command=sys.executable, args=["-m", "flowgen.demo", "--scenario", "full"])

pytestmark = pytest.mark.filterwarnings("ignore::mcp.MCPDeprecationWarning")


async def elicit(context, params):
    return ElicitResult(action="accept", content={"audience": "everybody"} if params.mode == "form" else None)


async def sample(context, params):
    content = TextContent(type="text", text=f"{len(params.messages)} message")
    return CreateMessageResult(role="assistant", model="test-model", content=content)


async def roots(context):
    return ListRootsResult(roots=[Root(uri="file:///tmp/a"), Root(uri="file:///tmp/b")])


def session(mode, play):
    """Play something with a client; what came besides answers is in the list that `play` gets."""
    heard = []

    async def keep(message):
        heard.append(message)

    async def main():
        with anyio.fail_after(DEADLINE):
            async with Client(
                SERVER, mode=mode, elicitation_callback=elicit, sampling_callback=sample, list_roots_callback=roots,
                message_handler=keep, logging_callback=keep, log_level="warning" if mode == "auto" else None,
            ) as client:  # fmt: skip
                await play(client, heard)

    anyio.run(main)


def text(result):
    return result.content[0].text


@pytest.fixture(params=["legacy", "auto"])
def mode(request):
    return request.param


def test_it_opens_a_session_and_is_who_it_says(mode):
    async def play(client, heard):
        assert client.protocol_version == ("2026-07-28" if mode == "auto" else "2025-11-25")
        assert client.server_info.name == "notebook"
        assert client.server_capabilities.tools.list_changed is True
        assert client.instructions.startswith("A small notebook")

    session(mode, play)


def test_it_lists_reads_gets_and_completes(mode):
    async def play(client, heard):
        page = await client.list_tools()
        rest = await client.list_tools(cursor=page.next_cursor)
        assert len(page.tools + rest.tools) == 15
        assert [str(item.uri) for item in (await client.list_resources()).resources] == ["note://todo", "note://dot"]
        assert len((await client.list_resource_templates()).resource_templates) == 1
        assert (await client.read_resource("note://2026/may")).contents[0].text == "Nothing was written in may 2026"
        prompt = await client.get_prompt("review", {"tone": "frank"})
        assert "Be frank" in prompt.messages[0].content.text
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["review"]

    session(mode, play)


def test_it_calls_tools_with_structured_results_progress_and_failures(mode):
    async def play(client, heard):
        result = await client.call_tool("calculator_arithmetic", {"expression": "6 * 7"})
        assert (text(result), result.structured_content) == ("6 * 7 = 42", {"value": 42})
        assert (await client.call_tool("read_meter")).is_error is True
        assert [block.type for block in (await client.call_tool("show_sketch")).content][1:] == [
            "image",
            "resource_link",
        ]
        progress = []

        async def keep(done, total, message):
            progress.append((done, total, message))

        await client.call_tool("tidy_slowly", progress_callback=keep)
        assert progress == [(0.2, 1.0, "0.2 of 1"), (0.6, 1.0, "0.6 of 1"), (1.0, 1.0, "1 of 1")]

    session(mode, play)


def test_its_callbacks_answer_what_the_demo_asks(mode):
    async def play(client, heard):
        assert text(await client.call_tool("publish_note")) == 'Published "todo" for everybody'
        assert text(await client.call_tool("connect_account")) == "The account is connected"
        assert text(await client.call_tool("summarize_note")) == "Summary by test-model: 1 message"
        assert text(await client.call_tool("list_folders")) == "2 folders: file:///tmp/a, file:///tmp/b"

    session(mode, play)


def test_it_hears_log_messages_of_the_level_it_asked_for(mode):
    async def play(client, heard):
        if mode == "legacy":
            await client.set_logging_level("warning")
        await client.call_tool("check_spelling")
        levels = {message.level for message in heard if hasattr(message, "level")}
        assert levels == {"warning", "error"}

    session(mode, play)


def test_it_listens_to_changes_in_the_stateless_era():
    async def play(client, heard):
        async with client.listen(tools_list_changed=True, resource_subscriptions=["note://todo"]) as listening:
            assert listening.honored.tools_list_changed is True
            await client.call_tool("enable_search")
            assert "ToolsListChanged" in repr(await anext(listening))
            await client.call_tool("edit_note", {"text": "new"})
            assert "note://todo" in repr(await anext(listening))
        assert text(await client.call_tool("search_notes", {"word": "milk"})) == "note://todo"

    session("auto", play)


def test_it_subscribes_in_the_handshake_era():
    async def play(client, heard):
        await client.subscribe_resource("note://todo")
        await client.call_tool("edit_note", {"text": "new"})
        await client.send_ping()
        assert any(getattr(message, "method", "") == "notifications/resources/updated" for message in heard)

    session("legacy", play)
