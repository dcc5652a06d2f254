"""The public functions: they put the parts together, and are the only place that knows all of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from flowgen.errors import FlowgenError, TraceError, UsageError

if TYPE_CHECKING:
    from flowgen.protocol import Answers, Plan, Step
    from flowgen.record import Recorded, Watch
    from flowgen.scene import Scene, Theme
    from flowgen.trace import Trace

Format = Literal["svg", "png", "pdf", "json"]
Notes = Literal["none", "brief", "full"]
Times = Literal["none", "latency", "clock"]

_FORMATS: dict[str, Format] = {".svg": "svg", ".png": "png", ".pdf": "pdf", ".json": "json"}


def load(source: str | Path | bytes, name: str | None = None) -> "Trace":
    """Read a recording from a file's path or its bytes, in either layout.

    `name` is what errors call it. Raises TraceError when it is none.
    """
    from flowgen.trace import load as read

    if isinstance(source, bytes):
        return read(source, name or "trace")
    try:
        return read(Path(source).read_bytes(), name or str(source))
    except OSError as problem:
        raise TraceError(f"{source}: {problem.strerror or problem}", "give the path of a trace file") from None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture that is laid out and can be had in every format."""

    scene: "Scene"
    theme: "Theme"
    data: dict[str, object]
    width: float | None = None

    @property
    def svg(self) -> str:
        """The picture as SVG."""
        from flowgen.backends import svg

        return svg(self.scene, self.theme, self.width)

    def png(self, scale: float = 2.0) -> bytes:
        """The picture as PNG, `scale` px for each of its own."""
        from flowgen.backends import png

        return png(self.scene, self.theme, scale)

    def pdf(self) -> bytes:
        """The picture as PDF."""
        from flowgen.backends import pdf

        return pdf(self.scene, self.theme)

    def json(self) -> str:
        """The flow behind the picture, as data."""
        import json

        return json.dumps(self.data, indent=1) + "\n"

    def file(self, form: Format, scale: float = 2.0) -> bytes:
        """The bytes of a file in a format."""
        match form:
            case "svg":
                return self.svg.encode()
            case "png":
                return self.png(scale)
            case "pdf":
                return self.pdf()
            case "json":
                return self.json().encode()


def drawing(
    trace: "Trace",
    *,
    title: str | None = None,
    theme: str = "auto",
    lang: str = "en",
    notes: Notes = "brief",
    times: Times = "none",
    steps: str | None = None,
    only: Sequence[str] = (),
    hide: Sequence[str] = (),
    show: Sequence[str] = (),
    fold: int = 2,
    full: bool = False,
    width: float | None = None,
) -> Drawing:
    """Lay a recording out as a swim lane.

    theme: `auto`, `light`, `dark`, a name or a TOML file. lang: `en`, `zh`, `en+zh`. steps: such as `1-3,5`.
    only: glob patterns of methods. hide, show: kinds of messages. fold: how many neighbours of one shape stand
    before they fold; full draws everything. width: px on display. Raises UsageError and ThemeError.
    """
    from flowgen import flow, scene

    story = flow.read(trace, notes=notes, fold=fold, full=full, steps=steps, only=only, hide=hide, show=show)
    picture = scene.duo(story, lang=lang, times=times, title=title, full=full)
    return Drawing(picture, scene.theme(theme), flow.as_data(story), width)


def format_of(out: str | Path | None, form: str | None = None) -> Format:
    """The format asked for, else the one of the suffix, else svg. Raises UsageError for one we do not write."""
    suffix = Path(out).suffix.lower() if out is not None else ""
    wanted = form or (suffix[1:] if suffix else "svg")
    for known in _FORMATS.values():
        if wanted == known:
            return known
    raise UsageError(f"no format {wanted!r}", f"known: {', '.join(_FORMATS.values())}; choose with -f or the suffix")


def render(trace: "Trace", out: str | Path, *, form: str | None = None, scale: float = 2.0, **options: object) -> None:
    """Draw a recording into a file; the suffix tells the format. `options` are those of `drawing`."""
    data = drawing(trace, **options).file(format_of(out, form), scale)  # type: ignore[arg-type]
    try:
        Path(out).write_bytes(data)
    except OSError as problem:
        raise FlowgenError(f"{out}: {problem.strerror or problem}", "give a place that can be written to") from None


File = str | Path | tuple[str, bytes]  # a path, or a name for errors and the bytes


class RecordOptions(TypedDict, total=False):
    """What a recording can be asked for; the command line's options of the same names.

    demo: a bundled demo instead of a server. calls, prompts: names, or pairs of name and arguments. reads: URIs.
    completes: `REF:ARG=VALUE`. lists: `tools`, `all`, `none`, or kinds with commas. listen: seconds at the end.
    script, answers: TOML files. revision: one of the specification's, or `auto`. timeout, startup_timeout: seconds.
    env: variables on top of our own, masked. redact_keys: further names of secrets. max_message: bytes.
    """

    demo: str | None
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


def record(server: str | Sequence[str] | None = None, **options: Unpack[RecordOptions]) -> "Trace":
    """Start an MCP server over stdio, speak with it, and give everything that was seen.

    `server` is an argv, or a command as for a shell; without one the demo is recorded. However the server behaves
    there is a trace, and its `outcome` tells how it ended. Raises UsageError and ConfigError before anything starts.
    """
    return _trace(recorder(server, **_with_steps(options)).run().document)


async def record_async(server: str | Sequence[str] | None = None, **options: Unpack[RecordOptions]) -> "Trace":
    """The same under asyncio or trio; when it is cancelled, the server is ended before it returns."""
    from anyio import create_task_group, sleep_forever, to_thread

    under_way = recorder(server, **_with_steps(options))

    async def interrupt_when_cancelled() -> None:
        try:
            await sleep_forever()
        finally:
            under_way.interrupt()
            under_way.interrupt()

    async with create_task_group() as group:
        group.start_soon(interrupt_when_cancelled)
        recording = await to_thread.run_sync(under_way.run)
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
) -> "Recorded":
    """A recording ready to run; `steps` are what is asked for between the lists and listening.

    terminal: a person can be asked. Raises UsageError and ConfigError; nothing is started yet.
    """
    from flowgen import protocol
    from flowgen.record import Limits, Recorded, Server, Session
    from flowgen.wire import MAX_MESSAGE

    toured = bool(steps) or call_safe or lists is not None or listen is not None
    if script is not None and toured:
        raise UsageError("a script replaces the tour: --call, --list, --listen, … do not go with it", "choose one")
    if server is not None and demo is not None:
        raise UsageError("a server and a demo do not go together", "leave --demo out")
    name = (demo or "seed") if server is None else None
    plan = _plan(script, name)
    if plan is None or toured:
        kinds, as_declared = _kinds(lists)
        toured_steps = protocol.tour(kinds, tuple(steps), as_declared=as_declared, safe=call_safe, listen=listen)
        plan = (plan or protocol.Plan(()))._replace(steps=toured_steps)
    if revision is not None:
        plan = plan._replace(revision=revision)
    yes = yes or (name is not None and script is None and not approve)
    if not (yes or terminal) and (approve or any(step.approve for step in plan.steps)):
        raise UsageError("a person is to be asked before calls, but there is no terminal", "--yes approves every call")
    session = Session(
        plan, _answers(answers, name), protocol.Manners(approve, yes, ask), script is not None,
        Limits(timeout, startup_timeout), max_message or MAX_MESSAGE, redact, tuple(redact_keys),
    )  # fmt: skip
    return Recorded(Server(_argv(server, name), env or {}, cwd), session, watch)


def _argv(server: str | Sequence[str] | None, demo: str | None) -> tuple[str, ...]:
    import os

    from flowgen.record import is_address, split_command

    if demo is not None:
        from flowgen.demo import argv

        return tuple(argv(demo))
    argv_ = split_command(server, windows=os.name == "nt") if isinstance(server, str) else list(server or ())
    if len(argv_) == 1 and is_address(argv_[0]):
        raise UsageError(
            f"{argv_[0]}: this version records servers that it starts itself, over stdio; not addresses",
            "give the command that starts the server: --server 'python server.py'",
        )
    return tuple(argv_)


def _plan(script: File | None, demo: str | None) -> "Plan | None":
    from flowgen.protocol import plan_from

    if script is not None:
        name, data = _file(script)
        return plan_from(data, name)
    if demo is None:
        return None
    from flowgen.demo import plan

    return plan_from(plan(demo), f"demo {demo}")


def _answers(file: File | None, demo: str | None) -> "Answers":
    from flowgen.protocol import Answers, answers_from

    if file is not None:
        name, data = _file(file)
        return answers_from(data, name)
    if demo is None:
        return Answers()
    from flowgen.demo import answers

    given = answers(demo)
    return Answers() if given is None else answers_from(given, f"answers of demo {demo}")


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


def _with_steps(options: RecordOptions) -> dict[str, Any]:
    """The same options for `recorder`, with everything asked for as steps."""
    from flowgen.protocol import Step, completion

    rest: dict[str, Any] = dict(options)
    steps = []
    for name, action in (("calls", "call"), ("reads", "read"), ("prompts", "get")):
        for item in rest.pop(name, ()):
            target, arguments = (item, {}) if isinstance(item, str) else item
            steps.append(Step(action, target, arguments=dict(arguments)))
    steps += [Step("complete", completion(text, "completes")) for text in rest.pop("completes", ())]
    return {**rest, "steps": steps, "yes": True}


def _trace(document: dict[str, Any]) -> "Trace":
    from flowgen.trace import Trace

    return Trace.model_validate(document)
