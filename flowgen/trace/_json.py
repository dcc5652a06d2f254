"""JSON that keeps what the wire can hold: reading says what a value could not keep, writing is compact and exact.

Lone surrogates stay in the strings and are written as `\\udXXX`; `NaN`, `Infinity` and numbers too large for
Python become None and are reported, so that whoever reads can keep the bytes beside the value.
"""

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MAX_DEPTH = 200  # every later step may recurse over a value; what nests deeper stays text
MAX_DIGITS = 4300  # Python's own limit for the digits of an int

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_NO_NUMBER = re.compile(r'("(?:[^"\\]|\\.)*+")|NaN|-?Infinity')


class TooDeep(ValueError):
    """The text nests deeper than MAX_DEPTH, so it is not made a value."""

    def __init__(self) -> None:
        super().__init__(f"nested deeper than {MAX_DEPTH} levels")


@dataclass(frozen=True, slots=True)
class Json:
    """What reading gave: the value, the problem codes, and whether `write_json(value)` is the text again."""

    value: Any
    codes: tuple[str, ...]
    exact: bool


def _int(digits: str) -> int | None:
    return int(digits) if len(digits) <= MAX_DIGITS else None


def _float(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _constant(_name: str) -> None:
    return None


_COMPACT, _READABLE = (
    json.JSONEncoder(ensure_ascii=False, separators=separators, allow_nan=False)
    for separators in ((",", ":"), (", ", ": "))
)
_DECODER = json.JSONDecoder(parse_int=_int, parse_float=_float, parse_constant=_constant)


def parse(text: str, max_depth: int = MAX_DEPTH) -> Any:
    """The value of a JSON text; what cannot be held is None.

    Raises json.JSONDecodeError, or TooDeep beyond `max_depth` levels.
    """
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise TooDeep from None
    _check_depth(text, value, max_depth)
    return value


def parse_at(text: str, start: int) -> tuple[Any, int]:
    """The value of the JSON text that begins at `start`, and where it ends. Raises as `parse`."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except RecursionError:
        raise TooDeep from None
    _check_depth(text[start:end], value, MAX_DEPTH)
    return value, end


def read_json(text: str | bytes) -> Json:
    """The value of a text and, as problem codes, what of the text it does not show: `invalid-utf8`,
    `lone-surrogate`, `not-a-number`, `number-out-of-range`, `duplicate-key`. Raises as `parse`.
    """
    codes: list[str] = []
    if isinstance(text, bytes):
        text, codes = _decoded(text)
    value = parse(text)
    written = write_json(value)
    if _has_surrogate(text, value):
        codes.append("lone-surrogate")
    exact = codes[:1] != ["invalid-utf8"] and written == text.encode("utf-8", "backslashreplace")
    return Json(value, tuple(codes if exact else codes + _lost(text)), exact)


def write_json(value: Any) -> bytes:
    """Compact JSON: members in order, non-ASCII as UTF-8, lone surrogates as escapes, NaN as null."""
    return _written(value, _COMPACT)


def write_readable(value: Any) -> bytes:
    """The same on one line with a space after comma and colon, for people."""
    return _written(value, _READABLE)


def depth(value: Any) -> int:
    """How many lists and objects stand inside each other, counted level by level."""
    level, levels = [value], 0
    while level := [node for node in level if isinstance(node, dict | list)]:
        levels += 1
        level = [child for node in level for child in (node.values() if isinstance(node, dict) else node)]
    return levels


def _written(value: Any, encoder: json.JSONEncoder) -> bytes:
    try:
        text = encoder.encode(value)
    except ValueError:  # NaN or Infinity: no JSON, but a plan written in TOML can hold them
        separators = (encoder.item_separator, encoder.key_separator)
        text = json.dumps(value, ensure_ascii=False, separators=separators)
        text = _NO_NUMBER.sub(lambda found: found.group(1) or "null", text)
    return text.encode("utf-8", "backslashreplace")


def _decoded(data: bytes) -> tuple[str, list[str]]:
    try:
        return data.decode(), []
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), ["invalid-utf8"]


def _check_depth(text: str, value: Any, limit: int) -> None:
    # counting brackets is fast and settles nearly every text; those in strings only make it count again
    if text.count("[") + text.count("{") > limit and depth(value) > limit:
        raise TooDeep


def _has_surrogate(text: str, value: Any) -> bool:
    if not _ESCAPED_SURROGATE.search(text):
        return False
    return _SURROGATE.search(json.dumps(value, ensure_ascii=False)) is not None


def _lost(text: str) -> list[str]:
    """Read a second time, slowly, to learn what the value does not show."""
    codes: dict[str, None] = {}

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(members)
        if len(result) < len(members):
            codes["duplicate-key"] = None
        return result

    def noting(code: str, read: Callable[[str], Any]) -> Callable[[str], Any]:
        def hook(digits: str) -> Any:
            number = read(digits)
            if number is None:
                codes[code] = None
            return number

        return hook

    json.JSONDecoder(
        object_pairs_hook=pairs,
        parse_int=noting("number-out-of-range", _int),
        parse_float=noting("number-out-of-range", _float),
        parse_constant=noting("not-a-number", _constant),
    ).decode(text)
    return list(codes)
