"""flowgen as an MCP server: an agent draws, checks and compares what it can read, and records what it was allowed to.

Reads files below the folders that were named, starts nothing unless told so, asks no network. Answers are small unless
more is asked for. Speaks through the official SDK, in both eras.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Literal, NamedTuple

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from flowgen import api
from flowgen.errors import FlowgenError, UsageError
from flowgen.version import __version__

from ._mcp_draw import LIMIT, MOST, Format, ThemeName, View, drawn, noting, told, with_notes
from ._mcp_reach import SCHEME, Reach, rooted
from ._mcp_record import RECORDINGS, Allowed, Recordings, advice
from ._mcp_samples import SAMPLES, sample

INSTRUCTIONS = """\
flowgen draws recordings of MCP sessions as swim lanes, and hosts' config files or descriptions of systems as
architecture pictures. A source is a path below the folders that this server may read, an address flowgen://…, or its
text. Begin with mermaid or txt, which are small; svg and png are for people. flowgen://samples/description shows how a
system is described, flowgen://samples/seed what a recording looks like."""

_SAMPLES = f"{SCHEME}samples/"
_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_STARTS = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True)
_PICTURES = {"svg": "image/svg+xml", "mermaid": "text/plain", "txt": "text/plain"}

# The SDK reads what looks like JSON as JSON unless a parameter is a text and nothing else: none is an empty one.
Path = Annotated[str, Field(description="A file below the folders of this server, or an address flowgen://….")]
Text = Annotated[str, Field(description="The content of the file instead of its path.")]
Host = Annotated[str, Field(description="The host whose config file it is, where its path does not tell.")]
Seen = Annotated[Sequence[str], Field(description="Paths of recordings that are laid over what a config declares.")]
Viewed = Annotated[View, Field(description="Of recordings, the flow, or who runs where.")]
Limit = Annotated[int, Field(description="Characters of a text, at most.", ge=500, le=MOST)]
Only = Annotated[Sequence[str], Field(description="Of a recording, only these methods, such as 'tools/*'.")]
Scale = Annotated[float, Field(description="Pixels of a PNG for each px of the picture.", ge=0.1, le=4)]
Lang = Literal["en", "zh", "en+zh"]


class Call(BaseModel):
    """A tool of the recorded server that is to be called."""

    name: str
    arguments: dict[str, Any] = {}


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


class Recorded(BaseModel):
    """A recording: its address for the other tools, and how the session ended."""

    address: str
    complete: bool
    reason: str
    messages: int


class Looks(NamedTuple):
    """How pictures look where nothing else is asked for."""

    theme: str = "auto"
    lang: Lang = "en"


def server(
    roots: Sequence[str] = (".",), allow_record: Sequence[str] = (), looks: Looks | None = None
) -> MCPServer[Any]:
    """The server, ready to run on any transport of the SDK.

    roots: folders below which files may be read. allow_record: command lines and addresses that may be recorded, or
    `any`; without one there is no tool `record`. Raises UsageError for a folder that there is not.
    """
    looks, recordings = looks or Looks(), Recordings()

    def own(address: str) -> bytes:
        if address.startswith(_SAMPLES):
            return sample(address.removeprefix(_SAMPLES))
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
        _add_record(made, allowed, recordings, looks)
        _add_recordings(made, recordings)
    _add_samples(made)
    return made


def _add_draw(made: MCPServer[Any], reach: Reach, looks: Looks) -> None:
    @made.tool(title="Draw a recording, a config or a description", annotations=_READS)
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
        """Draws an MCP recording as a swim lane, or a host's config file or a description as an architecture picture.

        What it is, its content tells. Give path or text.
        """
        options = {"only": list(only), "notes": notes, "title": title or None, "theme": theme or looks.theme,
                   "lang": lang or looks.lang, "full": full, **({"steps": steps} if steps else {})}  # fmt: skip
        with _advised(), noting() as remarks:
            file, over = reach.file(path, text), [reach.file(each, "") for each in seen]
            blocks = told(format, drawn(file, format, view, host or None, scale, options, over), limit)
        return CallToolResult(content=with_notes(blocks, remarks))


def _add_check(made: MCPServer[Any], reach: Reach) -> None:
    @made.tool(title="Check a recording or a config", annotations=_READS)
    def check(
        path: Path = "",
        text: Text = "",
        ignore: Annotated[Sequence[str], Field(description="Rules that are not looked at.")] = (),
        most: Annotated[int, Field(description="Findings, at most.", ge=1, le=500)] = 20,
        host: Host = "",
        seen: Seen = (),
    ) -> Annotated[CallToolResult, Findings]:
        """Judges a recording by the rules of the protocol, a config file or a description by what a reviewer asks.

        Nothing that a file names is started or contacted. Give path or text.
        """
        with _advised(), noting() as remarks:
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
    @made.tool(title="Compare two recordings or two configs", annotations=_READS)
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
        """Tells what the newer of two recordings, configs or descriptions does differently; the gravest comes first.

        Give old and new by path, or as old_text and new_text.
        """
        options: Any = {"theme": looks.theme, "lang": looks.lang, **({"only": list(only)} if only else {})}
        asked: Any = None if view == "auto" else view
        with _advised(), noting() as remarks:
            files = _named("old", reach.file(old, old_text)), _named("new", reach.file(new, new_text))
            changes = api.diff(*files, view=asked, ignore=ignore, host=host or None, **options)
            blocks = told(format, changes.files(format, scale), limit)
        different = Compared(different=bool(changes)).model_dump()
        return CallToolResult(content=with_notes(blocks, remarks), structured_content=different)


def _named(side: str, file: tuple[str, bytes]) -> tuple[str, bytes]:
    """A file with a name that tells it from the other one."""
    return (side if file[0] == "inline" else file[0]), file[1]


def _add_record(made: MCPServer[Any], allowed: Allowed, recordings: Recordings, looks: Looks) -> None:
    which = "any server" if allowed.any else f"only: {'; '.join(allowed.words)}"
    about = f"""Records a session with an MCP server, and draws it. Allowed: {which}; and the bundled demos.

    Give command (a list of words), url or demo. The tools in calls are really called. The recording has an address,
    which draw, check and diff take as path."""

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
        with _advised():
            target = allowed.checked(command, url, demo)
            trace = await api.record_async(**target, timeout=timeout, startup_timeout=timeout, **given)
        address = recordings.keep(trace)
        file = address, recordings.read(address)
        with _advised(), noting() as remarks:
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


def _add_samples(made: MCPServer[Any]) -> None:
    for name, row in SAMPLES.items():
        made.resource(f"{_SAMPLES}{name}", name=name, description=row.about, mime_type=row.media)(_giving(name))

    @made.resource(f"{_SAMPLES}{{name}}/{{format}}", name="picture of a sample", mime_type="text/plain")
    def picture(name: str, format: str) -> str:
        """A sample drawn as mermaid, txt or svg."""
        if name not in SAMPLES or format not in _PICTURES:
            raise ResourceNotFoundError(f"known: {', '.join(SAMPLES)}, each as {', '.join(_PICTURES)}")
        with noting():
            return drawn((name, sample(name)), format, "auto", None, 1.0, {"notes": "brief"})[0].decode()


def _giving(name: str) -> Any:
    """What gives the bytes of a sample as a text."""

    def give() -> str:
        return sample(name).decode()

    return give


def _add_recordings(made: MCPServer[Any], recordings: Recordings) -> None:
    @made.resource(f"{RECORDINGS}{{key}}", name="recording", mime_type="application/json")
    def recording(key: str) -> str:
        """A recording that the tool record made."""
        try:
            return recordings.read(f"{RECORDINGS}{key}").decode("utf-8", "surrogatepass")
        except FlowgenError as problem:
            raise ResourceError(advice(problem)) from None


@contextmanager
def _advised() -> Iterator[None]:
    """An error of ours becomes one of the tool, with the way to mend it; any other is a fault and stays one."""
    try:
        yield
    except FlowgenError as problem:
        raise ToolError(advice(problem)) from None
