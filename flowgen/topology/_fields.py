"""What an entry says, whatever its fields are called: command line, environment, address, headers, switches.

The names are those of `hosts.toml`. Values are read as they are; nothing is judged here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ._document import Table, Word, texts
from ._grants import declared
from ._hosts import fields, transport_words
from ._maps import Entry, is_extension, word
from ._shell import split_command

Pair = tuple[str, Word]

_REQUESTS = ("requestInit", "request_init", "requestOptions", "request_options")  # headers stand in them
_ISSUERS = ("authorizationurl", "issuer", "authorizationserver", "authority", "tokenurl", "authserver")


class Named(NamedTuple):
    """Names of variables, headers or keys that hold a secret elsewhere."""

    name: str
    line: int


@dataclass(slots=True)
class Given:
    """An entry's facts. `type` is the transport as its word means it; `oauth` the line where OAuth is declared; `own`
    are members of the entry itself whose names say that they are credentials; an `extension` of the host starts it.
    """

    name: str | None
    line: int
    scope: str | None = None
    words: list[Word] = field(default_factory=list)
    env: list[Pair] = field(default_factory=list)
    headers: list[Pair] = field(default_factory=list)
    url: Word | None = None
    http_url: bool = False
    type: str | None = None
    image: Word | None = None
    disabled: bool = False
    sandboxed: bool = False
    grants: tuple[str, ...] = ()
    approved: Word | None = None
    oauth: int | None = None
    oauth_parts: list[Pair] = field(default_factory=list)
    issuer: Word | None = None
    elsewhere: list[Named] = field(default_factory=list)
    own: list[Pair] = field(default_factory=list)
    extension: bool = False


def given(entry: Entry) -> Given:
    """Reads an entry of a host's map of servers."""
    body = _merged(entry.body)
    found = Given(entry.name, entry.line, entry.scope)
    found.words = _command(body, entry.line)
    found.env = list(_pairs(body, fields("env"), entry.line))
    found.headers = list(_pairs(body, fields("headers"), entry.line))
    found.headers += [pair for key in _REQUESTS for pair in _nested(body, key, "headers")]
    _address(found, body)
    found.type = kind_of(_first(body, fields("type")))
    _extension(found, body)
    found.disabled = entry.disabled or _disabled(body)
    found.sandboxed = any(_true(body.get(name)) for name in fields("sandboxed"))
    found.grants = tuple(declared(body))
    found.approved = _approved(body)
    _oauth(found, body)
    found.elsewhere = list(_elsewhere(body, entry.line))
    found.own = list(_own(body, entry.line))
    return found


def kind_of(value: Any) -> str | None:
    """What a word for a transport means; None if it leaves it open, as `remote` does."""
    if not isinstance(value, str):
        return None
    plain = "".join(sign for sign in value.lower() if sign not in "-_ ")
    return transport_words().get(plain)


def _merged(body: Table) -> Table:
    """With the fields of a transport that is an object of its own, and those of a command that is one."""
    merged = Table()
    for source in (body.get("transport"), body.get("remote"), body):
        if isinstance(source, dict):
            for key, value in source.items():
                merged.put(key, value, _line(source, key, 1))
    if isinstance(merged.get("transport"), dict):
        inner = body["transport"]
        merged.put("transport", inner.get("type"), _line(inner, "type", 1))
    return merged


def _extension(found: Given, body: Table) -> None:
    found.extension = is_extension(body)
    if found.extension and isinstance(body.get("settings"), dict):
        found.env += _map(body["settings"], _line(body, "settings", found.line))


def _command(body: Table, line: int) -> list[Word]:
    name = next((name for name in fields("command") if body.get(name)), None)
    if name is None:
        return []
    value, at = body[name], _line(body, name, line)
    if isinstance(value, dict):
        return _of_object(value, at) + _args(body, line)
    if isinstance(value, list):
        return [*_row(value, at), *_args(body, line)]
    return [Word(part, at) for part in split_command(str(value))] + _args(body, line)


def _of_object(value: dict[str, Any], line: int) -> list[Word]:
    """`{path, args, env}`; its variables are read with the entry's own."""
    path = next((value[key] for key in ("path", "command", "program") if isinstance(value.get(key), str)), "")
    at = next((_line(value, key, line) for key in ("path", "command", "program") if key in value), line)
    return [Word(part, at) for part in split_command(path)] + _args(value, line)


def _args(body: dict[str, Any], line: int) -> list[Word]:
    name = next((name for name in fields("args") if body.get(name) is not None), None)
    if name is None:
        return []
    value, at = body[name], _line(body, name, line)
    if isinstance(value, str):
        return [Word(part, at) for part in split_command(value)]
    return _row(value, at) if isinstance(value, list) else []


def _row(value: list[Any], line: int) -> list[Word]:
    lines = getattr(value, "lines", [line] * len(value))
    return [found for each, at in zip(value, lines, strict=True) if (found := word(each, at))]


def _pairs(body: Table, names: tuple[str, ...], line: int) -> Iterator[Pair]:
    """Maps of texts, lists of `NAME=value`, lists of `{name, value}`; also those within a command's object."""
    sources = [body, *(body[name] for name in fields("command") if isinstance(body.get(name), dict))]
    for source in sources:
        for name in names:
            value = source.get(name)
            if isinstance(value, dict):
                yield from _map(value, _line(source, name, line))
            elif isinstance(value, list):
                yield from _list(value, _line(source, name, line))


def _nested(body: Table, key: str, name: str) -> Iterator[Pair]:
    inner = body.get(key)
    if isinstance(inner, dict) and isinstance(inner.get(name), dict):
        yield from _map(inner[name], _line(inner, name, 1))


def _map(value: dict[str, Any], line: int) -> Iterator[Pair]:
    for name, child in value.items():
        at = _line(value, name, line)
        if isinstance(child, dict | list):  # a text within is under the innermost name
            yield from ((key or name, text) for key, text in texts(child, at))
        elif found := word(child, at):
            yield name, found


def _list(value: list[Any], line: int) -> Iterator[Pair]:
    lines = getattr(value, "lines", [line] * len(value))
    for each, at in zip(value, lines, strict=True):
        if isinstance(each, str):
            told = re.match(r"\s*([\w.-]+)\s*[=:]", each)  # a header has a colon
            if told:
                yield told[1], Word(each[told.end() :].strip(), at)
        elif isinstance(each, dict) and isinstance(each.get("name"), str):
            text = each.get("value", each.get("default"))
            if found := word(text, _line(each, "value", at)):
                yield each["name"], found


def _address(found: Given, body: Table) -> None:
    for field_name in ("http_url", "url"):
        for name in fields(field_name):
            text = body.get(name)
            if isinstance(text, str) and text.strip() and found.url is None:
                found.url = Word(text.strip(), _line(body, name, found.line))
                found.http_url = field_name == "http_url"


def _first(body: Table, names: tuple[str, ...]) -> Any:
    return next((body[name] for name in names if isinstance(body.get(name), str)), None)


def _disabled(body: Table) -> bool:
    off = any(_true(body.get(name)) for name in fields("off"))
    return off or any(body.get(name) is not None and not _true(body[name]) for name in fields("on"))


def _true(value: Any) -> bool:
    return value.strip().lower() in ("true", "yes", "1", "on") if isinstance(value, str) else bool(value)


def _approved(body: Table) -> Word | None:
    """Tools that are called without asking: a list with something in it, or trust in the whole server."""
    for name in fields("approved"):
        value = body.get(name)
        if value and not (isinstance(value, str) and not _true(value) and value != "*"):
            return Word(name, _line(body, name, 1))
    return next((Word(name, _line(body, name, 1)) for name in fields("trusted") if body.get(name) is True), None)


def _oauth(found: Given, body: Table) -> None:
    for name in fields("oauth"):
        value = body.get(name)
        if _declares_oauth(name, value):
            found.oauth = _line(body, name, found.line)
        if isinstance(value, dict):
            parts = list(texts(value, _line(body, name, found.line)))
            found.oauth_parts = parts
            found.issuer = next((text for key, text in parts if _is_issuer(key, text.text)), None)


def _declares_oauth(name: str, value: Any) -> bool:
    """`oauth: {…}`, `auth: oauth`, `auth: {clientId: …}`; a bearer token in an object is no OAuth."""
    if name == "authProviderType":
        return isinstance(value, str)
    if not isinstance(value, dict):
        return value is True or (isinstance(value, str) and "oauth" in value.lower())
    if name == "oauth":
        return value.get("enabled") is not False
    plain = {key.lower().replace("_", "") for key in value}
    return "oauth" in str(value.get("type", "")).lower() or bool(plain & {"clientid", "scopes", "issuer"})


def _own(body: Table, line: int) -> Iterator[Pair]:
    from ._values import strength

    for name, value in body.items():
        known = strength(name) == "strong" or (name in fields("oauth") and not _declares_oauth(name, value))
        if isinstance(value, str) and known:
            yield name, Word(value, _line(body, name, line))


def _is_issuer(key: str, text: str) -> bool:
    plain = key.lower().replace("_", "")
    return text.startswith("https://") and any(part in plain for part in _ISSUERS)


def _elsewhere(body: Table, line: int) -> Iterator[Named]:
    """Names of variables that hold what the server is given: the file shows no value."""
    from ._values import strength

    for name in fields("helper"):
        if isinstance(body.get(name), str) and body[name]:
            yield Named(name, _line(body, name, line))
    for name in fields("variable"):
        if isinstance(body.get(name), str) and body[name]:
            yield Named(body[name], _line(body, name, line))
    for name in (*fields("variables"), *fields("kept")):
        for each in _row(body[name], _line(body, name, line)) if isinstance(body.get(name), list) else ():
            if name in fields("kept") or strength(each.text):
                yield Named(each.text, each.line)
    for name in fields("variable_headers"):
        value = body.get(name)
        for header, variable in _map(value, _line(body, name, line)) if isinstance(value, dict) else ():
            if strength(header) or strength(variable.text):
                yield Named(header, variable.line)


def _line(holder: Any, key: str, default: int) -> int:
    lines: dict[str, int] = getattr(holder, "lines", {})
    return lines.get(key, default)
