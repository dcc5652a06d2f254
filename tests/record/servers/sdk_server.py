"""A server written with the official SDK: one tool of each kind, a resource, a prompt. Speaks both eras."""

import sys
from typing import Annotated

import anyio
from mcp.server.mcpserver import Context, Elicit, ListRoots, MCPServer, Resolve, Sample
from mcp_types import ListRootsResult, SamplingMessage, TextContent, ToolAnnotations
from pydantic import BaseModel

server = MCPServer("sdk server", version="3.1", instructions="Weather and tables.")


class Table(BaseModel):
    """What a guest is asked."""

    guests: int


def ask_guests() -> Elicit[Table]:
    """Asks how many come."""
    return Elicit("How many guests?", Table)


def ask_model() -> Sample:
    """Asks the model for a line."""
    text = TextContent(type="text", text="One line about tables.")
    return Sample([SamplingMessage(role="user", content=text)], max_tokens=50)


def ask_roots() -> ListRoots:
    """Asks for the roots."""
    return ListRoots()


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def weather(city: str) -> str:
    """The weather of a city."""
    return f"Sunny in {city}"


@server.tool()
def book(day: str, table: Annotated[Table, Resolve(ask_guests)]) -> str:
    """Books a table."""
    return f"{day}: a table for {table.guests}"


@server.tool()
def praise(line: Annotated[object, Resolve(ask_model)]) -> str:
    """Says what the model says."""
    return str(line)


@server.tool()
def folders(roots: Annotated[ListRootsResult, Resolve(ask_roots)]) -> str:
    """Lists the client's folders."""
    return " ".join(str(root.uri) for root in roots.roots)


@server.tool()
async def cook(steps: int, ctx: Context) -> str:
    """Tells how far it is."""
    for step in range(steps):
        await ctx.report_progress(step + 1, steps)
        await anyio.sleep(0.01)
    return "done"


@server.tool()
async def open_kitchen(ctx: Context) -> str:
    """Adds a tool."""
    server.add_tool(lambda: "soup", name="menu", description="What there is.")
    await ctx.notify_tools_changed()
    return "open"


@server.tool()
def burn() -> str:
    """Fails."""
    raise ValueError("burnt")


@server.resource("note://menu")
def menu() -> str:
    """The menu."""
    return "soup"


@server.prompt()
def greet(name: str) -> str:
    """A greeting."""
    return f"Say hello to {name}"


match sys.argv[1:]:
    case [("streamable-http" | "sse") as transport, port]:
        server.run(transport, port=int(port))
    case _:
        server.run()
