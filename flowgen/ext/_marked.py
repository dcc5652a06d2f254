"""What a marker of Markdown says, word by word: files, options of the picture, how it is shown, what is recorded."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flowgen.errors import ConfigError, UsageError

from ._wish import WORDS, Wish, wished

_PAIR = re.compile(r"([a-z][a-z_-]*)=(.*)", re.DOTALL)
_FLAGS = ("check", "date", "embed-fonts", "full", "images", "list", "notes", "show-paths")
_SHOWN = ("alt", "list", "out", "width")  # how the picture stands in the page; notes alone lists them, too
_MANY = ("call", "read", "prompt", "complete")  # of a recording, each as often as one likes
_ONCE = ("record", "lists", "revision", "timeout", "script", "answers", "call-safe")
_OPTIONS = {"call": "calls", "read": "reads", "prompt": "prompts", "complete": "completes"}
_WIDTH = re.compile(r"\d+(\.\d+)?%?")


@dataclass(frozen=True, slots=True)
class Marked:
    """A marker that is understood.

    `record` is what starts the server, `options` are those of `flowgen.record`, in which `script` and `answers` are
    files as the page names them. `listed` is `none`, `messages` or `notes`.
    """

    wish: Wish
    listed: str = "none"
    alt: str | None = None
    out: str | None = None
    width: str | None = None
    record: str | None = None
    options: Mapping[str, Any] | None = None


def marked(words: str) -> Marked:
    """What a marker says. Raises UsageError."""
    sources, pairs = _parted(_split(words))
    own = {name: value for name, value in pairs if name in _SHOWN}
    looks = {name: value for name, value in pairs if name not in (*_SHOWN, *_MANY, *_ONCE)}
    noted = looks.get("notes") == ""
    if noted:
        del looks["notes"]
    if "width" in own and not _WIDTH.fullmatch(own["width"]):
        raise UsageError(f"width: expected px or a share, found {own['width']!r}", 'such as width=900 or width="80%"')
    record = next((value for name, value in pairs if name == "record"), None)
    if record is None and (named := [name for name, _ in pairs if name in (*_MANY, *_ONCE)]):
        raise UsageError(f"{named[0]} is for a marker that records", 'such as record="python server.py"')
    if record is not None and len(sources) > 1:
        raise UsageError("a marker that records keeps one file at most", f"leave {sources[1]} out")
    return Marked(
        wished(sources, looks, (*_SHOWN, *_MANY, *_ONCE)),
        "notes" if noted else "messages" if "list" in own else "none",
        own.get("alt"), own.get("out"), own.get("width"), record, dict(_recording(pairs)),
    )  # fmt: skip


def _split(words: str) -> list[str]:
    """Words as a shell would have them, but for backslashes, which stay."""
    lexer = shlex.shlex(words, posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ""
    try:
        return [*lexer]
    except ValueError:
        raise UsageError("quotes that are not closed", f"in: {words.strip()}") from None


def _parted(tokens: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Files, and words with their texts."""
    sources: list[str] = []
    pairs: list[tuple[str, str]] = []
    for token in tokens:
        pair = _PAIR.fullmatch(token)
        if pair:
            pairs.append((pair[1].replace("_", "-"), pair[2]))
        elif token in _FLAGS or token == "call-safe":
            pairs.append((token, ""))
        elif token in (*WORDS, *_SHOWN, *_MANY, *_ONCE):
            raise UsageError(f"{token}: a text is missing", f'such as {token}="…"')
        else:
            sources.append(token)
    return sources, pairs


def _recording(pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, Any]]:
    """The options of `flowgen.record` that a marker tells."""
    for name in _MANY:
        if texts := [value for word, value in pairs if word == name]:
            called = name in ("call", "prompt")
            yield _OPTIONS[name], [_called(name, text) if called else text for text in texts]
    for name, value in pairs:
        if name == "timeout":
            yield name, _seconds(value)
        elif name == "call-safe":
            yield "call_safe", True
        elif name in _ONCE and name != "record":
            yield name, value


def _called(word: str, text: str) -> tuple[str, Mapping[str, Any]]:
    """A name and its arguments: `add={"a": 2}`."""
    name, given, arguments = text.partition("=")
    try:
        value = json.loads(arguments) if given else {}
    except ValueError as problem:
        raise UsageError(f"{word} {name}: no JSON: {problem}", f"""such as {word}='{name}={{"a": 2}}'""") from None
    if not name or not isinstance(value, dict):
        raise ConfigError(f"{word} {text}: expected a name and an object", f"""such as {word}='add={{"a": 2}}'""")
    return name, value


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"timeout: expected seconds, found {text!r}", "such as timeout=30") from None
