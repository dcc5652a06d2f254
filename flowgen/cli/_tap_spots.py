"""Where in a config file everything stands, to the character: JSON with comments, TOML and YAML.

For edits that leave every other character as it is. A text that is none of these ends in NotRead.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_DEPTH = 100
_JSON = r'"(?:\\.|[^"\\\n])*"'
_TOML = r'"""(?:\\[\s\S]|[^\\])*?"{3,5}|\'\'\'[\s\S]*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\''
_BARE = r"[\w-]+"
_HEADER = re.compile(rf"(\[\[?)[ \t]*((?:{_TOML}|{_BARE})(?:[ \t]*\.[ \t]*(?:{_TOML}|{_BARE}))*)[ \t]*\]\]?")


class NotRead(ValueError):
    """The text is not what its name says, at an offset."""

    def __init__(self, at: int) -> None:
        super().__init__(f"cannot be read at character {at + 1}")


@dataclass(slots=True)
class Spot:
    """A value and where it stands. `value` is that of a text; `block`: written over lines, without brackets."""

    start: int
    end: int
    value: str | None = None
    members: dict[str, "Spot"] | None = None
    items: "list[Spot] | None" = None
    block: bool = False
    key_start: int = field(default=-1)


def spots(name: str, text: str) -> Spot:
    """The whole file; the ending of its name tells TOML and YAML. Raises NotRead."""
    ending = name.rpartition(".")[2].lower()
    try:
        if ending == "toml":
            return _toml_file(text)
        return _yaml_file(text) if ending in ("yaml", "yml") else _Scan(text, _JSON_SIGNS).whole()
    except RecursionError:
        raise NotRead(0) from None


@dataclass(frozen=True, slots=True)
class _Signs:
    """How a language writes what both have."""

    space: re.Pattern[str]
    text: re.Pattern[str]
    key: re.Pattern[str]
    colon: str
    read: Any  # a text as it is written → what it stands for


def _read_toml(literal: str) -> str:
    import tomllib

    return str(tomllib.loads(f"x = {literal}")["x"])


_JSON_SIGNS = _Signs(
    re.compile(r"(?:[\s\ufeff]+|//[^\r\n]*|/\*[\s\S]*?\*/)*+"), re.compile(_JSON), re.compile(_JSON), ":", json.loads
)
_TOML_SIGNS = _Signs(
    re.compile(r"(?:\s+|#[^\r\n]*)*+"), re.compile(_TOML), re.compile(rf"{_TOML}|{_BARE}"), "=", _read_toml
)
_SCALAR = re.compile(r"[^\s,\]}#\"'\[{]+")


class _Scan:
    """Goes over a text once."""

    def __init__(self, text: str, signs: _Signs) -> None:
        self.text, self.signs, self.at, self._depth = text, signs, 0, 0

    def whole(self) -> Spot:
        """One value and nothing behind it."""
        spot = self.value()
        self.skip()
        if self.at < len(self.text):
            raise NotRead(self.at)
        return spot

    def skip(self) -> None:
        """Past spaces and comments."""
        found = self.signs.space.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def value(self) -> Spot:
        """The value that begins here."""
        self.skip()
        start = self.at
        sign = self.text[start : start + 1]
        if sign in ("{", "["):
            self._depth += 1
            if self._depth > _DEPTH:
                raise NotRead(start)
            spot = self._object(start) if sign == "{" else self._list(start)
            self._depth -= 1
            return spot
        if found := self.signs.text.match(self.text, start):
            self.at = found.end()
            return Spot(start, self.at, value=self._read(found[0], start))
        if found := _SCALAR.match(self.text, start):
            self.at = found.end()
            return Spot(start, self.at)
        raise NotRead(start)

    def key(self) -> str:
        """The key that begins here."""
        found = self.signs.key.match(self.text, self.at)
        if not found:
            raise NotRead(self.at)
        self.at = found.end()
        return self._read(found[0], found.start()) if found[0][0] in "\"'" else found[0]

    def take(self, sign: str) -> None:
        """This sign, spaces before it or not."""
        self.skip()
        if not self.text.startswith(sign, self.at):
            raise NotRead(self.at)
        self.at += len(sign)

    def _object(self, start: int) -> Spot:
        members: dict[str, Spot] = {}
        for key_start in self._inside("}"):
            key = self.key()
            self.take(self.signs.colon)
            members[key] = self.value()
            members[key].key_start = key_start
        return Spot(start, self.at, members=members)

    def _list(self, start: int) -> Spot:
        items = [self.value() for _ in self._inside("]")]
        return Spot(start, self.at, items=items)

    def _inside(self, closing: str) -> Iterator[int]:
        """Where each part begins, until the closing sign; a comma may stand before it."""
        self.at += 1
        self.skip()
        while not self.text.startswith(closing, self.at):
            yield self.at
            self.skip()
            if not self.text.startswith(closing, self.at):
                self.take(",")
                self.skip()
        self.at += 1

    def _read(self, literal: str, at: int) -> str:
        try:
            return str(self.signs.read(literal))
        except ValueError:
            raise NotRead(at) from None


def _toml_file(text: str) -> Spot:
    scan = _Scan(text, _TOML_SIGNS)
    root = Spot(0, len(text), members={}, block=True)
    table = root
    scan.skip()
    while scan.at < len(text):
        start = scan.at
        if header := _HEADER.match(text, start):
            keys = _Scan(header[2], _TOML_SIGNS)
            table = _entered(root, _dotted(keys), header[1] == "[[")
            scan.at = header.end()
        else:
            *outer, last = _dotted(scan)
            scan.take("=")
            spot = scan.value()
            spot.key_start = start
            holder = _entered(table, outer, False) if outer else table
            assert holder.members is not None
            holder.members[last] = spot
        scan.skip()
    return root


def _dotted(scan: _Scan) -> list[str]:
    keys = [scan.key()]
    while scan.text[scan.at :].lstrip(" \t").startswith("."):
        scan.take(".")
        scan.skip()
        keys.append(scan.key())
    return keys


def _entered(table: Spot, keys: list[str], repeated: bool) -> Spot:
    """The table of a path, made where it is not there; the last one of several."""
    for number, key in enumerate(keys):
        assert table.members is not None
        new = Spot(-1, -1, members={}, block=True)
        if repeated and number == len(keys) - 1:
            several = table.members.setdefault(key, Spot(-1, -1, items=[], block=True))
            (several.items if several.items is not None else []).append(new)
            return new
        found = table.members.setdefault(key, new)
        table = found.items[-1] if found.items else found
        if table.members is None:
            raise NotRead(max(0, table.start))
    return table


def _yaml_file(text: str) -> Spot:
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        raise NotRead(mark.index if mark else 0) from None
    if node is None:
        raise NotRead(0)
    return _yaml(node, 0)


def _yaml(node: Any, depth: int) -> Spot:
    import yaml

    if depth > _DEPTH:
        raise NotRead(node.start_mark.index)
    spot = Spot(node.start_mark.index, node.end_mark.index, block=not getattr(node, "flow_style", True))
    if isinstance(node, yaml.ScalarNode):
        spot.value = str(node.value)
    elif isinstance(node, yaml.SequenceNode):
        spot.items = [_yaml(child, depth + 1) for child in node.value]
    else:
        spot.members = {}
        for key, child in node.value:
            spot.members[str(key.value)] = _yaml(child, depth + 1)
            spot.members[str(key.value)].key_start = key.start_mark.index
    return spot
