"""The credentials of an entry: where each stands and what kind of value it has, never the value.

Looked for in the environment, headers, command lines, addresses and texts within texts; a name or a known shape
tells them. RFC 6750 and the query of an address are where tokens most often leak.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from ._address import carried
from ._document import Word, texts
from ._fields import Given, Pair
from ._json import Fault, read_json
from ._launch import Launch
from ._shell import VARIABLE
from ._switches import told_before
from ._values import Defaults, Value, ValueKind, secret_of, strength, value_of

Where = Literal["env", "header", "argument", "url", "file", "path"]

_OPTION = re.compile(r"(--?[A-Za-z][\w.-]*|[A-Za-z_][\w.-]*)=(.*)", re.DOTALL)
_SWITCH = re.compile(r"--?[A-Za-z][\w.-]*")
_HEADER = re.compile(r"([A-Za-z][\w-]*):[ \t]*(?!//)(\S.*)", re.DOTALL)
_SCHEME = re.compile(r"(?i)\s*(bearer|basic|dpop)\s+\S")
_CONNECTION = re.compile(r"(?i)(?:^|;)\s*([A-Za-z][A-Za-z ]*)=\s*([^;]+)")
_ADDRESS = re.compile(r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}:[/\\]{2}[^\s\"']+")
_INPUT = re.compile(r"\$\{input:([^{}]+)\}")
_PARAMETERS = {"key": "token", "pwd": "password", "pass": "password", "code": "auth"}  # judged as these names are


class Credential(NamedTuple):
    """`name` is that of the variable, header, option or parameter; `mark` tells one literal from another."""

    name: str
    kind: ValueKind
    where: Where
    line: int
    mark: str | None = None
    scheme: str | None = None


class Finder:
    """Looks for credentials; the same one found twice counts once."""

    def __init__(self, defaults: Defaults, secret_inputs: frozenset[str] = frozenset()) -> None:
        self._defaults, self._unseen = defaults, secret_inputs
        self.found: dict[tuple[str, int, str, str | None], Credential] = {}

    def entry(self, entry: Given, launch: Launch | None) -> tuple[Credential, ...]:
        """All credentials of an entry."""
        self._env(entry.env)
        self._headers(entry.headers)
        self._env([*entry.oauth_parts, *entry.own], "file")
        if entry.url:
            self.address(entry.url)
            self._default_within("", entry.url, "url")
        for named in entry.elsewhere:
            self._add(named.name, Value("reference"), "env", named.line)
        if launch:
            self._launch(entry, launch)
        return tuple(self.found.values())

    def address(self, word: Word) -> None:
        """Those before the `@` and in the query of an address."""
        for each in carried(word.text):
            name = _PARAMETERS.get(each.name.lower(), each.name)
            if strength(name):
                self._add(each.name, value_of(each.value, name, self._defaults), "url", word.line)

    def _launch(self, entry: Given, launch: Launch) -> None:
        self._env(launch.env)
        for line in launch.lines:
            self._words(line)
        own = {name for name, _ in (*entry.env, *launch.env)}
        for passed in launch.passed:
            if passed.text not in own and strength(passed.text):
                self._add(passed.text, Value("reference"), "env", passed.line)
        if launch.keeps:
            self._add(launch.program, Value("reference"), "env", entry.line)
        if any(trait.kind == "key-file" for trait in launch.traits):
            self._add("key file", Value("reference"), "argument", entry.line)

    def _env(self, pairs: Sequence[Pair], where: Where = "env") -> None:
        for name, text in pairs:
            told = name if strength(name) == "strong" else "authorization" if _SCHEME.match(text.text) else name
            if strength(told):
                self._add(name, value_of(text.text, told, self._defaults), where, text.line)
            elif self._typed_unseen(text.text):
                self._add(name, value_of(text.text, "token", self._defaults), where, text.line)
            self._within(name, text, where)

    def _headers(self, pairs: Sequence[Pair]) -> None:
        for name, text in pairs:
            scheme = _SCHEME.match(text.text)
            told = name if strength(name) else "authorization" if scheme else ""
            if told:
                value = value_of(text.text, told, self._defaults)
                self._add(name, value, "header", text.line, scheme[1].capitalize() if scheme else None)
            elif self._typed_unseen(text.text):
                self._add(name, value_of(text.text, "token", self._defaults), "header", text.line)
            else:
                self._add(name, secret_of(text.text), "header", text.line)

    def _words(self, line: Sequence[Word]) -> None:
        skip = False
        plain = [word.text for word in line]
        for at, (word, after) in enumerate(zip(line, [*line[1:], None], strict=True)):
            if skip:
                skip = False
                continue
            if told := told_before(plain, at):
                self._told_before(told, word)
            elif after and _SWITCH.fullmatch(word.text) and strength(word.text) and not after.text.startswith("-"):
                self._add(word.text, value_of(after.text, word.text, self._defaults), "argument", word.line)
                skip = value_of(after.text, word.text, self._defaults) is not None
            else:
                self._word(word)

    def _told_before(self, told: tuple[str, str], word: Word) -> None:
        name, rest = told[0], word.text.removeprefix(told[1])
        scheme = _SCHEME.match(rest)
        value = value_of(rest, name, self._defaults)
        self._add(name, value, "argument", word.line, scheme[1].capitalize() if scheme else None)

    def _word(self, word: Word) -> None:
        option = _OPTION.fullmatch(word.text)
        header = _HEADER.fullmatch(word.text) if not option or ":" in option[1] else None
        told = option or header
        if told and strength(told[1]):
            scheme = _SCHEME.match(told[2])
            value = value_of(told[2], told[1], self._defaults)
            name = told[1] if not told[1].startswith("-e") or told[1][2:3].islower() else told[1][2:]
            where: Where = "header" if header else "argument"
            self._add(name, value, where, word.line, scheme[1].capitalize() if scheme else None)
            return
        if option and (inner := _HEADER.fullmatch(option[2])) and strength(inner[1]):
            self._word(Word(option[2], word.line))
            return
        if not told and (scheme := _SCHEME.match(word.text)):
            value = value_of(word.text, "authorization", self._defaults)
            self._add("authorization", value, "argument", word.line, scheme[1].capitalize())
            return
        if option and option[2].lstrip()[:1] in ("{", "["):
            self._json(Word(option[2], word.line), "argument")
        self._within(told[1] if told else "argument", word, "argument")

    def _within(self, name: str, text: Word, where: Where) -> None:
        """What a longer text holds: addresses, JSON, connection strings, tokens of a known shape."""
        if text.text.lstrip()[:1] in ("{", "["):
            self._json(text, where)
        for found in _ADDRESS.finditer(text.text):
            self.address(Word(found[0], text.line))
        if ";" in text.text and "=" in text.text:
            for part, value in _CONNECTION.findall(text.text):
                if strength(part):
                    self._add(part.strip(), value_of(value, part, self._defaults), where, text.line)
        if not strength(name):
            self._add(name, secret_of(text.text), where, text.line)
            self._default_within(name, text, where)

    def _default_within(self, name: str, text: Word, where: Where) -> None:
        """The default of a variable whose own name says that it is a secret, or that is an address with one."""
        for found in _INPUT.findall(text.text):
            self.address(Word(self._defaults.get(found, ""), text.line))
        for variable in VARIABLE.findall(text.text):
            inner = re.match(r"\$\{(?:env:|input:)?(\w+)", variable)
            if inner and strength(inner[1]):
                value = value_of(variable, inner[1], self._defaults)
                if value and value.kind == "literal":
                    self._add(inner[1], value, where, text.line)

    def _json(self, text: Word, where: Where) -> None:
        try:
            value = read_json(text.text)
        except Fault:
            return
        inside = [(key, Word(each.text, text.line)) for key, each in texts(value, text.line, 2000) if key]
        for key, each in inside:
            told = key if strength(key) else "authorization" if _SCHEME.match(each.text) else ""
            found = value_of(each.text, told, self._defaults) if told else secret_of(each.text)
            self._add(key, found, where, text.line)

    def _typed_unseen(self, text: str) -> bool:
        return any(f"${{{name}}}" in text for name in self._unseen)

    def _add(self, name: str, value: Value | None, where: Where, line: int, scheme: str | None = None) -> None:
        if value is None:
            return
        key = (where, line, value.kind, value.mark or name)
        self.found.setdefault(key, Credential(name.lstrip("-"), value.kind, where, line, value.mark, scheme))


def line_kinds(credentials: Sequence[Credential]) -> Iterator[ValueKind]:
    """The kinds that occur, the gravest first."""
    kinds: tuple[ValueKind, ...] = ("literal", "reference", "placeholder")
    return (kind for kind in kinds if any(each.kind == kind for each in credentials))
