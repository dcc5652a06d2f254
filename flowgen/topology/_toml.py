"""TOML with lines: the values are those of Python's own reader, which keeps no lines; this finds them.

The text has been read before it is searched, so it is known to be TOML and the search may be simple. A value's
parts have the line of its key.
"""

import re
import tomllib
from typing import Any

from ._document import Row, Table
from ._json import Fault, Places

Path = tuple[str | int, ...]

_PLACE = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)")
_REASONS = {
    "Cannot": "a key or a table that stands there already",
    "Invalid value": "no value of TOML; texts stand in quotes",
    "Expected '='": "a key without =; keys with spaces stand in quotes",
    "after a statement": "something follows the value",
    "Unclosed": "a list or a table in brackets that is not closed",
    "Unescaped": "a wrong escape in a text; Windows paths stand in single quotes",
    "Invalid statement": "neither a key nor a table",
}
_STRING = r"\"\"\"(?:\\[\s\S]|[^\\])*?\"{3,5}|'''[\s\S]*?'{3,5}|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'"
_KEY = rf"(?:{_STRING}|[\w-]+)"
_KEYS = rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*"
_HEADER = re.compile(rf"[ \t]*(\[\[?)[ \t]*({_KEYS})[ \t]*\]\]?")
_MEMBER = re.compile(rf"[ \t]*({_KEYS})[ \t]*=")
_PART = re.compile(_KEY)
_VALUE = re.compile(rf"{_STRING}|#[^\n]*|[\[\]{{}}]|\n|[^\"'#\[\]{{}}\n]+")


def read_toml(text: str) -> Any:
    """The value of a text. Raises Fault."""
    text = text.replace("\r\n", "\n")
    try:
        return _with_lines(tomllib.loads(text), (), _lines(text), 1)
    except tomllib.TOMLDecodeError as problem:
        raise _fault(problem, text) from None
    except RecursionError:
        raise Fault("nested too deeply", 1) from None


def _fault(problem: Exception, text: str) -> Fault:
    found = _PLACE.search(str(problem))
    if found and found[1]:
        return Fault(_said(problem), int(found[1]), int(found[2]))
    told = _said(problem) if "Cannot" in str(problem) else "not TOML: the file ends too early"
    return Places(text).fault(told, len(text))


def _said(problem: Exception) -> str:
    """What is wrong, in our words: those of the reader quote keys."""
    found = next((words for sign, words in _REASONS.items() if sign in str(problem)), "")
    return f"not TOML: {found}" if found else "not TOML"


def _with_lines(value: Any, path: Path, lines: dict[Path, int], line: int) -> Any:
    line = lines.get(path, line)
    if isinstance(value, dict):
        table = Table()
        for key, child in value.items():
            at = (*path, key)
            table.put(key, _with_lines(child, at, lines, line), lines.get(at, line))
        return table
    if isinstance(value, list):
        row = Row()
        for number, child in enumerate(value):
            at = (*path, number)
            row.put(_with_lines(child, at, lines, line), lines.get(at, line))
        return row
    return value if isinstance(value, str | int | float) else str(value)


def _lines(text: str) -> dict[Path, int]:
    """The line of every key and header; a table that is only named in passing has that of its first mention."""
    places, lines, counts = Places(text), dict[Path, int](), dict[Path, int]()
    at, table = 0, Path()
    while at < len(text):
        line = places.line(at)
        if header := _HEADER.match(text, at):
            table = _entered(_parts(header[2]), header[1] == "[[", counts)
            _note(table, line, lines)
            at = header.end()
        elif member := _MEMBER.match(text, at):
            _note((*table, *_parts(member[1])), line, lines)
            at = member.end()
        at = _next_statement(text, at)
    return lines


def _note(path: Path, line: int, lines: dict[Path, int]) -> None:
    for end in range(1, len(path) + 1):
        lines.setdefault(path[:end], line)


def _entered(keys: list[str], repeated: bool, counts: dict[Path, int]) -> Path:
    """The path of a header; within lists of tables it leads into their last table."""
    path: Path = ()
    for key in keys[:-1]:
        path = _last((*path, key), counts)
    path = (*path, keys[-1])
    if repeated:
        counts[path] = counts.get(path, 0) + 1
    return _last(path, counts)


def _last(path: Path, counts: dict[Path, int]) -> Path:
    return (*path, counts[path] - 1) if path in counts else path


def _parts(keys: str) -> list[str]:
    return [_unquoted(part) for part in _PART.findall(keys)]


def _unquoted(key: str) -> str:
    if key[0] not in "\"'":
        return key
    return next(iter(tomllib.loads(f"{key} = 0")))


def _next_statement(text: str, at: int) -> int:
    """After the newline that ends the statement: not one in a text, and not one between brackets."""
    depth = 0
    while found := _VALUE.match(text, at):
        at = found.end()
        depth += (found[0] in ("[", "{")) - (found[0] in ("]", "}"))
        if found[0] == "\n" and depth <= 0:
            return at
    return max(at + 1, len(text))
