"""The single values of a JSON box: read as they were written, masked where secret, cut where long.

Names, strings, numbers and words become parts (kind, text, columns); all text in them is clean. The kinds are
`key hot string number word`, `mut` for what the picture says itself, `hidden` for a character that could not be
seen.
"""

import json
import re
from functools import lru_cache
from typing import Any, NamedTuple

from flowgen.trace import MASK, mask_shapes, prefix_of, secret_name

from ._clean import clean_line, head, pieces
from ._text import columns
from ._words import Words

Part = tuple[str, str, int]

LONG = 120  # characters of a string, its `…` included
LEAST_CUT = 20  # cutting fewer characters saves nothing
RUN = 60  # characters without a break that are taken for encoded bytes
RUN_SHOWN = 24
_SHORT = 40  # longer strings are not worth remembering

_PLAIN = re.compile(r"[ !#-\[\]-~]*").fullmatch  # needs neither escapes nor cleaning
_ESCAPED = re.compile(r'["\\\n\r\t\b\f]')
_ESCAPES = {'"': r"\"", "\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\b": r"\b", "\f": r"\f"}
_RUN = re.compile(rf"[A-Za-z0-9+/_=-]{{{RUN},}}\s*").fullmatch
_BASE64 = re.compile(r"[A-Za-z0-9+/_=\r\n-]+").fullmatch
_WORD = re.compile(r"[A-Za-z0-9]{20}")  # paths and names are made of shorter ones
_DATA_URL = re.compile(r"data:([^,;\s]{0,100})[^,\s]{0,100},")
_KIND = 40  # characters of a media type
_HEX = re.compile(r"[0-9a-fA-F]+\s*").fullmatch


class Number(str):
    """A number in the letters it came in."""

    __slots__ = ()


class Aside(str):
    """What the picture says in place of an object's members."""

    __slots__ = ()


class Encoded(NamedTuple):
    """Bytes as base64, and what the object that holds them says they are."""

    text: str
    kind: str


class Typed(NamedTuple):
    """A type of a schema in words."""

    parts: tuple[Part, ...]


class Value(NamedTuple):
    """A value without members: its parts, nearly always one, and their columns together."""

    parts: tuple[Part, ...]
    wide: int


class Name(NamedTuple):
    """The name of a member; `secret` when its value must not be shown."""

    parts: tuple[Part, ...]
    wide: int
    secret: bool


_DECODER = json.JSONDecoder(
    object_pairs_hook=tuple, parse_int=Number, parse_float=Number, parse_constant=Number, strict=False
)
_CONSTANTS = {word: Value((("word", word, len(word)),), len(word)) for word in ("true", "false", "null")}
_TRUE, _FALSE, _NULL = _CONSTANTS.values()


def read_json(text: str) -> Any:
    """The value of a JSON text: an object is a tuple of (name, value) pairs, an array a list, a number a Number.

    Raises ValueError when it is no JSON text, or is nested deeper than Python reads.
    """
    try:
        return _DECODER.decode(text.removeprefix("\ufeff"))
    except RecursionError:
        raise ValueError("nested too deep") from None


def name_parts(name: str, hot: bool, cut: Words | None) -> Name:
    """The name of a member; `cut` as for a value."""
    if len(name) <= RUN:
        return _short_name(name, "hot" if hot else "key")
    kept = head(name, RUN_SHOWN) if cut and len(name) - RUN_SHOWN >= LEAST_CUT else name
    if cut is None or kept == name:
        parts = _string(name, "key")
    else:
        parts = _cut(kept, "key", cut("json.chars", n=grouped(len(name) - len(kept)), size=""))
    return Name(parts, _wide(parts), secret_name(name[-RUN:]))


def value_parts(value: Any, secret: bool, cut: Words | None) -> Value:
    """A value without members. `cut` has the words for what a long one leaves out; None shows it whole."""
    if type(value) is str:
        text = _masked(value) if secret else value
        return _short_string(text) if len(text) <= _SHORT else _long_string(text, cut)
    if value is True:
        return _TRUE
    if value is False:
        return _FALSE
    if value is None:
        return _NULL
    if isinstance(value, Typed):
        return Value(value.parts, _wide(value.parts))
    if isinstance(value, Encoded):
        return _long_string(value.text, cut, value)
    if isinstance(value, Aside):
        return Value((("punct", "{ ", 2), ("mut", str(value), columns(value)), ("punct", " }", 2)), columns(value) + 4)
    if isinstance(value, (int, float, Number)):
        return _number(_digits(value), cut)
    return value_parts(str(value), secret, cut)  # no JSON value, but nothing that a picture should fail for


def _masked(value: str) -> str:
    """What the recorder did not mask, or was told not to, is not drawn either: only its scheme or version."""
    return value if not value or MASK in value else prefix_of(value) + MASK


# Strings


@lru_cache(2048)
def _short_name(name: str, kind: str) -> Name:
    parts = _string(name, kind)
    return Name(parts, _wide(parts), secret_name(name))


@lru_cache(4096)
def _short_string(text: str) -> Value:
    parts = _string(mask_shapes(text), "string")
    return Value(parts, _wide(parts))


def _long_string(text: str, cut: Words | None, told: Encoded | None = None) -> Value:
    text = mask_shapes(text)
    length = len(text)
    encoded = (told is not None and _BASE64(text) is not None) or (length >= RUN and _is_encoded(text))
    shown = RUN_SHOWN if encoded else LONG - 1
    if cut is None or length - shown < LEAST_CUT:
        parts = _string(text, "string")
    else:
        kept, size = head(text, shown), _size(text) if encoded else ""
        note = cut("json.chars", n=grouped(length - len(kept)), kind=_kind(text, told.kind if told else ""), size=size)
        parts = _cut(kept, "string", note)
    return Value(parts, _wide(parts))


def _is_encoded(text: str) -> bool:
    """Bytes as base64 or hex, or a data: URL; not a path or a name of many words."""
    return _DATA_URL.match(text) is not None or (_RUN(text) is not None and _WORD.search(text) is not None)


def _kind(text: str, told: str) -> str:
    """What encoded bytes are: as the object around them or the data: URL says, else how they are written."""
    found = _DATA_URL.match(text)
    named = found[1] if found and found[1] else told
    return clean_line(named, _KIND) if named else "base64"


def _size(text: str) -> str:
    """The size of what base64 stands for; nothing for hex."""
    if _HEX(text):
        return ""
    if text.startswith("data:"):
        head, _, text = text.partition(",")
        if not head.endswith(";base64"):
            return _bytes(len(text))
    return _bytes(len(text.rstrip("= \r\n")) * 3 // 4)


def _bytes(count: int) -> str:
    if count < 1000:
        return f"{count} B"
    return f"{count / 1024:.0f} KB" if count < 1_000_000 else f"{count / 1024 / 1024:.1f} MB"


def _cut(kept: str, kind: str, note: str) -> tuple[Part, ...]:
    """The beginning of a string, and what is said of the rest."""
    return (*_string(kept, kind, end=""), ("mut", "…", 1), (kind, '"', 1), ("mut", f" {note}", columns(note) + 1))


def _string(text: str, kind: str, end: str = '"') -> tuple[Part, ...]:
    if _PLAIN(text):
        return ((kind, f'"{text}{end}', len(text) + 1 + len(end)),)
    if _ESCAPED.search(text):
        text = _ESCAPED.sub(lambda found: _ESCAPES[found[0]], text)
    split = pieces(f'"{text}{end}')
    return tuple([("hidden" if hidden else kind, part, columns(part)) for part, hidden in split])


def _wide(parts: tuple[Part, ...]) -> int:
    return parts[0][2] if len(parts) == 1 else sum([part[2] for part in parts])


# Numbers


def _digits(value: int | float | Number) -> str:
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, float):
        return json.dumps(value)
    try:
        return int.__repr__(value)
    except ValueError:  # more decimal digits than Python writes
        return hex(value)


def _number(digits: str, cut: Words | None) -> Value:
    if cut is None or len(digits) - RUN_SHOWN < LEAST_CUT:
        return Value((("number", digits, len(digits)),), len(digits))
    note = cut("json.chars", n=grouped(len(digits) - RUN_SHOWN))
    parts = (("number", digits[:RUN_SHOWN], RUN_SHOWN), ("mut", f"… {note}", columns(note) + 2))
    return Value(parts, _wide(parts))


def grouped(count: int) -> int | str:
    """A count as it is written: from a thousand on with commas."""
    return f"{count:,}" if count >= 1000 else count
