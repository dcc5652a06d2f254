"""One pass over one recorded message: a copy without its secrets, and the pointers to where they stood.

What counts as a secret is the Mask's business; here stands which fields are the protocol's own and never touched.
"""

import base64
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._secrets import MASK

if TYPE_CHECKING:
    from ._redact import Mask

_PARTS = ("body", "text", "head", "http", "sse", "problems", "step")
_PROTECTED = re.compile(
    r"""/body/(?:
      jsonrpc | id | method | event | error/code
    | params/(?:name | cursor | requestId | progressToken | protocolVersion)
    | result/(?:nextCursor | resultType | protocolVersion)
    | result/inputRequests/[^/]*+/method
    | (?:params|result)/_meta/(?:progressToken | io\.modelcontextprotocol~1(?:subscriptionId | protocolVersion))
    ) | /head/(?:id | method) | /http/method | /problems/[0-9]++/code""",
    re.VERBOSE,
)
_NAMES_OF_NAMES = {"dependencies", "dependentRequired"}  # JSON Schema: a property's name leads to other names
_SCHEMAS = {"inputSchema", "outputSchema", "requestedSchema"}
_VALUES = {"const", "default", "enum", "example", "examples"}  # where a schema holds values of what it describes
_ASIDE = ("url", "value")  # members that may be secret whatever their names tell
_ADDRESSES = ("location", "content-location", "referer")
_ALONE = re.compile(rf"\b(code|state)=[^&\s\"'<>]*?{MASK}")  # what OAuth sends there and back, to be recognised
_NO_ID = re.compile(rf"[^\x21-\x7e{MASK[0]}]")
_SENTINEL = re.compile(r"=\?base64\?(.*)\?=")  # how 2026-07-28 carries arguments in Mcp-Param headers

# a value under no secret name; under one; under one that the user gave; in the schema of what has such a name
NOT, NAMED, ALL, DESCRIBED = range(4)

Place = tuple[Any, ...]  # (place of the parent, name or index); a pointer is made only where it is needed
Todo = list[tuple[Any, Any, Any, Place, int]]


class Walk:
    """Copies a message without its secrets."""

    def __init__(self, mask: "Mask") -> None:
        self._mask = mask
        self._redacted: dict[str, list[str]] = {}
        self._shown: dict[str, str] = {}
        self._note = False

    def message(self, message: dict[str, Any]) -> dict[str, Any]:
        """The copy, with `redacted` and `fingerprints` where something was hidden."""
        masked = dict(message)
        self._note = message.get("kind") == "note"  # opened-browser, callback-received: addresses in use
        for name in _PARTS:
            if message.get(name) is not None:
                masked[name] = self._part(name, message)
        self._check_raw(masked)
        if not self._redacted:
            return masked
        masked.pop("raw", None)
        masked.pop("raw_encoding", None)
        prints = {pointer: self._mask.fingerprint(hidden) for pointer, hidden in self._redacted.items()}
        masked["redacted"] = list(dict.fromkeys([*message.get("redacted", ()), *prints]))
        masked["fingerprints"] = {**message.get("fingerprints", {}), **prints, **dict(self._alone())}
        return masked

    def _alone(self) -> Iterator[tuple[str, str]]:
        """Fingerprints of a code and a state on their own, where they stand with other secrets in an address or a form:
        `/http/url/state`.
        """
        for pointer, hidden in self._redacted.items():
            if len(hidden) > 1 and self._shown.get(pointer, "").count(MASK) == len(hidden):
                for found in _ALONE.finditer(self._shown[pointer]):
                    before = self._shown[pointer].count(MASK, 0, found.end()) - 1
                    yield f"{pointer}/{found[1]}", self._mask.fingerprint(hidden[before : before + 1])

    def _part(self, name: str, message: dict[str, Any]) -> Any:
        value, place = message[name], (None, name)
        if name == "text" and message.get("encoding") == "base64" and _bytes_of(value) is not None:
            return self._bytes(value, place)
        if name == "http" and isinstance(value, dict):
            return self._http(value, place)
        return self._value(value, place)

    def _value(self, root: Any, place: Place) -> Any:
        """The copy of any JSON value; without recursion, so that depth is no matter."""
        box = [root]
        todo: Todo = [(box, 0, root, place, NOT)]
        while todo:
            holder, key, value, place, level = todo.pop()
            if isinstance(value, dict):
                holder[key] = self._object(value, place, level, todo)
            elif isinstance(value, list):
                holder[key] = self._list(value, place, level, todo)
            else:
                holder[key] = self._leaf(value, place, level)
        return box[0]

    def _object(self, value: dict[str, Any], place: Place, level: int, todo: Todo) -> dict[str, Any]:
        copy: dict[str, Any] = {}
        inner: Todo = []
        pair = value.get("name", value.get("key"))  # {"name": "API_KEY", "value": "…"}
        secret_pair = isinstance(pair, str) and self._mask.is_secret(pair)
        for name, member in value.items():
            if level in (NOT, NAMED) and name not in _ASIDE and self._mask.is_plain(name):
                copy[name] = member
                if not self._mask.is_harmless(member):
                    inner.append((copy, name, member, (place, name), NOT))
                continue
            key = self._name(name, copy, place)
            copy[key] = member
            if key == "url" and isinstance(member, str) and (self._note or value.get("mode") == "url"):
                # an address that is masked already shows what is harmless in it
                hide = self._mask.hide_address if MASK in member else self._mask.hide_url
                copy[key] = self._put(member, *hide(member), (place, key))
            else:
                under = NAMED if key == "value" and secret_pair else self._level(name, member, place, level)
                inner.append((copy, key, member, (place, key), under))
        todo.extend(reversed(inner))
        return copy

    def _list(self, value: list[Any], place: Place, level: int, todo: Todo) -> list[Any]:
        copy = list(value)
        if place[1] in ("argv", "command") and all(isinstance(item, str) for item in value):
            for index, (item, before) in enumerate(zip(value, ["", *value], strict=False)):
                copy[index] = self._put(item, *self._mask.hide_argument(item, before), (place, index))
        else:
            inner = [(copy, index, item, (place, index), level) for index, item in enumerate(value)]
            todo.extend(reversed(inner))
        return copy

    def _leaf(self, value: Any, place: Place, level: int) -> Any:
        if value is None or isinstance(value, bool):
            return value
        text = str(value)
        if level in (NAMED, ALL):
            return self._put(value, *self._mask.hide_whole(text), place)
        if isinstance(value, str):
            return self._put(value, *self._mask.hide(text), place)
        return self._put(value, MASK, [text] if self._mask.knows(text) else [], place)

    def _level(self, name: str, member: Any, place: Place, level: int) -> int:
        if level == DESCRIBED:
            secret = self._mask.is_secret(name) and not isinstance(member, dict)
            return ALL if secret or name in _VALUES else DESCRIBED
        if level == ALL or self._mask.is_forced(name):
            return DESCRIBED if level != ALL and isinstance(member, dict) and _is_schema(place) else ALL
        return NAMED if self._mask.is_secret(name) and place[1] not in _NAMES_OF_NAMES else NOT

    def _name(self, name: str, copy: dict[str, Any], place: Place) -> str:
        masked, hidden = self._mask.hide_name(name)
        while hidden and masked in copy:
            masked += MASK[0]
        return str(self._put(name, masked, hidden, (place, masked)))

    def _http(self, http: dict[str, Any], place: Place) -> dict[str, Any]:
        copy = self._value({name: value for name, value in http.items() if name not in ("url", "headers")}, place)
        if "url" in http:
            copy["url"] = self._put(http["url"], *self._mask.hide_address(http["url"]), (place, "url"))
        if "headers" in http:
            copy["headers"] = self._headers(http["headers"], (place, "headers"))
        return {name: copy[name] for name in http}

    def _headers(self, headers: list[Any], place: Place) -> list[Any]:
        """Pairs by their names; the pointer has the name in small letters."""
        secrets = {secret for hidden in self._redacted.values() for secret in hidden}
        copies = []
        for name, value in headers:
            if self._mask.is_secret(name):
                masked, hidden = _session_id(name, value) or self._mask.hide_whole(value)
                for cookie in _cookies(name, value):
                    self._mask.learn(cookie)
            elif secrets and _plain(value) in secrets:  # an argument that was masked in the body
                masked, hidden = MASK, [_plain(value)]
            elif name.lower() in _ADDRESSES:
                masked, hidden = self._mask.hide_address(value)
            else:
                masked, hidden = self._mask.hide(value)
            copies.append([name, self._put(value, masked, hidden, (place, name.lower()))])
        return copies

    def _bytes(self, text: str, place: Place) -> str:
        """Text that is base64 because its bytes are not UTF-8: masked in its bytes."""
        masked, hidden = self._mask.hide(_bytes_of(text) or "")
        data = b"".join(sign.encode("utf-8" if sign in MASK else "latin-1") for sign in masked)
        return str(self._put(text, base64.b64encode(data).decode(), hidden, place))

    def _check_raw(self, message: dict[str, Any]) -> None:
        """A secret may stand in the bytes alone, as the first of two equal names."""
        raw = message.get("raw")
        if raw is None or self._redacted:
            return
        if message.get("raw_encoding") == "base64":
            raw = _bytes_of(raw) or raw
        self._put(raw, *self._mask.hide(raw), (None, "raw"))

    def _put(self, value: Any, masked: str, hidden: list[str], place: Place) -> Any:
        """The masked value where something was hidden and the protocol does not need it."""
        if not hidden:
            return value
        pointer = _pointer(place)
        if _PROTECTED.fullmatch(pointer):
            return value
        self._redacted[pointer] = [*self._redacted.get(pointer, ()), *hidden]
        self._shown[pointer] = masked
        return masked


def _is_schema(place: Place) -> bool:
    """Whether the names that stand here are those of properties, and under each is what it may hold."""
    above = place
    while above[0] is not None and above[1] not in _SCHEMAS:
        above = above[0]
    return place[1] == "properties" and above[1] in _SCHEMAS


def _pointer(place: Place) -> str:
    """A JSON pointer (RFC 6901)."""
    parts: list[str] = []
    parent: Any = place
    while parent is not None:
        parent, part = parent
        parts.append(str(part).replace("~", "~0").replace("/", "~1"))
    return "/" + "/".join(reversed(parts))


def _plain(value: str) -> str:
    found = _SENTINEL.fullmatch(value)
    try:
        return base64.b64decode(found[1]).decode() if found else value
    except ValueError:
        return value


def _session_id(name: str, value: str) -> tuple[str, list[str]] | None:
    """A session id of which some signs are none of those that it may hold (visible ASCII): those stay as they are."""
    if name.lower() != "mcp-session-id" or not _NO_ID.search(value):
        return None
    return (value, []) if MASK in value else (re.sub(r"[\x21-\x7e]+", MASK, value), [value])


def _cookies(name: str, value: str) -> Iterator[str]:
    """The values of cookies: a server may say them again in a body."""
    if name.lower() in ("cookie", "set-cookie"):
        pairs = value.split(";") if name.lower() == "cookie" else value.split(";")[:1]
        yield from (pair.partition("=")[2].strip() for pair in pairs)


def _bytes_of(text: str) -> str | None:
    """What base64 stands for, a character a byte; None where it is none."""
    try:
        return base64.b64decode(text).decode("latin-1")
    except ValueError:
        return None
