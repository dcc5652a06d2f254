"""The places of the annotation language: from a text such as `/params/name` or `header:Accept` to what stands there.

A place is compiled once into a function from a Spot to the values found, each with its key (the last name) and
its own path without `*`. A place that does not exist gives nothing; no body is too odd to be asked.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from ._around import Spot


class Found(NamedTuple):
    """A value, the name it stands under, and where."""

    key: str
    value: Any
    path: str


Place = Callable[[Spot], list[Found]]


@cache
def place(text: str) -> Place:
    """The reader of a place. Raises KeyError for a form that the language does not have."""
    if not text or text.startswith("/"):
        walk = _pointer(text)
        return lambda spot: walk(spot.draft.body)
    if text == "status":
        return lambda spot: [Found("status", spot.status, "status")] if spot.status is not None else []
    form, _, rest = text.partition(":")
    return _FORMS[form](rest)


def exists(text: str, spot: Spot) -> bool:
    """Whether anything stands at the place."""
    return bool(place(text)(spot))


@cache
def _pointer(text: str) -> Callable[[Any], list[Found]]:
    """A JSON Pointer (RFC 6901) in which `*` stands for every item or member."""
    names = [name.replace("~1", "/").replace("~0", "~") for name in text.split("/")[1:]]
    if "*" not in names:
        return lambda body: _straight(body, names, text)
    return lambda body: _wandering(body, names)


def _straight(value: Any, names: list[str], text: str) -> list[Found]:
    for name in names:
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isascii() and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return []
    return [Found(names[-1] if names else "", value, text)]


def _wandering(body: Any, names: list[str]) -> list[Found]:
    found = [Found("", body, "")]
    for name in names:
        found = [step for here in found for step in _steps(here, name)]
    return found


def _steps(here: Found, name: str) -> Iterable[Found]:
    if name != "*":
        inside = _straight(here.value, [name], _escaped(name))
        return [Found(one.key, one.value, here.path + one.path) for one in inside]
    if isinstance(here.value, dict):
        return [Found(key, value, here.path + _escaped(key)) for key, value in here.value.items()]
    items = enumerate(here.value) if isinstance(here.value, list) else ()
    return [Found(str(at), item, f"{here.path}/{at}") for at, item in items]


def _escaped(name: str) -> str:
    return "/" + name.replace("~", "~0").replace("/", "~1")


def _header(name: str) -> Place:
    """Compared without regard to case; a `*` at the end takes every header that begins so."""
    wanted = name.casefold()
    start = wanted.removesuffix("*")
    whole = start == wanted

    def found(spot: Spot) -> list[Found]:
        return [
            Found(key, value, f"header:{key}")
            for key, value in spot.headers
            if (key.casefold() == wanted if whole else key.casefold().startswith(start))
        ]

    return found


def _query(name: str) -> Place:
    return lambda spot: [Found(key, value, f"query:{key}") for key, value in _parameters(spot) if key == name]


def _parameters(spot: Spot) -> Iterator[tuple[str, str]]:
    """Of the request's address; of an answer's Location."""
    http = spot.draft.message.http
    url = http.url if http and spot.status is None else next(iter(spot.header("location")), None)
    try:
        yield from parse_qsl(urlsplit(url or "").query, keep_blank_values=True)
    except ValueError:
        return


def _form(name: str) -> Place:
    return lambda spot: [Found(key, value, f"form:{key}") for key, value in _fields(spot) if key == name]


def _fields(spot: Spot) -> list[tuple[str, str]]:
    message = spot.draft.message
    text = message.text if message.body is None else message.body
    if message.kind != "http" or message.encoding or not isinstance(text, str):
        return []
    try:
        return parse_qsl(text, keep_blank_values=True)
    except ValueError:
        return []


def _request(rest: str) -> Place:
    inner = place(rest)
    return lambda spot: inner(request) if (request := spot.request) else []


def _keys(rest: str) -> Place:
    """The member names of an object, as values."""
    inner = place(rest)

    def found(spot: Spot) -> list[Found]:
        return [
            Found(one.key, list(one.value), one.path) for one in inner(spot) if isinstance(one.value, dict)
        ]

    return found


def _tool(rest: str) -> Place:
    walk = _pointer(rest)
    return lambda spot: walk(tool) if (tool := spot.tool) is not None else []


def _server(rest: str) -> Place:
    walk = _pointer(rest)
    return lambda spot: walk(declared) if (declared := spot.declared) is not None else []


_FORMS: dict[str, Callable[[str], Place]] = {
    "header": _header,
    "query": _query,
    "form": _form,
    "request": _request,
    "keys": _keys,
    "tool": _tool,
    "server": _server,
}
