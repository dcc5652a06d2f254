"""What is wrong with a file, in one line: where, what was expected, what was found."""

import re
from json import JSONDecodeError
from typing import Any

from pydantic import ValidationError

from flowgen.errors import TraceError

from ._json import MAX_DEPTH, TooDeep, write_json
from ._quick import parse_document

FORMAT = "flowgen.trace/1"
HINT = "a trace is what `flowgen record -o FILE` writes; --from says whose recording it is else"
DEPTH = MAX_DEPTH + 8  # the document stands around the deepest body
_CUT_HINT = "the file ends too early; JSON Lines (-o FILE.jsonl) can be read after a cut, a document cannot"
# pydantic's name of a fault -> what JSON calls what was expected
_EXPECTED = {
    "model_type": "an object", "dict_type": "an object", "list_type": "a list", "tuple_type": "a list",
    "string_type": "a string", "int_type": "a whole number", "int_from_float": "a whole number",
    "float_type": "a number", "finite_number": "a number", "bool_type": "true or false",
    "too_long": "a pair", "too_short": "a pair",
}  # fmt: skip


def parsed(text: str, name: str, where: str = "") -> Any:
    """The value of a JSON text. Raises TraceError."""
    try:
        return parse_document(text, DEPTH)
    except TooDeep as problem:
        raise TraceError(f"{name}: {where}{problem}", HINT) from None
    except JSONDecodeError as problem:
        place = where or f"line {problem.lineno}, "
        hint = _CUT_HINT if problem.pos >= len(text.rstrip()) or "Unterminated" in problem.msg else HINT
        raise TraceError(f"{name}: {place}column {problem.colno}: no JSON ({problem.msg})", hint) from None


def an_object(value: Any, name: str, where: str = "") -> dict[str, Any]:
    """The value, which has to be an object. Raises TraceError."""
    if not isinstance(value, dict):
        raise TraceError(f"{name}: {where}expected an object, found {shown(value)}", HINT)
    return value


def check_format(document: dict[str, Any], name: str) -> None:
    """Raises TraceError for what is no trace, or one of a later flowgen."""
    found = document.get("format")
    if found == FORMAT:
        return
    if isinstance(found, str) and re.fullmatch(r"flowgen\.trace/[1-9][0-9]{0,5}", found):
        raise TraceError(
            f"{name}: format: {found} is newer than {FORMAT}, the one this flowgen reads",
            "update it: pip install --upgrade mcp-flowgen",
        )
    told = shown(found) if "format" in document else "nothing"
    raise TraceError(f'{name}: format: expected "{FORMAT}", found {told}', HINT)


def second(name: str, line: int) -> TraceError:
    """One recording behind another."""
    return TraceError(f"{name}: line {line}: a second recording begins here", "render each by itself")


def first(problem: ValidationError, name: str, *place: str | int) -> TraceError:
    """The first fault: field, what was expected, what was found. `place` is where the model stands in the document."""
    error = problem.errors(include_url=False)[0]
    field = ".".join(word(part) for part in (*place, *error["loc"]))
    if error["type"] == "missing":
        return TraceError(f"{name}: {field}: is missing", HINT)
    expected = _EXPECTED.get(error["type"]) or error["msg"].removeprefix("Input should be ")
    return TraceError(f"{name}: {field}: expected {expected}, found {shown(error['input'])}", HINT)


def shown(value: Any) -> str:
    """A value of the file, short and on one line."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = write_json(value).decode()
    return text if len(text) <= 60 else text[:59] + "…"


def word(part: str | int) -> str:
    """A name of the file, as it can stand in a line."""
    text = str(part)
    return text if text.isprintable() and len(text) <= 60 else ascii(text[:60])
