"""`flowgen tap`: stands between somebody's client and server, and writes down what passes."""

import os
import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import click

from flowgen.errors import UsageError

from ._help import Sorted
from ._output import say
from ._words import FILE

if TYPE_CHECKING:
    from flowgen.record import Kept

_EXAMPLES = """
\b
Examples:
  flowgen tap -o session.jsonl -- python server.py            in place of the server, in a host's config
  flowgen tap -o '~/mcp/{time}-{pid}.jsonl' -- npx -y @modelcontextprotocol/server-everything
  flowgen tap -o session.jsonl --listen 127.0.0.1:8900 --upstream https://api.example/mcp
  flowgen tap install --host claude-desktop --name github     edits the config, and shows how first

\b
Exit codes: the server's own; by its signal where one ended it. 127 and 126 as in a shell: not found, not started.
"""
_OURS = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")

_COMMANDS = ("install", "uninstall")


class _Tap(Sorted, click.Group):
    """A command that has commands: whatever is none of them is a server's command line."""

    sections: ClassVar = {
        "Over HTTP": "listen upstream allow-remote cacert insecure",
        "What is kept": "redact redact-key max-message max-size",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now: a tap starts without."""
        from . import _tap_install

        return getattr(_tap_install, cmd_name) if cmd_name in _COMMANDS else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses as any group does where the first word is a command of ours."""
        if args and args[0] in _COMMANDS:
            return super().parse_args(ctx, args)
        ctx.allow_extra_args = True
        ctx.meta["flowgen.server"] = click.Command.parse_args(self, ctx, args)
        ctx.args = []
        return []

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options by their purpose, then the commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)


@click.command(cls=_Tap, invoke_without_command=True, epilog=_EXAMPLES, subcommand_metavar="[-- CMD ARG…]",
               context_settings={"allow_interspersed_args": False})
@click.option("-o", "--output", metavar="FILE", type=FILE,
              help="Where to write, as JSON Lines; {time} and {pid} in its name are filled in.")
@click.option("--listen", metavar="HOST:PORT", help="Wait here for a client that speaks HTTP.")
@click.option("--upstream", metavar="URL", help="The address of its server.")
@click.option("--allow-remote", is_flag=True, help="Let other machines and pages of other sites speak through it.")
@click.option("--cacert", metavar="FILE", type=FILE, help="Trust the authorities in this file.")
@click.option("--insecure", is_flag=True, help="Do not check the server's certificate.")
@click.option("--redact/--no-redact", default=True, help="Mask secrets (default), or keep everything as it was.")
@click.option("--redact-key", "redact_keys", multiple=True, metavar="NAME",
              help="Mask the values under this name, too; repeatable.")
@click.option("--max-message", type=click.IntRange(min=1), metavar="BYTES", help="Keep messages up to this size whole.")
@click.option("--max-size", type=click.IntRange(min=8192), metavar="BYTES",
              help="Let the file grow no larger; it then says what it lacks.")
@click.option("--live", is_flag=True, help="Show the swim lane as it grows, on the terminal or else on stderr.")
@click.pass_context
def tap(ctx: click.Context, /, output: str | None, live: bool, **given: Any) -> int:
    """Pass a client's session with its server through, and write it down.

    Stands in the place of the server in a host's config: bytes, signals and the exit code pass unchanged, the
    recording is a copy, and whatever happens to it does not disturb the session.
    """
    if ctx.invoked_subcommand is not None:
        return 0
    if os.name != "posix":
        raise UsageError("flowgen tap runs on Linux and macOS, not on Windows", "there: flowgen record, or WSL")
    command: list[str] = ctx.meta["flowgen.server"]
    web = {name: given.pop(name) for name in ("listen", "upstream", "allow_remote", "cacert", "insecure")}
    _refuse(command, output, web)
    assert output is not None
    from flowgen.record import Kept, leave, tap_stdio  # what they need is not on every system

    kept = Kept(output, **given)
    run = _http(web, kept) if web["listen"] else partial(tap_stdio, command, kept, _tell)
    return leave(_watched(run) if live else run())


def _http(web: dict[str, Any], kept: "Kept") -> Callable[..., int]:
    from flowgen.record import Listening, tap_http

    given = Listening(web["listen"], web["upstream"], web["allow_remote"], web["cacert"], web["insecure"])
    return partial(tap_http, given, kept, _tell)


def _tell(text: str) -> None:
    """A line for a person; that nobody reads it is no reason to end."""
    with suppress(OSError, ValueError):
        say(text)


def _watched(run: Callable[..., int]) -> int:
    from ._tap_live import Live

    live = Live()
    code = run(begun=live.begin)
    live.end()
    return code


def _refuse(command: Sequence[str], output: str | None, web: dict[str, Any]) -> None:
    """Raises UsageError for what cannot be meant."""
    if not output:
        example = f"flowgen tap -o session.jsonl -- {shlex.join(command) or 'CMD ARG…'}"
        raise UsageError("-o FILE is missing", f"such as {example}")
    if output in _OURS and not web["listen"]:
        raise UsageError(f"-o {output}: standard output is the protocol's", "give the recording a file of its own")
    if bool(web["listen"]) != bool(web["upstream"]):
        raise UsageError("--listen and --upstream go together", "--listen 127.0.0.1:8900 --upstream URL")
    if web["listen"] and command:
        raise UsageError("--listen waits for a client over HTTP: there is no command to start", "leave one of them out")
    if not web["listen"] and not command:
        raise UsageError("there is no server to pass things to", "flowgen tap -o session.jsonl -- CMD ARG…")
