"""Whether a tool that changed still takes what its callers send, and still answers what they read.

What a tool takes may grow wider and what it answers narrower; the other way round something breaks. Judged by JSON
Schema (2020-12) keyword by keyword; where a schema says it in a way that is not looked at, the change is only told.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Way = Literal["takes", "answers"]

_BOUNDS = {  # keyword -> whether a greater number lets more through
    "maximum": True, "exclusiveMaximum": True, "maxLength": True, "maxItems": True, "maxProperties": True,
    "minimum": False, "exclusiveMinimum": False, "minLength": False, "minItems": False, "minProperties": False,
}  # fmt: skip
_EXACT = ("pattern", "format", "multipleOf", "const")
_HINTS = {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": False, "idempotentHint": True}
_DEEPEST = 30  # schemas inside of each other; a reference may lead back


@dataclass(frozen=True, slots=True)
class Judgement:
    """One change of a tool: a sentence, and whether callers break."""

    sentence: str
    breaking: bool


def judgements(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Judgement]:
    """What became of a tool that both sessions list, what breaks first."""
    found = [
        *_schema(_object(old.get("inputSchema")), _object(new.get("inputSchema")), "takes", ""),
        *_output(old.get("outputSchema"), new.get("outputSchema")),
        *_annotations(_object(old.get("annotations")), _object(new.get("annotations"))),
        *(Judgement(f"another {name}", False) for name in ("title", "description") if old.get(name) != new.get(name)),
    ]
    known = {"name", "inputSchema", "outputSchema", "annotations", "title", "description"}
    others = [name for name in dict.fromkeys((*old, *new)) if name not in known and old.get(name) != new.get(name)]
    found += [Judgement(f"another {name}", False) for name in others]
    return sorted(dict.fromkeys(found), key=lambda each: not each.breaking)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _output(old: Any, new: Any) -> Iterator[Judgement]:
    if isinstance(old, dict) and not isinstance(new, dict):
        yield Judgement("no longer says what it answers (outputSchema)", True)
    elif isinstance(new, dict) and not isinstance(old, dict):
        yield Judgement("says what it answers now (outputSchema)", False)
    else:
        yield from _schema(_object(old), _object(new), "answers", "")


def _annotations(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Judgement]:
    """A hint on which approvals may rest: less harmless than it was, callers have to ask again."""
    for name, harmless in _HINTS.items():
        was, now = old.get(name), new.get(name)
        if was != now:
            yield Judgement(f"{name}: {_word(was)} → {_word(now)}", was is harmless and now is not harmless)


def _schema(old: Mapping[str, Any], new: Mapping[str, Any], way: Way, path: str, depth: int = 0) -> Iterator[Judgement]:
    if old == new or depth > _DEEPEST:
        return
    yield from _types(old, new, way, path)
    yield from _enum(old, new, way, path)
    yield from _limits(old, new, way, path)
    yield from _members(old, new, way, path, depth)
    yield from _closed(old, new, way, path)
    was, now = _object(old.get("items")), _object(new.get("items"))
    if was and now:
        yield from _schema(was, now, way, f"{path}[]", depth + 1)
    for name in ("anyOf", "oneOf", "allOf", "not", "$ref", "if", "patternProperties", "dependentRequired"):
        if old.get(name) != new.get(name):
            yield Judgement(f"{_of(way, path)} is described otherwise ({name})", False)


def _of(way: Way, path: str) -> str:
    return f"`{path}`" if path and way == "takes" else f"`{path}` of the answer" if path else \
        "what it takes" if way == "takes" else "what it answers"  # fmt: skip


def _types(old: Mapping[str, Any], new: Mapping[str, Any], way: Way, path: str) -> Iterator[Judgement]:
    was, now = _names(old.get("type")), _names(new.get("type"))
    if was == now:
        return
    narrower, wider = _lets_less(was, now), _lets_less(now, was)
    breaking = narrower if way == "takes" else wider
    yield Judgement(f"{_of(way, path)} is {_listed(now)} and no longer {_listed(was)}", breaking)


def _names(value: Any) -> frozenset[str]:
    names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return frozenset(name for name in names if isinstance(name, str))


def _lets_less(was: frozenset[str], now: frozenset[str]) -> bool:
    """Whether something was let through that is not now; no type lets everything through, an integer is a number."""
    if not now:
        return False
    return not was or any(name not in now and not (name == "integer" and "number" in now) for name in was)


def _listed(names: frozenset[str]) -> str:
    return " or ".join(sorted(names)) or "anything"


def _enum(old: Mapping[str, Any], new: Mapping[str, Any], way: Way, path: str) -> Iterator[Judgement]:
    was, now = old.get("enum"), new.get("enum")
    if was == now:
        return
    if not isinstance(was, list) or not isinstance(now, list):
        narrower = isinstance(now, list)
        words = "takes certain values only" if narrower else "takes any value"
        yield Judgement(f"{_of(way, path)} {words} now", narrower if way == "takes" else not narrower)
        return
    gone, more = [each for each in was if each not in now], [each for each in now if each not in was]
    if gone:
        yield Judgement(f"{_of(way, path)} is no longer {_values(gone)}", way == "takes")
    if more:
        yield Judgement(f"{_of(way, path)} may be {_values(more)} now", way == "answers")


def _values(values: list[Any]) -> str:
    more = f" and {len(values) - 3} more" if len(values) > 3 else ""
    return ", ".join(_word(value) for value in values[:3]) + more


def _limits(old: Mapping[str, Any], new: Mapping[str, Any], way: Way, path: str) -> Iterator[Judgement]:
    for name, more in _BOUNDS.items():
        was, now = old.get(name), new.get(name)
        if was != now and all(each is None or _is_number(each) for each in (was, now)):
            narrower = was is None or (now is not None and (now < was if more else now > was))
            yield _limit(name, was, now, way, path, narrower)
    for name in _EXACT:
        was, now = old.get(name), new.get(name)
        if was != now:
            yield _limit(name, was, now, way, path, now is not None if way == "takes" else was is None)


def _limit(name: str, was: Any, now: Any, way: Way, path: str, narrower: bool) -> Judgement:
    breaking = narrower if way == "takes" else not narrower
    return Judgement(f"{_of(way, path)}: {name} {_word(was)} → {_word(now)}", breaking)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _members(
    old: Mapping[str, Any], new: Mapping[str, Any], way: Way, path: str, depth: int
) -> Iterator[Judgement]:
    was, now = _object(old.get("properties")), _object(new.get("properties"))
    needed, needs = _names(old.get("required")), _names(new.get("required"))
    for name in dict.fromkeys((*was, *now)):
        place = f"{path}.{name}" if path else name
        if name not in now:
            yield Judgement(f"{_of(way, place)} is gone", True)
        elif name not in was:
            must = " and has to be sent" if way == "takes" and name in needs else ""
            yield Judgement(f"{_of(way, place)} is new{must}", bool(must))
        else:
            yield from _needed(name in needed, name in needs, way, place)
            yield from _schema(_object(was[name]), _object(now[name]), way, place, depth + 1)


def _needed(was: bool, now: bool, way: Way, place: str) -> Iterator[Judgement]:
    if was == now:
        return
    if way == "takes":
        yield Judgement(f"{_of(way, place)} {'has to be sent now' if now else 'may be left out now'}", now)
    else:
        yield Judgement(f"{_of(way, place)} {'is always there now' if now else 'may be missing now'}", was)


def _closed(old: Mapping[str, Any], new: Mapping[str, Any], way: Way, path: str) -> Iterator[Judgement]:
    """Members that nobody named were let through, and are not now."""
    was, now = old.get("additionalProperties") is False, new.get("additionalProperties") is False
    if was != now:
        yield Judgement(f"{_of(way, path)} {'has no other members' if now else 'may have other members'} now",
                        now if way == "takes" else was)  # fmt: skip


def _word(value: Any) -> str:
    """A value in a sentence."""
    if value is None:
        return "none"
    text = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


