"""Options of `record` for servers that have an address. Secrets come from variables, never from the command line."""

import os
import re
from collections.abc import Callable
from typing import Any

import click

from flowgen.errors import UsageError

_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}")
_OPTIONS = (
    click.option("--url", metavar="URL", help="Address of a server, such as https://host/mcp; --server takes it, too."),
    click.option("--transport", type=click.Choice(["auto", "http", "sse"]), help="Streamable HTTP, or HTTP+SSE of 2024-11-05."),
    click.option("--header", "headers", multiple=True, metavar="'K: V'", help="A header for every request; V may be env:NAME or hold ${NAME}."),
    click.option("--bearer", metavar="env:NAME", help="A token for the server, from a variable."),
    click.option("--cacert", metavar="FILE", help="Certificates to trust besides the usual ones (PEM)."),
    click.option("--insecure", is_flag=True, help="Trust every certificate: anybody can read and change what is said."),
    click.option("--proxy", metavar="URL", help="Proxy to go through, in place of the environment's."),
    click.option("--connect-timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="Limit for a connection to stand (10)."),
)  # fmt: skip
NAMES = ("transport", "headers", "bearer", "cacert", "insecure", "proxy", "connect_timeout")


def web_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def one_server(given: dict[str, Any]) -> dict[str, Any]:
    """The address in the place of the command, for there is only one server. Raises UsageError."""
    if given["url"] is None:
        return given
    if given["server"] is not None or given["command"]:
        raise UsageError("--url and a command do not go together", "leave one of them out")
    if not given["url"].lower().startswith(("http://", "https://")):
        raise UsageError(f"--url {given['url']!r} is no address", "such as https://host/mcp")
    return given | {"server": given["url"]}


def web_given(given: dict[str, Any]) -> dict[str, Any]:
    """What was given, with the values of variables in place. Raises UsageError."""
    if given["insecure"]:
        click.echo("flowgen: WARNING: --insecure trusts every certificate; whoever is in between can read the token", err=True)
    values = {name: given[name] for name in NAMES}
    return {
        **values,
        "headers": tuple(_header(text) for text in given["headers"]),
        "bearer": _secret("--bearer", given["bearer"]),
    }


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise UsageError(f"--header {name.strip()!r}: a name, a colon and a value are expected", "such as 'X-Key: env:KEY'")
    return name.strip(), _expanded(f"--header {name.strip()}", value.strip())


def _secret(option: str, text: str | None) -> str | None:
    """A value that must not stand on the command line, where every process of the machine can read it."""
    if text is None:
        return None
    if not text.startswith("env:") and not _VARIABLE.search(text):
        raise UsageError(f"{option} takes the name of a variable, not the secret itself", f"{option} env:NAME")
    return _expanded(option, text)


def _expanded(option: str, text: str) -> str:
    """`env:NAME` as a whole, or after a scheme as in `Bearer env:NAME`; `${NAME}` anywhere."""
    scheme, space, rest = text.rpartition(" ")
    if rest.startswith("env:") and " " not in scheme:
        return f"{scheme}{space}{_value(option, rest.removeprefix('env:'))}"
    return _VARIABLE.sub(lambda found: _value(option, found[1]), text)


def _value(option: str, name: str) -> str:
    value = os.environ.get(name, "").strip()
    if not value:
        raise UsageError(f"{option}: there is no variable {name}, or it is empty", f"export {name}=…")
    return value

