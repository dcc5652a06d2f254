"""`flowgen cut`: a doc-sized part of a recording."""

import sys
from typing import Any

import click

from ._convert import refuse_place
from ._foreign import recordings
from ._help import Plain
from ._inputs import STDIN
from ._output import STDOUT, put_out, warnings_told
from ._words import FILE

_EXAMPLES = """
\b
Examples:
  flowgen cut trace.json --steps 2-3 -o part.json
  flowgen cut session.har --messages 5-9 -o part.jsonl
"""


@click.command(cls=Plain, epilog=_EXAMPLES)
@click.argument("source", metavar="TRACE", type=FILE)
@click.option("-o", "--output", metavar="OUT", type=FILE,
              help="A trace (.json, or .jsonl for JSON Lines); - or nothing is stdout.")
@click.option("--steps", metavar="RANGE", help="The steps to keep, as the picture numbers them: 2-3, 4, -2 or 3-.")
@click.option("--messages", metavar="RANGE", help="The messages to keep, as the picture numbers them: 5-9.")
@recordings
def cut(source: str, output: str | None, steps: str | None, messages: str | None, **recorded: Any) -> None:
    """Write a part of a recording that says it is one.

    Steps and messages keep the numbers that they have in the whole recording, which the picture names.
    """
    from flowgen import api
    from flowgen.trace import document_bytes, save

    place = None if output in (None, STDOUT) else output
    refuse_place(source, place)
    with warnings_told():
        if source == STDIN:
            trace = api.load(sys.stdin.buffer, "stdin", view="flow", **recorded)
        else:
            trace = api.load(source, view="flow", **recorded)
        document = api.cut(trace, steps=steps, messages=messages).model_dump(exclude_unset=True)
    if place is None:
        put_out(document_bytes(document))
    else:
        save(document, place)
