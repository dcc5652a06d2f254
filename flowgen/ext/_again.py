"""A marker that records: a server is spoken with anew, so that a page follows it. Only where whoever runs flowgen says
so, for the document may be a stranger's.
"""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flowgen.errors import ConfigError, FlowgenError, UsageError

from ._grounds import Grounds
from ._marked import Marked

if TYPE_CHECKING:
    from flowgen.trace import Trace

_ADDRESSES = ("http://", "https://")  # of servers that run somewhere already
_FILES = ("script", "answers")


class Again:
    """The recording of a marker, made when it is first asked for; nothing where the marker records none."""

    def __init__(self, said: Marked, grounds: Grounds, allowed: bool) -> None:
        self.said, self.grounds = said, grounds
        if said.record is not None and not allowed:
            raise UsageError(
                f"this marker starts a program: {said.record}",
                "a Markdown file from a stranger must never do that; read the command, then give --allow-record",
            )

    def recorded(self) -> tuple[str, bytes] | None:
        """Its name and bytes, as for `drawn`."""
        return (self._name, self._bytes) if self.said.record is not None else None

    def kept(self, changed: bool) -> tuple[Path, bytes | None, bytes] | None:
        """The file that the marker keeps the recording in, as it is and as it should be; None where that may stay.

        It stays while the picture does: times and ids differ each time, which is no news.
        """
        if self.said.record is None or not self.said.wish.sources:
            return None
        path = self.grounds(self.said.wish.sources[0])
        before = path.read_bytes() if path.is_file() else None
        if path.is_dir() or (before is not None and not _is_recording(before)):
            raise ConfigError(f"{path}: no recording, so it stays", "name the file that recordings are kept in")
        return (path, before, self._bytes) if changed or before is None else None

    @property
    def _name(self) -> str:
        return self.said.wish.sources[0] if self.said.wish.sources else "the recording"

    @cached_property
    def _bytes(self) -> bytes:
        trace = self._trace()
        outcome = trace.outcome
        if outcome is None or not outcome.complete:
            how = f" ({outcome.reason})" if outcome else ""
            raise FlowgenError(f"{self.said.record}: the session did not run to its end{how}", "nothing was changed")
        return _document(trace, self._name)

    def _trace(self) -> "Trace":
        """The session; a program is started in the folder of the document."""
        from flowgen import api

        options: dict[str, Any] = dict(self.said.options or {})
        for name in _FILES:
            if name in options:
                options[name] = str(self.grounds(options[name]))
        if not str(self.said.record).startswith(_ADDRESSES):
            options["cwd"] = str(self.grounds.folder)
        return api.record(self.said.record, **options)


def _is_recording(data: bytes) -> bool:
    from flowgen import api

    return api.is_recording(data)


def _document(trace: "Trace", name: str) -> bytes:
    """As `flowgen record` writes it."""
    from flowgen.trace import document_bytes, lines

    document = {**trace.model_dump(exclude_unset=True), "format": trace.format}
    return b"".join(lines(document)) if name.endswith(".jsonl") else document_bytes(document)
