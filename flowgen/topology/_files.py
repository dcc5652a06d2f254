"""From bytes to a value with lines: JSON with comments, TOML or YAML, in UTF-8 or UTF-16.

Whatever the bytes are, a Document or one ConfigError comes out; the error says file, line and column, and never
quotes the line, for it may hold a secret.
"""

import codecs
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from flowgen.errors import ConfigError

from ._document import Document
from ._json import Fault, Places, read_json

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_HINT = "expected the config file of an MCP host: JSON (comments are welcome), TOML or YAML"


def _toml(text: str) -> Any:
    from ._toml import read_toml

    return read_toml(text)


def _yaml(text: str) -> Any:
    from ._yaml import read_yaml

    return read_yaml(text)


_MARK = re.compile(r"(?m)^flowgen[ \t]*([:=])[ \t]*[\"']?topology")
# A text without an ending, such as one from stdin: its first line that says something tells.
_BEFORE = r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*"
_TOML_LINE = re.compile(_BEFORE + r"[ \t]*(?:\[{1,2}[A-Za-z_][\w.\" -]*\]{1,2}[ \t]*(?:#|\r?$)|[\w.-]+[ \t]*=)", re.M)
_YAML_LINE = re.compile(_BEFORE + r"(?:---|[A-Za-z_][\w. -]*:(?:[ \t]|\r?$))", re.M)
_READERS: dict[str, Callable[[str], Any]] = {"toml": _toml, "yaml": _yaml, "yml": _yaml}


@lru_cache(maxsize=2)  # who asks what a file is reads it next
def document(name: str, data: bytes) -> Document:
    """What a file says; the ending of its name tells TOML and YAML, everything else is JSON. Raises ConfigError."""
    try:
        text = _text(data)
        if not text.strip():
            raise ConfigError(f"{name}: the file is empty", _HINT)
        value = _reader(name, text)(text)
    except Fault as fault:
        raise ConfigError(f"{name}: line {fault.line}, column {fault.column}: {fault}", _HINT) from None
    return Document(name, value, Places(text).line(len(text)))


def _reader(name: str, text: str) -> Callable[[str], Any]:
    """The reader of a file; what comes without an ending says itself what it is."""
    told = _MARK.search(text[:4000])
    usual = {"": read_json, ":": _yaml, "=": _toml}[told[1] if told else ""]
    if not told and "." not in re.split(r"[/\\]", name)[-1]:
        usual = _toml if _TOML_LINE.match(text) else _yaml if _YAML_LINE.match(text) else read_json
    return _READERS.get(name.rpartition(".")[2].lower(), usual)


def _text(data: bytes) -> str:
    bom, encoding = next(((bom, code) for bom, code in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    body = data[len(bom) :]
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as problem:
        line = body[: problem.start].decode(encoding, "replace").count("\n") + 1
        raise Fault(f"not {encoding.upper()}", line) from None
