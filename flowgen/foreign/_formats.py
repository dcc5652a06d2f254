"""The table of formats. A further one is a row here and a file beside this one with its reader.

A reader is a function `read(lines, making)` that gives the messages in order; of a format that is one JSON document,
`read(document, making)`. A writer is `write(trace)`, giving bytes and what they cannot hold.
"""

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from flowgen.errors import UsageError

from ._lines import plain

HEAD = 1 << 16  # bytes that a format is told by
OWN = "flowgen"  # what --from calls a trace of ours
_OURS = b'"flowgen.trace/'
_STAMP = rb"(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z "
_LEVEL = rb"\[(?:debug|info|warn|warning|error)\] "


class Format(NamedTuple):
    """A format of another tool. `head` is found in the first bytes of its files, `module` has its reader."""

    name: str
    about: str
    module: str
    head: bytes
    layout: str = "lines"  # or "document"
    reader: str = "read"
    writer: str | None = None  # a module with `write`
    suffixes: tuple[str, ...] = ()  # that only a file of this format has

    def read(self) -> Callable[..., Any]:
        """The reader, loaded now."""
        read: Callable[..., Any] = getattr(import_module(f"{__package__}.{self.module}"), self.reader)
        return read

    def write(self) -> Callable[..., Any]:
        """The writer, loaded now."""
        write: Callable[..., Any] = import_module(f"{__package__}.{self.writer}").write
        return write


# the first that fits is it: those with names of their own come before those told by their shape
FORMATS = (
    Format("mcpdump", "mcpdump session", "_mcpdump", rb'\A\{[^\n]*"mcpdump-session"'),
    Format("glassport", "glassport recording", "_glassport", rb'\A\{[^\n]*"glassport\.header"'),
    Format("otlp", "OpenTelemetry spans (OTLP/JSON)", "_otlp", rb'\A\s*\{\s*"resource_?[sS]pans"',
           writer="_otlp_out", suffixes=(".otlp.json", ".otlp")),
    Format("har", "HAR of a browser or proxy", "_har", rb'(?s)\A\s*\{\s*"log"\s*:\s*\{.*"(?:creator|entries)"',
           "document", writer="_har_out", suffixes=(".har",)),
    Format("mcp-cassette", "mcp-cassette recording", "_cassette",
           rb'(?s)\A\s*\{(?=.*"format_version")(?=.*"(?:t_offset_ms|protocol_version|recorded_at)")', "document"),
    Format("inspector", "Inspector's protocol export", "_inspector",
           rb'(?s)\A\s*\[\s*\{(?=.*"direction")(?=.*"timestamp")(?=.*"message")', "document"),
    Format("mcpsnoop", "mcpsnoop recording", "_mcpsnoop",
           rb'\A\{(?=[^\n]*"direction"\s*:\s*"(?:c2s|s2c|stderr|meta)")(?=[^\n]*"session_id")',
           writer="_mcpsnoop_out", suffixes=(".mcpsnoop.jsonl",)),
    Format("capture", "wire capture", "_capture",
           rb'\A\{(?=[^\n]*"ts")(?=[^\n]*"direction")(?=[^\n]*"transport")'),
    Format("claude-desktop-mcp", "Claude Desktop's mcp.log", "_claude_desktop", _STAMP + _LEVEL + rb"\[",
           reader="read_shared"),
    Format("claude-desktop", "Claude Desktop's log of a server", "_claude_desktop", _STAMP + rb"\[[^\n]+?\] " + _LEVEL),
    Format("vscode", "VS Code's MCP output", "_vscode",
           rb"(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[[^\]\n]+\] "),
)  # fmt: skip
_BY_NAME = {form.name: form for form in FORMATS}


def told(head: bytes, name: str | None = None) -> Format | None:
    """The format of a file by its first bytes, or the one of this name; None for what is not another tool's.

    Raises UsageError for a name that there is not.
    """
    if name is not None:
        return named(name)
    head = plain(head[:HEAD])
    if _OURS in head[:400]:
        return None
    return next((form for form in FORMATS if re.search(form.head, head)), None)


def named(name: str) -> Format | None:
    """The format of a name; None for our own. Raises UsageError."""
    if name != OWN and name not in _BY_NAME:
        raise UsageError(f"no format {name!r}", f"known: {', '.join((OWN, *_BY_NAME))}")
    return _BY_NAME.get(name)


def fits(head: bytes) -> bool:
    """Whether a file with these first bytes is another tool's recording."""
    return told(head) is not None
