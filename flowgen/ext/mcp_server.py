"""flowgen as an MCP server: an agent draws, checks and compares what it can read, and records what it was allowed to.

Reads files below the folders that were named, starts nothing unless told so, asks no network. Answers are small unless
more is asked for. Speaks through the official SDK, in both eras.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from flowgen import api
from flowgen.version import __version__

from ._mcp_draw import LIMIT, Format, ThemeName, drawn, noting, told, with_notes
from ._mcp_params import Host, Lang, Limit, Only, Path, Scale, Seen, Text, Viewed, advised
from ._mcp_params import Looks as Looks
from ._mcp_reach import Reach, rooted
from ._mcp_record import Allowed, Recordings
from ._mcp_samples import ADDRESS, add_samples, sample
from ._mcp_serve import address as address
from ._mcp_serve import serve as serve
from ._mcp_session import add_record, add_recordings

INSTRUCTIONS = """\
flowgen draws recordings of MCP sessions as swim lanes, and hosts' config files or descriptions of systems as
architecture pictures. A source is a path below the folders that this server may read, an address flowgen://…, or its
text. Begin with mermaid or txt, which are small; svg and png are for people. flowgen://samples/description shows how a
system is described, flowgen://samples/seed what a recording looks like."""

DRAW = (
    "Draws an MCP recording as a swim lane, or a host's config file or a description of a system as an "
    "architecture picture. What it is, its content tells. Give path or text."
)
CHECK = (
    "Judges a recording by the rules of the protocol, a config file or a description by what a security "
    "reviewer asks. Nothing that a file names is started or contacted. Give path or text."
)
DIFF = (
    "Tells what the newer of two recordings, configs or descriptions does differently; the gravest comes "
    "first. Give old and new by path, or as old_text and new_text."
)

_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


class Found(BaseModel):
    """A finding: where, how grave, which rule, and what to do."""

    code: str
    severity: str
    message: str
    where: str | None
    advice: str | None
    source: str | None


class Findings(BaseModel):
    """What was found, the gravest first; `left_out` are more of them."""

    findings: list[Found]
    left_out: int


class Compared(BaseModel):
    """Whether two files differ."""

    different: bool


def server(
    roots: Sequence[str] = (".",), allow_record: Sequence[str] = (), looks: Looks | None = None
) -> MCPServer[Any]:
    """The server, ready to run on any transport of the SDK.

    roots: folders below which files may be read. allow_record: command lines and addresses that may be recorded, or
    `any`; without one there is no tool `record`. Raises UsageError for a folder that there is not.
    """
    looks, recordings = looks or Looks(), Recordings()

    def own(address: str) -> bytes:
        if address.startswith(ADDRESS):
            return sample(address.removeprefix(ADDRESS))
        return recordings.read(address)

    made: MCPServer[Any] = MCPServer(
        "flowgen", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR",
        website_url="https://github.com/mcp-flowgen/mcp-flowgen",
    )  # fmt: skip
    reach = Reach(rooted(tuple(roots)), own)
    _add_draw(made, reach, looks)
    _add_check(made, reach)
    _add_diff(made, reach, looks)
    allowed = Allowed(allow_record)
    if allowed:
        add_record(made, allowed, recordings, looks)
        add_recordings(made, recordings)
    add_samples(made)
    return made


def _add_draw(made: MCPServer[Any], reach: Reach, looks: Looks) -> None:
    @made.tool(title="Draw a recording, a config or a description", description=DRAW, annotations=_READS)
    def draw(
        path: Path = "",
        text: Text = "",
        format: Annotated[Format, Field(description="svg and png are large; dot, drawio, yaml: of architectures.")]
        = "mermaid",
        view: Viewed = "auto",
        steps: Annotated[str, Field(description="Of a recording, only these steps, such as 1-3,5.")] = "",
        only: Only = (),
        notes: Annotated[Literal["none", "brief", "full"], Field(description="How much is explained.")] = "none",
        title: Annotated[str, Field(description="Title of the picture instead of its own.")] = "",
        theme: Annotated[ThemeName | None, Field(description="Colours of svg and png.")] = None,
        lang: Annotated[Lang | None, Field(description="Language of titles, labels and notes.")] = None,
        full: Annotated[bool, Field(description="Fold nothing, cut nothing.")] = False,
        host: Host = "",
        seen: Seen = (),
        scale: Scale = 1.0,
        limit: Limit = LIMIT,
    ) -> CallToolResult:
        """Described by `DRAW`."""
        options = {"only": list(only), "notes": notes, "title": title or None, "theme": theme or looks.theme,
                   "lang": lang or looks.lang, "full": full, **({"steps": steps} if steps else {})}  # fmt: skip
        with advised(), noting() as remarks:
            file, over = reach.file(path, text), [reach.file(each, "") for each in seen]
            blocks = told(format, drawn(file, format, view, host or None, scale, options, over), limit)
        return CallToolResult(content=with_notes(blocks, remarks))


def _add_check(made: MCPServer[Any], reach: Reach) -> None:
    @made.tool(title="Check a recording or a config", description=CHECK, annotations=_READS)
    def check(
        path: Path = "",
        text: Text = "",
        ignore: Annotated[Sequence[str], Field(description="Rules that are not looked at.")] = (),
        most: Annotated[int, Field(description="Findings, at most.", ge=1, le=500)] = 20,
        host: Host = "",
        seen: Seen = (),
    ) -> Annotated[CallToolResult, Findings]:
        """Described by `CHECK`."""
        with advised(), noting() as remarks:
            over = [reach.file(each, "") for each in seen]
            report = api.check(reach.file(path, text), seen=over, ignore=ignore, host=host or None)
        found = [_found(each) for each in report.findings[:most]]
        left_out = len(report.findings) - len(found)
        lines = [str(each) for each in report.findings[:most]] or ["no findings"]
        lines += [f"{left_out} more: most={min(len(report.findings), 500)} tells them"] if left_out else []
        return CallToolResult(
            content=with_notes([TextContent(type="text", text="\n".join(lines))], remarks),
            structured_content=Findings(findings=found, left_out=left_out).model_dump(),
        )


def _found(finding: Any) -> Found:
    return Found(**{name: getattr(finding, name) for name in Found.model_fields})


def _add_diff(made: MCPServer[Any], reach: Reach, looks: Looks) -> None:
    @made.tool(title="Compare two recordings or two configs", description=DIFF, annotations=_READS)
    def diff(
        old: Path = "",
        new: Path = "",
        old_text: Text = "",
        new_text: Text = "",
        format: Annotated[Literal["text", "md", "json", "svg", "png"], Field(description="svg and png are large.")]
        = "text",
        view: Viewed = "auto",
        ignore: Annotated[Sequence[str], Field(description="Places such as '/result/content/*/text', or times.")] = (),
        only: Only = (),
        host: Host = "",
        scale: Scale = 1.0,
        limit: Limit = LIMIT,
    ) -> Annotated[CallToolResult, Compared]:
        """Described by `DIFF`."""
        options: Any = {"theme": looks.theme, "lang": looks.lang, **({"only": list(only)} if only else {})}
        asked: Any = None if view == "auto" else view
        with advised(), noting() as remarks:
            files = _named("old", reach.file(old, old_text)), _named("new", reach.file(new, new_text))
            changes = api.diff(*files, view=asked, ignore=ignore, host=host or None, **options)
            blocks = told(format, changes.files(format, scale), limit)
        different = Compared(different=bool(changes)).model_dump()
        return CallToolResult(content=with_notes(blocks, remarks), structured_content=different)


def _named(side: str, file: tuple[str, bytes]) -> tuple[str, bytes]:
    """A file with a name that tells it from the other one."""
    return (side if file[0] == "inline" else file[0]), file[1]
