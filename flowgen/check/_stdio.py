"""Rules of the stdio transport: lines, their encoding, and how a server ends."""

import json
import re
from collections.abc import Iterator

from ._hits import Hit, once, rule
from ._message import Seen, obj
from ._session import Session

_CHALLENGE = re.compile(r"(?i)www-authenticate|resource_metadata")


@rule
def stdio_not_json(session: Session) -> Iterator[Hit]:
    for seen in session.messages:
        if seen.kind == "noise" and seen.has("not-json", "not-json-rpc") and not seen.has("bom", "truncated"):
            yield Hit(seen, f"a line that is no message: {(seen.message.text or '')[:60]!r}")
        elif seen.has("several-on-a-line"):
            yield Hit(seen, "several messages on one line")


@rule
def stdio_embedded_newline(session: Session) -> Iterator[Hit]:
    for seen in session.messages:
        if seen.has("split-message"):
            yield Hit(seen, "a message over several lines")


@rule
def stdio_encoding(session: Session) -> Iterator[Hit]:
    for seen in session.messages:
        if seen.kind != "stderr" and seen.has("invalid-utf8", "bom"):
            yield Hit(seen, "a byte order mark" if seen.has("bom") else "bytes that are no UTF-8")


@rule
def stdio_unterminated(session: Session) -> Iterator[Hit]:
    for seen in session.messages:
        if seen.has("unterminated") and seen.side == "server":
            yield Hit(seen, "the last line has no newline")


@rule
def stdio_exit_forced(session: Session) -> Iterator[Hit]:
    closed = next((seen.at for seen in session.messages if seen.event == "stdin-closed"), None)
    return once(Hit(seen, "the server lived on after its stdin was closed", by="server") for seen in session.messages
                if seen.kind == "process" and (seen.has("had-to-be-killed") or _was_killed(seen, closed)))  # fmt: skip


@rule
def stdio_oauth(session: Session) -> Iterator[Hit]:
    for seen in session.errors():
        if _CHALLENGE.search(json.dumps(seen.error, ensure_ascii=False, default=str)):
            yield Hit(seen, "an error asks for OAuth")


def _was_killed(seen: Seen, closed: int | None) -> bool:
    """Whether a process was ended by a signal after its stdin was closed."""
    signal = obj(seen.message.body).get("signal")
    return seen.event == "exited" and signal in ("SIGTERM", "SIGKILL") and closed is not None and closed < seen.at
