"""From a server to a trace: options become a plan, a plan a session, a session a document."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from flowgen.errors import UsageError

from ._hosted import Hosted
from ._kinds import fitting, is_json, known_only, refuse
from ._notebook import shown_in_notebooks
from ._servers import named, of_an_address, several, target

if TYPE_CHECKING:
    from flowgen.protocol import Answers, Plan, Step
    from flowgen.record import Recorded, RecordedTogether, Recording, Watch
    from flowgen.trace import Trace

File = str | Path | tuple[str, bytes]  # a path, or a name for errors and the bytes


class RecordOptions(TypedDict, total=False):
    """What a recording can be asked for; the command line's options of the same names.

    demo: a bundled demo instead of a server. config: a host's config file instead, name: one of its servers (else all
    that are enabled, side by side). calls, prompts: names, or pairs of name and arguments. reads: URIs.
    completes: `REF:ARG=VALUE`. lists: `tools`, `all`, `none`, or kinds with commas. listen: seconds at the end.
    script, answers: TOML files. revision: one of the specification's, or `auto`. timeout, startup_timeout: seconds.
    env: variables on top of our own, masked. redact_keys: further names of secrets. max_message: bytes.
    Of a server with an address: headers, pairs whose values are masked. bearer: a token. transport: `auto`, `http` or
    `sse`. cacert: a PEM file. insecure: trust anybody. proxy: an address; else the environment's. connect_to:
    `HOST:PORT:HOST2:PORT2`, where to connect instead. connect_timeout: seconds. Of signing in to it: client_id,
    client_secret or client_key (a PEM file), client_metadata_url, scopes, issuer, redirect_uri. no_browser: the address
    is only shown. token_store: a file that keeps tokens.
    """

    demo: str | None
    config: str | Path | None
    name: str | None
    calls: Iterable[str | tuple[str, Mapping[str, Any]]]
    prompts: Iterable[str | tuple[str, Mapping[str, Any]]]
    reads: Iterable[str]
    completes: Iterable[str]
    lists: str | None
    listen: float | None
    call_safe: bool
    script: File | None
    answers: File | None
    revision: str | None
    timeout: float
    startup_timeout: float
    env: Mapping[str, str]
    cwd: str | None
    redact: bool
    redact_keys: Sequence[str]
    max_message: int | None
    headers: Iterable[tuple[str, str]]
    bearer: str | None
    transport: Literal["auto", "http", "sse"]
    cacert: str | None
    insecure: bool
    proxy: str | None
    connect_to: Sequence[str]
    connect_timeout: float
    client_id: str | None
    client_secret: str | None
    client_metadata_url: str | None
    client_key: str | None
    scopes: Iterable[str]
    issuer: str | None
    redirect_uri: str | None
    no_browser: bool
    token_store: str | None


def record(server: str | Sequence[str] | None = None, **options: Unpack[RecordOptions]) -> "Trace":
    """Speak with an MCP server, over stdio or HTTP, and give everything that was seen.

    `server` is an argv, a command as for a shell, or an address; without one the demo is recorded. However the server
    behaves there is a trace, and its `outcome` tells how it ended. Raises UsageError and ConfigError before anything
    starts. Time limits are in seconds.

    >>> trace = flowgen.record(demo="seed")
    >>> trace.outcome.complete, trace.outcome.reason
    (True, 'done')
    >>> flowgen.record(["no-such-program"]).outcome.reason
    'start-failed'
    """
    return _trace(recorder(server, **_with_steps(server, options)).run().document)


async def record_async(server: str | Sequence[str] | None = None, **options: Unpack[RecordOptions]) -> "Trace":
    """The same under asyncio or trio; when it is cancelled, the server is ended before it returns.

    >>> import asyncio
    >>> trace = asyncio.run(flowgen.record_async([sys.executable, "-m", "flowgen.demo"], lists="all", timeout=20.0))
    >>> len(trace.messages) > 4
    True
    """
    from anyio import CancelScope, create_task_group, sleep, sleep_forever, to_thread

    under_way = recorder(server, **_with_steps(server, options))
    ended: list[bool] = []

    def run() -> "Recording":
        try:
            return under_way.run()
        finally:
            ended.append(True)

    async def interrupt_when_cancelled() -> None:
        try:
            await sleep_forever()
        finally:
            under_way.interrupt()
            under_way.interrupt()
            with CancelScope(shield=True):
                while not ended:
                    await sleep(0.01)

    async with create_task_group() as group:
        group.start_soon(interrupt_when_cancelled)
        recording = await to_thread.run_sync(run)
        group.cancel_scope.cancel()
    return _trace(recording.document)


def recorder(
    server: str | Sequence[str] | None = None,
    *,
    steps: "Sequence[Step]" = (),
    demo: str | None = None,
    lists: str | None = None,
    listen: float | None = None,
    call_safe: bool = False,
    script: File | None = None,
    answers: File | None = None,
    revision: str | None = None,
    timeout: float = 30.0,
    startup_timeout: float = 60.0,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    redact: bool = True,
    redact_keys: Sequence[str] = (),
    max_message: int | None = None,
    approve: bool = False,
    yes: bool = False,
    ask: bool = False,
    terminal: bool = False,
    watch: "Watch | None" = None,
    **web: Any,
) -> "Recorded | RecordedTogether | Hosted":
    """A recording ready to run; `steps` are what is asked for between the lists and listening.

    terminal: a person can be asked. Raises UsageError and ConfigError; nothing is started yet.
    """
    from flowgen import protocol
    from flowgen.record import Limits, Session

    toured = bool(steps) or call_safe or lists is not None or listen is not None
    if script is not None and toured:
        raise UsageError("a script replaces the tour: --call, --list, --listen, … do not go with it", "choose one")
    config = web.get("config")
    sources = {"a server": server, "a demo": demo, "a config": config}
    chosen = [name for name, source in sources.items() if source is not None]
    if len(chosen) > 1:
        raise UsageError(f"{' and '.join(chosen)} do not go together", "choose one of them")
    for limit in (timeout, startup_timeout):
        if not limit > 0:  # so that NaN is refused too
            raise UsageError(f"a time limit is {limit:g}: expected more than 0 seconds", "or leave it out")
    name = (demo or "seed") if server is None and config is None else None
    plan = _plan(script, name)
    if plan is None or toured:
        kinds, as_declared = _kinds(lists)
        toured_steps = protocol.tour(kinds, tuple(steps), as_declared=as_declared, safe=call_safe, listen=listen)
        plan = (plan or protocol.Plan(()))._replace(steps=toured_steps)
    if revision is not None:
        plan = plan._replace(revision=_known(revision))
    yes = yes or (name is not None and script is None and not approve)
    if not (yes or terminal) and (approve or any(step.approve for step in plan.steps)):
        raise UsageError("a person is to be asked before calls, but there is no terminal", "--yes approves every call")
    session = Session(
        plan, _answers(answers, name), protocol.Manners(approve, yes, ask), script is not None,
        Limits(timeout, startup_timeout), max_message, redact, tuple(redact_keys),
    )  # fmt: skip
    return _made(server, name, session, watch, {"env": env, "cwd": cwd, **web})


def _made(
    server: str | Sequence[str] | None, demo: str | None, session: Any, watch: "Watch | None", options: dict[str, Any]
) -> "Recorded | RecordedTogether | Hosted":
    """The recording of a server, of a demo, or of what a host's config names."""
    config, name = options.pop("config", None), options.pop("name", None)
    from flowgen.record import Recorded, RecordedTogether

    if config is not None and name is None:
        called = ["flowgen", "record", "--config", str(config)]
        called += [word for each in options.get("connect_to") or () for word in ("--connect-to", each)]
        return RecordedTogether(several(str(config), options), session, called, watch)
    if config is not None:
        return Recorded(named(str(config), name, options), session, watch)
    if demo is not None and _is_served(demo):
        return Hosted(demo, of_an_address(options, f"demo {demo}"), session, watch)
    return Recorded(target(server, demo, options), session, watch)


def _is_served(demo: str) -> bool:
    from flowgen.demo import transport

    return transport(demo) == "http"


def _known(revision: str) -> str:
    from flowgen.protocol import REVISIONS

    if revision not in ("auto", *REVISIONS):
        raise UsageError(f"no revision {revision!r}", f"known: auto, {', '.join(REVISIONS)}")
    return revision


def _plan(script: File | None, demo: str | None) -> "Plan | None":
    from flowgen.protocol import plan_from

    if script is not None:
        name, data = _file(script)
        return plan_from(data, name)
    if demo is None:
        return None
    from flowgen.demo import is_file, plan

    if is_file(demo):
        return None
    return plan_from(plan(demo), f"demo {demo}")


def _answers(file: File | None, demo: str | None) -> "Answers | None":
    if file is not None:
        name, data = _file(file)
    elif demo is not None:
        from flowgen.demo import answers

        name, data = f"answers of demo {demo}", answers(demo) or b""
    else:
        return None
    if not data:
        return None
    from flowgen.protocol import answers_from

    return answers_from(data, name)


def _file(file: File) -> tuple[str, bytes]:
    if isinstance(file, tuple):
        return file
    try:
        return str(file), Path(file).read_bytes()
    except OSError as problem:
        raise UsageError(f"{file}: {problem.strerror or problem}", "give the path of a TOML file") from None


def _kinds(lists: str | None) -> tuple[tuple[str, ...], bool]:
    """The lists to read, and whether only those that the server declares."""
    from flowgen.protocol import KINDS

    named = {None: ("tools",), "all": KINDS, "none": ()}.get(lists)
    if named is not None:
        return named, True
    kinds = tuple(kind.strip() for kind in str(lists).split(","))
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(f"--list {kind}: no such list", f"known: {', '.join(KINDS)}, all, none")
    return kinds, False


def _with_steps(server: Any, options: RecordOptions) -> dict[str, Any]:
    """The same options for `recorder`, with everything asked for as steps."""
    from flowgen.protocol import Step, completion

    rest: dict[str, Any] = dict(options)
    known_only(rest, RecordOptions.__annotations__)
    fitting(command=server, **rest)
    steps = []
    for name, action in (("calls", "call"), ("reads", "read"), ("prompts", "get")):
        for item in _listed(name, rest):
            target, arguments = _called(name, item)
            steps.append(Step(action, target, arguments=dict(arguments)))
    steps += [Step("complete", completion(str(text), "completes")) for text in _listed("completes", rest)]
    return {**rest, "steps": steps, "yes": True}


def _called(name: str, item: Any) -> tuple[str, Mapping[str, Any]]:
    """A name with its arguments, of which there may be none."""
    if isinstance(item, str):
        return item, {}
    if isinstance(item, tuple | list) and len(item) == 2 and isinstance(item[0], str) and is_json(item[1]):
        return item[0], item[1]
    raise refuse(name, "names, or pairs of a name and its arguments as JSON has them", item)


def _listed(name: str, options: dict[str, Any]) -> Iterable[Any]:
    given: Iterable[Any] = options.pop(name, ())
    if isinstance(given, str):  # its letters are none of them meant
        raise UsageError(f"{name}: expected a list, found {given!r}", f"such as {name}=[{given!r}]")
    return given


def _trace(document: dict[str, Any]) -> "Trace":
    from flowgen.trace import Trace

    shown_in_notebooks()
    return Trace.model_validate(document)
