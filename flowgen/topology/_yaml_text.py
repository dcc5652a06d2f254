"""Plain values as YAML, as a person would write it: blocks, short lists on a line, quotes only where they are needed.

PyYAML's own writer wraps lines, sorts, and quotes keys with arrows; this is the little that descriptions need.
"""

import re
from collections.abc import Iterator
from typing import Any

_PLAIN = re.compile(r"[^\W\d_][\w ./@+()~-]*(?::(?=[^\s:,\[\]{}])[\w ./@+()~-]+)*(?: -> [^\W\d_][\w ./@+()~-]*)?")
_WORDS = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}  # that YAML 1.1 takes for something else
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_GROWING = ("servers", "flows")  # a line for each, for people add to them
_WIDE = 96  # columns that a list or a table on one line may take


def yaml_text(value: dict[str, Any]) -> str:
    """The text of a mapping of texts, numbers, switches, None, lists and mappings."""
    return "".join(f"{line}\n" for line in _block(value, ""))


def _block(value: dict[str, Any], indent: str) -> Iterator[str]:
    for key, child in value.items():
        name = f"{indent}{_scalar(key)}:"
        line = f"{name} {_alone(child)}"
        if child is None:
            yield name
        elif _is_simple(child) or (key not in _GROWING and _fits(line, child)):
            yield line
        elif isinstance(child, dict):
            yield name
            yield from _block(child, f"{indent}  ")
        else:
            yield name
            yield from _rows(child, f"{indent}  ")


def _is_simple(value: Any) -> bool:
    return not isinstance(value, dict | list) or not value


def _fits(line: str, value: Any) -> bool:
    """Whether a list or a mapping stands on one line: a short one that holds nothing but simple values."""
    parts = value.values() if isinstance(value, dict) else value
    return len(line) <= _WIDE and not any(part is None or isinstance(part, dict) for part in parts)


def _rows(value: list[Any], indent: str) -> Iterator[str]:
    for each in value:
        if isinstance(each, dict) and len(each) == 1:
            ((key, child),) = each.items()
            yield f"{indent}- {_scalar(key)}:" + ("" if child is None else f" {_alone(child)}")
        else:
            yield f"{indent}- {_alone(each)}"


def _alone(value: Any) -> str:
    """A value that nothing follows on its line: a comma ends no text there."""
    if isinstance(value, str) and "," in value and _scalar(value.replace(", ", " "))[0] != '"':
        return value
    return _inline(value)


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_inline(child)}" for key, child in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return _scalar(value) if isinstance(value, str) else repr(value)


def _scalar(text: str) -> str:
    """A text as it is where YAML takes it for one and nothing more, else in double quotes."""
    if _PLAIN.fullmatch(text) and text == text.rstrip() and text.lower() not in _WORDS and len(text) < 1000:
        return text
    return '"' + "".join(map(_sign, text)) + '"'


def _sign(sign: str) -> str:
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    if sign.isprintable():
        return sign
    code = ord(sign)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"  # half a character: no text can hold it
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
