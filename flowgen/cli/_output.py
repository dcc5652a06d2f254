"""Where a picture goes: a file, or stdout. What cannot be written is told before anything starts."""

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from flowgen.errors import FlowgenError, UsageError

STDOUT = "-"


def say(text: str, about: str = "flowgen") -> None:
    """One line on stderr, with everything that a terminal would act on made visible."""
    line = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in " ".join(text.split("\n")))
    click.echo(f"{about}: {line}", err=True)


def refuse(output: str | None, form: str, sources: Sequence[str] = ()) -> None:
    """Raises UsageError for a place that can take no picture: `output` is a path, `-` or nothing.

    `sources` are what the picture is drawn from, none of which it must take the place of.
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
    elif any(_same(output, source) for source in sources):
        raise UsageError(f"-o {output}: the picture is made of this", "give the picture a name of its own")


@contextmanager
def warnings_told() -> Iterator[None]:
    """What drawing warns of is told on stderr in a line each, once, when it is done."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        yield
    for message in dict.fromkeys(str(warning.message) for warning in told):
        say(message)


def placed(output: str | None) -> str | None:
    """The file that `-o` names; None for stdout."""
    return None if output == STDOUT else output


def write(output: str | None, files: Sequence[bytes], form: str) -> Sequence[str]:
    """Write the files of a picture to the place, under the names that a format gives them where they are several.

    The names that were written, none for stdout. Raises UsageError for several on stdout, FlowgenError where writing
    fails.
    """
    from flowgen import api

    if output is not None and output != STDOUT:
        names = api.names(output, len(files), form)
        for name, data in zip(names, files, strict=True):
            api.put(name, data)
        return names
    if len(files) > 1:
        raise UsageError(f"the picture has {len(files)} pages, too many for stdout", "give it a name: -o FILE")
    put_out(files[0])
    return ()


def put_out(data: bytes) -> None:
    """Write to stdout. Raises FlowgenError where that fails."""
    try:
        sys.stdout.buffer.write(_readable(data) if sys.stdout.isatty() else data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise  # whoever reads has gone
    except OSError as problem:
        raise FlowgenError(f"stdout: {problem.strerror or problem}", "give a place that can be written") from None


def _readable(text: bytes) -> bytes:
    """UTF-8 in the encoding of a terminal that has another one; only texts come to a terminal."""
    return text.decode("utf-8", "replace").encode(sys.stdout.encoding or "utf-8", "backslashreplace")


def _same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:  # one of them is not there
        return False
