"""Whether values are of the kind that a public function takes: told to who wrote the program, before anything is done.

What a value of the right kind says (a range, a name, a format) is judged where it is used.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from difflib import get_close_matches
from io import TextIOBase
from pathlib import Path
from types import UnionType
from typing import Any, TypeGuard

from flowgen.errors import UsageError

_LONGEST = 1_000  # signs of a pattern: the time to understand one grows with the square of it
Test = Callable[[Any], bool]


def _is_texts(value: Any) -> bool:
    return _is_list(value) and (isinstance(value, Iterator) or all(isinstance(each, str) for each in value))


def _is_list(value: Any) -> bool:
    if isinstance(value, str | bytes) or hasattr(value, "read"):  # letters are not meant, nor the lines of a file
        return False
    return isinstance(value, Sequence | Set | Iterator)


def _are_patterns(value: Any) -> bool:
    return _is_texts(value) and not (isinstance(value, Sequence) and any(len(each) > _LONGEST for each in value))


def _are_pairs(value: Any) -> bool:
    if isinstance(value, Iterator):
        return True
    return _is_list(value) and all(_is_list(each) and [*map(type, each)] == [str, str] for each in value)


def is_json(value: Any) -> bool:
    """Whether a value is an object that JSON can hold."""
    try:
        return isinstance(value, Mapping) and _is_texts([*value]) and bool(json.dumps({**value}))
    except (TypeError, ValueError, RecursionError):
        return False


def _is_argv(value: Any) -> bool:
    return isinstance(value, Sequence) and _is_texts(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_file(value: Any) -> bool:
    return is_path(value) or (isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str))


def is_path(value: Any) -> TypeGuard[str | Path]:
    """Whether a value is a path that a file can have."""
    try:
        return isinstance(value, str | Path) and b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:  # half of a sign
        return False


def _is_day(value: Any) -> bool:
    return isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d(?!\d)|$", value, re.ASCII) is not None


def is_open(value: Any, way: str) -> bool:
    """Whether a value is an open file that can be read or written: `way` is `read` or `write`."""
    return callable(getattr(value, way, None)) and not isinstance(value, type | TextIOBase)


# what is expected, in words; how that is told; the names of parameters and options that are such
_KINDS: tuple[tuple[str, Test, str], ...] = (
    ("a text", lambda value: isinstance(value, str),
     "title subtitle footer steps page_size image source_format host messages to revision lists demo server name "
     "bearer proxy client_id client_secret client_metadata_url issuer redirect_uri file_format"),
    ("true or false", lambda value: isinstance(value, bool),
     "full images check embed_fonts pages landscape color ascii show_paths call_safe redact insecure no_browser"),
    ("a number", _is_number,
     "gap width page_height timeout startup_timeout connect_timeout listen scale"),
    ("a whole number", _is_whole, "start_step fold columns max_message"),
    ("a list of texts", _is_texts, "hide show names redact_keys scopes connect_to"),
    (f"a list of texts, each of {_LONGEST:,} signs at most", _are_patterns, "only ignore"),
    ("a file", _is_file, "template script answers"),
    ("a path", is_path, "cwd cacert client_key token_store config"),
    ("a path, or the bytes of an image", lambda value: isinstance(value, bytes) or is_path(value), "logo"),
    ("a theme", lambda value: isinstance(value, str) or hasattr(value, "mode"), "theme"),
    ("true, or a day such as 2026-07-28", lambda value: isinstance(value, bool) or _is_day(value), "date"),
    ("a list", _is_list, "seen calls reads prompts completes"),
    ("a list of names and values", _are_pairs, "headers"),
    ("auto, http or sse", lambda value: value in ("auto", "http", "sse"), "transport"),
    ("names with texts", lambda value: isinstance(value, Mapping) and _is_texts([*value, *value.values()]), "env"),
    ("a command or an address", lambda value: isinstance(value, str) or _is_argv(value), "command"),
)  # fmt: skip
_KIND_OF = {name: (told, test) for told, test, names in _KINDS for name in names.split()}
_NEEDED = {
    "theme", "start_step", "fold", "hide", "show", "ignore", "seen", "timeout", "startup_timeout", "redact_keys",
    "calls", "reads", "prompts", "completes", "scale",
}  # fmt: skip


def fitting(**values: Any) -> None:
    """Raises UsageError for a value of another kind than its name takes; None is none, where one may be left out."""
    for name, value in values.items():
        told, test = _KIND_OF.get(name, ("", bool))
        if not told or (value is None and name not in _NEEDED):
            continue
        if not test(value):
            raise UsageError(f"{name}: expected {told}, found {shown(value)}", "or leave it out")


def known_only(given: Iterable[str], known: Iterable[str]) -> None:
    """Raises UsageError for an option that there is not."""
    names = [*known]
    for name in given:
        if name not in names:
            close = get_close_matches(name, names, 1)
            told = f"did you mean {close[0]}?" if close else f"there are: {', '.join(names)}"
            raise UsageError(f"there is no option {name!r}", told)


def listed(name: str, value: Any, single: type | UnionType, expected: str) -> list[Any]:
    """One of something, or several, as a list. Raises UsageError for what is neither."""
    if isinstance(value, single):
        return [value]
    if isinstance(value, bytes | Mapping) or not isinstance(value, Iterable):
        raise refuse(name, expected, value)
    return [*value]


def shown(value: Any) -> str:
    """A value in a few signs."""
    text = ascii(value)
    return text if len(text) <= 40 else f"{type(value).__name__} {text[:40]}…"


def recorded(value: Any) -> None:
    """Raises UsageError for what is no recording."""
    from flowgen.trace import Trace

    if not isinstance(value, Trace):
        raise refuse("trace", "a Trace", value)


def readable(source: Any) -> None:
    """Raises UsageError for what is no path, no bytes and no open file."""
    if not (isinstance(source, bytes) or is_path(source) or is_open(source, "read")):
        raise refuse("source", "a path, bytes or an open file of bytes", source)


def writable(out: Any) -> None:
    """Raises UsageError for what is no path and no open file."""
    if not (is_path(out) or is_open(out, "write")):
        raise refuse("out", "a path or an open file of bytes", out)


def refuse(name: str, expected: str, value: Any) -> UsageError:
    """The error for a value that is none of what is expected."""
    return UsageError(f"{name}: expected {expected}, found {shown(value)}", "help(flowgen) tells of the functions")
