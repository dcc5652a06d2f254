"""Many recordings and config files, a picture each: drawn wherever an executor has room, read and written here.

A task holds the bytes of its input and its answer those of the picture, so that whoever draws needs neither the
same files nor the same folder. An input that cannot be drawn stops no other one.
"""

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, Unpack

from flowgen.errors import BackendMissing, FlowgenError, UsageError

from ._formats import format_of, names, suffix_of
from ._headings import logo_of
from ._options import DrawingOptions, checked
from ._places import places
from ._texts import template_of
from ._views import Asked, picture
from ._written import put

Input = str | Path | tuple[str, bytes]  # a file, or what it is called and its bytes

_AHEAD = 64 << 20  # bytes of inputs that are read and wait to be drawn; the others stay on the disk
_ONE_AT_A_TIME = Lock()  # threads of one process: what a drawing warns of is collected for the whole process
_BROKEN = "a worker ended in the middle of its work, perhaps for want of memory"
_FAULT = "a fault of flowgen; FLOWGEN_DEBUG=1 flowgen render with this input alone shows where"


@dataclass(frozen=True, slots=True)
class Rendered:
    """What became of an input: the files of its picture, or why there are none; and what drawing it warned of."""

    name: str
    files: tuple[str, ...] = ()
    problem: FlowgenError | None = None
    warnings: tuple[str, ...] = ()


class Task(NamedTuple):
    """All that drawing needs to know of one input; `place` is where its first file will stand."""

    name: str
    place: str
    data: bytes
    form: str
    scale: float
    options: DrawingOptions
    asked: Asked = Asked()


class Answer(NamedTuple):
    """The files of a picture, or why there are none, and what drawing it warned of."""

    files: list[bytes]
    warnings: list[str]
    problem: FlowgenError | None = None


def render_many(
    inputs: Iterable[Input],
    out: str | Path,
    executor: Executor | None = None,
    *,
    file_format: str = "svg",
    scale: float = 2.0,
    asked: Asked | None = None,
    ahead: int = _AHEAD,
    each: Callable[[Rendered], object] = lambda rendered: None,
    **options: Unpack[DrawingOptions],
) -> list[Rendered]:
    """Draw each input into the folder `out`, named as its input; without an executor here and now.

    Which picture an input gets it tells itself, unless `asked` does: a recording its flow, a config file or a topology
    its architecture. The list is in the order of the inputs; `each` is told of each of them when it is done. `ahead`
    is how many bytes of inputs may be with the executor at once, one input at least. Raises UsageError and ThemeError
    for what cannot be asked for, and BackendMissing, for that meets all of them.
    """
    form = format_of(None, file_format)
    given = [(str(one), None) if isinstance(one, str | Path) else one for one in inputs]
    called = [name for name, _ in given]
    targets = places(called, str(out), suffix_of(form))
    pattern = Task("", "", b"", form, scale, _sent(options), asked or Asked())
    _prepare(str(out), targets, [name for name, data in given if data is None])
    found: dict[int, Rendered] = {}
    written: dict[str, str] = {}
    for at, answer in _answers(given, targets, pattern, executor or _Here(), ahead if executor else 0):
        found[at] = _kept(called[at], targets[at], answer, form, written)
        each(found[at])
    return [found[at] for at in range(len(given))]


def draw(task: Task) -> Answer:
    """Draw one input; this is what an executor runs. Whatever goes wrong is in the answer."""
    with _ONE_AT_A_TIME, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            drawn = picture(task.name, task.data, task.asked, task.options)
            files = drawn.files(task.form, task.scale, task.place)
        except Exception as raised:
            return Answer([], _lines(told), _problem(raised))
    return Answer(files, _lines(told))


class _Sent(NamedTuple):
    """The position of an input that is being drawn, and its size in bytes."""

    at: int
    size: int


class _Here(Executor):
    """Draws at once, in this thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """The result is there when this returns."""
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def _sent(options: DrawingOptions) -> DrawingOptions:
    """The options with what they name in files, for another machine has not the same. Raises UsageError, ThemeError."""
    from flowgen.scene import theme

    checked(options)
    named = options.get("theme", "auto")
    logo, template = options.get("logo"), options.get("template")
    return {
        **options,
        "theme": theme(named) if isinstance(named, str) else named,
        "logo": logo_of(logo) if logo is not None else None,
        "template": template_of(template) if template is not None else None,
    }


def _prepare(out: str, targets: Sequence[str], files: Sequence[str]) -> None:
    """Make the folder. Raises UsageError where a picture would take the place of an input."""
    taken = {os.path.realpath(file) for file in files}
    for target in targets:
        if os.path.realpath(target) in taken:
            raise UsageError(f"{target}: this is what is to be drawn", "choose another folder for the pictures")
    try:
        os.makedirs(out or ".", exist_ok=True)
    except OSError as problem:
        raise FlowgenError(f"{out}: {problem.strerror or problem}", "name a folder that can be written") from None


def _answers(
    given: Sequence[tuple[str, bytes | None]], targets: Sequence[str], pattern: Task, executor: Executor, ahead: int
) -> Iterator[tuple[int, Answer]]:
    """The answers with the positions of their inputs, in the order in which they come back."""
    waiting: dict[Future[Answer], _Sent] = {}
    under_way = 0
    try:
        for at, (name, data) in enumerate(given):
            future, size = _submitted(executor, pattern._replace(name=name, place=targets[at]), data)
            waiting[future] = _Sent(at, size)
            under_way += size
            while waiting and under_way >= ahead:
                for sent, answer in _back(waiting):
                    under_way -= sent.size
                    yield sent.at, answer
        while waiting:
            yield from ((sent.at, answer) for sent, answer in _back(waiting))
    finally:
        for future in waiting:
            future.cancel()


def _submitted(executor: Executor, task: Task, data: bytes | None) -> "tuple[Future[Answer], int]":
    """The input on its way, and its size. What cannot be read or handed over is an answer, too."""
    try:
        read = Path(task.name).read_bytes() if data is None else data
        return executor.submit(draw, task._replace(data=read)), len(read)
    except (OSError, BrokenExecutor) as raised:
        failed: Future[Answer] = Future()
        failed.set_result(Answer([], [], _problem(raised)))
        return failed, 0


def _back(waiting: dict["Future[Answer]", "_Sent"]) -> Iterator[tuple["_Sent", Answer]]:
    """What has come back, once something has."""
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in done:
        sent = waiting.pop(future)
        try:
            yield sent, future.result()
        except Exception as raised:  # of the executor itself, for `draw` raises nothing
            yield sent, Answer([], [], _problem(raised))


def _kept(name: str, target: str, answer: Answer, form: str, written: dict[str, str]) -> Rendered:
    """Write the files of an answer; `written` tells of which input each file is that was written before."""
    problem = answer.problem
    if isinstance(problem, BackendMissing):
        raise problem
    files = names(target, len(answer.files), form) if problem is None else []
    try:
        for file, data in zip(files, answer.files, strict=True):
            if file in written:
                raise FlowgenError(f"{file} is a page of {written[file]} already", "draw one of them elsewhere")
            put(file, data)
            written[file] = name
    except FlowgenError as raised:
        problem = raised
    return Rendered(name, tuple(files) if problem is None else (), _named(name, problem), tuple(answer.warnings))


def _named(name: str, problem: FlowgenError | None) -> FlowgenError | None:
    """The problem, saying which input has it."""
    if problem is None or str(problem).startswith(f"{name}:"):
        return problem
    return FlowgenError(f"{name}: {problem}", problem.hint)


def _problem(raised: Exception) -> FlowgenError:
    match raised:
        case FlowgenError():
            return raised
        case OSError():
            return FlowgenError(raised.strerror or str(raised), "give the path of a trace or a config file")
        case CancelledError():
            return FlowgenError("was given up by who was to draw it", "see whether the cluster is still there")
        case BrokenExecutor():
            return FlowgenError(_BROKEN, "--jobs 1 draws one after the other")
    return FlowgenError(f"{type(raised).__name__}: {raised}", _FAULT)


def _lines(told: Sequence[warnings.WarningMessage]) -> list[str]:
    return list(dict.fromkeys(str(warning.message) for warning in told))
