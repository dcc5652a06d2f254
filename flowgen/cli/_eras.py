"""Both eras of one server: recorded one after the other, kept as two traces or drawn beside each other."""

import os
import shlex
import sys
from collections.abc import Sequence
from typing import Any

import click

from flowgen.errors import UsageError

from ._diff import FORMS
from ._output import refuse, warnings_told, write

ERAS = {"handshake": "2025-11-25", "stateless": "2026-07-28"}  # era -> the revision in which it is recorded
_CHINESE = ("握手方式", "无状态方式")  # what the eras are called beside each other


def refuse_revision(revision: str | None) -> None:
    """Raises UsageError where one revision and both eras are asked for."""
    if revision is not None:
        raise UsageError(f"--revision {revision} and both eras do not go together", "leave one of them out")


def outputs(output: str) -> dict[str, str]:
    """Era -> the file of its trace, `trace.handshake.json` and `trace.stateless.json`. Raises UsageError for stdout."""
    if output == "-":
        raise UsageError("--both-eras writes two traces, and stdout is one place", "name a file: -o trace.json")
    stem, suffix = os.path.splitext(output)
    return {era: f"{stem}.{era}{suffix or '.json'}" for era in ERAS}


def tell_next(places: dict[str, str]) -> None:
    """For a person at a terminal: how the two are drawn beside each other."""
    if sys.stderr.isatty():
        old, new = (shlex.quote(place) for place in places.values())
        click.echo(f"flowgen: next: flowgen diff {old} {new} -o eras.svg", err=True)


def beside_each_other(
    name: str, output: str, form: str | None, revision: str | None, options: dict[str, Any]
) -> Sequence[str]:
    """Record a demo in both eras and draw them beside each other; the files written, none for stdout.

    Raises UsageError for a format that there is not.
    """
    from flowgen import api
    from flowgen.flow import picture_title

    refuse_revision(revision)
    chosen = form or ("svg" if output == "-" else os.path.splitext(output)[1].lstrip(".") or "svg")
    chosen = {"txt": "text"}.get(chosen, chosen)
    if chosen not in FORMS:
        raise UsageError(f"both eras are not drawn as {chosen}", f"known: {', '.join(FORMS)}")
    refuse(output, chosen)
    traces = [api.record(demo=name, revision=each) for each in ERAS.values()]
    look = {key: options[key] for key in ("theme", "lang") if key in options}
    said = picture_title(traces[1].title or "")
    title, names = (said.zh, _CHINESE) if look.get("lang") == "zh" else (said.en, ("handshake", "stateless"))
    with warnings_told():
        told = api.sessions(traces[0], traces[1], names, title=title, **look)
        files = told.files(chosen)
    return write(output, files, chosen)
