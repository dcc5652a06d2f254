"""Headers that ride along with a message over HTTP, and what an answer says of its body. Sends nothing.

Source: 2026-07-28 basic/transports/streamable-http (request metadata, value encoding, `x-mcp-header`).
"""

import base64
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

Headers = Sequence[Sequence[str]]
Path = tuple[str, ...]

# method → the member of its params that `Mcp-Name` repeats; the last three are of the tasks extension (SEP-2663)
NAMED = {
    "tools/call": "name", "prompts/get": "name", "resources/read": "uri",
    "tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId",
}  # fmt: skip
PARAM = "Mcp-Param-"

_SENTINEL = re.compile(r"=\?base64\?(.*)\?=")
_SAFE = re.compile(r"[\x20-\x7e\t]*")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, 5.6.2
_MIRRORED = ("string", "integer", "boolean")
_LARGEST = 2**53 - 1
# where schemas stand inside a schema (JSON Schema 2020-12); whatever else a schema holds is data
_SCHEMA = {
    "items", "contains", "unevaluatedItems", "additionalProperties", "propertyNames", "unevaluatedProperties",
    "not", "if", "then", "else", "contentSchema", "additionalItems",
}  # fmt: skip
_SCHEMAS = {"allOf", "anyOf", "oneOf", "prefixItems", "items"}
_NAMED_SCHEMAS = {"patternProperties", "dependentSchemas", "$defs", "definitions", "dependencies"}


# values


def header_value(text: str) -> str:
    """A text as the value of `Mcp-Name` or `Mcp-Param-*`: as it is where that is safe, else base64 in its sentinel."""
    if _SAFE.fullmatch(text) and text == text.strip() and not _SENTINEL.fullmatch(text):
        return text
    return f"=?base64?{base64.b64encode(text.encode('utf-8', 'surrogatepass')).decode()}?="


def plain_value(value: str) -> str | None:
    """What a header value stands for; None where its sentinel holds no base64 of UTF-8."""
    found = _SENTINEL.fullmatch(value)
    if not found:
        return value
    try:
        data = base64.b64decode(found[1], validate=True)
        return data.decode() if base64.b64encode(data).decode() == found[1] else None
    except ValueError:
        return None


def mirrored(value: Any) -> str | None:
    """An argument as the text that a header repeats; None where there is none: null, fractions, lists, objects."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() if abs(value) <= _LARGEST:
            return str(value)
        case float() if value.is_integer() and abs(value) <= _LARGEST:
            return str(int(value))
        case str():
            return value
    return None


# headers of a request


def routing_headers(body: dict[str, Any], param_names: dict[Path, str]) -> list[tuple[str, str]]:
    """`Mcp-Method`, `Mcp-Name` and `Mcp-Param-*` of a request (2026-07-28).

    `param_names` says which arguments of the tool have headers, as `ParamHeaders.names` does.
    """
    method = body.get("method")
    if not isinstance(method, str):
        return []
    params = body.get("params") if isinstance(body.get("params"), dict) else {}
    name = params.get(NAMED.get(method, "")) if params else None
    named = [("Mcp-Name", header_value(name))] if isinstance(name, str) else []
    arguments = params.get("arguments") if params and method == "tools/call" else None
    return [("Mcp-Method", header_value(method)), *named, *_param_headers(arguments, param_names)]


def _param_headers(arguments: Any, names: dict[Path, str]) -> Iterator[tuple[str, str]]:
    for path, name in names.items():
        text = mirrored(_at(arguments, path))
        if text is not None:
            yield PARAM + name, header_value(text)


def _at(value: Any, path: Path) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


class ParamHeaders(NamedTuple):
    """What the `x-mcp-header` members of a tool's inputSchema say.

    `names`: path of property names → what follows `Mcp-Param-`. `fault`: why the tool must be dropped, else None.
    """

    names: dict[Path, str]
    fault: str | None


def param_headers(schema: Any) -> ParamHeaders:
    """Reads the `x-mcp-header` members of an inputSchema, whatever it is."""
    names: dict[Path, str] = {}
    for path, inner in _annotated(schema):
        fault = _fault(path, inner, names)
        if fault:
            return ParamHeaders({}, fault)
        names[path or ()] = inner["x-mcp-header"]
    return ParamHeaders(names, None)


def _annotated(root: Any) -> Iterator[tuple[Path | None, dict[str, Any]]]:
    """Schemas with the member, and the chain of `properties` to each; None where there is no such chain."""
    todo: list[tuple[Path | None, Any]] = [((), root)]
    while todo:
        path, schema = todo.pop()
        if isinstance(schema, dict):
            if "x-mcp-header" in schema:
                yield path, schema
            todo += reversed(list(_inside(path, schema)))


def _inside(path: Path | None, schema: dict[str, Any]) -> Iterator[tuple[Path | None, Any]]:
    for name, value in schema.items():
        if name == "properties" and isinstance(value, dict):
            yield from ((None if path is None else (*path, key), inner) for key, inner in value.items())
        elif name in _NAMED_SCHEMAS and isinstance(value, dict):
            yield from ((None, inner) for inner in value.values())
        elif name in _SCHEMAS and isinstance(value, list):
            yield from ((None, inner) for inner in value)
        elif name in _SCHEMA:
            yield None, value


def _fault(path: Path | None, schema: dict[str, Any], taken: dict[Path, str]) -> str | None:
    name = schema["x-mcp-header"]
    if not path:
        return "x-mcp-header stands where no chain of properties leads"
    where = ".".join(path)
    if not isinstance(name, str) or not _TOKEN.fullmatch(name):
        return f"{where}: x-mcp-header is no name for a header"
    if schema.get("type") not in _MIRRORED:
        return f"{where}: x-mcp-header needs the type string, integer or boolean"
    if name.lower() in (other.lower() for other in taken.values()):
        return f"{where}: x-mcp-header {name} stands twice"
    return None


# headers of an answer


def header_pairs(raw: Iterable[tuple[bytes, bytes]]) -> list[list[str]]:
    """Headers as they came, repeats and case kept; bytes that are not UTF-8 are read as Latin-1."""
    return [[_text(name), _text(value)] for name, value in raw]


def header_of(headers: Headers, name: str) -> str | None:
    """The first value under a name, without regard to case."""
    return next((value for each, value in headers if each.lower() == name.lower()), None)


def media_type(headers: Headers) -> str | None:
    """`application/json` of `Content-Type: Application/JSON; charset=utf-8`; None where the header is missing."""
    value = header_of(headers, "content-type")
    return None if value is None else value.partition(";")[0].strip().lower()


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
