"""The forms of messages: rows of `forms.toml`, and whether a value has one. What is masked has any form.

A fault is told by its place and what was expected there: `params.name: missing`, `result.tools[0]: no object`.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from flowgen.trace import MASK

from ._book import revisions

Fault = tuple[int, str]  # how deep the fault lies, and what it is
Form = Callable[[Any, str, int], Fault | None]  # a value, its place, its depth; None where it has the form

_TOKEN = re.compile(r'"[^"]*"|[{}<>|&,:]|[^\s{}<>|&,:"]+')
_DEEP = 60  # levels that are looked at: JSON values may lie in each other as deep as a parser goes


@dataclass(frozen=True, slots=True)
class Method:
    """What a method takes and gives in some revisions. `required`: params may not be missing."""

    params: Form
    required: bool
    result: Form | None
    other: str | None


@cache
def method_form(revision: str, kind: str, side: str, name: str) -> Method | None:
    """The forms of a method, sent by a side as `request`, `notification` or `input-request`; None for none."""
    row = _methods().get((revision, kind, side, name))
    if row is None:
        return None
    params = row["params"] if isinstance(row["params"], list) else [row["params"]]
    result = _parsed(row["result"], revision) if "result" in row else None
    forms = tuple(_parsed(each, revision) for each in params)
    return Method(_either("any of its forms", forms), row.get("required", False), result, row.get("other"))


@cache
def senders(name: str, kind: str) -> dict[str, tuple[str, ...]]:
    """Which sides may send a method, and in which revisions."""
    found: dict[str, tuple[str, ...]] = {}
    for revision, each, side, method in _methods():
        if (each, method) == (kind, name):
            found[side] = (*found.get(side, ()), revision)
    return found


def fault_of(form: Form, value: Any, where: str) -> str | None:
    """What is wrong with a value that stands at a place; None where it has the form."""
    fault = form(value, where, 0)
    return fault[1] if fault else None


def named(name: str, revision: str) -> Form:
    """The form of a named type."""
    return _parsed(name, revision)


@cache
def _table() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads((files(__package__) / "forms.toml").read_text(encoding="utf-8"))


@cache
def _methods() -> dict[tuple[str, str, str, str], dict[str, Any]]:
    return {
        (revision, row["kind"], row["side"], row["name"]): row
        for row in _table()["method"]
        for revision in revisions(row["era"])
    }


@cache
def _types() -> dict[tuple[str, str], str]:
    return {(revision, row["name"]): row["form"] for row in _table()["type"] for revision in revisions(row["era"])}


# from the text of a form to a function


@cache
def _parsed(told: str, revision: str) -> Form:
    return _Parser(told, revision).form()


class _Parser:
    """Reads one form; what it names is read when it is first needed, for forms may hold themselves."""

    def __init__(self, told: str, revision: str) -> None:
        self.told = told
        self.revision = revision
        self.tokens = _TOKEN.findall(told)

    def form(self) -> Form:
        parts = [self._both()]
        while self._next("|"):
            parts.append(self._both())
        names, forms = zip(*parts, strict=True)
        return forms[0] if len(forms) == 1 else _either(" or ".join(names), forms)

    def _both(self) -> tuple[str, Form]:
        name, form = self._one()
        while self._next("&"):
            form = _both(form, self._one()[1])
        return name, form

    def _one(self) -> tuple[str, Form]:
        token = self.tokens.pop(0)
        if token == "{":
            return "an object", self._members()
        if token.startswith('"'):
            return token, _literal(token[1:-1])
        if token in ("array", "map") and self._next("<"):
            inside = self.form()
            self.tokens.pop(0)
            return ("a list", _list(inside)) if token == "array" else ("an object", _map(inside))
        return (_WORDS[token], _plain(token)) if token in _PLAIN else (token, self._named(token))

    def _members(self) -> Form:
        members: list[tuple[str, bool, Form]] = []
        while not self._next("}"):
            name = self.tokens.pop(0)
            self.tokens.pop(0)
            members.append((name.removesuffix("?"), not name.endswith("?"), self.form()))
            self._next(",")
        return _object(members)

    def _named(self, name: str) -> Form:
        told, revision = _types()[self.revision, name], self.revision
        return lambda value, where, depth: _parsed(told, revision)(value, where, depth) if depth < _DEEP else None

    def _next(self, token: str) -> bool:
        if self.tokens[:1] != [token]:
            return False
        self.tokens.pop(0)
        return True


# the forms themselves

_PLAIN: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "object": lambda value: isinstance(value, dict),
    "any": lambda value: True,
}
_WORDS = {"string": "a text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
          "null": "null", "object": "an object", "any": "anything"}  # fmt: skip


def _plain(name: str) -> Form:
    fits, word = _PLAIN[name], _WORDS[name]
    return lambda value, where, depth: None if fits(value) or _masked(value) else (depth, f"{where}: expected {word}")


def _literal(told: str) -> Form:
    return lambda value, where, depth: (
        None if value == told or _masked(value) else (depth, f'{where}: expected "{told}"')
    )


def _list(inside: Form) -> Form:
    def form(value: Any, where: str, depth: int) -> Fault | None:
        if not isinstance(value, list):
            return None if _masked(value) else (depth, f"{where}: expected a list")
        return _first(inside(each, f"{where}[{place}]", depth + 1) for place, each in enumerate(value))

    return form


def _map(inside: Form) -> Form:
    def form(value: Any, where: str, depth: int) -> Fault | None:
        if not isinstance(value, dict):
            return None if _masked(value) else (depth, f"{where}: expected an object")
        return _first(inside(each, f"{where}.{name}", depth + 1) for name, each in value.items())

    return form


def _object(members: list[tuple[str, bool, Form]]) -> Form:
    def form(value: Any, where: str, depth: int) -> Fault | None:
        if not isinstance(value, dict):
            return None if _masked(value) else (depth, f"{where}: expected an object")
        for name, needed, inside in members:
            if name not in value and needed:
                return depth + 1, f"{where}.{name}: missing"
            if name in value and (fault := inside(value[name], f"{where}.{name}", depth + 1)):
                return fault
        return None

    return form


def _either(words: str, forms: tuple[Form, ...]) -> Form:
    """Any of the forms; of what has none the deepest fault is told, for that form was meant."""

    def form(value: Any, where: str, depth: int) -> Fault | None:
        faults: list[Fault] = []
        for each in forms:
            if (fault := each(value, where, depth)) is None:
                return None
            faults.append(fault)
        deepest = max(faults, key=lambda fault: fault[0])
        return deepest if deepest[0] > depth and isinstance(value, dict) else (depth, f"{where}: expected {words}")

    return form if len(forms) > 1 else forms[0]


def _both(one: Form, other: Form) -> Form:
    return lambda value, where, depth: one(value, where, depth) or other(value, where, depth)


def _first(faults: Iterator[Fault | None]) -> Fault | None:
    return next((fault for fault in faults if fault), None)


def _masked(value: Any) -> bool:
    return isinstance(value, str) and MASK in value
