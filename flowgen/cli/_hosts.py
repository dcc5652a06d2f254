"""`flowgen hosts`: where hosts keep their config files, which of them are here, and what servers stand in those."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from flowgen.errors import FlowgenError

from ._help import Plain
from ._output import say

if TYPE_CHECKING:
    from flowgen.api import HostFile

_EXAMPLES = """
\b
Examples:
  flowgen hosts
  flowgen hosts --discover
  flowgen hosts --discover --format json
"""


@click.command(cls=Plain, epilog=_EXAMPLES)
@click.option("--discover", is_flag=True, help="Read the files that are here, and list the servers in them.")
@click.option("-f", "--format", "form", default="text", show_default=True, type=click.Choice(["text", "json"]),
              help="A list for people, or data.")
@click.option("--show-paths", is_flag=True, help="Show paths with the user names in them, instead of ~.")
def hosts(discover: bool, form: str, show_paths: bool) -> int:
    """List the MCP hosts that flowgen knows, with the paths of their config files on this system.

    Files marked with * are here; those of a project are looked for in the current folder. Nothing is read without
    --discover, and nothing is ever started or contacted.
    """
    from flowgen import api

    files = list(api.host_files(show_paths=show_paths))
    rows, failed = ([_row(file) for file in files], 0) if not discover else _read(files, show_paths)
    if form == "json":
        click.echo(json.dumps({"format": "flowgen.hosts/1", "files": rows}, indent=1, ensure_ascii=False))
    else:
        click.echo("\n".join(_servers(rows) if discover else _places(rows)))
    return 1 if failed else 0


def _row(file: "HostFile") -> dict[str, Any]:
    from flowgen.check import shown

    return {"host": file.host, "path": shown(file.shown), "here": file.here, "project": file.project}


def _read(files: Sequence["HostFile"], show_paths: bool) -> tuple[list[dict[str, Any]], int]:
    """The files that are here with their servers, each once; one that cannot be read is told, the rest is read."""
    from flowgen import api

    rows: dict[str, dict[str, Any]] = {}
    failed = 0
    for file in files:
        if not file.here or file.shown in rows:
            continue
        try:
            host, servers = api.discovered(file, show_paths=show_paths)
        except FlowgenError as problem:
            say(str(problem))
            failed += 1
            continue
        rows[file.shown] = {**_row(file), "host": host, "servers": [_server(each) for each in servers]}
    return list(rows.values()), failed


def _server(declared: Any) -> dict[str, Any]:
    from flowgen.check import shown

    told = {"name": shown(declared.name), "transport": declared.transport, "where": declared.where}
    return told | ({"disabled": True} if declared.disabled else {})


def _places(rows: Sequence[dict[str, Any]]) -> list[str]:
    """A line for each place; `*` marks what is here."""
    wide = max(len(row["host"]) for row in rows)
    before = ["", *(row["host"] for row in rows)]
    lines = [_place(row, "" if row["host"] == host else row["host"], wide)
             for host, row in zip(before, rows, strict=False)]  # fmt: skip
    here = sum(row["here"] for row in rows)
    return [*lines, "", f"{here or 'none'} of {len(rows)} files here{' (*); flowgen hosts --discover' if here else ''}"]


def _place(row: dict[str, Any], title: str, wide: int) -> str:
    project = "  (project)" if row["project"] else ""
    return f"{'*' if row['here'] else ' '} {title:<{wide}}  {row['path']}{project}"


def _servers(rows: Sequence[dict[str, Any]]) -> list[str]:
    lines: list[str] = []
    for row in rows:
        lines += [f"{row['host']}  {row['path']}", *_below(row["servers"])]
    return lines or ["no config file of a known host is here"]


def _below(servers: Sequence[dict[str, Any]]) -> list[str]:
    names = [server["name"] for server in servers]
    wide = max(map(len, names), default=0)
    lines = [f"  {name:<{wide}}  {server['transport']}{'  disabled' if server.get('disabled') else ''}"
             for name, server in zip(names, servers, strict=True)]  # fmt: skip
    return lines or ["  no servers"]
