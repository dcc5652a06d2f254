"""One recording format into another. What the target cannot hold is said, never left out in silence."""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from flowgen.errors import TraceError, UsageError

from ._kinds import fitting, readable, writable
from ._selected import Selected
from ._traces import reading_of

if TYPE_CHECKING:
    from flowgen.foreign import Reading as ForeignReading
    from flowgen.trace import Reading as OwnReading

    Found = OwnReading | ForeignReading

Document = dict[str, Any]
Made = tuple[bytes, list[str]]  # a file, and what it cannot hold

_CHUNK = 1 << 20  # bytes
_JSON, _LINES = "json", "jsonl"


def convert(
    source: str | Path | bytes | BinaryIO,
    out: str | Path | BinaryIO,
    *,
    source_format: str | None = None,
    to: str | None = None,
    server: str | None = None,
    name: str | None = None,
) -> list[str]:
    """Write a recording in another format: a trace as `json` or `jsonl`, or one of `targets()`; else the suffix tells.

    Gives what the target cannot hold, in words. `source_format`, `server` and `name` are as for `load`. Lines into
    JSON Lines go message by message, whatever their number. Raises TraceError and UsageError.

    >>> flowgen.convert("trace.json", "trace.jsonl")
    []
    >>> flowgen.convert("trace.json", "spans.otlp.json")
    ['3 messages about the process', 'the title']
    """
    from flowgen.trace import Reading

    readable(source)
    writable(out)
    fitting(source_format=source_format, to=to, server=server, name=name)
    form = target_of(out if isinstance(out, str | Path) else None, to)
    with _opened(source, name) as (file, called):
        reading = reading_of(file, called, source_format)
        if form == _LINES and server is None and not isinstance(reading, Reading):
            _stream(reading, out)
            return []
        data, lost = _written(form, _document(reading, server, called))
    _put(out, (data,))
    return lost


def targets() -> tuple[str, ...]:
    """The names of what is written."""
    from flowgen.foreign import FORMATS

    return (_JSON, _LINES, *(form.name for form in FORMATS if form.writer))


def target_of(out: str | Path | None, to: str | None) -> str:
    """The format asked for, else the one of the suffix; of no name a trace. Raises UsageError."""
    if to is not None and to not in targets():
        raise UsageError(f"--to {to}: no such format", f"known: {', '.join(targets())}")
    if to is not None or out is None:
        return to or _JSON
    from flowgen.foreign import FORMATS

    plain = Path(out).name.lower()
    own = next((form.name for form in FORMATS if form.writer and plain.endswith(form.suffixes)), None)
    found = own or next((form for form in (_LINES, _JSON) if plain.endswith(f".{form}")), None)
    if found is None:
        raise UsageError(f"{out}: the name does not tell the format", f"say it with --to: {', '.join(targets())}")
    return found


def _written(form: str, document: Document) -> Made:
    from flowgen.foreign import named
    from flowgen.trace import document_bytes, lines

    ours: dict[str, Callable[[Document], bytes]] = {
        _JSON: document_bytes, _LINES: lambda trace: b"".join(lines(trace)),
    }  # fmt: skip
    if form in ours:
        return ours[form](document), []
    target = named(form)
    assert target is not None
    data, lost = target.write()(document)
    return data, lost


def _document(reading: "Found", server: str | None, name: str) -> Document:
    """The whole recording as plain values, as its file would have them."""
    from flowgen.trace import Reading

    if server is None and not isinstance(reading, Reading):
        return reading.document()
    found = reading if server is None else Selected(reading, server, name)
    trace = found.finished([message for batch in found.batches() for message in batch])
    return trace.model_dump(exclude_unset=True) | {"format": trace.format}


def _stream(reading: "ForeignReading", out: str | Path | BinaryIO) -> None:
    """The messages wait in a file of their own until it is known who takes part, which is the first line."""
    from flowgen.trace import line

    with tempfile.TemporaryFile() as rows:
        for batch in reading.rows():
            rows.writelines(map(line, batch))
        header, outcome, late = reading.end()
        rows.seek(0)
        end = {"outcome": outcome, **({"problems": late} if late else {})}
        _put(out, chain([line(header)], iter(lambda: rows.read(_CHUNK), b""), [line(end)]))


def _put(out: str | Path | BinaryIO, pieces: Iterable[bytes]) -> None:
    """Readable by its owner only, for a recording may hold what is private."""
    from flowgen.trace import keep

    if isinstance(out, str | Path):
        keep(pieces, str(out))
    else:
        out.writelines(pieces)


@contextmanager
def _opened(source: str | Path | bytes | BinaryIO, name: str | None) -> Iterator[tuple[BinaryIO, str]]:
    if isinstance(source, bytes):
        yield BytesIO(source), name or "trace"
        return
    if not isinstance(source, str | Path):
        yield source, name or "trace"
        return
    try:
        file = open(source, "rb")  # noqa: SIM115  # what reading raises is no fault of opening
    except OSError as problem:
        raise TraceError(f"{source}: {problem.strerror or problem}", "give the path of a recording") from None
    with file:
        yield file, name or str(source)
