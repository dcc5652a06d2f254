"""Rules of resources, prompts, completion and logging."""

import re
from collections.abc import Iterator

from flowgen.trace import Mask

from ._hits import Hit, rule
from ._message import LISTEN, PREFIX, Seen, items, obj, objects, text
from ._session import Session

_MISSING = re.compile(r"(?i)not[ -]?found|unknown|no such|does(?: not|n't) exist|invalid (?:uri|prompt|name)|missing")
_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_LOG, _LEVEL = "notifications/message", f"{PREFIX}logLevel"
_MOST = 100  # values of a completion


@rule
def resource_not_found_code(session: Session) -> Iterator[Hit]:
    for seen in session.errors("resources/read"):
        wanted = (-32602, -32002) if seen.era == "stateless" else (-32002,)
        if seen.code not in wanted and seen.request and _MISSING.search(str(seen.error.get("message"))):
            yield Hit(seen, f"a resource that there is not is answered with {seen.code}")


@rule
def resource_empty_contents(session: Session) -> Iterator[Hit]:
    for seen in session.complete("resources/read"):
        listing = session.listing("resources", seen)
        if obj(seen.result).get("contents") == [] and not (listing and listing.named(seen.name, "uri")):
            yield Hit(seen, f"{(seen.name or '')[:80]} is answered with no contents")


@rule
def prompt_error_code(session: Session) -> Iterator[Hit]:
    for seen in session.errors("prompts/get"):
        if seen.code != -32602 and seen.request and _is_bad_prompt(seen, session):
            yield Hit(seen, f"the prompt {(seen.name or '')[:60]} is refused with {seen.code}")


@rule
def completion_too_many(session: Session) -> Iterator[Hit]:
    for seen in session.results("completion/complete"):
        count = len(items(obj(obj(seen.result).get("completion")).get("values")))
        if count > _MOST:
            yield Hit(seen, f"{count} values")


@rule
def log_not_requested(session: Session) -> Iterator[Hit]:
    for seen, asked in _logs(session):
        if seen.era == "stateless" and not asked and not _on_listen(seen):
            yield Hit(seen, "a log message, but no request under way asked for any")


@rule
def log_below_level(session: Session) -> Iterator[Hit]:
    for seen, asked in _logs(session):
        level = seen.params.get("level")
        if asked and level in _LEVELS and _LEVELS.index(level) < min(map(_LEVELS.index, asked)):
            yield Hit(seen, f"a log message of level {level}; asked for: {min(asked, key=_LEVELS.index)} and above")


@rule
def log_wrong_stream(session: Session) -> Iterator[Hit]:
    for seen in session.told(_LOG):
        if _on_listen(seen):
            yield Hit(seen, "a log message on the stream of a subscription")


@rule
def log_secret(session: Session) -> Iterator[Hit]:
    mask = Mask()
    for seen in session.told(_LOG):
        data = {"kind": "notification", "body": {"params": {"data": seen.params.get("data")}}}
        if seen.masked("/body/params/data") or mask.message(data).get("redacted"):
            yield Hit(seen, "a log message with what looks like a credential")


def _is_bad_prompt(seen: Seen, session: Session) -> bool:
    """Whether the prompt is not listed, or lacks an argument that it needs."""
    listing = session.listing("prompts", seen)
    prompt = listing.named(seen.name) if listing else None
    if prompt is None:
        return bool(listing and listing.complete) or bool(_MISSING.search(str(seen.error.get("message"))))
    given = obj(seen.request.params.get("arguments")) if seen.request else {}
    needed = (each.get("name") for each in objects(prompt.get("arguments")) if each.get("required") is True)
    return any(name not in given for name in needed)


def _logs(session: Session) -> Iterator[tuple[Seen, tuple[str, ...]]]:
    """Log messages, each with the levels that were asked for when it came: by the requests under way, or for all."""
    asked: dict[int, tuple[Seen, str]] = {}
    level: tuple[str, ...] = ()
    for seen in session.json_rpc:
        wanted = seen.meta.get(_LEVEL) if seen.kind == "request" else None
        if wanted in _LEVELS:
            asked[seen.at] = (seen, str(wanted))
        elif seen.kind == "response" and seen.request:
            asked.pop(seen.request.at, None)
        if seen.kind == "request" and seen.method == "logging/setLevel" and seen.params.get("level") in _LEVELS:
            level = (str(seen.params["level"]),)
        if seen.kind == "notification" and seen.method == _LOG and seen.side == "server":
            yield seen, _levels(seen, asked) if seen.era == "stateless" else level


def _levels(seen: Seen, asked: dict[int, tuple[Seen, str]]) -> tuple[str, ...]:
    """By the request of its stream; over stdio any request under way may be meant."""
    if seen.about:
        told = text(seen.about.meta.get(_LEVEL))
        return (told,) if told in _LEVELS else ()
    return tuple({level for _, level in asked.values()})


def _on_listen(seen: Seen) -> bool:
    return seen.about is not None and seen.about.method == LISTEN
