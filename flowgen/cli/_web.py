"""Options of `record` for servers that have an address. Secrets come from variables, never from the command line."""

import os
import re
import sys
from typing import Any

import click

from flowgen.errors import UsageError

from ._options import adding
from ._words import FILE

_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}")
_OPTIONS = (
    click.option("--url", metavar="URL", help="Address of a server, as in https://host/mcp; --server takes it, too."),
    click.option("--config", metavar="FILE", type=FILE,
                 help="A host's config file: every enabled server in it, or the one that --name names."),
    click.option("--name", metavar="NAME", help="Which server of the config file."),
    click.option("--transport", type=click.Choice(["auto", "http", "sse"]),
                 help="Streamable HTTP, or HTTP+SSE of 2024-11-05; auto finds out."),
    click.option("--header", "headers", multiple=True, metavar="'K: V'",
                 help="A header for every request; V may be env:NAME or hold ${NAME}."),
    click.option("--bearer", metavar="env:NAME", help="A token for the server, from a variable."),
    click.option("--cacert", metavar="FILE", type=FILE, help="Certificates to trust besides the usual ones (PEM)."),
    click.option("--insecure", is_flag=True, help="Trust every certificate: anybody may read and change what is said."),
    click.option("--proxy", metavar="URL", help="Proxy to go through, in place of the environment's."),
    click.option("--connect-to", multiple=True, metavar="HOST:PORT:HOST2:PORT2",
                 help="Where to connect instead, as curl does; names and certificates stay the first host's."),
    click.option("--connect-timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
                 help="Limit for a connection to stand (10)."),
    click.option("--client-id", metavar="ID", help="OAuth: the client id that you registered."),
    click.option("--client-secret", metavar="env:NAME", help="OAuth: its secret, from a variable."),
    click.option("--client-key", metavar="FILE", type=FILE, help="OAuth: its private key (PEM), instead of a secret."),
    click.option("--client-metadata-url", metavar="URL", help="OAuth: the client id is this document (https)."),
    click.option("--scope", "scopes", multiple=True, metavar="NAME", help="OAuth: a scope to ask for; repeatable."),
    click.option("--issuer", metavar="URL", help="OAuth: the authorization server to take, where there are several."),
    click.option("--redirect-uri", metavar="URL", help="OAuth: the address on this machine to come back to."),
    click.option("--no-browser", is_flag=True, help="OAuth: show the address to sign in at, open nothing."),
    click.option("--token-store", metavar="FILE", type=FILE, help="OAuth: keep tokens in this file between runs."),
)  # fmt: skip
NAMES = (
    "transport", "headers", "bearer", "cacert", "insecure", "proxy", "connect_to", "connect_timeout", "client_id",
    "client_secret", "client_key", "client_metadata_url", "scopes", "issuer", "redirect_uri", "no_browser",
    "token_store", "config", "name",
)  # fmt: skip


web_options = adding(_OPTIONS)


def one_server(given: dict[str, Any]) -> dict[str, Any]:
    """The address in the place of the command, for there is only one server. Raises UsageError."""
    if given["name"] is not None and given["config"] is None:
        raise UsageError("--name names a server of a config file", "--config FILE goes with it")
    if given["url"] is None:
        return given
    if given["server"] is not None or given["command"]:
        raise UsageError("--url and a command do not go together", "leave one of them out")
    if not given["url"].lower().startswith(("http://", "https://")):
        from flowgen.trace import Mask

        raise UsageError(f"--url {Mask().url(given['url'])!r} is no address", "such as https://host/mcp")
    return given | {"server": given["url"]}


def web_given(given: dict[str, Any]) -> dict[str, Any]:
    """What was given, with the values of variables in place. Raises UsageError."""
    if given["insecure"]:
        words = "--insecure trusts every certificate; whoever is in between can read tokens and change answers"
        click.echo(f"flowgen: WARNING: {words}", err=True)
    values = {name: given[name] for name in NAMES}
    return {
        **values,
        "headers": tuple(_header(text) for text in given["headers"]),
        "bearer": _secret("--bearer", given["bearer"]),
        "client_secret": _secret("--client-secret", given["client_secret"]),
    }


def consent(recorded: Any) -> None:
    """Asks before several servers of a file are started. Raises UsageError where nobody can agree, or says no."""
    from flowgen.record import RecordedTogether, printable

    if not isinstance(recorded, RecordedTogether):
        return
    for name, words in recorded.about.items():
        click.echo(f"  {printable(name, 40)}: {printable(words, 160)}", err=True)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("these servers would be started, and nobody is here to agree", "--yes starts them")
    if not click.confirm("flowgen: start them?", err=True):
        raise UsageError("not agreed: nothing was started", "--name NAME takes one of them")


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        hint = "such as 'X-Key: env:KEY'"
        raise UsageError(f"--header {name.strip()!r}: a name, a colon and a value are expected", hint)
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

