"""Bytes to a Trace: one document or JSON Lines, UTF-8 or UTF-16, whole or cut.

Whatever the bytes are, a Trace or a TraceError comes out.
"""

import codecs
import re
from json import JSONDecodeError
from typing import Any

from pydantic import ValidationError

from flowgen.errors import TraceError

from ._json import MAX_DEPTH, TooDeep, parse, write_json
from ._model import Trace

_FORMAT = "flowgen.trace/1"
_HINT = "a trace is what `flowgen record -o FILE` writes"
_CUT_HINT = "the file ends too early; JSON Lines (-o FILE.jsonl) can be read after a cut, a document cannot"
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DEPTH = MAX_DEPTH + 8  # the document stands around the deepest body
# pydantic's name of a fault -> what JSON calls what was expected
_EXPECTED = {
    "model_type": "an object", "dict_type": "an object", "list_type": "a list", "tuple_type": "a list",
    "string_type": "a string", "int_type": "a whole number", "int_from_float": "a whole number",
    "float_type": "a number", "finite_number": "a number", "bool_type": "true or false",
    "too_long": "a pair", "too_short": "a pair",
}  # fmt: skip


def load(data: bytes, name: str = "trace") -> Trace:
    """Read a trace; `name` is what errors call it.

    JSON Lines that were cut anywhere after their first line load up to the last whole line, with the outcome
    `{"complete": false, "reason": "cut"}`. Raises TraceError that names the field and what was expected.
    """
    document = _document(_text(data, name), name)
    _check_format(document, name)
    try:
        trace = Trace.model_validate(document)
    except ValidationError as problem:
        raise TraceError(f"{name}: {_first(problem)}", _HINT) from None
    _check_numbers(trace, name)
    return trace


def _text(data: bytes, name: str) -> str:
    bom, encoding = next(((bom, code) for bom, code in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    # PowerShell's `>` writes UTF-16; half a character at the end is what a cut leaves
    decoder = codecs.getincrementaldecoder(encoding)("strict" if encoding == "utf-8" else "surrogatepass")
    try:
        return decoder.decode(data[len(bom) :])
    except UnicodeDecodeError as problem:
        raise TraceError(f"{name}: byte {problem.start + len(bom)} is not {encoding.upper()}", _HINT) from None


def _document(text: str, name: str) -> dict[str, Any]:
    if not text.strip():
        raise TraceError(f"{name}: the file is empty", _HINT)
    first, _, rest = text.partition("\n")
    try:
        header = parse(first, _DEPTH)
    except ValueError:  # a document over several lines, or nothing of ours
        return _object(_parsed(text, name, ""), name, "")
    document = _object(header, name, "")
    if not rest.strip() and document.keys() & {"messages", "outcome"}:
        return document
    _check_format(document, name)
    if "messages" in document:  # a whole document: what follows is none of its messages
        raise _second(name, 2)
    return document | _from_lines(rest, name)


def _from_lines(text: str, name: str) -> dict[str, Any]:
    """Messages and outcome from the lines after the first."""
    messages: list[dict[str, Any]] = []
    end: dict[str, Any] = {"outcome": {"complete": False, "reason": "cut"}}
    lines = text.split("\n")
    for number, line in enumerate(lines, 2):
        if not line.strip():
            continue
        try:
            value = parse(line, _DEPTH)
        except ValueError:
            if number == len(lines) + 1:  # no newline after it: the recorder was cut off in here
                break
            value = _parsed(line, name, f"line {number}: ")
        _object(value, name, f"line {number}: ")
        if "format" in value and "kind" not in value:
            raise _second(name, number)
        if "outcome" in value and "kind" not in value:
            end = value
        else:
            messages.append(value)
    _put_back(end.get("problems"), messages, name)
    return {"messages": messages, "outcome": end["outcome"]}


def _second(name: str, line: int) -> TraceError:
    return TraceError(f"{name}: line {line}: a second recording begins here", "render each by itself")


def _put_back(problems: Any, messages: list[dict[str, Any]], name: str) -> None:
    """Problems that became known after their message was written stand in the last line, by `seq`."""
    if problems is None:
        return
    if not isinstance(problems, dict):
        raise TraceError(f"{name}: problems: expected an object, found {_shown(problems)}", _HINT)
    numbered = {str(message.get("seq")): message for message in messages}
    for seq, found in problems.items():
        message = numbered.get(seq)
        if message is None or not isinstance(found, list) or not isinstance(message.get("problems", []), list):
            raise TraceError(f"{name}: problems.{_word(seq)}: expected a list for a message's seq", _HINT)
        message["problems"] = [*message.get("problems", []), *found]


def _parsed(text: str, name: str, where: str) -> Any:
    try:
        return parse(text, _DEPTH)
    except TooDeep as problem:
        raise TraceError(f"{name}: {where}{problem}", _HINT) from None
    except JSONDecodeError as problem:
        place = where or f"line {problem.lineno}, "
        hint = _CUT_HINT if problem.pos >= len(text.rstrip()) or "Unterminated" in problem.msg else _HINT
        raise TraceError(f"{name}: {place}column {problem.colno}: no JSON ({problem.msg})", hint) from None


def _object(value: Any, name: str, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TraceError(f"{name}: {where}expected an object, found {_shown(value)}", _HINT)
    return value


def _check_format(document: dict[str, Any], name: str) -> None:
    found = document.get("format")
    if found == _FORMAT:
        return
    if isinstance(found, str) and re.fullmatch(r"flowgen\.trace/[1-9][0-9]{0,5}", found):
        raise TraceError(
            f"{name}: format: {found} is newer than {_FORMAT}, the one this flowgen reads",
            "update it: pip install --upgrade mcp-flowgen",
        )
    told = _shown(found) if "format" in document else "nothing"
    raise TraceError(f'{name}: format: expected "{_FORMAT}", found {told}', _HINT)


def _check_numbers(trace: Trace, name: str) -> None:
    """Two messages with one `seq` could not be told apart by whatever speaks of them."""
    seen: dict[int, int] = {}
    for at, message in enumerate(trace.messages):
        if seen.setdefault(message.seq, at) != at:
            where = f"{name}: messages.{at}.seq: {_shown(message.seq)} is that of messages.{seen[message.seq]} already"
            raise TraceError(where, "number the messages 1, 2, 3 … in the order seen")


def _first(problem: ValidationError) -> str:
    """The first fault, as one line: field, what was expected, what was found."""
    error = problem.errors(include_url=False)[0]
    field = ".".join(_word(part) for part in error["loc"])
    if error["type"] == "missing":
        return f"{field}: is missing"
    expected = _EXPECTED.get(error["type"]) or error["msg"].removeprefix("Input should be ")
    return f"{field}: expected {expected}, found {_shown(error['input'])}"


def _shown(value: Any) -> str:
    """A value of the file, short and on one line."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = write_json(value).decode()
    return text if len(text) <= 60 else text[:59] + "…"


def _word(part: str | int) -> str:
    text = str(part)
    return text if text.isprintable() and len(text) <= 60 else ascii(text[:60])
