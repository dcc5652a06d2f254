"""`flowgen mcp`: flowgen as an MCP server, for agents that draw."""

import sys
from collections.abc import Sequence
from typing import Any

import click

from flowgen.errors import BackendMissing, UsageError

from ._help import Plain
from ._options import TypedOnly
from ._output import say
from ._words import FILE, themes

_EXAMPLES = """
\b
Examples:
  flowgen mcp                                        over stdin and stdout, started by a host
  flowgen mcp --root ~/traces --root ~/projects      with files of these folders, no others
  flowgen mcp --allow-record 'python server.py'      agents may record this server, too
  flowgen mcp --http 127.0.0.1:8900                  over Streamable HTTP

\b
In a host's config:
  {"mcpServers": {"flowgen": {"command": "flowgen", "args": ["mcp", "--root", "/home/me/traces"]}}}
"""


@click.command(cls=Plain, epilog=_EXAMPLES)
@click.option("--root", "roots", multiple=True, metavar="FOLDER", type=FILE, cls=TypedOnly,
              help="A folder below which files may be read; repeatable.  [default: the current folder]")
@click.option("--allow-record", multiple=True, metavar="any|CMD|URL", cls=TypedOnly,
              help="A server that agents may start and record, as it is typed in a shell; repeatable. any: every one.")
@click.option("--http", metavar="HOST:PORT", cls=TypedOnly,
              help="Wait here for clients over Streamable HTTP, instead of stdin and stdout.")
@click.option("--allow-remote", is_flag=True, cls=TypedOnly,
              help="With --http: let other machines and pages of other sites speak to it.")
@click.option("--theme", default="auto", show_default=True, metavar="THEME", shell_complete=themes,
              help="Of pictures for which no theme is asked: auto, light, dark, a name or a TOML file.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "zh", "en+zh"]),
              help="Language of such pictures.")
def mcp(
    roots: Sequence[str], allow_record: Sequence[str], http: str | None, allow_remote: bool, theme: str, lang: Any
) -> None:
    """Serve flowgen's tools to agents, over the Model Context Protocol.

    The tools draw, check and compare recordings, configs and descriptions. Files are only read below --root, no
    network is asked, and nothing is started unless --allow-record says what. Needs the extra mcp.
    """
    server = _loaded()
    where = _where(server, http, allow_remote, allow_record)
    made = server.server(roots or (".",), allow_record, server.Looks(theme, lang))
    if where is None and sys.stdin.isatty():
        say("speaking MCP on stdin and stdout; a host starts it, Ctrl-C ends it")
    server.serve(made, where, lambda url: say(f"MCP at {url}"))


def _loaded() -> Any:
    """What needs the SDK. Raises BackendMissing where that is not there, or too old."""
    try:
        from flowgen.ext import mcp_server
    except ImportError as problem:
        hint = "pip install 'mcp-flowgen[mcp]'"
        raise BackendMissing(f"flowgen mcp needs the official SDK, mcp 2.3 or newer: {problem}", hint) from None
    return mcp_server


def _where(server: Any, http: str | None, allow_remote: bool, allow_record: Sequence[str]) -> Any:
    """The address to wait at; None for stdin and stdout. Raises UsageError."""
    if http is None:
        if allow_remote:
            raise UsageError("--allow-remote goes with --http", "or leave it out")
        return None
    if allow_remote and "any" in allow_record:
        raise UsageError("whoever reaches it could start any program here", "--allow-record names the servers, or none")
    return server.address(http, allow_remote)
