"""The word on an arrow: the shortest true thing about a message; its full title stands in the card."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from flowgen.flow import Entry
from flowgen.trace import Message

from ._clean import clean_line
from ._words import Words

_EVENTS = {
    "asked-user": "word.ask", "user-answered": "word.answer", "approved": "word.allow", "declined": "word.decline",
    "consulted-model": "word.ask", "opened-browser": "word.open", "callback-received": "word.redirect",
}  # fmt: skip
_DATA = ("action", "kind")  # members of a note's data that say more than its code
_MOST = 60  # characters
_DOERS = {"person": "pill.user", "model": "pill.model", "browser": "pill.browser"}  # role -> the word on its pill


def arrow_word(entry: Entry, words: Words) -> str:
    """One line, cleaned; empty where nothing short is true."""
    message = entry.message
    match message.kind:
        case "note":
            word = _note(message, words)
        case "http":
            word = _http(message, words) or ""
        case "request" | "notification":
            word = _http(message, words) or _last(entry.method or "")
        case "response" | "error":
            word = _outcome(message)
        case _:
            word = ""
    return clean_line(word, _MOST)


def note_pill(message: Message, roles: Mapping[str, str]) -> str:
    """The key of the word for a note that passes from one to another: with whom it happened, the user before others."""
    there = {roles.get(message.sender), roles.get(message.receiver)}
    return next((word for role, word in _DOERS.items() if role in there), "pill.note")


def _http(message: Message, words: Words) -> str | None:
    """`POST /mcp` of a request's half, the status of an answer's."""
    http = message.http
    if http is None:
        return None
    if http.status is not None:
        return str(http.status)
    return f"{http.method} {_path(http.url, words)}".strip() if http.method else None


def _path(url: str | None, words: Words) -> str:
    """The path of an address; what stands under `.well-known` is metadata (RFC 8615)."""
    try:
        path = urlsplit(url or "").path
    except ValueError:
        return ""
    return words("word.metadata") if "/.well-known/" in path else path


def _last(method: str) -> str:
    """`notifications/tools/list_changed` is `list_changed`; other methods stay whole."""
    return method.rsplit("/", 1)[-1] if method.startswith("notifications/") else method


def _outcome(message: Message) -> str:
    """What became of a request: `input_required`, `complete`, `isError`, a code, a status that is none of 2xx."""
    status = message.http.status if message.http else None
    if status is not None and not 200 <= status < 300:
        return str(status)
    body: Any = message.body if isinstance(message.body, Mapping) else {}
    error, result = body.get("error"), body.get("result")
    if isinstance(error, Mapping) and isinstance(error.get("code"), int):
        return str(error["code"]).replace("-", "−")
    if isinstance(result, Mapping) and result.get("isError") is True:
        return "isError"
    kind = result.get("resultType") if isinstance(result, Mapping) else None
    return kind if isinstance(kind, str) else "result" if message.kind == "response" else "error"


def _note(message: Message, words: Words) -> str:
    body: Any = message.body if isinstance(message.body, Mapping) else {}
    event, data = str(body.get("event", "")), body.get("data")
    wanted = data.get("wants") if isinstance(data, Mapping) else None
    if isinstance(wanted, Mapping) and isinstance(wanted.get("name"), str):
        return str(wanted["name"])
    for member in _DATA if isinstance(data, Mapping) else ():
        if isinstance(data.get(member), str):
            return str(data[member])
    return words(_EVENTS[event]) if event in _EVENTS else event
