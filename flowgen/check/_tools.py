"""Rules of tools: what is listed and what is called, arguments and structured results against their schemas."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ._eras import STATELESS_ERRORS
from ._hits import Hit, rule
from ._lists import Listing
from ._message import Json, Seen, items, obj, objects, text
from ._schemas import remote_references, schema_fault
from ._session import Session

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_MARK = "x-mcp-header"
_MARKED = ("string", "integer", "boolean")


@rule
def tool_not_listed(session: Session) -> Iterator[Hit]:
    told = set[str | None]()
    for seen, listing in _calls(session):
        if listing and (listing.named(seen.name) or _nearly(seen, listing)):
            continue
        if listing and listing.complete:
            yield Hit(seen, f"{seen.name} is not among the {len(listing.entries)} tools listed")
        elif seen.name not in told:
            yield Hit(seen, f"{seen.name} is called, and was not seen in a list", "info")
        told.add(seen.name)


@rule
def tool_name_mismatch(session: Session) -> Iterator[Hit]:
    for seen, listing in _calls(session):
        if listing and not listing.named(seen.name) and (name := _nearly(seen, listing)):
            yield Hit(seen, f"{seen.name!r} is called, {name!r} is listed")


@rule
def unknown_tool_answer(session: Session) -> Iterator[Hit]:
    for seen, listing in _calls(session):
        answer = seen.answer
        unknown = listing is not None and listing.complete and not listing.named(seen.name)
        told = answer is not None and answer.code in (-32602, *STATELESS_ERRORS)  # others are looked at before the name
        if unknown and answer and answer.kind in ("response", "error") and not told:
            said = "a result" if answer.kind == "response" else f"error {answer.code}"
            yield Hit(answer, f"{seen.name}, which there is not, is answered with {said}")


@rule
def arguments_invalid(session: Session) -> Iterator[Hit]:
    for seen, wrong in _wrong_calls(session):
        yield Hit(seen, f"{seen.name}: arguments: {wrong}")


@rule
def arguments_invalid_accepted(session: Session) -> Iterator[Hit]:
    for seen, wrong in _wrong_calls(session):
        answer = seen.answer
        done = answer is not None and obj(answer.result).get("resultType", "complete") == "complete"
        if answer and answer.result is not None and done and answer.result.get("isError") is not True:
            yield Hit(answer, f"{seen.name} succeeds with arguments that break its schema: {wrong}")


@rule
def argument_error_style(session: Session) -> Iterator[Hit]:
    for seen, _ in _wrong_calls(session):
        if seen.answer and seen.answer.kind == "error" and seen.answer.code in (-32602, -32603):
            yield Hit(seen.answer, f"arguments of {seen.name} are refused with error {seen.answer.code}")


@rule
def output_content_missing(session: Session) -> Iterator[Hit]:
    for seen, tool in _successes(session):
        if isinstance(tool.get("outputSchema"), dict) and "structuredContent" not in obj(seen.result):
            yield Hit(seen, f"{seen.name} has an outputSchema, its result no structuredContent")


@rule
def output_schema_mismatch(session: Session) -> Iterator[Hit]:
    for seen, tool in _successes(session):
        known = "structuredContent" in obj(seen.result) and not seen.masked("/body/result/structuredContent")
        content = obj(seen.result).get("structuredContent")
        if known and (wrong := session.schemas.fault(content, tool.get("outputSchema"))):
            yield Hit(seen, f"{seen.name}: structuredContent: {wrong}")


@rule
def output_text_missing(session: Session) -> Iterator[Hit]:
    for seen in session.complete("tools/call"):
        texts = (each for each in objects(obj(seen.result).get("content")) if each.get("type") == "text")
        if "structuredContent" in obj(seen.result) and next(texts, None) is None:
            yield Hit(seen, f"the result of {seen.name} has structuredContent and no text")


@rule
def tool_name_duplicate(session: Session) -> Iterator[Hit]:
    names = set[str]()
    for seen, follows in _pages(session):
        names = names if follows else set()
        for tool in objects(obj(seen.result).get("tools")):
            name = text(tool.get("name"))
            if name is not None and name in names:
                yield Hit(seen, f"{name} is listed twice")
            names |= {name} if name is not None else set()


@rule
def tool_name_syntax(session: Session) -> Iterator[Hit]:
    for seen, tool in _listed(session):
        name = text(tool.get("name"))
        if name is not None and not _NAME.fullmatch(name):
            yield Hit(seen, f"a tool is called {name[:60]!r}")


@rule
def tool_schema_invalid(session: Session) -> Iterator[Hit]:
    for seen, tool in _listed(session):
        for member in ("inputSchema", "outputSchema"):
            if member in tool and (wrong := _schema_fault(member, tool[member], seen)):
                yield Hit(seen, f"{tool.get('name')}: {member}: {wrong}")


@rule
def tool_schema_remote_ref(session: Session) -> Iterator[Hit]:
    for seen, tool in _listed(session):
        for target in remote_references([tool.get("inputSchema"), tool.get("outputSchema")]):
            yield Hit(seen, f"{tool.get('name')}: a schema refers to {target[:80]}")


@rule
def tools_order_changes(session: Session) -> Iterator[Hit]:
    before: list[Any] = []
    for listing in session.listings("tools"):
        names = [text(tool.get("name")) for tool in listing.entries]
        if names != before and Counter(names) == Counter(before):
            yield Hit(listing.seen, "the same tools as before, in another order")
        before = names


@rule
def x_mcp_header_invalid(session: Session) -> Iterator[Hit]:
    for seen, tool in _listed(session):
        if wrong := header_fault(tool.get("inputSchema")):
            yield Hit(seen, f"{tool.get('name')}: {wrong}")


@rule
def x_mcp_header_tool_called(session: Session) -> Iterator[Hit]:
    for seen, listing in _calls(session):
        tool = listing.named(seen.name) if listing else None
        if tool and (wrong := header_fault(tool.get("inputSchema"))):
            yield Hit(seen, f"{seen.name} is called although {wrong}")


def header_fault(schema: Any) -> str | None:
    """What is wrong with the header marks of an inputSchema."""
    names = set[str]()
    for mark, part, reached in _marks(schema):
        if not isinstance(mark, str) or not _TOKEN.fullmatch(mark):
            return f"{_MARK} {str(mark)[:40]!r} is no token"
        if mark.lower() in names:
            return f"{_MARK} {mark!r} stands twice"
        if part.get("type") not in _MARKED or not reached:
            return f"{_MARK} {mark!r} stands on what no header can hold"
        names.add(mark.lower())
    return None


def _marks(schema: Any, reached: bool = True) -> Iterator[tuple[Any, Json, bool]]:
    """The marks with the part of the schema that they stand on, and whether properties alone lead there."""
    stack = [(schema, reached)]
    while stack:
        part, direct = stack.pop()
        if isinstance(part, dict):
            if _MARK in part:
                yield part[_MARK], part, direct and part is not schema
            for name, inner in part.items():
                parts = obj(inner).values() if name == "properties" else items(inner) or [inner]
                stack += [(each, direct and name == "properties") for each in parts]


def _calls(session: Session) -> Iterator[tuple[Seen, Listing | None]]:
    """The calls of tools, with the list that the client knew."""
    for seen in session.requests("tools/call"):
        if seen.side == "client" and text(seen.name) is not None:
            yield seen, session.listing("tools", seen)


def _nearly(seen: Seen, listing: Listing) -> str | None:
    """The name of a listed tool that differs by case and spaces only."""
    wanted = (seen.name or "").strip().casefold()
    names = (text(tool.get("name")) for tool in listing.entries)
    return next((name for name in names if name and name.strip().casefold() == wanted), None)


def _wrong_calls(session: Session) -> list[tuple[Seen, str]]:
    """Calls whose arguments break the schema of their tool."""
    found: list[tuple[Seen, str]] = session.worked_out("wrong calls", _find_wrong_calls)
    return found


def _find_wrong_calls(session: Session) -> list[tuple[Seen, str]]:
    found = []
    for seen, listing in _calls(session):
        tool = listing.named(seen.name) if listing else None
        if tool is None or seen.masked("/body/params/arguments"):
            continue
        if wrong := session.schemas.fault(seen.params.get("arguments", {}), tool.get("inputSchema")):
            found.append((seen, wrong))
    return found


def _successes(session: Session) -> Iterator[tuple[Seen, Json]]:
    """Results of tools that did what was asked, with the tool as it was listed."""
    for seen in session.complete("tools/call"):
        listing = session.listing("tools", seen.request) if seen.request else None
        tool = listing.named(seen.name) if listing else None
        if tool and obj(seen.result).get("isError") is not True:
            yield seen, tool


def _pages(session: Session) -> Iterator[tuple[Seen, bool]]:
    """The answers to tools/list, and whether each is one more page of the list before."""
    cursor: Any = None
    for seen in session.complete("tools/list"):
        yield seen, cursor is not None and seen.request is not None and seen.request.params.get("cursor") == cursor
        cursor = obj(seen.result).get("nextCursor")


def _listed(session: Session) -> Iterator[tuple[Seen, Json]]:
    """Every tool with the answer that lists it; once, unless it changed."""
    told: dict[Any, Json] = {}
    for seen in session.complete("tools/list"):
        for tool in objects(obj(seen.result).get("tools")):
            if told.get(str(tool.get("name"))) != tool:
                told[str(tool.get("name"))] = tool
                yield seen, tool


def _schema_fault(member: str, schema: Any, seen: Seen) -> str | None:
    if not isinstance(schema, dict):
        return None if member == "outputSchema" and isinstance(schema, bool) else "no object"
    if member == "inputSchema" and schema.get("type") != "object":
        return 'its type is not "object"'
    return schema_fault(schema, named=(seen.revision or "") >= "2025-11-25")


