"""`flowgen record`: a server is started and spoken with; everything seen becomes a trace."""

import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import click
from click.core import ParameterSource

from flowgen.errors import ConfigError, FlowgenError, TraceError, UsageError

from ._help import Sorted
from ._web import consent, one_server, web_given, web_options
from ._words import FILE, demos

if TYPE_CHECKING:
    from flowgen.api import Hosted
    from flowgen.protocol import Step
    from flowgen.record import Recorded, RecordedTogether, Recording

    Prepared = Recorded | RecordedTogether | Hosted

_EXAMPLES = """
\b
Examples:
  flowgen record -o trace.json                                    the bundled demo
  flowgen record --server 'python server.py' --call 'weather={"location": "SF"}' -o trace.json
  flowgen record --list all --call-safe -o trace.json -- npx -y @modelcontextprotocol/server-everything
  flowgen record --script plan.toml --answers answers.toml --server ./server -o trace.jsonl
  flowgen record -- python server.py | flowgen render - > flow.svg

\b
Exit codes: 0 recorded completely, 1 the server died or failed, 2 usage, 3 could not start or connect,
4 a time limit ended a step, 130 interrupted. But for 2, the trace is written.
"""
_ACTIONS = {"call": "call", "read": "read", "prompt": "get", "complete": "complete"}
_REVISIONS = ("auto", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")


class _InOrder(Sorted):
    """Remembers in which order options were typed: calls, reads and prompts are steps."""

    sections: ClassVar = {
        "The server": "server url config name demo env cwd",
        "What is done": "call call-safe list read prompt complete listen script revision both-eras timeout "
                        "startup-timeout",
        "What is replied": "answers ask approve yes",
        "HTTP": "transport header bearer cacert insecure proxy connect-to connect-timeout",
        "Signing in (OAuth)": "client-id client-secret client-key client-metadata-url scope issuer redirect-uri "
                              "no-browser token-store",
        "What is kept": "redact redact-key max-message",
    }  # fmt: skip

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses as any command does."""
        typed, _, order = self.make_parser(ctx).parse_args(args=list(args))
        ctx.meta["flowgen.order"] = [parameter.name for parameter in order]
        command = typed.get("command")
        if isinstance(command, tuple) and "--" not in args[: len(args) - len(command)]:
            ctx.meta["flowgen.strayed"] = self._options_in(command)
        return super().parse_args(ctx, args)

    def _options_in(self, command: Sequence[str]) -> list[str]:
        """Words of a server's command that are options of ours, most likely meant for us."""
        ours = {way for param in self.params for way in param.opts if way.startswith("--")} | {"-o"}
        return [name for word in command if (name := word.partition("=")[0]) in ours - {"--verbose"}]


class _Seconds(click.FloatRange):
    """A time limit."""

    name = "number of seconds"


_SECONDS: Any = {"type": _Seconds(min=0, min_open=True), "metavar": "SECONDS"}


@click.command(cls=_InOrder, epilog=_EXAMPLES, context_settings={"allow_interspersed_args": False})
@click.option("--server", metavar="CMD", help="Command of the server, quoted as for a shell; no shell runs it.")
@web_options
@click.option("--demo", metavar="NAME", shell_complete=demos,
              help="A bundled demo: seed (what runs without a server), full, …, or a scenario FILE.toml.")
@click.argument("command", metavar="[-- CMD ARG…]", nargs=-1, type=click.UNPROCESSED)
@click.option("-o", "--output", metavar="FILE", type=FILE, default="-",
              help="Where to write; .jsonl is JSON Lines, - is stdout.")
@click.option("--call", multiple=True, metavar="NAME[=JSON]", help="Call a tool; repeatable, in this order.")
@click.option("--call-safe", is_flag=True, help="Call every tool that is marked read-only, with made-up arguments.")
@click.option("--list", "lists", metavar="WHAT", help="tools (default), resources, templates, prompts, all, none.")
@click.option("--read", multiple=True, metavar="URI", help="Read a resource; repeatable.")
@click.option("--prompt", multiple=True, metavar="NAME[=JSON]", help="Get a prompt; repeatable.")
@click.option("--complete", multiple=True, metavar="REF:ARG=VALUE", help="Complete an argument; repeatable.")
@click.option("--listen", type=_Seconds(min=0), metavar="SECONDS", help="Listen for changes at the end.")
@click.option("--script", metavar="FILE", type=FILE, help="A plan (TOML) in place of the tour; - is stdin.")
@click.option("--answers", metavar="FILE", type=FILE,
              help="What to reply when the server asks back (TOML); - is stdin.")
@click.option("--ask", is_flag=True, help="Ask at the terminal when no answer is given for what the server asks.")
@click.option("--approve", is_flag=True, help="Ask at the terminal before each call.")
@click.option("--yes", is_flag=True, help="Approve every call, and every server of --config.")
@click.option("--revision", type=click.Choice(_REVISIONS), help="Revision of MCP to speak; auto finds out.")
@click.option("--both-eras", is_flag=True,
              help="Record in the handshake and in the stateless era: FILE.handshake.json, FILE.stateless.json.")
@click.option("--timeout", default=30.0, show_default=True, **_SECONDS, help="Limit of each request.")
@click.option("--startup-timeout", default=60.0, show_default=True, **_SECONDS, help="Limit of the first answer.")
@click.option("--env", multiple=True, metavar="K[=V]", help="A variable for the server, masked; K takes our own value.")
@click.option("--cwd", metavar="DIR", type=click.Path(exists=True, file_okay=False), help="Folder to start it in.")
@click.option("--redact/--no-redact", default=True, help="Mask secrets (default), or keep everything as it was.")
@click.option("--redact-key", multiple=True, metavar="NAME", help="Mask the values under this name, too; repeatable.")
@click.option("--max-message", type=click.IntRange(min=1), metavar="BYTES", help="Keep messages up to this size whole.")
@click.option("-v", "--verbose", is_flag=True, help="One line on stderr for each message.")
@click.pass_context
def record(
    ctx: click.Context, /, output: str, verbose: bool, script: str | None, both_eras: bool, **given: Any
) -> None:
    """Talk to an MCP server, over stdio or HTTP, and write down everything seen.

    The tour: open the session, list the tools, then what is asked for, then the end. The server gets our own
    environment and, on top, what --env gives. Tools are called only when asked for: calls have side effects.
    """
    if not both_eras:
        ctx.exit(_recorded(ctx, script, given, output, verbose))
    from ._eras import ERAS, outputs, refuse_revision, tell_next

    refuse_revision(given["revision"])
    places = outputs(output)
    codes = [
        _recorded(ctx, script, given | {"revision": ERAS[era]}, place, verbose) for era, place in places.items()
    ]
    tell_next(places)
    ctx.exit(max(codes))


def _recorded(ctx: click.Context, script: str | None, given: dict[str, Any], output: str, verbose: bool) -> int:
    """One session recorded and written; the exit code that tells how it went."""
    from ._watch import Onlooker, failures

    onlooker = Onlooker(verbose)
    _refuse_output(output)
    recorded = _prepared(ctx, script, onlooker, one_server(_typed_first(ctx, given)))
    gc.freeze()  # what is loaded stays loaded: no use in looking through it while a server waits
    with _interrupting(recorded.interrupt):
        recording = recorded.run()
    onlooker.close()
    _save(recording, output)
    if recording.exit_code == 0 and not ctx.meta["flowgen.quiet"]:
        click.echo("flowgen: no tool was called: name some with --call, or take --call-safe", err=True)
    failed = failures(recording.document) if given["demo"] is None else []  # a demo shows errors on purpose
    for line in recording.verdict or [*failed, *onlooker.summary(recording.document, output)]:
        click.echo(line, err=True)
    return recording.exit_code


def _typed_first(ctx: click.Context, given: dict[str, Any]) -> dict[str, Any]:
    """A server that was typed takes the place of the one that settings name, in whichever way."""
    names = ("server", "url", "demo", "config")
    typed = {name for name in names if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    if not (typed or given["command"]):
        return given
    return given | dict.fromkeys(set(names) - typed)


def _prepared(ctx: click.Context, script: str | None, onlooker: Any, given: dict[str, Any]) -> "Prepared":
    from flowgen import api

    manners = {name: given[name] for name in ("approve", "yes", "ask")}
    if given["ask"] and not sys.stdin.isatty():
        raise UsageError("--ask asks at the terminal, and stdin is none", "give the replies with --answers FILE")
    if given["server"] is not None and given["command"]:
        raise UsageError("--server and a command after -- do not go together", "leave one of them out")
    try:
        steps = list(_steps(ctx, given))
        recorded = api.recorder(
            given["server"] if given["server"] is not None else list(given["command"]) or None,
            demo=given["demo"], steps=steps, lists=given["lists"], listen=given["listen"],
            call_safe=given["call_safe"], script=_read(script), answers=_read(given["answers"]),
            revision=given["revision"], timeout=given["timeout"], startup_timeout=given["startup_timeout"],
            env=dict(map(_variable, given["env"])), cwd=given["cwd"], redact=given["redact"],
            redact_keys=given["redact_key"], max_message=given["max_message"], terminal=sys.stdin.isatty(),
            watch=onlooker.watch, **manners, **web_given(given),
        )  # fmt: skip
    except ConfigError as error:  # nothing was started
        raise UsageError(str(error), error.hint) from None
    if given["config"] is not None and not given["yes"]:
        consent(recorded)
    for word in ctx.meta.get("flowgen.strayed", ())[:1]:
        click.echo(f"flowgen: {word} stands after the command and goes to the server; ours stand before it", err=True)
    ctx.meta["flowgen.quiet"] = given["demo"] is not None or _calls_tools(given, script, steps)
    return recorded


def _calls_tools(given: dict[str, Any], script: str | None, steps: list["Step"]) -> bool:
    """Whether tools are asked for; without a server of the user's the demo's plan asks for them."""
    own = given["server"] or given["command"] or given["url"] or given["config"]
    return not own or bool(given["call_safe"] or script) or any(step.action == "call" for step in steps)


def _steps(ctx: click.Context, given: dict[str, Any]) -> Iterator["Step"]:
    """The steps asked for, in the order typed; those of settings come last."""
    left = {name: list(given[name]) for name in _ACTIONS}
    for name in (*ctx.meta["flowgen.order"], *(option for option in _ACTIONS for _ in given[option])):
        if left.get(name):
            yield _step(name, left[name].pop(0))


def _step(option: str, text: str) -> "Step":
    from flowgen.protocol import Step, completion

    if option == "read":
        return Step("read", text)
    if option == "complete":
        return Step("complete", completion(text, "--complete"))
    name, given, arguments = text.partition("=")
    if not name:
        raise UsageError(f"--{option} {text!r}: a name is missing", f"such as --{option} NAME")
    if "{" in name:
        name = name.partition("{")[0].strip(" :") or "NAME"
        raise UsageError(f"--{option} {name}: = is missing between name and arguments", _such_as(option, name))
    return Step(_ACTIONS[option], name, arguments=_arguments(option, name, arguments) if given else {})


def _arguments(option: str, name: str, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--{option} {name}: the arguments are not JSON: {error}", _such_as(option, name)) from None
    if not isinstance(value, dict):
        raise UsageError(f"--{option} {name}: the arguments are no JSON object", _such_as(option, name))
    return value


def _such_as(option: str, name: str) -> str:
    return f"such as --{option} '{name}=" + '{"name": "value"}' + "'"


def _variable(text: str) -> tuple[str, str]:
    name, given, value = text.partition("=")
    if not name or "\0" in text:
        raise UsageError(f"--env {text!r}: a variable needs a name", "such as --env API_KEY=… or --env API_KEY")
    if not given and name not in os.environ:
        raise UsageError(f"--env {name}: there is no such variable", f"give it a value: --env {name}=…")
    return name, value if given else os.environ[name]


def _read(file: str | None) -> tuple[str, bytes] | None:
    """A file's name and bytes."""
    if file is None:
        return None
    try:
        if file == "-":
            return "stdin", sys.stdin.buffer.read()
        with open(file, "rb") as opened:
            return file, opened.read()
    except OSError as problem:
        raise UsageError(f"{file}: {problem.strerror or problem}", "give the path of a TOML file") from None


def _refuse_output(output: str) -> None:
    """A place that cannot be written to is told before anything starts."""
    folder = os.path.dirname(output) or "."
    if output == "-":
        return
    if os.path.isdir(output):
        raise UsageError(f"-o {output}: this is a folder", f"name a file: -o {os.path.join(output, 'trace.json')}")
    if not os.path.isdir(folder):
        raise UsageError(f"-o {output}: there is no folder {folder}", f"mkdir -p {folder}")
    if not os.access(output if os.path.exists(output) else folder, os.W_OK):
        raise UsageError(f"-o {output}: may not be written", "choose another place")


def _save(recording: "Recording", output: str) -> None:
    """Writes the trace; where that fails, into a temporary file: nothing recorded is lost."""
    from flowgen.trace import save

    try:
        save(recording.document, output)
    except (TraceError, OSError) as error:
        import tempfile

        handle, place = tempfile.mkstemp(prefix="flowgen-", suffix=".json")
        os.close(handle)
        save(recording.document, place)
        said = f"stdout: {error.strerror}" if isinstance(error, OSError) else str(error)
        raise FlowgenError(said, f"the recording is in {place}") from None


@contextmanager
def _interrupting(interrupt: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C and being told to stop end the session, not the program: the trace is still written."""
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), lambda *_: interrupt()) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
