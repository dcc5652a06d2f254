"""Where a picture goes: a file, or stdout. What cannot be written is told before anything starts."""

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from flowgen.errors import FlowgenError, UsageError

STDOUT = "-"


def refuse(output: str | None, form: str, source: str | None = None) -> None:
    """Raises UsageError for a place that can take no picture: `output` is a path, `-` or nothing.

    `source` is what the picture is drawn from, which it must not take the place of.
    """
    from flowgen.api import BINARY

    if output is None or output == STDOUT:
        if form in BINARY and sys.stdout.isatty():
            raise UsageError(f"a {form} is not for a terminal", f"give it a file: -o flow.{form}")
    elif not output:
        raise UsageError("-o: the name is empty", f"name a file: -o flow.{form}")
    elif os.path.isdir(output):
        raise UsageError(f"-o {output}: this is a folder", f"name a file: -o {os.path.join(output, f'flow.{form}')}")
    elif not os.path.isdir(os.path.dirname(output) or "."):
        raise UsageError(f"-o {output}: there is no such folder", f"mkdir -p {os.path.dirname(output)}")
    elif source is not None and _same(output, source):
        raise UsageError(f"-o {output}: this is what is to be drawn", "give the picture a name of its own")


@contextmanager
def warnings_told() -> Iterator[None]:
    """What drawing warns of is told on stderr in a line each, when it is done."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        yield
    for warning in told:
        click.echo(f"flowgen: {warning.message}", err=True)


def write(output: str | None, files: Sequence[bytes]) -> None:
    """Write the files of a picture to the place, with numbers in their names where they are several.

    Raises UsageError for several on stdout, FlowgenError where writing fails.
    """
    from flowgen import api

    if output is not None and output != STDOUT:
        for name, data in zip(api.names(output, len(files)), files, strict=True):
            _put(name, data)
    elif len(files) == 1:
        _put(None, files[0])
    else:
        raise UsageError(f"the picture has {len(files)} pages, too many for stdout", "give it a name: -o FILE")


def _put(name: str | None, data: bytes) -> None:
    try:
        if name is None:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            with open(name, "wb") as file:
                file.write(data)
    except BrokenPipeError:
        raise  # whoever reads has gone
    except OSError as problem:
        place = name or "stdout"
        raise FlowgenError(f"{place}: {problem.strerror or problem}", "give a place that can be written") from None


def _same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:  # one of them is not there
        return False
