"""The rule that a recording shows no credentials: whatever flowgen would have masked stands there readable.

What is found is named by its place. It is never repeated.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from flowgen.trace import Mask, Trace

from ._hits import Hit, rule
from ._message import Seen
from ._session import Session

_PLACEHOLDER = re.compile(
    r"(?is)[^a-z0-9]*+(?:x++|redacted|masked|hidden|removed|filtered|secret|token|your[^a-z0-9].*+)?[^a-z0-9]*+"
)


@rule
def secret_visible(session: Session) -> Iterator[Hit]:
    found: list[Hit] = session.worked_out_of_all("visible", lambda everything: list(_visible(everything)))
    yield from found
    if session.everything and (place := _in_header(session.trace)):
        yield Hit(session.everything[0], f"a secret can be read in the recording's {place}")


class _Secrets(Mask):
    """Finds secrets. What somebody else put in the place of one has no fingerprint."""

    def fingerprint(self, hidden: list[str]) -> str:
        """The mark of what was found, empty where nothing can be read."""
        return "" if all(_PLACEHOLDER.fullmatch(each) for each in hidden) else super().fingerprint(hidden)


def _visible(everything: Sequence[Seen]) -> Iterator[Hit]:
    """Each secret where it stands first."""
    mask, told = _Secrets(), set[str]()
    for seen in everything:
        prints: dict[str, str] = mask.message(_parts(seen)).get("fingerprints", {})
        for pointer, mark in prints.items():
            if mark and mark not in told and pointer not in seen.message.redacted:
                yield Hit(seen, f"a secret can be read at {pointer[:120]}")
            told.add(mark)


def _parts(seen: Seen) -> dict[str, Any]:
    """What the mask looks at."""
    message = seen.message
    parts = {"kind": message.kind, "body": message.body, "text": message.text, "head": message.head}
    if message.http:
        parts["http"] = message.http.model_dump(exclude_none=True)
    return parts if message.encoding is None else {**parts, "encoding": message.encoding}


def _in_header(trace: Trace) -> str | None:
    """Which of the addresses and command lines in the header of a recording holds a secret."""
    if trace.command and Mask().argv(list(trace.command)) != list(trace.command):
        return "command"
    return "url" if trace.url and Mask().url(trace.url) != trace.url else None
