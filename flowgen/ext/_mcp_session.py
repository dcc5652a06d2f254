"""The tool `record` of `flowgen mcp`, and its recordings as resources: there only where somebody allowed it."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from flowgen import api
from flowgen.errors import FlowgenError, UsageError

from ._mcp_draw import LIMIT, drawn, noting, told, with_notes
from ._mcp_params import Limit, Looks, advice, advised
from ._mcp_record import RECORDINGS, Allowed, Recordings

_STARTS = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True)


class Call(BaseModel):
    """A tool of the recorded server that is to be called."""

    name: str
    arguments: dict[str, Any] = {}


class Recorded(BaseModel):
    """A recording: its address for the other tools, and how the session ended."""

    address: str
    complete: bool
    reason: str
    messages: int


def add_record(made: MCPServer[Any], allowed: Allowed, recordings: Recordings, looks: Looks) -> None:
    """The tool."""
    which = "any server" if allowed.any else f"only: {'; '.join(allowed.words)}"
    about = (
        f"Records a session with an MCP server, and draws it. Allowed: {which}; and the bundled demos. Give command, "
        "url or demo. The tools in calls are really called. The recording has an address, which draw, check and diff "
        "take as path."
    )

    @made.tool(title="Record an MCP server", description=about, annotations=_STARTS)
    async def record(
        command: Annotated[Sequence[str], Field(description="Program and arguments; no shell.")] = (),
        url: Annotated[str, Field(description="Address of a server over HTTP.")] = "",
        demo: Annotated[str, Field(description="A bundled demo, such as seed.")] = "",
        calls: Annotated[Sequence[Call], Field(description="Tools to call, in this order.")] = (),
        lists: Annotated[str, Field(description="tools, resources, templates, prompts, all or none.")] = "",
        revision: Annotated[str, Field(description="Of the protocol, such as 2025-11-25.")] = "",
        timeout: Annotated[float, Field(description="Seconds for each request.", gt=0, le=120)] = 30.0,
        format: Annotated[Literal["mermaid", "txt"], Field(description="Of the picture.")] = "mermaid",
        limit: Limit = LIMIT,
    ) -> Annotated[CallToolResult, Recorded]:
        """Described by `about`."""
        asked: dict[str, Any] = {"lists": lists, "revision": revision}
        given: Any = {name: value for name, value in asked.items() if value}
        given |= {"calls": [(call.name, call.arguments) for call in calls]}
        with advised():
            target = allowed.checked(command, url, demo)
            trace = await api.record_async(**target, timeout=timeout, startup_timeout=timeout, **given)
        address = recordings.keep(trace)
        file = address, recordings.read(address)
        with advised(), noting() as remarks:
            options = {"notes": "none", "theme": looks.theme, "lang": looks.lang}
            blocks = _fitting(format, drawn(file, format, "flow", None, 1.0, options), limit, address)
        count, outcome = len(trace.messages), trace.outcome
        ended = Recorded(address=address, complete=outcome.complete, reason=outcome.reason, messages=count)
        said = TextContent(type="text", text=f"{address}: {outcome.reason}, {count} messages")
        return CallToolResult(content=with_notes([said, *blocks], remarks), structured_content=ended.model_dump())


def _fitting(form: str, files: list[bytes], limit: int, address: str) -> list[Any]:
    """The picture, or that it is too large: the recording stands all the same."""
    try:
        return told(form, files, limit)
    except UsageError as problem:
        return [TextContent(type="text", text=f"not drawn: {problem}; draw {address} in parts")]


def add_recordings(made: MCPServer[Any], recordings: Recordings) -> None:
    """The resources."""

    @made.resource(f"{RECORDINGS}{{key}}", name="recording", mime_type="application/json")
    def recording(key: str) -> str:
        """A recording that the tool record made."""
        try:
            return recordings.read(f"{RECORDINGS}{key}").decode("utf-8", "surrogatepass")
        except FlowgenError as problem:
            raise ResourceError(advice(problem)) from None
