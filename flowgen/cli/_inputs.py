"""The inputs of a command: files, the traces of folders, stdin; each once. And the options for several of them."""

import glob
import os
import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import BinaryIO

import click

from flowgen.errors import UsageError

from ._options import adding
from ._output import say

STDIN = "-"
_KEPT = "flowgen.stdin"
_TRACES = ("*.json", "*.jsonl")


def _jobs(context: click.Context, option: click.Parameter, given: str) -> int | None:
    """How many processes; `auto` is None."""
    if given == "auto":
        return None
    if given.isdecimal() and int(given) > 0:
        return int(given)
    raise click.BadParameter(f"{given!r} is neither a number of processes nor auto.")


_OPTIONS = (
    click.option("--together", default="auto", show_default=True, type=click.Choice(["auto", "time", "stacked", "alt"]),
                 help="Several inputs in one picture: merged by time, one below the other, or as branches after what "
                      "they have in common; auto is time where they went on at the same time, else stacked."),
    click.option("--jobs", default="auto", show_default=True, callback=_jobs, metavar="N|auto",
                 help="Processes that draw a folder's pictures; 1 is none beside this one."),
    click.option("--scheduler", metavar="ADDRESS",
                 help="Let a Dask cluster draw a folder's pictures: tcp://HOST:8786 (extra dask)."),
)  # fmt: skip


several = adding(_OPTIONS)


def inputs_of(named: Sequence[str], *, configs: bool = False) -> list[str]:
    """The files that are meant, `-` for stdin; what is named twice is told and taken once. Raises UsageError.

    `configs`: a folder stands for the config files of a project, too, where known hosts look for them.
    """
    found: dict[str, str] = {}
    for name in (name for one in named for name in _opened(one, configs)):
        real = name if name == STDIN else os.path.realpath(name)
        if real in found:
            say(f"{name}: named twice, drawn once")
        found.setdefault(real, name)
    return list(found.values())


def is_folder(output: str | None) -> bool:
    """Whether pictures go into a folder: one that is there, or a name that ends as one."""
    return bool(output) and (os.path.isdir(output or "") or (output or "").endswith(("/", os.sep)))


def names_of(inputs: Sequence[str]) -> list[str]:
    """What several inputs are called beside each other: by their files, with as many folders as tell them apart."""
    paths = [["stdin"] if one == STDIN else os.path.abspath(one).split(os.sep) for one in inputs]
    for depth in range(1, max(map(len, paths)) + 1):
        names = ["/".join(path[-depth:]) for path in paths]
        if len({*names}) == len(names):
            break
    return names


def read_stdin() -> bytes:
    """Everything that comes in; it is read once, however often it is asked for."""
    kept: dict[str, bytes] = click.get_current_context().meta
    if _KEPT not in kept:
        kept[_KEPT] = sys.stdin.buffer.read()
    return kept[_KEPT]


def stdin_file() -> BinaryIO:
    """What comes in, as it comes, unless it was read already."""
    kept = click.get_current_context().meta.get(_KEPT)
    return sys.stdin.buffer if kept is None else BytesIO(kept)


def read_pipe(name: str) -> bytes:
    """Everything that comes through a pipe (`<(…)` of a shell); it is read once, however often it is asked for."""
    kept: dict[str, bytes] = click.get_current_context().meta
    key = f"{_KEPT}.{name}"
    if key not in kept:
        with open(name, "rb") as pipe:
            kept[key] = pipe.read()
    return kept[key]


def is_pipe(name: str) -> bool:
    """Whether what a path leads to can be read only once."""
    return name != STDIN and os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name)


def is_config(name: str) -> bool:
    """Whether a host's config file comes from a path, through a pipe, or from stdin."""
    from flowgen import api

    if name == STDIN:
        return is_config_on_stdin()
    return api.is_config((name, read_pipe(name)) if is_pipe(name) else name)


def is_config_on_stdin() -> bool:
    """Whether a host's config file comes in. A recording, which may have any length, is left to be read."""
    from flowgen import api

    head = api.head_of(sys.stdin.buffer)
    return bool(head) and not api.is_recording(head) and api.is_config(("stdin", read_stdin()))


def sources_of(names: Sequence[str]) -> list[str | tuple[str, bytes]]:
    """Paths as they are, and what comes in at stdin or through a pipe as (name, bytes)."""
    return [source_of(name) for name in names]


def source_of(name: str) -> str | tuple[str, bytes]:
    """A path as it is, or what comes in as (name, bytes)."""
    if name == STDIN:
        return "stdin", read_stdin()
    return (name, read_pipe(name)) if is_pipe(name) else name


def _opened(name: str, configs: bool) -> Iterator[str]:
    """A file as it is; of a folder the traces in it, and the configs where those are meant, in the order of names."""
    if not os.path.isdir(name):
        yield name
        return
    inside = [path for form in _TRACES for path in glob.glob(os.path.join(glob.escape(name), form))]
    if configs:
        inside = list({*inside, *_of_hosts(name)})
    if not inside:
        hint = "name a trace, or a folder with some; config files by their names: flowgen hosts --discover"
        raise UsageError(f"{name}: a folder without traces (*.json, *.jsonl)", hint)
    yield from sorted(inside)


def _of_hosts(folder: str) -> list[str]:
    """The config files of hosts that lie in a project's folder."""
    from flowgen import api

    paths = [os.path.join(folder, file.path) for file in api.host_files() if file.project]
    return [path for path in paths if os.path.isfile(path) and api.is_config(path)]
